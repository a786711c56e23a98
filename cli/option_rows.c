#include "options.h"

#include "option_choices.h"

#define BIT(id) (1U << (id))
#define TOP BIT(COMMAND_NONE)
#define INPUTS                                                                 \
    (BIT(COMMAND_PLAN) | CONNECTS | BIT(COMMAND_EXPLAIN) |                     \
     BIT(COMMAND_POLICIES) | BIT(COMMAND_PERMISSIONS))
#define CONNECTS (BIT(COMMAND_APPLY) | BIT(COMMAND_DIFF) | BIT(COMMAND_LINT))
/* what takes policies for planned, and what has them in its output */
#define MAY_HAVE_POLICIES (BIT(COMMAND_PLAN) | CONNECTS)
#define WITH_POLICIES (MAY_HAVE_POLICIES | BIT(COMMAND_POLICIES))
#define ALL (TOP | (TOP - 1))

/* The --output of a command: what it is the form of, and its choices. */
#define FORM(what, list, first, command)                                       \
    {                                                                          \
        .name = "output", .letter = 'o', .kind = OPTION_CHOICE,                \
        .metavar = "FORMAT", .choices = (list), .preset = (first),             \
        .help = "form of the " what, .commands = BIT(command)                  \
    }

/* A file to connect with. */
#define CONNECT_FILE(name_, help_)                                             \
    {                                                                          \
        .name = (name_), .kind = OPTION_FILE, .metavar = "FILE",               \
        .help = (help_), .commands = CONNECTS                                  \
    }

/* A time that something may take. */
#define CONNECT_TIME(name_, preset_, help_)                                    \
    {                                                                          \
        .name = (name_), .kind = OPTION_SECONDS, .metavar = "SECONDS",         \
        .least = 1, .preset = (preset_), .help = (help_), .commands = CONNECTS \
    }

