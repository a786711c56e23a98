#include "../unit/json/judge.h"
#include "compare/drift.h"
#include "live/read.h"
#include "plan/plan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef enum lq_status reader(struct lq_live *live,
                              const struct lq_json_source *source,
                              struct lq_diags *diags);

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

/*
 * Whatever is read or refused, jansson reads or refuses; written and read
 * again, a tree is the same.
 */
static void check_tree(const struct lq_json_source *source,
                       struct lq_diags *diags)
{
    const struct lq_node *node = NULL;
    const enum lq_status status = lq_json_read(source, NULL, diags, &node);
    const bool marked =
        source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0;

    require(status == LQ_OK || status == LQ_INVALID);
    /* jansson goes one level deeper */
    if (!marked && source->length < (size_t)2 * LQ_JSON_DEPTH_MAX &&
        !memchr(source->text, '\0', source->length)) {
        require(judge_agrees(source->text, source->length,
                             status == LQ_OK ? node : NULL, diags->arena));
    }
    if (status == LQ_OK) {
        const char *const text = lq_node_compact(node, diags->arena);
        const struct lq_json_source again = {"again", text, strlen(text)};

        require(lq_json_read(&again, NULL, diags, &node) == LQ_OK);
        require(strcmp(lq_node_compact(node, diags->arena), text) == 0);
    }
}

static const struct lq_topology *plan(struct lq_diags *diags)
{
    static const struct lq_entry entry = {
        .name = "q",
        .exchange_name = "x",
        .routing_key = "k",
        .durable = true,
        .main_max_messages = 1,
        .main_max_bytes = 1,
        .retry_bucket_max_messages = 1,
        .retry_bucket_max_bytes = 1,
        .dead_letter_max_messages = 1,
        .dead_letter_max_bytes = 1,
        .retry_attempts = 1,
        .retry_backoff_millis = 1000,
        .max_retry_backoff_millis = 60000,
        .concurrency = 1,
        .prefetch_count = 10,
        .delivery_execution_timeout_millis = 30000,
        .settlement_timeout_millis = 5000,
        .max_message_size_bytes = 1,
    };
    const struct lq_topology *topology = NULL;

    require(lq_plan_build(&entry, 1, diags, &topology) == LQ_OK);
    return topology;
}

static void check_finding(const struct lq_finding *finding)
{
    require(finding->name && lq_finding_advice(finding));
    require(!finding->planned.text == !finding->planned.type);
    require(!finding->actual.text == !finding->actual.type);
    require(!finding->logical == (finding->resource == LQ_VHOST));
    require(!finding->binding == (finding->resource != LQ_BINDING));
}

/* The counts of kinds are those of the findings. */
static void check_diff(const struct lq_live *live, struct lq_diags *diags)
{
    const struct lq_topology *const topology = plan(diags);
    size_t counts[LILYQ_FINDING_COUNT] = {0};
    struct lq_diff diff;

    require(lq_drift_compare(topology, live, diags->arena, &diff) == LQ_OK);
    for (size_t i = 0; i < diff.findings.count; ++i) {
        const struct lq_finding *const finding = lq_diff_at(&diff, i);

        check_finding(finding);
        ++counts[lq_finding_kind(finding->code)];
    }
    require(memcmp(counts, diff.counts, sizeof(counts)) == 0);
}

static bool is_one_line(const char *text)
{
    return *text && !strpbrk(text, "\n\r\x1b");
}

/* Reads the text as a document of a kind; what fails must say why. */
static void check_reader(reader *read, const char *vhost,
                         const struct lq_json_source *source)
{
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_live live;
    enum lq_status status = LQ_OK;

    lq_arena_init(&arena);
    lq_diags_init(&diags, &arena);
    lq_live_init(&live, vhost, &arena);
    status = read(&live, source, &diags);
    require((status == LQ_OK) == (diags.error_count == 0));
    for (size_t i = 0; i < diags.items.count; ++i) {
        require(is_one_line(lq_diag_line(&arena, lq_diags_at(&diags, i))));
    }
    if (status == LQ_OK) {
        check_diff(&live, &diags);
    }
    lq_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static reader *const readers[] = {
        lq_live_read_definitions, lq_live_read_exchanges,
        lq_live_read_queues,      lq_live_read_bindings,
        lq_live_read_policies,    lq_live_read_operator_policies,
        lq_live_read_figures,     lq_live_read_overview};
    const struct lq_json_source source = {"fuzz", (const char *)bytes, size};
    struct lq_arena arena;
    struct lq_diags diags;

    lq_arena_init(&arena);
    lq_diags_init(&diags, &arena);
    check_tree(&source, &diags);
    lq_arena_free(&arena);
    for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); ++i) {
        check_reader(readers[i], "/", &source);
    }
    check_reader(lq_live_read_definitions, NULL, &source);
    return 0;
}
