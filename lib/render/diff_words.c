#include "render/diff_words.h"

#include "base/text.h"
#include "live/live.h"

#include <inttypes.h>
#include <string.h>

/* So many bytes of a pattern are shown at most. */
#define MOST_OF_A_PATTERN 80

const char *lq_resource_word(enum lq_resource resource)
{
    switch (resource) {
    case LQ_EXCHANGE:
        return "exchange";
    case LQ_QUEUE:
        return "queue";
    case LQ_BINDING:
        return "binding";
    case LQ_POLICY:
        return "policy";
    case LQ_VHOST:
        break;
    }
    return "virtual host";
}

const char *lq_resource_words(enum lq_resource resource)
{
    switch (resource) {
    case LQ_EXCHANGE:
        return "exchanges";
    case LQ_QUEUE:
        return "queues";
    case LQ_BINDING:
        return "bindings";
    case LQ_POLICY:
        return "policies";
    case LQ_VHOST:
        break;
    }
    return "virtual hosts";
}

static const char *shown(const char *text, struct lq_arena *arena)
{
    return lq_printable(arena, text, strlen(text));
}

static const char *binding_subject(const struct lq_finding *finding,
                                   struct lq_arena *arena)
{
    const struct lq_binding *const binding = finding->binding;
    const char *const source = shown(binding->source, arena);
    const char *const destination = shown(binding->destination, arena);
    const char *const key = shown(binding->routing_key, arena);

    return lq_format(arena,
                     "binding from exchange '%s' to %s '%s' with key "
                     "'%s'",
                     source, finding->to_exchange ? "exchange" : "queue",
                     destination, key);
}

const char *lq_drift_subject(const struct lq_finding *finding,
                             struct lq_arena *arena)
{
    const char *name = NULL;

    if (finding->binding) {
        return binding_subject(finding, arena);
    }
    name = shown(finding->name, arena);
    return lq_format(arena, "%s '%s'", lq_resource_word(finding->resource),
                     name);
}

/* Where in a text another one first differs from it, at a whole character. */
static size_t first_difference(const char *text, const char *other)
{
    size_t at = 0;

    while (text[at] && text[at] == other[at]) {
        ++at;
    }
    while (at > 0 && ((unsigned char)text[at] & 0xC0U) == 0x80U) {
        --at;
    }
    return at;
}

/* A step of so many bytes at most, to the start of a character. */
static size_t step_back(const char *text, size_t at, size_t bytes)
{
    size_t start = at > bytes ? at - bytes : 0;

    while (start > 0 && ((unsigned char)text[start] & 0xC0U) == 0x80U) {
        --start;
    }
    return start;
}

/*
 * A pattern may have thousands of bytes: of a long one, what is around the
 * first difference from the other.
 */
static const char *excerpt(const char *text, size_t difference,
                           struct lq_arena *arena)
{
    const size_t length = strlen(text);
    size_t start = 0;
    size_t end = length;

    if (length <= MOST_OF_A_PATTERN) {
        return text;
    }
    start = step_back(text, difference, MOST_OF_A_PATTERN / 4);
    if (length - start > MOST_OF_A_PATTERN) {
        end = step_back(text, start + MOST_OF_A_PATTERN, 0);
    }
    return lq_format(arena, "%s%.*s%s", start > 0 ? "..." : "",
                     (int)(end - start), text + start,
                     end < length ? "..." : "");
}

/* Texts in quotes, all else bare; with its type, if that is what differs. */
static const char *value_text(const struct lq_side_value *value, bool typed,
                              struct lq_arena *arena)
{
    const char *const text = shown(value->text, arena);
    const char *const quote = lq_str_equal(value->type, "string") ? "'" : "";

    return lq_format(arena, "%s%s%s%s%s%s", quote, text, quote,
                     typed ? " (" : "", typed ? value->type : "",
                     typed ? ")" : "");
}

/* The two values of a field. */
struct values {
    struct lq_side_value planned;
    struct lq_side_value actual;
};

/* As they are shown: a pattern only where they differ. */
static struct values values_of(const struct lq_finding *finding,
                               struct lq_arena *arena)
{
    const char *const plan = finding->planned.text;
    const char *const there = finding->actual.text;
    struct values values = {finding->planned, finding->actual};

    if (finding->resource == LQ_POLICY &&
        lq_str_equal(finding->field, "pattern") && plan && there) {
        const size_t difference = first_difference(plan, there);

        values.planned.text = excerpt(plan, difference, arena);
        values.actual.text = excerpt(there, difference, arena);
    }
    return values;
}

/* " by policy 'x'", "" without one */
static const char *whose_doing(const struct lq_finding *finding,
                               struct lq_arena *arena)
{
    const char *const name =
        finding->policy ? shown(finding->policy->name, arena) : "";

