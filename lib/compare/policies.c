#include "compare/policies.h"

#include "base/text.h"
#include "compare/compare.h"
#include "policy/conflict.h"

#include <stdlib.h>
#include <string.h>

/* A comparison under way; the finding is about the policy at hand. */
struct comparison {
    struct lq_differ differ;
    struct lq_judge judge;
    enum lq_finding_code missing;
    enum lq_finding_code different;
};

static const struct lq_live_argument *
key_of(const struct lq_live_arguments *definition, const char *key)
{
    return lq_live_argument(definition, key);
}

static struct lq_side_value value_of(const struct lq_live_argument *value)
{
    return value ? lq_actual_value(value) : lq_no_value;
}

static struct lq_side_value scope_value(enum lq_live_scope scope)
{
    static const char *const names[] = {
        [LQ_LIVE_ALL] = "all",
        [LQ_LIVE_EXCHANGES] = "exchanges",
        [LQ_LIVE_QUEUES] = "queues",
        [LQ_LIVE_CLASSIC_QUEUES] = "classic_queues",
        [LQ_LIVE_QUORUM_QUEUES] = "quorum_queues",
        [LQ_LIVE_STREAMS] = "streams",
    };

    return scope == LQ_LIVE_OTHERS ? (struct lq_side_value){"?", "unknown"}
                                   : lq_text_value(names[scope]);
}

/* A text of NULL is out of memory. */
static struct lq_side_value priority_value(double priority,
                                           struct lq_arena *arena)
{
    const bool whole = priority > -1e15 && priority < 1e15 &&
                       !(priority < (double)(int64_t)priority) &&
                       !(priority > (double)(int64_t)priority);

    return (struct lq_side_value){lq_format(arena, "%.15g", priority),
                                  whole ? "integer" : "number"};
}

/* Whether two texts are the same, or neither is there. */
static bool is_same_text(const char *a, const char *b)
{
    return a && b ? lq_str_equal(a, b) : a == b;
}

static void compare_values(const struct comparison *comparison,
                           const char *field,
                           const struct lq_side_value *planned,
                           const struct lq_side_value *actual)
{
    const bool same = is_same_text(planned->text, actual->text) &&
                      is_same_text(planned->type, actual->type);

    if (!same) {
        lq_differ_add_field(&comparison->differ, comparison->different, field,
                            planned, actual);
    }
}

static void compare_priority(const struct comparison *comparison,
                             double planned, double actual)
{
    struct lq_arena *const arena = comparison->differ.arena;
    const struct lq_side_value wanted = priority_value(planned, arena);
    const struct lq_side_value found = priority_value(actual, arena);

    compare_values(comparison, "priority", &wanted, &found);
}

/* Whether what it should be depends on a version that is not known. */
static bool depends_on_version(const struct comparison *comparison,
                               const char *key)
{
    return !comparison->differ.live->version &&
           comparison->different == LQ_OWN_POLICY_DIFFERENT &&
           lq_str_equal(key, "delivery-limit");
}

static void compare_key(const struct comparison *comparison, const char *key,
                        const struct lq_live_argument *planned,
                        const struct lq_live_argument *actual)
{
    const struct lq_side_value wanted = value_of(planned);
    const struct lq_side_value found = value_of(actual);

    if (depends_on_version(comparison, key) &&
        !is_same_text(wanted.text, found.text)) {
        lq_differ_add_field(&comparison->differ, LQ_OWN_POLICY_NOT_SEEN, key,
                            &wanted, &found);
        return;
    }
    compare_values(comparison, key, &wanted, &found);
}

static void compare_keys(const struct comparison *comparison,
                         const struct lq_live_arguments *planned,
                         const struct lq_live_arguments *actual)
{

    if (!actual->known) {
        lq_differ_add_field(&comparison->differ, LQ_OWN_POLICY_NOT_SEEN,
                            "definition", &lq_no_value, &lq_no_value);
        return;
    }
    for (size_t i = 0; i < planned->count; ++i) {
        const char *const key = planned->items[i].key;

        compare_key(comparison, key, &planned->items[i], key_of(actual, key));
    }
    for (size_t i = 0; i < actual->count; ++i) {
        const char *const key = actual->items[i].key;

        if (!key_of(planned, key)) {
            compare_key(comparison, key, NULL, &actual->items[i]);
        }
    }
}

