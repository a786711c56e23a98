#include "base/text.h"
#include "render/apply.h"
#include "render/text.h"
#include "json/write.h"

#include <string.h>

struct document {
    struct lq_json json;
    struct lq_arena *arena;
};

static const char *ending_word(enum lilyq_ending ending)
{
    static const char *const words[] = {[LILYQ_APPLIED] = "applied",
                                        [LILYQ_ENDED_CONFLICT] = "conflict",
                                        [LILYQ_ENDED_UNTOUCHED] = "untouched",
                                        [LILYQ_ENDED_PARTLY] = "partly",
                                        [LILYQ_ENDED_DRY] = "dry_run"};

    return words[ending];
}

static const char *cause_word(enum lilyq_cause cause)
{
    static const char *const words[] = {[LILYQ_NO_CAUSE] = NULL,
                                        [LILYQ_CAUSE_CONFLICT] = "conflict",
                                        [LILYQ_CAUSE_REFUSED] = "refused",
                                        [LILYQ_CAUSE_LOST] = "lost",
                                        [LILYQ_CAUSE_STOPPED] = "stopped"};

    return words[cause];
}

/* What came to `updated` is told of policies only: nothing else can. */
static void write_tally(struct lq_json *json, const char *kind,
                        const struct lq_tally *tally)
{
    lq_json_object_begin(json, kind);
    for (size_t i = 0; i < LQ_RESULT_COUNT; ++i) {
        const enum lq_result result = lq_result_order[i];

        if (result == LQ_UPDATED && !lq_str_equal(kind, "policies")) {
            continue;
        }
        lq_json_count(json, lq_result_count_word(result), tally->of[result]);
    }
    lq_json_object_end(json);
}

static void write_summary(struct lq_json *json,
                          const struct lq_apply_report *report,
                          const struct lq_tallies *tallies)
{
    lq_json_object_begin(json, "summary");
    write_tally(json, "exchanges", &tallies->exchanges);
    write_tally(json, "queues", &tallies->queues);
    write_tally(json, "bindings", &tallies->bindings);
    if (report->policies) {
        write_tally(json, "policies", &tallies->policies);
    }
    lq_json_object_end(json);
}

/* Only what is framework-managed gets these results. */
static size_t declared(const struct lq_tally *tally)
{
    return tally->of[LQ_CREATED] + tally->of[LQ_EXISTING] +
           tally->of[LQ_ENSURED] + tally->of[LQ_DECLARED];
}

/* The six numbers of the framework's own report. */
static void write_framework_counts(struct lq_json *json,
                                   const struct lq_tallies *tallies)
{
    lq_json_object_begin(json, "framework_counts");
    lq_json_count(json, "managed_exchanges_declared",
                  declared(&tallies->exchanges));
    lq_json_count(json, "managed_queues_declared", declared(&tallies->queues));
    lq_json_count(json, "managed_bindings_declared",
                  declared(&tallies->bindings));
    lq_json_count(json, "external_exchanges_verified",
                  tallies->exchanges.of[LQ_VERIFIED]);
    lq_json_count(json, "external_queues_verified",
                  tallies->queues.of[LQ_VERIFIED]);
    lq_json_count(json, "external_bindings_unverified",
                  tallies->external_unverified);
    lq_json_object_end(json);
}

static void write_result(struct document *document,
                         const struct lq_outcome *outcome)
{
    struct lq_json *const json = &document->json;

    lq_json_text(json, "result", lq_result_word(outcome->result));
    if (outcome->code) {
        lq_json_integer(json, "code", outcome->code);
    }
    if (outcome->text) {
        lq_json_text(json, "text",
                     lq_printable(document->arena, outcome->text,
                                  strlen(outcome->text)));
    }
    lq_json_object_end(json);
}

static void write_outcome(struct document *document, enum lq_ownership owner,
                          const struct lq_outcome *outcome)
{
    lq_json_text(&document->json, "ownership", lq_ownership_word(owner));
    write_result(document, outcome);
}

static void write_broker(struct lq_json *json,
                         const struct lq_apply_report *report)
{
    if (report->broker) {
        lq_json_text(json, "broker", report->broker);
        lq_json_text(json, "vhost", report->vhost);
    } else {
        lq_json_null(json, "broker");
        lq_json_null(json, "vhost");
    }
    lq_json_text_or_null(json, "management", report->management);
}

static void write_exchanges(struct document *document,
                            const struct lq_topology *topology,
                            const struct lq_outcome *outcomes)
{
    lq_json_lines_begin(&document->json, "exchanges");
    for (size_t i = 0; i < topology->exchange_count; ++i) {
        const struct lq_exchange *const exchange = &topology->exchanges[i];

        lq_json_object_begin(&document->json, NULL);
        lq_json_text(&document->json, "name", exchange->name);
        write_outcome(document, exchange->ownership, &outcomes[i]);
    }
    lq_json_lines_end(&document->json);
}

static void write_queues(struct document *document,
                         const struct lq_topology *topology,
                         const struct lq_outcome *outcomes)
{
    lq_json_lines_begin(&document->json, "queues");
    for (size_t i = 0; i < topology->queue_count; ++i) {
        const struct lq_queue *const queue = &topology->queues[i];

        lq_json_object_begin(&document->json, NULL);
        lq_json_text(&document->json, "name", queue->name);
        write_outcome(document, lq_owner(queue->logical), &outcomes[i]);
    }
    lq_json_lines_end(&document->json);
}

static void write_bindings(struct document *document,
                           const struct lq_topology *topology,
                           const struct lq_outcome *outcomes)
{
    lq_json_lines_begin(&document->json, "bindings");
    for (size_t i = 0; i < topology->binding_count; ++i) {
        const struct lq_binding *const binding = &topology->bindings[i];

        lq_json_object_begin(&document->json, NULL);
        lq_json_text(&document->json, "source", binding->source);
        lq_json_text(&document->json, "destination", binding->destination);
        lq_json_text(&document->json, "routing_key", binding->routing_key);
        write_outcome(document, lq_owner(binding->logical), &outcomes[i]);
    }
    lq_json_lines_end(&document->json);
}

static void write_policies(struct document *document,
                           const struct lq_apply_report *report)
{
    lq_json_lines_begin(&document->json, "policies");
    for (size_t i = 0; i < report->policies->count; ++i) {
        lq_json_object_begin(&document->json, NULL);
        lq_json_text(&document->json, "name", report->policies->list[i].name);
        write_result(document, &report->policy_outcomes[i]);
    }
    lq_json_lines_end(&document->json);
}

enum lq_status lq_apply_json_render(const struct lq_topology *topology,
                                    const struct lq_apply_report *report,
                                    struct lq_arena *arena,
                                    const struct lilyq_sink *sink)
{
    struct document document = {.arena = arena};
    struct lq_tallies tallies;

    lq_tally_report(topology, report, &tallies);
    lq_json_begin(&document.json, sink);
    lq_json_text(&document.json, "format", "lilyq-apply");
    lq_json_count(&document.json, "format_version", 1);
    lq_json_text(&document.json, "ending", ending_word(report->ending));
    lq_json_text_or_null(&document.json, "cause", cause_word(report->cause));
    write_broker(&document.json, report);
    write_summary(&document.json, report, &tallies);
    write_framework_counts(&document.json, &tallies);
    write_exchanges(&document, topology, report->exchanges);
    write_queues(&document, topology, report->queues);
    write_bindings(&document, topology, report->bindings);
    if (report->policies) {
        write_policies(&document, report);
    }
    return lq_json_end(&document.json);
}
