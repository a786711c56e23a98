#include "base/text.h"
#include "render/diff.h"
#include "render/diff_words.h"
#include "render/suite.h"

#include <string.h>

/* The findings as cases, one for each logical queue. */
struct builder {
    const struct lq_drift *drift;
    unsigned fail_on;
    struct lq_arena *arena;
    struct lq_row *rows; /* one for each finding */
    struct lq_case *cases;
    size_t count;
};

/* "queue missing": the code for people. */
static const char *title_of(enum lq_finding_code code, struct lq_arena *arena)
{
    const char *const word = lq_finding_code(code);
    char *const title = lq_copy(arena, word, strlen(word));

    for (char *at = title; at && *at; ++at) {
        if (*at == '-') {
            *at = ' ';
        }
    }
    return title ? title : "";
}

/* Neighbours that want the same have the advice behind the last of them. */
static bool is_last_of_its_kind(const struct lq_diff *diff, size_t index)
{
    const struct lq_finding *const finding = lq_diff_at(diff, index);
    const struct lq_finding *const next =
        index + 1 < diff->findings.count ? finding + 1 : NULL;

    return !next || next->code != finding->code ||
           next->logical != finding->logical ||
           !lq_str_equal(lq_finding_advice(next), lq_finding_advice(finding));
}

/* "queue 'a': x-max-length is 1, plan says 2", and the advice below it */
static const char *text_of(const struct builder *builder, size_t index)
{
    const struct lq_diff *const diff = &builder->drift->diff;
    const struct lq_finding *const finding = lq_diff_at(diff, index);
    const char *const subject = lq_drift_subject(finding, builder->arena);
    const char *const detail = lq_drift_detail(finding, builder->arena);
    const bool advised = is_last_of_its_kind(diff, index);

    return lq_format(builder->arena, "%s%s%s%s%s", subject, *detail ? ": " : "",
                     detail, advised ? "\n" : "",
                     advised ? lq_finding_advice(finding) : "");
}

static void judge(const struct lq_finding *finding, unsigned fail_on,
                  struct lq_row *row)
{
    const enum lilyq_finding kind = lq_finding_kind(finding->code);

    if ((fail_on >> kind & 1U) != 0) {
        row->level = LQ_ROW_ERROR;
        row->verdict = LQ_ROW_FAILS;
    } else if (kind == LILYQ_UNVERIFIED) {
        row->level = LQ_ROW_NOTICE;
        row->verdict = LQ_ROW_UNKNOWN;
    } else {
        row->level = kind == LILYQ_NOTE ? LQ_ROW_NOTICE : LQ_ROW_WARNING;
        row->verdict = LQ_ROW_PASSES;
    }
}

static enum lq_status build_row(const struct builder *builder, size_t index)
{
    const struct lq_finding *const finding =
        lq_diff_at(&builder->drift->diff, index);
    struct lq_row *const row = &builder->rows[index];

    row->code = lq_finding_code(finding->code);
    row->title = title_of(finding->code, builder->arena);
    row->text = text_of(builder, index);
    judge(finding, builder->fail_on, row);
    return row->title && row->text ? LQ_OK : LQ_NOMEM;
}

/* Adds a case with the findings of a logical queue, or of none. */
static struct lq_case *begin_case(struct builder *builder,
                                  const struct lq_logical *logical,
                                  bool of_policies, size_t *next)
{
    const struct lq_diff *const diff = &builder->drift->diff;
    struct lq_case *const item = &builder->cases[builder->count++];

    item->rows = &builder->rows[*next];
    for (; *next < diff->findings.count; ++*next) {
        const struct lq_finding *const finding = lq_diff_at(diff, *next);

        if (finding->logical != logical ||
            (finding->resource == LQ_POLICY) != of_policies) {
            break;
        }
        ++item->count;
    }
    return item;
}

static void add_logical(struct builder *builder,
                        const struct lq_logical *logical, size_t *next)
{
    struct lq_case *const item = begin_case(builder, logical, false, next);

    item->name = logical->entry->name;
    item->file = logical->entry->place.file;
    item->line = logical->entry->place.line;
}

/* A case for all that belongs to no logical queue, if there is any. */
static enum lq_status add_rest(struct builder *builder, size_t *next)
{
    const struct lq_diff *const diff = &builder->drift->diff;
    struct lq_case *item = NULL;

    if (*next >= diff->findings.count ||
        lq_diff_at(diff, *next)->resource == LQ_POLICY) {
        return LQ_OK;
    }
    item = begin_case(builder, NULL, false, next);
    item->name = builder->drift->vhost
                     ? lq_format(builder->arena, "virtual host '%s'",
                                 builder->drift->vhost)
                     : "no longer planned";
    return item->name ? LQ_OK : LQ_NOMEM;
}

static enum lq_status build(struct builder *builder)
{
    const struct lq_topology *const plan = builder->drift->plan;
    const size_t count = builder->drift->diff.findings.count;
    enum lq_status status = LQ_OK;
    size_t next = 0;

    builder->rows =
        lq_alloc_array(builder->arena, count, sizeof(*builder->rows));
    builder->cases = lq_alloc_array(builder->arena, plan->logical_count + 2,
                                    sizeof(*builder->cases));
    if (!builder->rows || !builder->cases) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < count && status == LQ_OK; ++i) {
        status = build_row(builder, i);
    }
    for (size_t i = 0; i < plan->logical_count && status == LQ_OK; ++i) {
        add_logical(builder, &plan->logicals[i], &next);
    }
    if (status == LQ_OK) {
        status = add_rest(builder, &next);
    }
    if (status == LQ_OK && builder->drift->has_policies) {
        begin_case(builder, NULL, true, &next)->name = "policies";
    }
    return status;
}

static enum lq_status render(
    const struct lq_drift *drift, const struct lilyq_diff_style *style,
    struct lq_arena *arena, const struct lilyq_sink *sink,
    enum lq_status (*write)(const struct lq_suite *, const struct lilyq_sink *))
{
    struct builder builder = {
        .drift = drift, .fail_on = style->fail_on, .arena = arena};
    struct lq_suite suite = {"lilyq diff", "lilyq.diff", NULL, 0};

    if (build(&builder) != LQ_OK) {
        return LQ_NOMEM;
    }
    suite.cases = builder.cases;
    suite.count = builder.count;
    return write(&suite, sink);
}

enum lq_status lq_drift_junit_render(const struct lq_drift *drift,
                                     const struct lilyq_diff_style *style,
                                     struct lq_arena *arena,
                                     const struct lilyq_sink *sink)
{
    return render(drift, style, arena, sink, lq_junit_render);
}

enum lq_status lq_drift_github_render(const struct lq_drift *drift,
                                      const struct lilyq_diff_style *style,
                                      struct lq_arena *arena,
                                      const struct lilyq_sink *sink)
{
    return render(drift, style, arena, sink, lq_github_render);
}
