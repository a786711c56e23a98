#ifndef CLI_LINT_RUN_H
#define CLI_LINT_RUN_H

#include "command.h"

/*
 * Judges the planned run, with what a broker holds if the options say where to
 * look; shows the problems. Not EXIT_DONE when nothing came of it.
 */
enum exit_code lint_run(const struct invocation *invocation, struct lilyq *run,
                        const struct lilyq_lint_options *options,
                        struct lilyq_findings *out);

/* False, after saying so, when options exclude each other or lack another. */
bool lint_options_agree(const struct invocation *invocation);

#endif