    return finding->policy
               ? lq_format(arena, " by %spolicy '%s'",
                           finding->by_operator ? "operator " : "", name)
               : "";
}

static const char *field_detail(const struct lq_finding *finding,
                                struct lq_arena *arena)
{
    const struct values values = values_of(finding, arena);
    const struct lq_side_value *const planned = &values.planned;
    const struct lq_side_value *const actual = &values.actual;
    const bool typed = planned->text && actual->text &&
                       !lq_str_equal(planned->type, actual->type);
    const bool seen = lq_finding_kind(finding->code) != LILYQ_UNVERIFIED;
    const char *const field = shown(finding->field, arena);
    const char *const there =
        actual->text ? value_text(actual, typed, arena) : "";
    const char *const plan =
        planned->text ? value_text(planned, typed, arena) : "";
    const char *const whose = whose_doing(finding, arena);
    const bool many = lq_str_equal(finding->field, "arguments");
    const char *const is = seen   ? "is not set"
                           : many ? "are not shown"
                                  : "is not shown";

    return lq_format(arena, "%s %s%s%s%s%s", field, actual->text ? "is " : is,
                     there, whose,
                     planned->text ? ", plan says "
                     : seen        ? ", plan does not set it"
                                   : "",
                     plan);
}

/* "queue 'a' and 2 others" */
static const char *queues_text(const struct lq_finding *finding,
                               struct lq_arena *arena)
{
    const char *const queue = shown(finding->queue, arena);
    const size_t others = finding->queue_count - 1;

    if (others == 0) {
        return lq_format(arena, "queue '%s'", queue);
    }
    return lq_format(arena, "queue '%s' and %zu other%s", queue, others,
                     others == 1 ? "" : "s");
}

/* Where a policy of ours meets others. */
static const char *meeting_detail(const struct lq_finding *finding,
                                  struct lq_arena *arena)
{
    const char *const queues = queues_text(finding, arena);
    const char *const other =
        finding->policy ? shown(finding->policy->name, arena) : "";

    if (!finding->policy) {
        return lq_format(arena,
                         "it is not as planned, and in force for %s, which the "
                         "plan does not have",
                         queues);
    }
    return lq_format(
        arena,
        "policy '%s' of priority %.15g %s in force in its "
        "place for %s",
        other, finding->policy->priority,
        lq_finding_kind(finding->code) == LILYQ_UNVERIFIED ? "may be" : "is",
        queues);
}

/* Of what the source does not show, or cannot be told from it. */
static const char *unseen_detail(const struct lq_finding *finding,
                                 struct lq_arena *arena)
{
    const char *const policy =
        finding->policy ? shown(finding->policy->name, arena) : "";
    const char *const kind =
        finding->by_operator ? "operator policy" : "policy";

    if (finding->code == LQ_POLICY_DOUBTFUL) {
        return lq_format(arena, "%s '%s' may be in force", kind, policy);
    }
    if (finding->code == LQ_POLICY_TIED) {
        return lq_format(arena, "%s '%s' is as good as the one in force", kind,
                         policy);
    }
    if (finding->code == LQ_POLICIES_NOT_SEEN) {
        return "policies are not shown";
    }
    if (finding->code == LQ_OPERATOR_POLICIES_NOT_SEEN) {
        return "operator policies are not shown";
    }
    if (finding->resource == LQ_VHOST) {
        return "what is there beyond the plan is not shown";
    }
    return finding->field ? field_detail(finding, arena) : "not shown";
}

static bool is_external(enum lq_finding_code code)
{
    return code == LQ_EXTERNAL_EXCHANGE_MISSING ||
           code == LQ_EXTERNAL_QUEUE_MISSING ||
           code == LQ_EXTERNAL_BINDING_MISSING;
}

/* "3 messages, 1 consumer" */
static const char *figures(const struct lq_finding *finding,
                           struct lq_arena *arena)
{
    return lq_format(arena, "%" PRIu64 " message%s, %" PRIu64 " consumer%s",
                     finding->messages, finding->messages == 1 ? "" : "s",
                     finding->consumers, finding->consumers == 1 ? "" : "s");
}

/*
 * What a change of plans leads to, and why something is unexpected; NULL:
 * something else.
 */
