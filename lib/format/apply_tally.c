#include "format/apply_tally.h"

const enum lq_result lq_result_order[LQ_RESULT_COUNT] = {
    LQ_CREATED,  LQ_UPDATED, LQ_EXISTING,  LQ_ENSURED,
    LQ_DECLARED, LQ_PENDING, LQ_VERIFIED,  LQ_UNVERIFIED,
    LQ_CONFLICT, LQ_FAILED,  LQ_UNCERTAIN, LQ_NOT_DONE};

static struct lq_tally count_up(const struct lq_outcome *outcomes, size_t count)
{
    struct lq_tally tally = {{0}};

    for (size_t i = 0; i < count; ++i) {
        ++tally.of[outcomes[i].result];
    }
    return tally;
}

static size_t count_external_unverified(const struct lq_topology *topology,
                                        const struct lq_outcome *outcomes)
{
    size_t count = 0;

    for (size_t i = 0; i < topology->binding_count; ++i) {
        count += outcomes[i].result == LQ_UNVERIFIED &&
                 lq_owner(topology->bindings[i].logical) == LQ_EXTERNAL;
    }
    return count;
}

void lq_tally_report(const struct lq_topology *topology,
                     const struct lq_apply_report *report,
                     struct lq_tallies *out)
{
    out->exchanges = count_up(report->exchanges, topology->exchange_count);
    out->queues = count_up(report->queues, topology->queue_count);
    out->bindings = count_up(report->bindings, topology->binding_count);
    out->policies = count_up(report->policy_outcomes,
                             report->policies ? report->policies->count : 0);
    out->external_unverified =
        count_external_unverified(topology, report->bindings);
}

const char *lq_result_word(enum lq_result result)
{
    static const char *const words[LQ_RESULT_COUNT] = {
        [LQ_NOT_DONE] = "not_done",   [LQ_CREATED] = "created",
        [LQ_EXISTING] = "existing",   [LQ_ENSURED] = "ensured",
        [LQ_DECLARED] = "declared",   [LQ_PENDING] = "pending",
        [LQ_VERIFIED] = "verified",   [LQ_UNVERIFIED] = "unverified",
        [LQ_CONFLICT] = "conflict",   [LQ_FAILED] = "failed",
        [LQ_UNCERTAIN] = "uncertain", [LQ_UPDATED] = "updated"};

    return words[result];
}

const char *lq_result_count_word(enum lq_result result)
{
    return result == LQ_CONFLICT ? "conflicts" : lq_result_word(result);
}
