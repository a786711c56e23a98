#include "base/buffer.h"
#include "compare/compare.h"
#include "document.h"
#include "render/plan.h"
#include "render/saved.h"
#include "json/read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static int keep(void *data, const char *bytes, size_t length)
{
    lq_buffer_add_bytes(data, bytes, length);
    return 0;
}

static const char *saved(const struct lq_topology *plan,
                         const struct lq_diags *warnings)
{
    struct lq_buffer buffer;
    const struct lilyq_sink sink = {keep, &buffer};

    lq_buffer_init(&buffer, warnings->arena);
    require(lq_plan_json_render(plan, warnings, &sink) == LQ_OK);
    return lq_buffer_text(&buffer);
}

/* Reads a text as a saved plan; what fails must say why. */
static const struct lq_topology *read_text(const char *text, size_t length,
                                           struct lq_diags *diags,
                                           struct lq_diags *warnings)
{
    const struct lq_json_source source = {"fuzz", text, length};
    const struct lq_topology *plan = NULL;
    const struct lq_node *document = NULL;
    enum lq_status status = lq_json_read(&source, NULL, diags, &document);

    lq_diags_init(warnings, diags->arena);
    if (status == LQ_OK) {
        status = lq_plan_read(document, "fuzz", diags, warnings, &plan);
    }
    require((status == LQ_OK) == (diags->error_count == 0));
    require((status == LQ_OK) == (plan != NULL));
    return plan;
}

/* What is read is written the same from then on, and is no change. */
static void check(const struct lq_topology *plan,
                  const struct lq_diags *warnings)
{
    const char *const text = saved(plan, warnings);
    struct lq_diags diags;
    struct lq_diags again;
    const struct lq_topology *copy = NULL;
    struct lq_diff diff;

    lq_diags_init(&diags, warnings->arena);
    copy = read_text(text, strlen(text), &diags, &again);
    require(copy && strcmp(saved(copy, &again), text) == 0);
    require(lq_change(plan, copy, warnings->arena, &diff) == LQ_OK);
    require(diff.findings.count == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const struct lq_topology *plan = NULL;
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_diags warnings;

    lq_arena_init(&arena);
    lq_diags_init(&diags, &arena);
    plan = read_text((const char *)bytes, size, &diags, &warnings);
    for (size_t i = 0; i < diags.items.count; ++i) {
        require(fuzz_is_one_line(lq_diag_line(&arena, lq_diags_at(&diags, i))));
    }
    if (plan) {
        check(plan, &warnings);
    }
    lq_arena_free(&arena);
    return 0;
}
