#include "policy.h"

#include "base/text.h"
#include "base/version.h"

/* As long as a message-ttl may be, in whole days. */
#define RETENTION_MAX_DAYS 49

const struct option_row option_policies = {
    .name = "policies",
    .help = "include the policies that 'lilyq policies' prints"};
const struct option_row option_no_policies = {
    .name = "no-policies",
    .help = "include no policies, even if [broker] policies asks for them"};
static const struct option_row name_option = {
    .name = "policy-name",
    .kind = OPTION_TEXT,
    .metavar = "NAME",
    .help = "name the policies lilyq-NAME-..., to tell them from those of "
            "other topologies"};
static const struct option_row priority_option = {
    .name = "priority",
    .kind = OPTION_NUMBER,
    .metavar = "NUMBER",
    .preset = "0",
    .help = "priority of the policies"};
const struct option_row option_broker_version = {
    .name = "broker-version",
    .kind = OPTION_TEXT,
    .metavar = "VERSION",
    .help = "version of the broker, such as 4.0"};
const struct option_row option_dlq_delivery_limit = {
    .name = "dlq-delivery-limit",
    .kind = OPTION_NUMBER,
    .metavar = "NUMBER",
    .least = 1,
    .preset = "no limit",
    .help = "how often a quorum DLQ of RabbitMQ 4.0 or later redelivers a "
            "message before dropping it"};
const struct option_row option_dlq_retention = {
    .name = "dlq-retention",
    .kind = OPTION_TEXT,
    .metavar = "DURATION",
    .preset = "for ever",
    .help =
        "how long a DLQ keeps a message before dropping it, such as 12h or 7d"};

const struct option_row *const policy_name_options[] = {&name_option,
                                                        &priority_option, NULL};
const struct option_row *const broker_version_options[] = {
    &option_broker_version, NULL};
const struct option_row *const policy_dlq_options[] = {
    &option_dlq_delivery_limit, &option_dlq_retention, NULL};

/*
 * Whether nothing is said of policies that shall not be. Lint has a use for the
 * version without any.
 */
static bool is_unrefined(const struct invocation *invocation)
{
    static const char why[] = "needs '--policies'";

    return (invocation->command == &cmd_lint ||
            options_absent(invocation, broker_version_options, why)) &&
           options_absent(invocation, policy_name_options, why) &&
           options_absent(invocation, policy_dlq_options, why);
}

/* The same, where the options alone tell whether there shall be any. */
static bool is_asked_for(const struct invocation *invocation)
{
    static const struct option_pair pair = {&option_policies,
                                            &option_no_policies};

    if (option_applies(invocation->command, &option_no_policies)) {
        return option_pairs_agree(invocation, &pair, 1);
    }
    return option_text(invocation, &option_policies) ||
           !option_applies(invocation->command, &option_policies) ||
           is_unrefined(invocation);
}

static bool read_retention(const struct invocation *invocation, unsigned *out)
{
    uint64_t millis = 0;

    if (!option_duration(invocation, &option_dlq_retention, RETENTION_MAX_DAYS,
                         &millis)) {
        return false;
    }
    *out = (unsigned)(millis / 1000);
    return millis % 1000 == 0 ||
           option_refuse(invocation, &option_dlq_retention,
                         "a whole number of seconds");
}

enum exit_code policy_options_read(const struct invocation *invocation,
                                   struct lilyq_policy_options *out)
{
    *out = (struct lilyq_policy_options){
        .name = option_text(invocation, &name_option),
        .priority = option_number(invocation, &priority_option),
        .dlq_delivery_limit =
            option_number(invocation, &option_dlq_delivery_limit),
    };
    return is_asked_for(invocation) &&
                   option_version_text(invocation, &option_broker_version,
                                       &out->broker_version) &&
                   read_retention(invocation, &out->dlq_retention_seconds)
               ? EXIT_DONE
               : EXIT_INVALID;
}

enum exit_code policy_options_settle(const struct invocation *invocation,
                                     struct lilyq *run,
                                     const struct lilyq_policy_options *read,
                                     const struct lilyq_policy_options **out)
{
    struct lilyq_setting setting = {.kind = LILYQ_SETTING_ABSENT};
    bool wanted = option_text(invocation, &option_policies) != NULL;

    if (!wanted && !option_text(invocation, &option_no_policies)) {
        if (lilyq_broker_setting(run, "policies", &setting) != LILYQ_OK) {
            return command_out_of_memory(invocation);
        }
        wanted = setting.text && (lq_str_equal(setting.text, "yes") ||
                                  lq_str_equal(setting.text, "true"));
    }
    *out = wanted ? read : NULL;
    return wanted || is_unrefined(invocation) ? EXIT_DONE : EXIT_INVALID;
}

static void tell_limit(const struct invocation *invocation,
                       struct lq_version broker)
{
    const struct reporter *const reporter = &invocation->reporter;
    const bool given =
        option_text(invocation, &option_dlq_delivery_limit) != NULL;

    if (!broker.known) {
        report_warning(
            reporter,
            "no delivery-limit for quorum DLQs: RabbitMQ 4.0 and "
            "later drop a message that was delivered more than 20 times "
            "without being acknowledged; '--broker-version' names the version");
    } else if (given && lq_version_is_before(broker, 4, 0)) {
        report_warning(
            reporter,
            "no delivery-limit for quorum DLQs: RabbitMQ %u.%u has none by "
            "default, and would drop messages that were delivered that often",
            broker.major, broker.minor);
    }
}

void policy_options_tell(const struct invocation *invocation,
                         const struct lilyq *run, const char *broker_version)
{
    struct lq_version broker = {0};
    struct lilyq_planned planned;

    lilyq_count_planned(run, &planned);
    if (broker_version) {
        (void)lq_version_read(broker_version, &broker);
    }
    if (!planned.has_quorum_dlq) {
        report_warning(&invocation->reporter,
                       "no queue is both quorum and framework_managed: only "
                       "those have policies for dead letters");
        return;
    }
    tell_limit(invocation, broker);
    report_note(&invocation->reporter,
                "a message whose dead-letter target is full is offered again "
                "in rounds of about three minutes, in the first or the second; "
                "the broker's setting "
                "rabbit.dead_letter_worker_publisher_confirm_timeout shortens "
                "them");
}
