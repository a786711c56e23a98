#ifndef CLI_POLICY_H
#define CLI_POLICY_H

#include "command.h"
#include "lilyq.h"

/* Whether to include policies, for commands where that is a choice. */
extern const struct option_row option_policies;
extern const struct option_row option_no_policies;

/* How policies are named, and what they set for DLQs. */
extern const struct option_row *const policy_name_options[];
extern const struct option_row *const policy_dlq_options[];
extern const struct option_row option_dlq_delivery_limit;
extern const struct option_row option_dlq_retention;

/* The version of the broker, for commands that do not ask the broker. */
extern const struct option_row option_broker_version;
extern const struct option_row *const broker_version_options[];

/*
 * Reads the options about policies. EXIT_INVALID after reporting what is wrong:
 * they need --policies in commands that have it, unless [broker] may ask for
 * policies too.
 */
enum exit_code policy_options_read(const struct invocation *invocation,
                                   struct lilyq_policy_options *out);

/*
 * Sets `*out` to `read` if an option or [broker] of the loaded files asks for
 * policies, else to NULL. EXIT_INVALID after reporting an option that needs
 * policies.
 */
enum exit_code policy_options_settle(const struct invocation *invocation,
                                     struct lilyq *run,
                                     const struct lilyq_policy_options *read,
                                     const struct lilyq_policy_options **out);

/*
 * Notes what people should know about the policies of the run's v2 queues. The
 * version may be NULL: not known.
 */
void policy_options_tell(const struct invocation *invocation,
                         const struct lilyq *run, const char *broker_version);

#endif
