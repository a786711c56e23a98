#include "topology/policy_fit.h"

#include "topology/pattern.h"

/*
 * A pattern of the first `count` queues, in memory of its own, of which it
 * takes much. NULL text: out of memory.
 */
static struct lq_pattern try_pattern(const struct lq_queue *const *queues,
                                     size_t count, struct lq_arena *scratch)
{
    const char **const names =
        lq_alloc_array(scratch, count, sizeof(const char *));

    if (!names) {
        return (struct lq_pattern){0};
    }
    for (size_t i = 0; i < count; ++i) {
        names[i] = queues[i]->name;
    }
    return lq_pattern_of(names, count, LQ_PATTERN_PLAIN, scratch);
}

/*
 * The pattern of the first `count` queues, if every broker takes it; its text
 * stays NULL otherwise. Any one name fits: it has 200 bytes at most, of which
 * each becomes four at most.
 */
static enum lq_status fit(const struct lq_queue *const *queues, size_t count,
                          struct lq_arena *arena, const char **out)
{
    struct lq_arena scratch;
    struct lq_pattern pattern = {0};
    enum lq_status status = LQ_OK;

    *out = NULL;
    lq_arena_init(&scratch);
    pattern = try_pattern(queues, count, &scratch);
    if (!pattern.text) {
        status = LQ_NOMEM;
    } else if (pattern.length <= LQ_PATTERN_MAX_LENGTH) {
        *out = lq_strndup(arena, pattern.text, pattern.length);
        status = *out ? LQ_OK : LQ_NOMEM;
    }
    lq_arena_free(&scratch);
    return status;
}

/*
 * They are found by halves: the longest pattern tried is of twice as many as
 * fit.
 */
enum lq_status lq_policy_fit(const struct lq_queue *const *queues, size_t count,
                             struct lq_arena *arena,
                             struct lq_own_policy *policy)
{
    size_t fits = 0;
    size_t too_many = count + 1;
    size_t next = 1;

    while (fits + 1 < too_many) {
        const char *pattern = NULL;

        if (fit(queues, next, arena, &pattern) != LQ_OK) {
            return LQ_NOMEM;
        }
        if (pattern) {
            fits = next;
            policy->pattern = pattern;
            policy->queue_count = fits;
            next = too_many > count ? 2 * fits : fits + (too_many - fits) / 2;
            next = next > count ? count : next;
        } else {
            too_many = next;
            next = fits + (too_many - fits) / 2;
        }
    }
    return LQ_OK;
}