static void compare_policy(const struct comparison *comparison,
                           const struct lq_live_policy *then,
                           const struct lq_live_policy *now)
{
    const struct lq_side_value patterns[] = {lq_text_value(then->pattern),
                                             lq_text_value(now->pattern)};
    const struct lq_side_value scopes[] = {scope_value(then->scope),
                                           scope_value(now->scope)};

    compare_values(comparison, "pattern", &patterns[0], &patterns[1]);
    compare_values(comparison, "apply-to", &scopes[0], &scopes[1]);
    compare_priority(comparison, then->priority, now->priority);
    compare_keys(comparison, &then->definition, &now->definition);
}

/* The first meeting that makes a policy of ours perhaps another topology's. */
static const struct lq_meeting *stranger_of(const struct lq_judge *judge,
                                            size_t own)
{
    const struct lq_meeting *const meetings = judge->meetings.items;

    for (size_t i = 0; i < judge->meetings.count; ++i) {
        if (meetings[i].own == own && meetings[i].kind == LQ_POLICY_STRANGER) {
            return &meetings[i];
        }
    }
    return NULL;
}

static void begin(struct comparison *comparison, const char *policy)
{
    comparison->differ.about =
        (struct lq_finding){.resource = LQ_POLICY, .name = policy};
}

/* Adds a finding about queues where two policies meet. */
static void add_meeting(struct comparison *comparison,
                        const struct lq_meeting *met, enum lq_finding_code code)
{
    struct lq_finding *const about = &comparison->differ.about;

    begin(comparison, comparison->judge.own->list[met->own].name);
    about->queue = met->queue;
    about->queue_count = met->count;
    about->policy = code == LQ_OWN_POLICY_SHARED ? NULL : met->other;
    lq_differ_add(&comparison->differ, code);
}

/* One that is not there, and on an old broker need not be. */
static void check_missing(const struct comparison *comparison,
                          const struct lq_own_policy *policy)
{
    const struct lq_argument *const key = &policy->keys[0];
    const struct lq_side_value wanted =
        lq_planned_value(key, comparison->differ.arena);

    if (policy->key_count > 1 || !depends_on_version(comparison, key->key)) {
        lq_differ_add(&comparison->differ, comparison->missing);
        return;
    }
    lq_differ_add_field(&comparison->differ, LQ_OWN_POLICY_NOT_SEEN, key->key,
                        &wanted, &lq_no_value);
}

static void check_policy(struct comparison *comparison, size_t index)
{
    const struct lq_judge *const judge = &comparison->judge;
    const struct lq_live_policy *const now = judge->future.now[index];
    const struct lq_meeting *const stranger = stranger_of(judge, index);

    begin(comparison, judge->own->list[index].name);
    if (stranger) {
        add_meeting(comparison, stranger, LQ_OWN_POLICY_SHARED);
    } else if (now) {
        compare_policy(comparison, judge->future.then[index], now);
    } else {
        check_missing(comparison, &judge->own->list[index]);
    }
}

/* What is in force in the place of ours, or may be. */
static void check_meeting(struct comparison *comparison,
                          const struct lq_meeting *met)
{
    switch (met->kind) {
    case LQ_POLICY_RIVAL:
        add_meeting(comparison, met, LQ_OWN_POLICY_SHADOWED);
        return;
    case LQ_POLICY_MAYBE:
        add_meeting(comparison, met, LQ_OWN_POLICY_NOT_SEEN);
        return;
    case LQ_POLICY_STRANGER:
    case LQ_POLICY_LEFTOVER:
    case LQ_POLICY_DISPLACED:
        break;
    }
}

static void check_former(struct comparison *comparison,
                         const struct lq_live_policy *policy)
{
    const struct lq_judge *const judge = &comparison->judge;

    if (lq_policy_is_own(&judge->future, policy) ||
        !lq_own_policies_had(judge->own, policy->name)) {
        return;
    }
    begin(comparison, policy->name);
    lq_differ_add(&comparison->differ, LQ_OWN_POLICY_ORPHANED);
}

