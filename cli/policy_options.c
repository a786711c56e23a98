#include "policy_options.h"

#include "api/session.h"
#include "base/version.h"
#include "option_pairs.h"
#include "option_quantity.h"

/* As long as a message-ttl may be, in whole days. */
#define RETENTION_MAX_DAYS 49

/* The first one is of use to `lint` without policies. */
static const enum option_id refinements[] = {
    OPTION_BROKER_VERSION,     OPTION_POLICY_NAME,   OPTION_PRIORITY,
    OPTION_DLQ_DELIVERY_LIMIT, OPTION_DLQ_RETENTION,
};

static bool has_option(const struct invocation *invocation, enum option_id id)
{
    return option_applies(&option_rows[id], option_command(invocation));
}

/* Whether nothing is said of policies that shall not be. */
static bool is_unrefined(const struct invocation *invocation)
{
    const size_t first = option_command(invocation) == COMMAND_LINT;

    return options_absent(invocation, refinements + first,
                          sizeof(refinements) / sizeof(refinements[0]) - first,
                          "needs '--policies'");
}

/* The same, where the options alone tell whether there shall be any. */
static bool is_asked_for(const struct invocation *invocation)
{
    static const struct option_pair pair = {OPTION_POLICIES,
                                            OPTION_NO_POLICIES};

    if (has_option(invocation, OPTION_NO_POLICIES)) {
        return option_pairs_agree(invocation, &pair, 1);
    }
    return invocation->options.text[OPTION_POLICIES] ||
           !has_option(invocation, OPTION_POLICIES) || is_unrefined(invocation);
}

static bool read_retention(const struct invocation *invocation, unsigned *out)
{
    uint64_t millis = 0;

    if (!option_duration(invocation, OPTION_DLQ_RETENTION, RETENTION_MAX_DAYS,
                         &millis)) {
        return false;
    }
    *out = (unsigned)(millis / 1000);
    return millis % 1000 == 0 || option_refuse(invocation, OPTION_DLQ_RETENTION,
                                               "a whole number of seconds");
}

enum exit_code policy_options_read(const struct invocation *invocation,
                                   struct lilyq_policy_options *out)
{
    const struct options *const options = &invocation->options;

    *out = (struct lilyq_policy_options){
        .name = options->text[OPTION_POLICY_NAME],
        .priority = options->number[OPTION_PRIORITY],
        .dlq_delivery_limit = options->number[OPTION_DLQ_DELIVERY_LIMIT],
        .native_retry = options->text[OPTION_NATIVE_RETRY] != NULL,
    };
    return is_asked_for(invocation) &&
                   option_version(invocation, OPTION_BROKER_VERSION,
                                  &out->broker_version) &&
                   read_retention(invocation, &out->dlq_retention_seconds)
               ? EXIT_DONE
               : EXIT_INVALID;
}

enum exit_code policy_options_settle(const struct invocation *invocation,
                                     const struct lilyq *run,
                                     const struct lilyq_policy_options *read,
                                     const struct lilyq_policy_options **out)
{
    const char *const *const text = invocation->options.text;
    const bool wanted =
        text[OPTION_POLICIES] || (!text[OPTION_NO_POLICIES] &&
                                  lq_broker_has_policies(&run->config.broker));

    *out = wanted ? read : NULL;
    return wanted || is_unrefined(invocation) ? EXIT_DONE : EXIT_INVALID;
}

static void tell_limit(const struct invocation *invocation,
                       struct lq_version broker)
{
    const struct reporter *const reporter = &invocation->reporter;
    const bool given =
        invocation->options.text[OPTION_DLQ_DELIVERY_LIMIT] != NULL;

    if (!broker.known) {
        report_warning(reporter,
                       "no delivery-limit for quorum DLQs: RabbitMQ 4.0 and "
                       "later drop what was read there more than 20 times and "
                       "not taken; "
                       "--broker-version says what the broker is");
    } else if (given && lq_version_is_before(broker, 4, 0)) {
        report_warning(reporter,
                       "no delivery-limit for quorum DLQs: RabbitMQ %u.%u has "
                       "none of its own, and would drop what was read that "
                       "often",
                       broker.major, broker.minor);
    }
}

void policy_options_tell(const struct invocation *invocation,
                         const struct lilyq *run, const char *broker_version)
{
    struct lq_version broker = {0};

    if (broker_version) {
        (void)lq_version_read(broker_version, &broker);
    }
    if (!lq_has_quorum_dlq(run->topology)) {
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
