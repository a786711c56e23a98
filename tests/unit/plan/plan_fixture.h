#ifndef PLAN_FIXTURE_H
#define PLAN_FIXTURE_H

#include "fixture.h"
#include "plan/plan.h"

/* Plans entries that have nothing wrong. */
static inline const struct lq_topology *
plan(struct fixture *fixture, const struct lq_entry *entries, size_t count)
{
    const struct lq_topology *topology = NULL;

    assert_int_equal(lq_plan_build(entries, count, &fixture->diags, &topology),
                     LQ_OK);
    assert_int_equal(fixture->diags.error_count, 0);
    assert_non_null(topology);
    return topology;
}

static inline void assert_invalid(struct fixture *fixture,
                                  const struct lq_entry *entries, size_t count)
{
    const struct lq_topology *topology = NULL;

    assert_int_equal(lq_plan_build(entries, count, &fixture->diags, &topology),
                     LQ_INVALID);
    assert_null(topology);
}

static inline struct lq_entry retrying_at(unsigned line, const char *name)
{
    struct lq_entry entry = entry_at(line, name);

    entry.retry_attempts = 2;
    return entry;
}

static inline struct lq_entry external_at(unsigned line, const char *name)
{
    struct lq_entry entry = entry_at(line, name);

    entry.topology_ownership = LQ_EXTERNAL;
    entry.exchange_name = "outer";
    entry.dead_letter_exchange = "outer.dlx";
    entry.dead_letter_routing_key = "failed";
    return entry;
}

/* So many entries; the first `full` of them have 32 buckets each. */
static inline struct lq_entry *many(struct fixture *fixture, size_t count,
                                    size_t full)
{
    struct lq_entry *const entries =
        lq_alloc_array(&fixture->arena, count, sizeof(*entries));

    for (size_t i = 0; i < count; ++i) {
        entries[i] = entry_at((unsigned)i + 1,
                              lq_format(&fixture->arena, "queue-%zu", i));
        if (i < full) {
            entries[i].retry_attempts = 32;
            entries[i].retry_backoff_millis = 100;
            entries[i].max_retry_backoff_millis = 900000;
            entries[i].retry_jitter_ratio = 0.0001;
        }
    }
    return entries;
}

/* Fails every allocation in turn; returns how it ends with enough of them. */
static inline enum lq_status sweep(struct fixture *fixture,
                                   const struct lq_entry *entries, size_t count,
                                   size_t *allocations)
{
    const struct lq_topology *topology = NULL;
    enum lq_status status = LQ_NOMEM;

    for (*allocations = 0; status == LQ_NOMEM; ++*allocations) {
        restart(fixture, *allocations);
        status = lq_plan_build(entries, count, &fixture->diags, &topology);
        assert_true((status == LQ_OK) == (topology != NULL));
    }
    return status;
}

#endif
