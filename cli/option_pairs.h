#ifndef CLI_OPTION_PAIRS_H
#define CLI_OPTION_PAIRS_H

#include "command.h"

#include <stdbool.h>
#include <stddef.h>

/* Two options that say the opposite of each other. */
struct option_pair {
    enum option_id one;
    enum option_id other;
};

/* False, after saying so, when both of a pair are given. */
bool option_pairs_agree(const struct invocation *invocation,
                        const struct option_pair *pairs, size_t count);

/*
 * False, after saying so, when one of the options is given: "'--NAME' WHY",
 * with "needs '--rate'" for one.
 */
bool options_absent(const struct invocation *invocation,
                    const enum option_id *ids, size_t count, const char *why);

#endif
