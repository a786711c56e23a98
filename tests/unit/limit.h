/* Makes memory run out where a test wants it to. */
#ifndef TESTS_UNIT_LIMIT_H
#define TESTS_UNIT_LIMIT_H

#include "base/arena.h"

/* Lets `limit` more allocations succeed, whatever failed before. */
static inline void limit_memory(struct lq_arena *arena, size_t limit)
{
    arena->limit = limit;
    arena->failed = false;
}

#endif
