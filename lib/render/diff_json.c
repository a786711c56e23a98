#include "base/text.h"
#include "live/live.h"
#include "render/diff.h"
#include "render/diff_words.h"
#include "render/text.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

struct document {
    struct lq_json json;
    struct lq_arena *arena;
};

/* A finding that counts is there. */
static bool fails(const struct lq_drift *drift, unsigned fail_on)
{
    for (unsigned i = 0; i < LILYQ_FINDING_COUNT; ++i) {
        if (drift->diff.counts[i] > 0 && (fail_on >> i & 1U) != 0) {
            return true;
        }
    }
    return false;
}

static const char *kind_word(enum lilyq_source_kind kind)
{
    switch (kind) {
    case LILYQ_SOURCE_MANAGEMENT:
        return "management";
    case LILYQ_SOURCE_AMQP:
        return "amqp";
    case LILYQ_SOURCE_EARLIER:
        return "plan";
    case LILYQ_SOURCE_DEFINITIONS:
        break;
    }
    return "definitions";
}

/* A broker's texts may hold what no JSON does: U+0000 as two bytes. */
static void write_text(struct document *document, const char *key,
                       const char *text)
{
    const size_t length = strlen(text);
    const char *shown = text;

    if (!lq_utf8_valid(text, length)) {
        shown = lq_printable(document->arena, text, length);
    }
    lq_json_text(&document->json, key, shown);
}

static void write_optional(struct document *document, const char *key,
                           const char *text)
{
    if (text) {
        write_text(document, key, text);
    } else {
        lq_json_null(&document->json, key);
    }
}

static void write_source(struct document *document,
                         const struct lq_drift *drift)
{
    struct lq_json *const json = &document->json;

    lq_json_object_begin(json, "source");
    lq_json_text(json, "kind", kind_word(drift->kind));
    write_text(document, "name", drift->source);
    write_optional(document, "vhost", drift->vhost);
    write_optional(document, "broker_version", drift->version);
    lq_json_object_end(json);
}

static void write_summary(struct lq_json *json, const struct lq_diff *diff)
{
    lq_json_object_begin(json, "summary");
    for (unsigned i = 0; i < LILYQ_FINDING_COUNT; ++i) {
        lq_json_count(json, lq_finding_kind_name((enum lilyq_finding)i),
                      diff->counts[i]);
    }
    lq_json_object_end(json);
}

static void write_fail_on(struct lq_json *json, unsigned fail_on)
{
    lq_json_array_begin(json, "fail_on");
    for (unsigned i = 0; i < LILYQ_FINDING_COUNT; ++i) {
        if ((fail_on >> i & 1U) != 0) {
            lq_json_text(json, NULL,
                         lq_finding_kind_name((enum lilyq_finding)i));
        }
    }
    lq_json_array_end(json);
}

/* Integers and truth as JSON has them, all else as text. */
static void write_value(struct document *document, const char *key,
                        const struct lq_side_value *value)
{
    struct lq_json *const json = &document->json;

    if (!value->text) {
        lq_json_null(json, key);
        return;
    }
    lq_json_object_begin(json, key);
    lq_json_text(json, "type", value->type);
    if (lq_str_equal(value->type, "integer")) {
        lq_json_integer(json, "value", strtoll(value->text, NULL, 10));
    } else if (lq_str_equal(value->type, "boolean")) {
        lq_json_bool(json, "value", lq_str_equal(value->text, "true"));
    } else {
        write_text(document, "value", value->text);
    }
    lq_json_object_end(json);
}

static void write_resource(struct document *document,
                           const struct lq_finding *finding)
{
    const struct lq_binding *const binding = finding->binding;

    lq_json_text(&document->json, "resource",
                 finding->resource == LQ_VHOST
                     ? "vhost"
                     : lq_resource_word(finding->resource));
    if (!binding) {
        write_text(document, "name", finding->name);
        return;
    }
    write_text(document, "source", binding->source);
    write_text(document, "destination", binding->destination);
    lq_json_text(&document->json, "destination_type",
                 finding->to_exchange ? "exchange" : "queue");
    write_text(document, "routing_key", binding->routing_key);
}

