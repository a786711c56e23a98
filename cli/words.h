#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include "base/arena.h"

#include <stddef.h>

/*
 * Pieces of messages, in the arena. None is ever NULL: "?" stands for what
 * memory did not suffice for.
 */

/* A user's text as it may be shown on a terminal. */
const char *words_shown(struct lq_arena *arena, const char *text);

/* A NULL-terminated list as "a, b or c". */
const char *words_or(struct lq_arena *arena, const char *const *list);

/* "1 queue", "3 queues"; a noun in -y becomes -ies. */
const char *words_count(struct lq_arena *arena, size_t count, const char *noun);

#endif
