#ifndef CLI_APPLY_WORDS_H
#define CLI_APPLY_WORDS_H

#include "command.h"

/* Prints the line that ends an apply; returns its exit code. */
enum exit_code apply_conclude(const struct invocation *invocation,
                              const struct lilyq_report *report,
                              enum lilyq_apply_mode mode, const char *target);

/* Whether there is more to tell than that nothing was done. */
bool apply_says_something(const struct lilyq_report *report);

#endif