/* Whose it is, and where that stands in the input. */
static void write_owner(struct document *document,
                        const struct lq_finding *finding)
{
    struct lq_json *const json = &document->json;
    const struct lq_entry *const entry =
        finding->logical ? finding->logical->entry : NULL;

    if (!entry) {
        lq_json_null(json, "logical_queue");
        return;
    }
    write_text(document, "logical_queue", entry->name);
    lq_json_text(json, "role",
                 finding->resource == LQ_EXCHANGE
                     ? lq_exchange_role_word(finding->role)
                     : lq_queue_role_word(finding->role));
    if (entry->place.file) {
        write_text(document, "file", entry->place.file);
    }
    if (entry->place.line) {
        lq_json_count(json, "line", entry->place.line);
    }
    if (entry->place.path) {
        write_text(document, "path", entry->place.path);
    }
}

/* The priority is a whole number, or else text. */
static void write_policy(struct document *document,
                         const struct lq_finding *finding)
{
    struct lq_json *const json = &document->json;
    const struct lq_live_policy *const policy = finding->policy;
    const bool whole = policy->priority > -1e15 && policy->priority < 1e15 &&
                       policy->priority == (double)(int64_t)policy->priority;

    lq_json_object_begin(json, "policy");
    write_text(document, "name", policy->name);
    lq_json_bool(json, "operator", finding->by_operator);
    write_text(document, "pattern", policy->pattern);
    if (whole) {
        lq_json_integer(json, "priority", (int64_t)policy->priority);
    } else {
        write_optional(document, "priority",
                       lq_format(document->arena, "%.17g", policy->priority));
    }
    lq_json_object_end(json);
}

static void write_finding(struct document *document,
                          const struct lq_finding *finding)
{
    struct lq_json *const json = &document->json;

    lq_json_object_begin(json, NULL);
    lq_json_text(json, "kind",
                 lq_finding_kind_name(lq_finding_kind(finding->code)));
    lq_json_text(json, "code", lq_finding_code(finding->code));
    write_resource(document, finding);
    write_owner(document, finding);
    if (finding->field) {
        write_text(document, "field", finding->field);
        write_value(document, "planned", &finding->planned);
        write_value(document, "actual", &finding->actual);
    }
    if (finding->queue) {
        write_text(document, "queue", finding->queue);
        lq_json_count(json, "queues", finding->queue_count);
    }
    if (finding->policy) {
        write_policy(document, finding);
    }
    if (finding->counted) {
        lq_json_count(json, "messages", finding->messages);
        lq_json_count(json, "consumers", finding->consumers);
    }
    lq_json_bool(json, "in_place", lq_finding_in_place(finding->code));
    lq_json_text(json, "advice", lq_finding_advice(finding));
    lq_json_object_end(json);
}

enum lq_status lq_drift_json_render(const struct lq_drift *drift,
                                    const struct lilyq_diff_style *style,
                                    struct lq_arena *arena,
                                    const struct lilyq_sink *sink)
{
    struct document document = {.arena = arena};
    struct lq_json *const json = &document.json;

    lq_json_begin(json, sink);
    lq_json_text(json, "format", "lilyq-diff");
    lq_json_count(json, "format_version", 1);
    lq_json_text(json, "topology_version", "v2");
    write_source(&document, drift);
    lq_json_bool(json, "policies", drift->has_policies);
    write_fail_on(json, style->fail_on);
    lq_json_bool(json, "drift", fails(drift, style->fail_on));
    write_summary(json, &drift->diff);
    lq_json_lines_begin(json, "findings");
    for (size_t i = 0; i < drift->diff.findings.count; ++i) {
        write_finding(&document, lq_diff_at(&drift->diff, i));
    }
    lq_json_lines_end(json);
    return lq_json_end(json);
}
