#include "lilyq.h"

#include "base/text.h"
#include "explain/event_id.h"
#include "format/explain.h"
#include "session.h"

#include <string.h>

static const char *shown(struct lilyq *run, const char *text)
{
    return lq_printable(&run->arena, text, strlen(text));
}

/* Says that a name is that of a bucket or DLQ: false when it is not. */
static bool is_derived(const struct lilyq *run, const char *name,
                       const char **owner)
{
    const struct lq_topology *const topology = run->topology;

    for (size_t i = 0; i < topology->queue_count; ++i) {
        if (lq_str_equal(topology->queues[i].name, name)) {
            *owner = topology->queues[i].logical->entry->name;
            return true;
        }
    }
    return false;
}

static enum lq_status suggest(struct lilyq *run, const char *name,
                              const char **out)
{
    const struct lq_topology *const topology = run->topology;
    const char **const names =
        lq_alloc_array(&run->arena, topology->logical_count, sizeof(*names));

    if (!names) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < topology->logical_count; ++i) {
        names[i] = topology->logicals[i].entry->name;
    }
    *out = lq_suggest(name, names, topology->logical_count);
    return LQ_OK;
}

static enum lq_status report_unknown(struct lilyq *run, const char *name)
{
    const char *const given = shown(run, name);
    const char *near = NULL;
    const char *owner = NULL;

    if (!given || suggest(run, name, &near) != LQ_OK) {
        return LQ_NOMEM;
    }
    if (is_derived(run, name, &owner)) {
        return lq_error(&run->diags, NULL,
                        "'%s' is a queue of the entry '%s'; did you mean '%s'?",
                        given, owner, owner);
    }
    if (near) {
        return lq_error(&run->diags, NULL,
                        "no entry is named '%s'; did you mean '%s'?", given,
                        near);
    }
    return lq_error(&run->diags, NULL, "no entry is named '%s'", given);
}

static enum lq_status find(struct lilyq *run, const char *name,
                           const struct lq_logical **out)
{
    const struct lq_topology *const topology = run->topology;

    for (size_t i = 0; i < topology->logical_count; ++i) {
        if (lq_str_equal(topology->logicals[i].entry->name, name)) {
            *out = &topology->logicals[i];
            return LQ_OK;
        }
    }
    return report_unknown(run, name);
}

static enum lq_status check(struct lilyq *run,
                            const struct lilyq_explain_options *options)
{
    const char *text = NULL;

    if (!options->event_id || lq_event_id_valid(options->event_id)) {
        return LQ_OK;
    }
    text = shown(run, options->event_id);
    return text ? lq_error(&run->diags, NULL,
                           "an event id must be a UUID in lower case that is "
                           "not all zeros, such as "
                           "11111111-1111-4111-8111-111111111111, not '%s'",
                           text)
                : LQ_NOMEM;
}

static enum lq_status render(struct lilyq *run,
                             enum lilyq_explain_format format,
                             const struct lq_life *life,
                             const struct lq_sink *sink)
{
    switch (format) {
    case LILYQ_EXPLAIN_TEXT:
        return lq_explain_text_render(life, sink);
    case LILYQ_EXPLAIN_JSON:
        return lq_explain_json_render(life, sink);
    }
    return lq_error(&run->diags, NULL,
                    "no form of an explanation has number %d", (int)format);
}

static enum lq_status explain(struct lilyq *run, const char *queue,
                              const struct lilyq_explain_options *options,
                              enum lilyq_explain_format format,
                              const struct lq_sink *sink)
{
    const struct lq_logical *logical = NULL;
    struct lq_life life;
    enum lq_status status = check(run, options);

    if (status == LQ_OK) {
        status = find(run, queue, &logical);
    }
    if (status == LQ_OK) {
        status = lq_life_build(logical, options->event_id, &run->arena, &life);
    }
    return status == LQ_OK ? render(run, format, &life, sink) : status;
}

enum lilyq_status lilyq_explain(struct lilyq *run, const char *queue,
                                const struct lilyq_explain_options *options,
                                enum lilyq_explain_format format,
                                const struct lilyq_sink *sink)
{
    static const struct lilyq_explain_options no_options;
    const size_t first = run->diags.items.count;
    const struct lq_sink inner = {sink->write, sink->data};
    const enum lq_status status =
        run->topology
            ? explain(run, queue, options ? options : &no_options, format,
                      &inner)
            : lq_error(&run->diags, NULL, "there is no plan to explain");

    return lq_session_end(run, first, status);
}