static const char *const outcomes[LQ_FINDING_CODE_COUNT] = {
    [LQ_EXCHANGE_CREATED] = "created",
    [LQ_QUEUE_CREATED] = "created",
    [LQ_BINDING_CREATED] = "created",
    [LQ_EXTERNAL_EXCHANGE_WANTED] = "external, and now wanted",
    [LQ_EXTERNAL_QUEUE_WANTED] = "external, and now wanted",
    [LQ_EXTERNAL_BINDING_WANTED] = "external, and now wanted",
    [LQ_OWN_POLICY_CREATED] = "created",
    [LQ_OWN_POLICY_ORPHANED] = "no longer planned",
    [LQ_EXCHANGE_ORPHANED] = "orphaned",
    [LQ_QUEUE_ORPHANED] = "orphaned",
    [LQ_BINDING_ORPHANED] = "orphaned",
    [LQ_BINDING_LEFT] = "left behind",
    [LQ_EXTERNAL_EXCHANGE_DROPPED] = "external, and no longer wanted",
    [LQ_EXTERNAL_QUEUE_DROPPED] = "external, and no longer wanted",
    [LQ_EXTERNAL_BINDING_DROPPED] = "external, and no longer wanted",
    [LQ_QUEUE_OF_GONE_ENTRY] = "no entry has it",
    [LQ_BINDING_OF_GONE_ENTRY] = "no entry has it",
    [LQ_EXCHANGE_OF_V1] = "left by topology v1",
    [LQ_QUEUE_OF_V1] = "left by topology v1",
    [LQ_MAIN_KEY_SHARED] = "gets what the main queue gets",
    [LQ_RETRY_SHARED] = "may get what waits for a retry",
    [LQ_DEAD_LETTERS_SHARED] = "may get dead letters",
    [LQ_RETRY_FED] = "brings messages to those that wait for a retry",
    [LQ_DEAD_LETTERS_FED] = "brings messages to the dead letters",
};

/* "orphaned; 3 messages, 1 consumer; with arguments a=1" */
static const char *unexpected_detail(const struct lq_finding *finding,
                                     struct lq_arena *arena)
{
    const bool fills = finding->code == LQ_QUEUE_OF_GONE_ENTRY &&
                       finding->role == LQ_ROLE_MAIN;
    const char *const outcome =
        fills ? "no entry has it, and it still fills" : outcomes[finding->code];
    const char *const counts = finding->counted ? figures(finding, arena) : "";
    const char *const field =
        finding->field ? shown(finding->field, arena) : "";
    const char *const value =
        finding->actual.text ? shown(finding->actual.text, arena) : "";

    return lq_format(arena, "%s%s%s%s%s%s%s", outcome ? outcome : "",
                     *counts ? "; " : "", counts, *field ? "; with " : "",
                     field, *field ? " " : "", value);
}

static const char *note_detail(const struct lq_finding *finding,
                               struct lq_arena *arena)
{
    const char *const counts = figures(finding, arena);

    if (!finding->field || !finding->actual.text) {
        return counts;
    }
    return lq_format(arena, "%s; %s is %s", counts, finding->field,
                     finding->actual.text);
}

/* "x-max-length was 1, becomes 2" */
static const char *changed_detail(const struct lq_finding *finding,
                                  struct lq_arena *arena)
{
    const char *const field = shown(finding->field, arena);
    const struct values values = values_of(finding, arena);
    const struct lq_side_value *const was = &values.actual;
    const struct lq_side_value *const will = &values.planned;
    const char *const before =
        was->text ? value_text(was, false, arena) : "not set";
    const char *const after = will->text ? value_text(will, false, arena) : "";

    return lq_format(arena, "%s was %s, %s%s", field, before,
                     will->text ? "becomes " : "is no longer set", after);
}

static bool is_changed(enum lq_finding_code code)
{
    return code == LQ_QUEUE_PROPERTY_CHANGED ||
           code == LQ_QUEUE_ARGUMENT_CHANGED || code == LQ_OWNER_ENTERS ||
           code == LQ_OWNER_LEAVES || code == LQ_OWN_POLICY_CHANGED;
}

const char *lq_drift_detail(const struct lq_finding *finding,
                            struct lq_arena *arena)
{
    if (finding->queue) {
        return meeting_detail(finding, arena);
    }
    if (lq_finding_kind(finding->code) == LILYQ_UNEXPECTED) {
        return unexpected_detail(finding, arena);
    }
    if (outcomes[finding->code]) {
        return outcomes[finding->code];
    }
    if (is_changed(finding->code)) {
        return changed_detail(finding, arena);
    }
    switch (lq_finding_kind(finding->code)) {
    case LILYQ_NOTE:
        return note_detail(finding, arena);
    case LILYQ_UNVERIFIED:
        return unseen_detail(finding, arena);
    case LILYQ_MISSING:
    case LILYQ_DIFFERENT:
    case LILYQ_UNEXPECTED:
    case LILYQ_SHADOWED:
        break;
    }
    if (finding->field) {
        return field_detail(finding, arena);
    }
    return is_external(finding->code) ? "external" : "";
}