const struct option_row option_rows[OPTION_COUNT] = {
    [OPTION_OUTPUT] = FORM("plan", plan_formats, "json", COMMAND_PLAN),
    [OPTION_REPORT] = FORM("report", report_formats, "text", COMMAND_APPLY),
    [OPTION_DIFF] = FORM("findings", diff_formats, "text", COMMAND_DIFF),
    [OPTION_PERMISSIONS] =
        FORM("permissions", permissions_formats, "json", COMMAND_PERMISSIONS),
    [OPTION_LINT] = FORM("findings", lint_formats, "text", COMMAND_LINT),
    [OPTION_EXPLAIN] =
        FORM("explanation", explain_formats, "text", COMMAND_EXPLAIN),
    [OPTION_POLICIES_FORM] =
        FORM("policies", policies_formats, "json", COMMAND_POLICIES),
    [OPTION_INPUT] = {.name = "input",
                      .letter = 'i',
                      .kind = OPTION_CHOICE,
                      .metavar = "FORMAT",
                      .choices = input_formats,
                      .preset = "by each file's name",
                      .help = "form of the input",
                      .commands = INPUTS},
    [OPTION_PLAN_VHOST] = {.name = "vhost",
                           .kind = OPTION_ANY_TEXT,
                           .metavar = "VHOST",
                           .preset = "/",
                           .help = "virtual host that a definitions file names",
                           .commands = BIT(COMMAND_PLAN)},
    [OPTION_PERMISSIONS_VHOST] = {.name = "vhost",
                                  .kind = OPTION_ANY_TEXT,
                                  .metavar = "VHOST",
                                  .preset = "/",
                                  .help = "virtual host that they are for",
                                  .commands = BIT(COMMAND_POLICIES) |
                                              BIT(COMMAND_PERMISSIONS)},
    [OPTION_ROLE] = {.name = "role",
                     .kind = OPTION_CHOICE,
                     .metavar = "ROLE",
                     .choices = roles,
                     .preset = "all of them",
                     .help = "this role only",
                     .commands = BIT(COMMAND_PERMISSIONS)},
    [OPTION_USER] = {.name = "user",
                     .kind = OPTION_TEXT,
                     .metavar = "USER",
                     .preset = "lilyq-ROLE",
                     .help = "name of the user who has this role",
                     .commands = BIT(COMMAND_PERMISSIONS)},
    [OPTION_LINT_FAIL_ON] = {.name = "fail-on",
                             .kind = OPTION_CHOICE,
                             .metavar = "SEVERITY",
                             .choices = severities,
                             .preset = "error",
                             .help = "end with 3 when something this grave or "
                                     "graver is found",
                             .commands = BIT(COMMAND_LINT)},
    [OPTION_MAX_RETRY_WINDOW] = {.name = "max-retry-window",
                                 .kind = OPTION_TEXT,
                                 .metavar = "DURATION",
                                 .help = "the longest that all retries of a "
                                         "message may wait, such as 15m",
                                 .commands = BIT(COMMAND_LINT)},
    [OPTION_DISK] = {.name = "disk",
                     .kind = OPTION_TEXT,
                     .metavar = "BYTES",
                     .help = "disk that all queues together may fill, such as "
                             "50G",
                     .commands = BIT(COMMAND_LINT)},
    [OPTION_EVENT_ID] = {.name = "event-id",
                         .kind = OPTION_TEXT,
                         .metavar = "UUID",
                         .help = "show the very buckets that this event takes",
                         .commands = BIT(COMMAND_EXPLAIN)},
    [OPTION_RATE] = {.name = "rate",
                     .kind = OPTION_TEXT,
                     .metavar = "RATE",
                     .help = "tell how full the queues get with so many "
                             "messages, such as 50/s or 3000/m",
                     .commands = BIT(COMMAND_EXPLAIN)},
    [OPTION_FAILURE_RATIO] = {.name = "failure-ratio",
                              .kind = OPTION_TEXT,
                              .metavar = "RATIO",
                              .preset = "0",
                              .help = "the part of the deliveries that fails "
                                      "in normal time, 0 to 1",
                              .commands = BIT(COMMAND_EXPLAIN)},
    [OPTION_OUTAGE] = {.name = "outage",
                       .kind = OPTION_TEXT,
                       .metavar = "DURATION",
                       .help = "for so long all deliveries fail, such as 90s, "
                               "15m or 2h",
                       .commands = BIT(COMMAND_EXPLAIN)},
    [OPTION_MESSAGE_SIZE] = {.name = "message-size",
                             .kind = OPTION_TEXT,
                             .metavar = "BYTES",
                             .help = "the size of a message, besides the "
                                     "largest that the entry allows",
                             .commands = BIT(COMMAND_EXPLAIN)},
    [OPTION_DEFINITIONS] = {.name = "definitions",
                            .kind = OPTION_FILE,
                            .metavar = "FILE",
                            .help = "look at definitions that a broker "
                                    "exported, instead of a broker; '-' is "
                                    "standard input",
                            .commands = BIT(COMMAND_DIFF) | BIT(COMMAND_LINT)},
    [OPTION_AGAINST] = {.name = "against",
                        .kind = OPTION_FILE,
                        .metavar = "FILE",
                        .help = "show what a change from this file does: "
                                "entries, or a plan saved as JSON; '-' is "
                                "standard input",
                        .commands = BIT(COMMAND_DIFF)},
    [OPTION_PASSIVE_ONLY] = {.name = "passive-only",
                             .help = "without a management API, look only at "
                                     "what exists, not at how it was declared",
                             .commands = BIT(COMMAND_DIFF)},
    [OPTION_FAIL_ON] = {.name = "fail-on",
                        .kind = OPTION_CHOICES,
                        .metavar = "KINDS",
                        .choices = findings,
                        .preset = "all but unverified",
                        .help = "findings that make it end with 3, with commas "
                                "between them",
                        .commands = BIT(COMMAND_DIFF)},
    [OPTION_POLICIES] = {.name = "policies",
                         .help = "with the policies that 'lilyq policies' "
                                 "prints",
                         .commands = MAY_HAVE_POLICIES},
    [OPTION_NO_POLICIES] = {.name = "no-policies",
                            .help = "without them, whatever [broker] policies "
                                    "says in the file",
                            .commands = CONNECTS},
    [OPTION_POLICY_NAME] = {.name = "policy-name",
                            .kind = OPTION_TEXT,
                            .metavar = "NAME",
                            .help = "name the policies lilyq-NAME-..., to tell "
                                    "them from those of other topologies",
                            .commands = WITH_POLICIES},
    [OPTION_PRIORITY] = {.name = "priority",
                         .kind = OPTION_NUMBER,
                         .metavar = "NUMBER",
                         .preset = "0",
                         .help = "priority of the policies",
                         .commands = WITH_POLICIES},
    [OPTION_BROKER_VERSION] = {.name = "broker-version",
                               .kind = OPTION_TEXT,
                               .metavar = "VERSION",
                               .help = "version of the broker, such as 4.0",
                               .commands = BIT(COMMAND_PLAN) |
                                           BIT(COMMAND_POLICIES) |
                                           BIT(COMMAND_LINT)},
    [OPTION_DLQ_DELIVERY_LIMIT] = {.name = "dlq-delivery-limit",
                                   .kind = OPTION_NUMBER,
                                   .metavar = "NUMBER",
                                   .least = 1,
                                   .preset = "no limit",
                                   .help = "how often a quorum DLQ of RabbitMQ "
                                           "4.0 or later gives out a message "
                                           "again before it drops it",
                                   .commands = WITH_POLICIES},
    [OPTION_DLQ_RETENTION] = {.name = "dlq-retention",
                              .kind = OPTION_TEXT,
                              .metavar = "DURATION",
                              .preset = "for ever",
                              .help = "how long a DLQ keeps a message before "
                                      "it drops it, such as 12h or 7d",
                              .commands = WITH_POLICIES},
    [OPTION_NATIVE_RETRY] = {.name = "native-retry",
                             .help = "print policies for retries by the broker "
                                     "itself instead, on queues beside those "
                                     "of v2",
                             .commands = BIT(COMMAND_POLICIES)},
    [OPTION_URL] = {.name = "url",
                    .kind = OPTION_LIST,
                    .metavar = "URL",
                    .help = "the broker, as amqp[s]://user@host:port/vhost; "
                            "repeat it for other nodes to try",
                    .commands = CONNECTS},
    [OPTION_VHOST] = {.name = "vhost",
                      .kind = OPTION_ANY_TEXT,
                      .metavar = "VHOST",
                      .help = "virtual host, instead of the URL's",
                      .commands = CONNECTS},
    [OPTION_USERNAME] = {.name = "username",
                         .kind = OPTION_TEXT,
                         .metavar = "USER",
                         .help = "user to log in as, instead of the URL's",
                         .commands = CONNECTS},
    [OPTION_PASSWORD_FILE] =
        CONNECT_FILE("password-file", "file that holds the password"),
    [OPTION_MANAGEMENT_URL] = {.name = "management-url",
                               .kind = OPTION_TEXT,
                               .metavar = "URL",
                               .help = "look at the broker through its "
                                       "management API, as http[s]://host:port",
                               .commands = CONNECTS},
    [OPTION_TLS_CA_CERT_FILE] =
        CONNECT_FILE("tls-ca-cert-file", "PEM file of the authorities to trust "
                                         "instead of the system's"),
    [OPTION_TLS_CERT_FILE] =
        CONNECT_FILE("tls-cert-file", "PEM file of the certificate to present "
                                      "to the broker"),
    [OPTION_TLS_KEY_FILE] =
        CONNECT_FILE("tls-key-file", "PEM file of that certificate's key"),
    [OPTION_INSECURE] = {.name = "insecure",
                         .letter = 'k',
                         .help = "verify neither the broker's certificate nor "
                                 "its host name",
                         .commands = CONNECTS},
    [OPTION_CONNECT_TIMEOUT] = CONNECT_TIME(
        "connect-timeout", "10", "how long connecting and logging in may take"),
    [OPTION_ANSWER_TIMEOUT] = CONNECT_TIME(
        "answer-timeout", "90", "how long a request may go unanswered"),
    [OPTION_TIMEOUT] = {.name = "timeout",
                        .kind = OPTION_SECONDS,
                        .metavar = "SECONDS",
                        .preset = "0, no limit",
                        .help = "how long the whole run may take",
                        .commands = CONNECTS},
    [OPTION_WAIT] = {.name = "wait",
                     .kind = OPTION_SECONDS,
                     .metavar = "SECONDS",
                     .preset = "0",
                     .help = "how long to go on trying to connect while the "
                             "broker cannot be reached",
                     .commands = CONNECTS},
    [OPTION_DRY_RUN] = {.name = "dry-run",
                        .help = "print what would be declared, and declare "
                                "nothing",
                        .commands = BIT(COMMAND_APPLY)},
    [OPTION_NO_PREFLIGHT] = {.name = "no-preflight",
                             .help = "declare at once, without a look at what "
                                     "is there",
                             .commands = BIT(COMMAND_APPLY)},
    [OPTION_MAX_IN_FLIGHT] = {.name = "max-in-flight",
                              .kind = OPTION_NUMBER,
                              .metavar = "NUMBER",
                              .least = 1,
                              .preset = "512",
                              .help = "how many requests may wait for an "
                                      "answer at a time",
                              .commands = BIT(COMMAND_APPLY)},
    [OPTION_PAUSE_WHEN_BLOCKED] = {.name = "pause-when-blocked",
                                   .help = "wait while an alarm of the broker "
                                           "blocks it, which is the default",
                                   .commands = BIT(COMMAND_APPLY)},
    [OPTION_FAIL_WHEN_BLOCKED] = {.name = "fail-when-blocked",
                                  .help = "end when an alarm of the broker "
                                          "blocks it",
                                  .commands = BIT(COMMAND_APPLY)},
    [OPTION_QUIET] = {.name = "quiet",
                      .letter = 'q',
                      .help = "show errors only, no warnings and no summary",
                      .commands = ALL},
    [OPTION_VERBOSE] = {.name = "verbose",
                        .letter = 'v',
                        .help = "say more about what is done",
                        .commands = ALL},
    [OPTION_NO_COLOR] = {.name = "no-color",
                         .help = "use no colour on a terminal",
                         .commands = ALL},
    [OPTION_HELP] = {.name = "help",
                     .letter = 'h',
                     .help = "print this help",
                     .commands = ALL},
    [OPTION_VERSION] = {.name = "version",
                        .help = "print the version",
                        .commands = TOP},
};
