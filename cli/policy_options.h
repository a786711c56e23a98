#ifndef CLI_POLICY_OPTIONS_H
#define CLI_POLICY_OPTIONS_H

#include "command.h"

/*
 * What the options say of policies. EXIT_INVALID after saying what is wrong
 * with them: one without --policies, for commands that have it, is.
 */
enum exit_code policy_options_read(const struct invocation *invocation,
                                   struct lilyq_policy_options *out);

/*
 * Says what people should know of the policies for v2 queues of the run. The
 * version may be NULL: not known.
 */
void policy_options_tell(const struct invocation *invocation,
                         const struct lilyq *run, const char *broker_version);

#endif
