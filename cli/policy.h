#ifndef CLI_POLICY_H
#define CLI_POLICY_H

#include "command.h"
#include "lilyq.h"

/* Whether there are to be any, for commands where that is a choice. */
extern const struct option_row option_policies;
extern const struct option_row option_no_policies;

/* What policies are called, and what they say of DLQs. */
extern const struct option_row *const policy_name_options[];
extern const struct option_row *const policy_dlq_options[];
extern const struct option_row option_dlq_delivery_limit;
extern const struct option_row option_dlq_retention;

/* The version of the broker, for commands that do not ask it. */
extern const struct option_row option_broker_version;
extern const struct option_row *const broker_version_options[];

/*
 * What the options say of policies. EXIT_INVALID after saying what is wrong
 * with them: one without --policies, for commands that have it, is, unless
 * [broker] may ask for policies too.
 */
enum exit_code policy_options_read(const struct invocation *invocation,
                                   struct lilyq_policy_options *out);

/*
 * Whether policies are wanted, by an option or by [broker] of the files that
 * were loaded: points `out` to `read`, else to nothing. EXIT_INVALID after
 * saying what is wrong: options that are of no use without policies.
 */
enum exit_code policy_options_settle(const struct invocation *invocation,
                                     struct lilyq *run,
                                     const struct lilyq_policy_options *read,
                                     const struct lilyq_policy_options **out);

/*
 * Says what people should know of the policies for v2 queues of the run. The
 * version may be NULL: not known.
 */
void policy_options_tell(const struct invocation *invocation,
                         const struct lilyq *run, const char *broker_version);

#endif