static int compare_names(const void *left, const void *right)
{
    const struct lq_finding *const a = left;
    const struct lq_finding *const b = right;

    return strcmp(a->name, b->name);
}

/* Those that are no longer planned; a broker has them in no order. */
static void check_formers(struct comparison *comparison)
{
    const struct lq_array *const policies = &comparison->judge.live->policies;
    const struct lq_array *const findings = &comparison->differ.diff->findings;
    const size_t first = findings->count;

    for (size_t i = 0; i < policies->count; ++i) {
        check_former(comparison, lq_live_policy_at(policies, i));
    }
    if (findings->count > first) {
        qsort((struct lq_finding *)findings->items + first,
              findings->count - first, sizeof(struct lq_finding),
              compare_names);
    }
}

static void check_all(struct comparison *comparison)
{
    const struct lq_judge *const judge = &comparison->judge;
    const struct lq_meeting *const meetings = judge->meetings.items;

    for (size_t i = 0; i < judge->own->count; ++i) {
        check_policy(comparison, i);
    }
    for (size_t i = 0; i < judge->meetings.count; ++i) {
        check_meeting(comparison, &meetings[i]);
    }
    check_formers(comparison);
}

/* Says of each that nothing is known of it. */
static void tell_unseen(struct comparison *comparison,
                        const struct lq_own_policies *own)
{

    for (size_t i = 0; i < own->count; ++i) {
        begin(comparison, own->list[i].name);
        lq_differ_add(&comparison->differ, LQ_OWN_POLICY_NOT_SEEN);
    }
}

enum lq_status lq_diff_own_policies(const struct lq_policy_case *about,
                                    struct lq_arena *arena,
                                    struct lq_diff *diff)
{
    struct lq_diags diags;
    struct comparison comparison = {
        .differ = {.live = about->live, .arena = arena, .diff = diff},
        .judge = {.own = about->own, .live = about->live, .diags = &diags},
        .missing = LQ_OWN_POLICY_MISSING,
        .different = LQ_OWN_POLICY_DIFFERENT};
    enum lq_status status = LQ_OK;

    if (!lq_live_has(about->live, LQ_LIVE_HAS_POLICIES)) {
        tell_unseen(&comparison, about->own);
        return LQ_OK;
    }
    lq_diags_init(&diags, arena);
    comparison.judge.out =
        lq_alloc_array(arena, about->own->count, sizeof(*comparison.judge.out));
    if (!comparison.judge.out) {
        return LQ_NOMEM;
    }
    status = lq_judge_find(&comparison.judge, about->plan, about->matcher);
    if (status == LQ_OK) {
        check_all(&comparison);
    }
    return status;
}

enum lq_status lq_change_own_policies(const struct lq_own_policies *before,
                                      const struct lq_own_policies *after,
                                      struct lq_arena *arena,
                                      struct lq_diff *diff)
{
    struct lq_live nothing;
    struct lq_live live; /* a broker with the policies before */
    struct comparison comparison = {
        .differ = {.live = &live, .arena = arena, .diff = diff},
        .judge = {.own = after, .live = &live},
        .missing = LQ_OWN_POLICY_CREATED,
        .different = LQ_OWN_POLICY_CHANGED};
    enum lq_status status = LQ_OK;

    lq_array_init(&comparison.judge.meetings, sizeof(struct lq_meeting));
    lq_live_init(&nothing, NULL, arena);
    status = lq_policy_future_live(&nothing, before, arena, &live);
    if (status == LQ_OK) {
        status = lq_policy_future_init(&comparison.judge.future, &live, after,
                                       arena);
    }
    if (status == LQ_OK) {
        check_all(&comparison);
    }
    return status;
}

struct lq_version lq_own_policy_version(const char *known)
{
    struct lq_version version;

    return known && lq_version_read(known, &version)
               ? version
               : (struct lq_version){true, 4, 0};
}
