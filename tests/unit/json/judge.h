/* jansson as the judge of what is read. */
#ifndef JUDGE_H
#define JUDGE_H

#include "json/read.h"
#include "json/write.h"

#include <stdbool.h>
#include <string.h>

#include <jansson.h>

#define JUDGE_FLAGS (JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY)

/*
 * Whether jansson takes a text, without a byte order mark and NUL bytes, as it
 * was read: `node` is NULL for one that was refused. jansson refuses numbers
 * that its types do not hold, and does not get to what is behind them.
 */
static inline bool judge_agrees(const char *text, size_t length,
                                const struct lq_node *node,
                                struct lq_arena *arena)
{
    json_error_t error;
    json_t *const wanted = json_loadb(text, length, JUDGE_FLAGS, &error);
    json_t *found = NULL;
    bool agrees = false;

    if (!wanted) {
        return !node || json_error_code(&error) == json_error_numeric_overflow;
    }
    if (node) {
        const char *const again = lq_node_compact(node, arena);

        found = again ? json_loadb(again, strlen(again), JUDGE_FLAGS, &error)
                      : NULL;
        agrees = found && json_equal(wanted, found);
    }
    json_decref(found);
    json_decref(wanted);
    return agrees;
}

#endif
