/* Findings to render. */
#ifndef LQ_TEST_FORMAT_DRIFT_FIXTURE_H
#define LQ_TEST_FORMAT_DRIFT_FIXTURE_H

#include "render/diff.h"

#include "fixture.h"

/* Findings to render, about a plan of two entries. */
struct report {
    struct fixture *fixture;
    struct lq_entry entries[2];
    struct lq_drift drift;
    struct lilyq_diff_style style;
};

static inline struct report *report_of(void **state)
{
    static struct report report;

    report = (struct report){.fixture = *state,
                             .entries = {documented_entry(), external_entry()},
                             .style = {.fail_on = 0xf}};
    report.entries[0].place =
        (struct lq_place){.file = "lilyq.ini", .line = 12};
    plan(report.fixture, report.entries, 2);
    report.drift = (struct lq_drift){.plan = report.fixture->topology,
                                     .source = "x.json",
                                     .vhost = "sh\tp",
                                     .kind = LILYQ_SOURCE_DEFINITIONS};
    lq_array_init(&report.drift.diff.findings, sizeof(struct lq_finding));
    return &report;
}

/* Adds a finding about queue `index` of the plan, to change afterwards. */
static inline struct lq_finding *add(struct report *report,
                                     enum lq_finding_code code, size_t index)
{
    const struct lq_queue *const queue = &report->drift.plan->queues[index];
    const struct lq_finding finding = {.code = code,
                                       .resource = LQ_QUEUE,
                                       .name = queue->name,
                                       .logical = queue->logical,
                                       .role = queue->role};
    struct lq_diff *const diff = &report->drift.diff;

    lq_diff_add(diff, &finding, &report->fixture->arena);
    return (struct lq_finding *)diff->findings.items + diff->findings.count - 1;
}

#endif
