/* The classes of events are what the hash makes of event ids. */
#include "explain/flow.h"
#include "plan/backoff.h"

#include "../plan/plan_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#define EVENTS 6000
#define MOST_CLASSES 400

static struct lq_flow_plan plan_of(struct fixture *fixture,
                                   const struct lq_logical *logical)
{
    struct lq_flow_plan plan = {
        .attempts = lq_alloc_array(&fixture->arena, logical->attempt_count,
                                   sizeof(*plan.attempts)),
        .attempt_count = logical->attempt_count,
        .bucket_count = logical->bucket_count,
    };

    assert_non_null(plan.attempts);
    for (size_t i = 0; i < logical->attempt_count; ++i) {
        plan.attempts[i].count = logical->attempts[i].count;
        for (size_t j = 0; j < logical->attempts[i].count; ++j) {
            plan.attempts[i].delays[j] =
                (double)logical->attempts[i].delays_millis[j];
        }
    }
    return plan;
}

static bool belongs(const struct lq_logical *logical, const char *event,
                    const struct lq_flow_class *events)
{
    for (uint32_t i = 0; i < logical->attempt_count; ++i) {
        if ((double)lq_backoff_select(logical->entry, event, i + 1) !=
            events->delays[i]) {
            return false;
        }
    }
    return true;
}

/* Counts the events of each class; fails when one is of none. */
static void sort_events(const struct lq_logical *logical,
                        const struct lq_flow_class *classes, unsigned count,
                        unsigned *sizes)
{
    uint64_t state = 42;

    for (unsigned i = 0; i < EVENTS; ++i) {
        char event[40];
        unsigned at = 0;

        state = state * UINT64_C(6364136223846793005) +
                UINT64_C(1442695040888963407);
        (void)snprintf(event, sizeof(event), "%08x-%04x-4000-8000-%012llx",
                       (unsigned)(state >> 32),
                       (unsigned)(state >> 16) & 0xffff,
                       (unsigned long long)(state >> 17) & 0xffffffffffff);
        while (at < count && !belongs(logical, event, &classes[at])) {
            ++at;
        }
        assert_true(at < count);
        ++sizes[at];
    }
}

static void check(struct fixture *fixture, uint64_t attempts, uint64_t cap,
                  double jitter, unsigned wanted)
{
    static struct lq_flow_class classes[MOST_CLASSES];
    struct lq_entry entry = entry_at(1, "q");
    unsigned sizes[MOST_CLASSES] = {0};
    struct lq_flow_plan flow;
    const struct lq_logical *logical = NULL;

    entry.retry_attempts = attempts;
    entry.max_retry_backoff_millis = cap;
    entry.retry_jitter_ratio = jitter;
    logical = plan(fixture, &entry, 1)->logicals;
    flow = plan_of(fixture, logical);
    assert_int_equal(lq_flow_class_count(&flow), wanted);
    for (unsigned i = 0; i < wanted; ++i) {
        lq_flow_class_init(&classes[i], &flow, 0.5, i);
    }
    sort_events(logical, classes, wanted, sizes);
    for (unsigned i = 0; i < wanted; ++i) {
        double alike = 0;
        unsigned of_them = 0;

        /* classes may share all delays: the first of them got all events */
        for (unsigned j = 0; j < wanted; ++j) {
            if (memcmp(classes[i].delays, classes[j].delays,
                       attempts * sizeof(double)) == 0) {
                alike += 1;
                of_them += sizes[j];
            }
        }
        assert_true(of_them > 0.5 * alike * EVENTS / wanted);
        assert_true(of_them < 1.7 * alike * EVENTS / wanted);
    }
}

static void every_event_is_of_one(void **state)
{
    struct fixture *const fixture = *state;

    check(fixture, 3, 60000, 0, 1);
    check(fixture, 10, 1000, 0.3, 1);   /* all delays are clamped */
    check(fixture, 1, 60000, 0.2, 2);   /* the base and above */
    check(fixture, 3, 60000, 0.2, 12);  /* 3 x 2^2 */
    check(fixture, 4, 5000, 0.2, 24);   /* 3 x 2^3 */
    check(fixture, 9, 60000, 0.25, 48); /* 3 x 2^4 */
    check(fixture, 40, 8000, 0.5, 192); /* 3 x 2^6 */
    check(fixture, 100, 9000, 0.1, 384);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_event_is_of_one),
    };

    return cmocka_run_group_tests_name("flow class", tests, NULL, NULL);
}
