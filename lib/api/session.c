#include "api/session.h"

#include "base/text.h"
#include "broker/connection.h"
#include "plan/plan.h"
#include "render/plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *lilyq_version(void)
{
    return LILYQ_VERSION;
}

struct lilyq *lilyq_new(void)
{
    struct lilyq *const run = calloc(1, sizeof(*run));

    if (run) {
        lq_arena_init(&run->arena);
        lq_diags_init(&run->diags, &run->arena);
        lq_config_init(&run->config);
        lq_array_init(&run->problems, sizeof(struct lilyq_problem *));
    }
    return run;
}

void lilyq_free(struct lilyq *run)
{
    if (run) {
        lq_arena_free(&run->arena);
        free(run);
    }
}

static struct lilyq_problem *new_problem(struct lq_arena *arena,
                                         const struct lq_diag *diag)
{
    struct lilyq_problem *const problem = lq_alloc(arena, sizeof(*problem));

    if (!problem) {
        return NULL;
    }
    *problem = (struct lilyq_problem){
        .file = diag->place.file,
        .line = diag->place.line,
        .column = diag->place.column,
        .path = diag->place.path,
        .warning = diag->severity == LQ_WARNING,
        .text = diag->text,
        .message = lq_diag_line(arena, diag),
    };
    return problem;
}

/* Problems handed out earlier stay where they are. */
static void publish(struct lilyq *run, size_t first)
{
    struct lq_diags fresh = run->diags;

    if (run->diags.items.count > first) {
        fresh.items.items = (struct lq_diag *)run->diags.items.items + first;
        fresh.items.count -= first;
        lq_diags_sort(&fresh);
    }
    /* more may be found until all is loaded and planned */
    if (run->stage != LQ_STAGE_LOADING) {
        lq_diags_sum_up(&run->diags);
    }
    run->problems.count = first;
    for (size_t i = first; i < run->diags.items.count; ++i) {
        struct lilyq_problem *const problem =
            new_problem(&run->arena, lq_diags_at(&run->diags, i));
        struct lilyq_problem **const slot =
            problem ? lq_array_push(&run->problems, &run->arena) : NULL;

        if (!slot) {
            return;
        }
        *slot = problem;
    }
}

enum lilyq_status lq_session_end(struct lilyq *run, size_t first,
                                 enum lq_status status)
{
    publish(run, first);
    return (enum lilyq_status)lq_arena_status(&run->arena, status);
}

static int write_guarded(void *data, const char *bytes, size_t length)
{
    const struct lilyq *const run = data;

    return run->arena.failed ? -1
                             : run->sink->write(run->sink->data, bytes, length);
}

const struct lilyq_sink *lq_session_sink(struct lilyq *run,
                                         const struct lilyq_sink *sink)
{
    run->sink = sink;
    run->guarded = (struct lilyq_sink){write_guarded, run};
    return &run->guarded;
}

enum lq_status lq_session_version(const char *text, struct lq_diags *diags,
                                  struct lq_version *out)
{
    const char *shown = NULL;

    *out = (struct lq_version){0};
    if (!text || lq_version_read(text, out)) {
        return LQ_OK;
    }
    shown = lq_printable(diags->arena, text, strlen(text));
    return lq_error(diags, NULL,
                    "the broker's version must be like 3.10 or 4.0.5, "
                    "not '%s'",
                    shown);
}

enum lq_status lq_session_vhost(const char *vhost, struct lq_diags *diags,
                                const char **out)
{
    *out = vhost ? vhost : "/";
    return lq_vhost_check(*out, diags);
}

/* A run that ran out of memory once may lack input, so it never plans. */
static enum lilyq_status end_load(struct lilyq *run, size_t first,
                                  enum lq_status status)
{
    const enum lilyq_status ended = lq_session_end(run, first, status);

    if (ended == LILYQ_NOMEM) {
        run->stage = LQ_STAGE_PLANNED;
        run->outcome = LQ_NOMEM;
    }
    return ended;
}

/* LQ_OK when documents may still be added, else the problem that says no. */
static enum lq_status may_load(struct lilyq *run)
{
    if (run->stage == LQ_STAGE_LOADING) {
        return LQ_OK;
    }
    return run->outcome == LQ_NOMEM
               ? LQ_NOMEM
               : lq_error(&run->diags, NULL,
                          "nothing can be added once the topology is planned");
}

