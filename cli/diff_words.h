#ifndef CLI_DIFF_WORDS_H
#define CLI_DIFF_WORDS_H

#include "command.h"

/* Sums a comparison up in a line, and says what to exit with. */
enum exit_code diff_conclude(const struct invocation *invocation,
                             const struct lilyq_drift *drift);

#endif
