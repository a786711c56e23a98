/* What the tests of lq_apply() share. */
#ifndef APPLY_FIXTURE_H
#define APPLY_FIXTURE_H

#include "apply/apply.h"

#include "fake.h"
#include "plan/plan.h"

static const struct lq_apply_options plain = {.data = NULL};

/* An entry with one bucket: queues q, q.retry.v2.1000ms and q.dlq.v2. */
static inline struct lq_entry with_one_bucket(const char *name)
{
    struct lq_entry entry = entry_at(1, name);

    entry.retry_attempts = 1;
    return entry;
}

static inline const struct lq_topology *
plan(struct fixture *fixture, const struct lq_entry *entries, size_t count)
{
    const struct lq_topology *topology = NULL;

    assert_int_equal(lq_plan_build(entries, count, &fixture->diags, &topology),
                     LQ_OK);
    return topology;
}

static inline void put_all(struct fake *fake,
                           const struct lq_topology *topology)
{
    for (size_t i = 0; i < topology->exchange_count; ++i) {
        fake_put(fake, "exchange", topology->exchanges[i].name);
    }
    for (size_t i = 0; i < topology->queue_count; ++i) {
        fake_put(fake, "queue", topology->queues[i].name);
    }
}

static inline void assert_log(const struct fake *fake, const char *const *lines,
                              size_t count)
{
    const char *const *const log = fake->log.items;

    for (size_t i = 0; i < count && i < fake->log.count; ++i) {
        assert_string_equal(log[i], lines[i]);
    }
    assert_int_equal(fake->log.count, count);
}

static inline void assert_results(const struct lq_outcome *outcomes,
                                  const enum lq_result *wanted, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        assert_int_equal(outcomes[i].result, wanted[i]);
    }
}

static inline void assert_all(const struct lq_outcome *outcomes, size_t count,
                              enum lq_result wanted)
{
    for (size_t i = 0; i < count; ++i) {
        assert_int_equal(outcomes[i].result, wanted);
    }
}

static inline struct lq_entry external(const char *name)
{
    struct lq_entry entry = entry_at(1, name);

    entry.topology_ownership = LQ_EXTERNAL;
    entry.dead_letter_exchange = "graveyard";
    entry.dead_letter_routing_key = "dead";
    return entry;
}

static inline size_t count_of(const struct lq_outcome *outcomes, size_t count,
                              enum lq_result result)
{
    size_t found = 0;

    for (size_t i = 0; i < count; ++i) {
        found += outcomes[i].result == result;
    }
    return found;
}

static inline size_t count_all(const struct lq_apply_report *report,
                               enum lq_result result)
{
    return count_of(report->exchanges, 3, result) +
           count_of(report->queues, 3, result) +
           count_of(report->bindings, 3, result);
}

struct watch {
    size_t asked;
    size_t stop_at; /* the question that is answered yes, from 1 */
    size_t done;
    size_t total;
};

static inline bool stop(void *data)
{
    struct watch *const watch = data;

    return ++watch->asked >= watch->stop_at;
}

static inline void watch_progress(void *data, size_t done, size_t total)
{
    struct watch *const watch = data;

    assert_true(done >= watch->done && done <= total);
    assert_true(watch->total == 0 || watch->total == total);
    watch->done = done;
    watch->total = total;
}

#endif
