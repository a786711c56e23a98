#include "lilyq.h"
#include "model/entry.h"
#include "render/lint.h"
#include "json/write.h"

#include <stdio.h>
#include <string.h>

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

#define SCHEMA                                                                 \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"      \
    "sarif-schema-2.1.0.json"

struct document {
    struct lq_json json;
    struct lq_arena *arena;
    const struct lq_lint_report *report;
};

/* {"text": ...} */
static void write_message(struct document *document, const char *key,
                          const char *text)
{
    lq_json_object_begin(&document->json, key);
    lq_json_text(&document->json, "text", text);
    lq_json_object_end(&document->json);
}

static void write_rule(struct document *document,
                       const struct lq_lint_rule *rule)
{
    struct lq_json *const json = &document->json;

    lq_json_object_begin(json, NULL);
    lq_json_text(json, "id", rule->code);
    lq_json_text(json, "name", rule->slug);
    write_message(document, "shortDescription", rule->happens);
    write_message(document, "help", rule->advice);
    lq_json_object_begin(json, "defaultConfiguration");
    lq_json_text(json, "level", lq_lint_severity_word(rule->severity));
    lq_json_object_end(json);
    lq_json_object_end(json);
}

static void write_tool(struct document *document)
{
    struct lq_json *const json = &document->json;

    lq_json_object_begin(json, "tool");
    lq_json_object_begin(json, "driver");
    lq_json_text(json, "name", "lilyq");
    lq_json_text(json, "version", LILYQ_VERSION);
    lq_json_array_begin(json, "rules");
    for (unsigned code = 0; code < LQ_LINT_CODE_COUNT; ++code) {
        write_rule(document, lq_lint_rule(code));
    }
    lq_json_array_end(json);
    lq_json_object_end(json);
    lq_json_object_end(json);
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || (c != '\0' && strchr("-._~/", c));
}

/* A file's name as a URI, all bytes that may mean something else escaped. */
static const char *uri_of(const char *file, struct lq_arena *arena)
{
    static const char digits[] = "0123456789ABCDEF";
    const char *const scheme = file[0] == '/' ? "file://" : "";
    char *const uri = lq_alloc(arena, strlen(scheme) + 3 * strlen(file) + 1);
    char *at = uri;

    if (!uri) {
        return "";
    }
    for (const char *from = scheme; *from; ++from) {
        *at++ = *from;
    }
    for (; *file; ++file) {
        if (is_plain(*file)) {
            *at++ = *file;
        } else {
            *at++ = '%';
            *at++ = digits[(unsigned char)*file >> 4];
            *at++ = digits[(unsigned char)*file & 0xf];
        }
    }
    return uri;
}

static void write_physical(struct document *document,
                           const struct lq_place *place)
{
    struct lq_json *const json = &document->json;

    lq_json_object_begin(json, "physicalLocation");
    lq_json_object_begin(json, "artifactLocation");
    lq_json_text(&document->json, "uri", uri_of(place->file, document->arena));
    lq_json_object_end(json);
    if (place->line > 0) {
        lq_json_object_begin(json, "region");
        lq_json_count(json, "startLine", place->line);
        lq_json_object_end(json);
    }
    lq_json_object_end(json);
}

/* Code scanning refuses a log in which a result has no place at all. */
static struct lq_place place_of(const struct lq_lint_report *report,
                                const struct lq_lint_finding *finding)
{
    return finding->place.file ? finding->place
                               : (struct lq_place){.file = report->file};
}

static void write_locations(struct document *document,
                            const struct lq_lint_finding *finding,
                            const struct lq_place *place)
{
    struct lq_json *const json = &document->json;

    lq_json_array_begin(json, "locations");
    lq_json_object_begin(json, NULL);
    write_physical(document, place);
    if (finding->logical) {
        lq_json_array_begin(json, "logicalLocations");
        lq_json_object_begin(json, NULL);
        lq_json_text(json, "name", finding->logical->entry->name);
        if (place->path) {
            lq_json_text(json, "fullyQualifiedName", place->path);
        }
        lq_json_object_end(json);
        lq_json_array_end(json);
    }
    lq_json_object_end(json);
    lq_json_array_end(json);
}

static void write_suppression(struct document *document, const char *reason)
{
    struct lq_json *const json = &document->json;

    lq_json_array_begin(json, "suppressions");
    lq_json_object_begin(json, NULL);
    lq_json_text(json, "kind", "inSource");
    lq_json_text(json, "justification", reason);
    lq_json_object_end(json);
    lq_json_array_end(json);
}

static const char *whole_text(struct document *document,
                              const struct lq_lint_finding *finding)
{
    const char *const text =
        lq_lint_message(document->report, finding, document->arena);

    return lq_format(document->arena, "%s. To mend it: %s.", text,
                     finding->advice);
}

static void write_result(struct document *document,
                         const struct lq_lint_finding *finding)
{
    struct lq_json *const json = &document->json;
    const struct lq_lint_rule *const rule = lq_lint_rule(finding->code);
    const struct lq_place place = place_of(document->report, finding);

    lq_json_object_begin(json, NULL);
    lq_json_text(json, "ruleId", rule->code);
    lq_json_count(json, "ruleIndex", finding->code);
    lq_json_text(json, "level", lq_lint_severity_word(rule->severity));
    write_message(document, "message", whole_text(document, finding));
    if (place.file) {
        write_locations(document, finding, &place);
    }
    if (finding->reason) {
        write_suppression(document, finding->reason);
    }
    lq_json_object_end(json);
}

enum lq_status lq_lint_sarif_render(const struct lq_lint_report *report,
                                    struct lq_arena *arena,
                                    const struct lilyq_sink *sink)
{
    struct document document = {.arena = arena, .report = report};
    struct lq_json *const json = &document.json;

    lq_json_begin(json, sink);
    lq_json_text(json, "$schema", SCHEMA);
    lq_json_text(json, "version", "2.1.0");
    lq_json_array_begin(json, "runs");
    lq_json_object_begin(json, NULL);
    write_tool(&document);
    lq_json_array_begin(json, "results");
    for (size_t i = 0; i < report->findings.count; ++i) {
        write_result(&document, lq_lint_at(report, i));
    }
    lq_json_array_end(json);
    lq_json_object_end(json);
    lq_json_array_end(json);
    return lq_json_end(json);
}
