#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "exit_code.h"

#include <stdbool.h>
#include <stddef.h>

struct invocation;

enum command_id {
    COMMAND_PLAN,
    COMMAND_APPLY,
    COMMAND_DIFF,
    COMMAND_LINT,
    COMMAND_EXPLAIN,
    COMMAND_POLICIES,
    COMMAND_PERMISSIONS,
    COMMAND_INIT,
    COMMAND_KEYS,
    COMMAND_COMPLETION,
    COMMAND_HELP,
    COMMAND_COUNT,
    COMMAND_NONE = COMMAND_COUNT /* what stands before a command's name */
};

enum option_id {
    OPTION_OUTPUT,
    OPTION_REPORT,
    OPTION_DIFF,
    OPTION_PERMISSIONS,
    OPTION_LINT,
    OPTION_EXPLAIN,
    OPTION_POLICIES_FORM,
    OPTION_INPUT,
    OPTION_PLAN_VHOST,
    OPTION_PERMISSIONS_VHOST,
    OPTION_ROLE,
    OPTION_USER,
    OPTION_LINT_FAIL_ON,
    OPTION_MAX_RETRY_WINDOW,
    OPTION_DISK,
    OPTION_EVENT_ID,
    OPTION_RATE,
    OPTION_FAILURE_RATIO,
    OPTION_OUTAGE,
    OPTION_MESSAGE_SIZE,
    OPTION_DEFINITIONS,
    OPTION_AGAINST,
    OPTION_PASSIVE_ONLY,
    OPTION_FAIL_ON,
    OPTION_POLICIES,
    OPTION_NO_POLICIES,
    OPTION_POLICY_NAME,
    OPTION_PRIORITY,
    OPTION_BROKER_VERSION,
    OPTION_DLQ_DELIVERY_LIMIT,
    OPTION_DLQ_RETENTION,
    OPTION_NATIVE_RETRY,
    OPTION_URL,
    OPTION_VHOST,
    OPTION_USERNAME,
    OPTION_PASSWORD_FILE,
    OPTION_MANAGEMENT_URL,
    OPTION_TLS_CA_CERT_FILE,
    OPTION_TLS_CERT_FILE,
    OPTION_TLS_KEY_FILE,
    OPTION_INSECURE,
    OPTION_CONNECT_TIMEOUT,
    OPTION_ANSWER_TIMEOUT,
    OPTION_TIMEOUT,
    OPTION_WAIT,
    OPTION_DRY_RUN,
    OPTION_NO_PREFLIGHT,
    OPTION_MAX_IN_FLIGHT,
    OPTION_PAUSE_WHEN_BLOCKED,
    OPTION_FAIL_WHEN_BLOCKED,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_NO_COLOR,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_COUNT
};

enum option_kind {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_ANY_TEXT, /* may be empty */
    OPTION_LIST,     /* may be repeated: commas then join the values */
    OPTION_FILE,
    OPTION_CHOICE,
    OPTION_CHOICES, /* several with commas between them */
    OPTION_SECONDS, /* `least` to MAX_SECONDS */
    OPTION_NUMBER   /* `least` to MAX_NUMBER */
};

#define MAX_SECONDS 86400U
#define MAX_NUMBER 65535U

/*
 * One option: the single source for parsing, --help and the completion
 * scripts. An option that means different things to different commands has
 * a row for each.
 */
struct option_row {
    const char *name;           /* without the dashes */
    const char *metavar;        /* NULL for a flag */
    const char *const *choices; /* OPTION_CHOICE(S): NULL-terminated */
    const char *preset;         /* shown as the default, or NULL */
    const char *help;           /* one sentence, no full stop */
    enum option_kind kind;
    unsigned least;    /* OPTION_SECONDS, OPTION_NUMBER */
    unsigned commands; /* bits 1 << enum command_id */
    char letter;       /* short form, or 0 */
};

/* Indexed by enum option_id. */
extern const struct option_row option_rows[OPTION_COUNT];

/* What a command line says. */
struct options {
    const char *text[OPTION_COUNT]; /* as given, "" for a flag; NULL: absent */
    unsigned number[OPTION_COUNT];  /* a number, the index of a choice, or
                                       bits 1 << index of choices */
    char *const *operands;
    size_t operand_count;
};

bool option_applies(const struct option_row *row, enum command_id command);

/* The id of the invocation's command. */
enum command_id option_command(const struct invocation *invocation);

/*
 * Reads the options of the invocation's command from argv[1] on; later ones
 * win, but for lists. What is left are the operands: for COMMAND_NONE all from
 * the first non-option on, else those between options as well. Not EXIT_DONE
 * after saying what is wrong.
 */
enum exit_code options_read(struct invocation *invocation, int argc,
                            char **argv);

#endif
