#include "compare/drift.h"

#include "compare/compare.h"
#include "compare/policies.h"
#include "compare/shadow.h"
#include "policy/pcre.h"

/* Where the findings of a logical queue go; none is behind all. */
static size_t group_of(const struct lq_topology *plan,
                       const struct lq_finding *finding)
{
    return finding->logical ? (size_t)(finding->logical - plan->logicals)
                            : plan->logical_count;
}

enum lq_status lq_drift_order(const struct lq_topology *plan,
                              struct lq_arena *arena, struct lq_diff *diff)
{
    const size_t count = diff->findings.count;
    const size_t groups = plan->logical_count + 1;
    size_t *const next = lq_alloc_array(arena, groups, sizeof(*next));
    struct lq_finding *const ordered =
        lq_alloc_array(arena, count, sizeof(*ordered));
    size_t start = 0;

    if (!next || !ordered) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < count; ++i) {
        ++next[group_of(plan, lq_diff_at(diff, i))];
    }
    for (size_t i = 0; i < groups; ++i) {
        const size_t size = next[i];

        next[i] = start;
        start += size;
    }
    for (size_t i = 0; i < count; ++i) {
        const struct lq_finding *const finding = lq_diff_at(diff, i);

        ordered[next[group_of(plan, finding)]++] = *finding;
    }
    diff->findings.items = ordered;
    diff->findings.capacity = count;
    return LQ_OK;
}

/* What policies of others change, and what becomes of ours. */
static enum lq_status check_policies(const struct lq_topology *plan,
                                     const struct lq_live *live,
                                     const struct lq_own_policies *own,
                                     struct lq_arena *arena,
                                     struct lq_diff *out)
{
    struct lq_pcre *pcre = NULL;
    struct lq_matcher matcher;
    enum lq_status status = lq_pcre_open(arena, &pcre);

    if (status == LQ_OK) {
        matcher = lq_pcre_matcher(pcre);
        status = lq_diff_shadowed(plan, live, &matcher, arena, out);
    }
    if (status == LQ_OK && own) {
        const struct lq_policy_case about = {plan, own, live, &matcher};

        status = lq_diff_own_policies(&about, arena, out);
    }
    lq_pcre_close(pcre);
    return status;
}

enum lq_status lq_drift_complete(const struct lq_topology *plan,
                                 const struct lq_live *live,
                                 const struct lq_own_policies *own,
                                 struct lq_arena *arena, struct lq_diff *diff)
{
    enum lq_status status = lq_diff_unexpected(plan, live, arena, diff);

    if (status == LQ_OK) {
        status = check_policies(plan, live, own, arena, diff);
    }
    if (status == LQ_OK) {
        lq_diff_notes(plan, live, arena, diff);
    }
    return status == LQ_OK ? lq_drift_order(plan, arena, diff) : status;
}

enum lq_status lq_drift_compare(const struct lq_topology *plan,
                                const struct lq_live *live,
                                const struct lq_own_policies *own,
                                struct lq_arena *arena, struct lq_diff *out)
{
    enum lq_status status = lq_diff(plan, live, arena, out);

    return status == LQ_OK ? lq_drift_complete(plan, live, own, arena, out)
                           : status;
}