enum lilyq_status lilyq_load_file(struct lilyq *run, const char *path,
                                  enum lilyq_input input)
{
    const size_t first = run->diags.items.count;
    enum lq_status status = may_load(run);

    if (status == LQ_OK) {
        status = lq_load_file(&run->config, path, input, &run->diags);
    }
    return end_load(run, first, status);
}

enum lilyq_status lilyq_load_text(struct lilyq *run, const char *name,
                                  const char *text, size_t length,
                                  enum lilyq_input input)
{
    const struct lq_document document = {name, text, length, input};
    const size_t first = run->diags.items.count;
    enum lq_status status = may_load(run);

    if (status == LQ_OK) {
        status = lq_load_text(&run->config, &document, &run->diags);
    }
    return end_load(run, first, status);
}

enum lilyq_status lilyq_plan(struct lilyq *run)
{
    const struct lq_topology *topology = NULL;
    enum lq_status status = LQ_OK;

    if (run->stage != LQ_STAGE_LOADING) {
        return (enum lilyq_status)run->outcome;
    }
    status = lq_plan_build(run->config.entries.items, run->config.entries.count,
                           &run->diags, &topology);
    if (status == LQ_OK && run->diags.error_count > 0) {
        status = LQ_INVALID;
    }
    run->stage = LQ_STAGE_PLANNED;
    status = (enum lq_status)lq_session_end(run, 0, status);
    run->topology = status == LQ_OK ? topology : NULL;
    run->outcome = status;
    return (enum lilyq_status)status;
}

size_t lilyq_problem_count(const struct lilyq *run)
{
    return run->problems.count;
}

const struct lilyq_problem *lilyq_problem_at(const struct lilyq *run,
                                             size_t index)
{
    struct lilyq_problem *const *const problems = run->problems.items;

    return index < run->problems.count ? problems[index] : NULL;
}

size_t lilyq_error_count(const struct lilyq *run)
{
    return run->diags.error_count;
}

void lilyq_count_planned(const struct lilyq *run, struct lilyq_planned *out)
{
    const struct lq_topology *const topology = run->topology;

    *out = (struct lilyq_planned){0};
    if (!topology) {
        return;
    }
    out->logical_queues = topology->logical_count;
    out->exchanges = topology->exchange_count;
    out->queues = topology->queue_count;
    out->bindings = topology->binding_count;
    out->has_quorum_dlq = lq_has_quorum_dlq(topology);
    for (size_t i = 0; i < topology->logical_count; ++i) {
        out->external += lq_owner(&topology->logicals[i]) == LQ_EXTERNAL;
    }
}

static enum lq_status render_definitions(struct lilyq *run, const char *vhost,
                                         const struct lilyq_sink *sink)
{
    const char *name = NULL;
    const enum lq_status status = lq_session_vhost(vhost, &run->diags, &name);

    return status == LQ_OK
               ? lq_definitions_render(run->topology, name, NULL, sink)
               : status;
}

static enum lq_status render(struct lilyq *run, enum lilyq_format format,
                             const char *vhost, const struct lilyq_sink *sink)
{
    switch (format) {
    case LILYQ_FORMAT_JSON:
        return lq_plan_json_render(run->topology, &run->diags, sink);
    case LILYQ_FORMAT_TREE:
        return lq_tree_render(run->topology, sink);
    case LILYQ_FORMAT_DEFINITIONS:
        return render_definitions(run, vhost, sink);
    case LILYQ_FORMAT_DOT:
        return lq_dot_render(run->topology, &run->arena, sink);
    case LILYQ_FORMAT_MERMAID:
        return lq_mermaid_render(run->topology, &run->arena, sink);
    }
    return lq_error(&run->diags, NULL, "no output format has number %d",
                    (int)format);
}

enum lilyq_status lilyq_render(struct lilyq *run, enum lilyq_format format,
                               const char *vhost, const struct lilyq_sink *sink)
{
    const size_t first = run->diags.items.count;
    const enum lq_status status =
        run->topology
            ? render(run, format, vhost, lq_session_sink(run, sink))
            : lq_error(&run->diags, NULL, "there is no plan to render");

    return lq_session_end(run, first, status);
}
