#include "format/lint.h"

#include "format/suite.h"

/* The report as cases: one for each entry, and one for what is of none. */
struct builder {
    const struct lq_lint_report *report;
    enum lilyq_severity fails_from;
    struct lq_arena *arena;
    struct lq_row *rows;
    size_t row_count;
    struct lq_case *cases;
    size_t case_count;
};

static enum lq_row_level level_of(enum lilyq_severity severity)
{
    static const enum lq_row_level levels[LQ_LINT_SEVERITY_COUNT] = {
        [LILYQ_SEVERITY_NOTE] = LQ_ROW_NOTICE,
        [LILYQ_SEVERITY_WARNING] = LQ_ROW_WARNING,
        [LILYQ_SEVERITY_ERROR] = LQ_ROW_ERROR,
    };

    return levels[severity];
}

static enum lq_status add_row(struct builder *builder,
                              const struct lq_lint_finding *finding)
{
    const struct lq_lint_rule *const rule = lq_lint_rule(finding->code);
    struct lq_row *const row = &builder->rows[builder->row_count++];
    const char *const message =
        lq_lint_message(builder->report, finding, builder->arena);

    *row = (struct lq_row){
        .level = level_of(rule->severity),
        .verdict = rule->severity >= builder->fails_from ? LQ_ROW_FAILS
                                                         : LQ_ROW_PASSES,
        .code = rule->code,
        .title = rule->slug,
        .text = message ? lq_format(builder->arena, "%s. To mend it: %s.",
                                    message, finding->advice)
                        : NULL,
        .file = finding->place.file,
        .line = finding->place.line,
    };
    return row->text ? LQ_OK : LQ_NOMEM;
}

/*
 * Adds the case of an entry, NULL for what is of none: its findings, which
 * start at `at`. Returns where the next one's start.
 */
static enum lq_status add_case(struct builder *builder,
                               const struct lq_logical *logical, size_t *at)
{
    struct lq_case *const item = &builder->cases[builder->case_count++];
    enum lq_status status = LQ_OK;

    *item = (struct lq_case){.name = "the input",
                             .rows = builder->rows + builder->row_count};
    if (logical) {
        item->name = logical->entry->name;
        item->file = logical->entry->place.file;
        item->line = logical->entry->place.line;
    }
    while (status == LQ_OK && *at < builder->report->findings.count &&
           lq_lint_at(builder->report, *at)->logical == logical) {
        if (!lq_lint_at(builder->report, *at)->reason) {
            status = add_row(builder, lq_lint_at(builder->report, *at));
            ++item->count;
        }
        ++*at;
    }
    return status;
}

static enum lq_status build(struct builder *builder,
                            const struct lq_topology *topology)
{
    enum lq_status status = LQ_OK;
    size_t at = 0;

    builder->rows =
        lq_alloc_array(builder->arena, builder->report->findings.count,
                       sizeof(*builder->rows));
    builder->cases = lq_alloc_array(builder->arena, topology->logical_count + 1,
                                    sizeof(*builder->cases));
    if (!builder->rows || !builder->cases) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < topology->logical_count && status == LQ_OK; ++i) {
        status = add_case(builder, &topology->logicals[i], &at);
    }
    return status == LQ_OK ? add_case(builder, NULL, &at) : status;
}

enum lq_status lq_lint_suite(const struct lq_topology *topology,
                             const struct lq_lint_report *report,
                             enum lilyq_severity fails_from,
                             struct lq_arena *arena, struct lq_suite *out)
{
    struct builder builder = {
        .report = report, .fails_from = fails_from, .arena = arena};
    const enum lq_status status = build(&builder, topology);

    *out = (struct lq_suite){.name = "lilyq lint",
                             .class_name = "lilyq.lint",
                             .cases = builder.cases,
                             .count = builder.case_count};
    return status;
}
