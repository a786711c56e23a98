#include "format/lint.h"

#include "topology/field.h"
#include "json/write.h"

#include <stdio.h>

/* Two numbers of at most four digits. */
static void write_version(struct lq_json *json, const char *key,
                          struct lq_version version)
{
    char text[sizeof("4294967295.4294967295")];

    if (!version.known) {
        lq_json_null(json, key);
        return;
    }
    (void)snprintf(text, sizeof(text), "%u.%u", version.major, version.minor);
    lq_json_text(json, key, text);
}

static void write_place(struct lq_json *json, const struct lq_place *place)
{
    lq_json_text_or_null(json, "file", place->file);
    lq_json_count_or_null(json, "line", place->line);
    lq_json_count_or_null(json, "column", place->column);
    lq_json_text_or_null(json, "path", place->path);
}

static void write_finding(struct lq_json *json,
                          const struct lq_lint_finding *finding)
{
    const struct lq_lint_rule *const rule = lq_lint_rule(finding->code);

    lq_json_object_begin(json, NULL);
    lq_json_text(json, "code", rule->code);
    lq_json_text(json, "slug", rule->slug);
    lq_json_text(json, "severity", lq_lint_severity_word(rule->severity));
    lq_json_text_or_null(
        json, "queue", finding->logical ? finding->logical->entry->name : NULL);
    lq_json_text_or_null(
        json, "key",
        finding->field < LQ_FIELD_COUNT ? lq_field_name(finding->field) : NULL);
    write_place(json, &finding->place);
    lq_json_text(json, "text", finding->text);
    lq_json_text(json, "advice", finding->advice);
    write_version(json, "since", rule->since);
    write_version(json, "before", rule->before);
    lq_json_text_or_null(json, "ignored", finding->reason);
    lq_json_object_end(json);
}

static void write_summary(struct lq_json *json,
                          const struct lq_lint_report *report)
{
    lq_json_object_begin(json, "summary");
    lq_json_count(json, "errors", report->counts[LILYQ_SEVERITY_ERROR]);
    lq_json_count(json, "warnings", report->counts[LILYQ_SEVERITY_WARNING]);
    lq_json_count(json, "notes", report->counts[LILYQ_SEVERITY_NOTE]);
    lq_json_count(json, "ignored", report->ignored);
    lq_json_object_end(json);
}

enum lq_status lq_lint_json_render(const struct lq_lint_report *report,
                                   const struct lilyq_sink *sink)
{
    struct lq_json json;

    lq_json_begin(&json, sink);
    lq_json_text(&json, "format", "lilyq-lint");
    lq_json_count(&json, "format_version", 1);
    write_version(&json, "broker_version", report->version);
    write_summary(&json, report);
    lq_json_lines_begin(&json, "findings");
    for (size_t i = 0; i < report->findings.count; ++i) {
        write_finding(&json, lq_lint_at(report, i));
    }
    lq_json_lines_end(&json);
    return lq_json_end(&json);
}
