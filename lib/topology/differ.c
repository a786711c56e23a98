#include "topology/differ.h"

#include "base/text.h"

#include <inttypes.h>

const struct lq_finding *lq_diff_at(const struct lq_diff *diff, size_t index)
{
    return (const struct lq_finding *)diff->findings.items + index;
}

enum lq_status lq_diff_add(struct lq_diff *diff,
                           const struct lq_finding *finding,
                           struct lq_arena *arena)
{
    struct lq_finding *const place = lq_array_push(&diff->findings, arena);

    if (!place) {
        return LQ_NOMEM;
    }
    *place = *finding;
    ++diff->counts[lq_finding_kind(finding->code)];
    return LQ_OK;
}

/* Adds a finding about the resource as a whole. */
enum lq_status lq_differ_add(const struct lq_differ *differ,
                             enum lq_finding_code code)
{
    struct lq_finding finding = differ->about;

    finding.code = code;
    return lq_diff_add(differ->diff, &finding, differ->arena);
}

/* Adds a finding about a field of the resource. */
enum lq_status lq_differ_add_field(const struct lq_differ *differ,
                                   enum lq_finding_code code, const char *field,
                                   const struct lq_side_value *planned,
                                   const struct lq_side_value *actual)
{
    struct lq_finding finding = differ->about;

    finding.code = code;
    finding.field = field;
    finding.planned = *planned;
    finding.actual = *actual;
    return lq_diff_add(differ->diff, &finding, differ->arena);
}

struct lq_side_value lq_text_value(const char *text)
{
    return (struct lq_side_value){text, "string"};
}

static struct lq_side_value truth_value(bool value)
{
    return (struct lq_side_value){value ? "true" : "false", "boolean"};
}

struct lq_side_value lq_planned_value(const struct lq_argument *argument,
                                      struct lq_arena *arena)
{
    switch (argument->type) {
    case LQ_LONGSTR:
        return lq_text_value(argument->text);
    case LQ_BOOL:
        return truth_value(argument->number != 0);
    case LQ_INT32:
    case LQ_INT64:
        break;
    }
    return (struct lq_side_value){
        lq_format(arena, "%" PRId64, argument->number), "integer"};
}

struct lq_side_value lq_actual_value(const struct lq_live_argument *value)
{
    static const char *const types[] = {
        [LQ_LIVE_STRING] = "string", [LQ_LIVE_INTEGER] = "integer",
        [LQ_LIVE_NUMBER] = "number", [LQ_LIVE_BOOL] = "boolean",
        [LQ_LIVE_NULL] = "null",     [LQ_LIVE_LIST] = "list",
        [LQ_LIVE_TABLE] = "table",
    };

    return (struct lq_side_value){value->text, types[value->type]};
}

enum lq_status lq_differ_compare_text(const struct lq_differ *differ,
                                      enum lq_finding_code code,
                                      const char *field, const char *planned,
                                      const char *actual)
{
    const struct lq_side_value wanted = lq_text_value(planned);
    const struct lq_side_value found = lq_text_value(actual);

    if (!actual) {
        return lq_differ_add_field(differ, LQ_PROPERTY_NOT_SEEN, field, &wanted,
                                   &lq_no_value);
    }
    return lq_str_equal(planned, actual)
               ? LQ_OK
               : lq_differ_add_field(differ, code, field, &wanted, &found);
}

enum lq_status lq_differ_compare_flag(const struct lq_differ *differ,
                                      enum lq_finding_code code,
                                      const char *field, bool planned,
                                      enum lq_live_flag actual)
{
    const struct lq_side_value wanted = truth_value(planned);
    const struct lq_side_value found = truth_value(actual == LQ_LIVE_YES);

    if (actual == LQ_LIVE_UNKNOWN) {
        return lq_differ_add_field(differ, LQ_PROPERTY_NOT_SEEN, field, &wanted,
                                   &lq_no_value);
    }
    return planned == (actual == LQ_LIVE_YES)
               ? LQ_OK
               : lq_differ_add_field(differ, code, field, &wanted, &found);
}

/* What the plan does not set, but is there. */
enum lq_status lq_differ_add_extra(const struct lq_differ *differ,
                                   enum lq_finding_code code,
                                   const struct lq_live_argument *argument)
{
    const struct lq_side_value found = lq_actual_value(argument);

    return lq_differ_add_field(differ, code, argument->key, &lq_no_value,
                               &found);
}
