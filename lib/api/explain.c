#include "api/session.h"

#include "base/quantity.h"
#include "base/text.h"
#include "explain/life.h"
#include "model/identity.h"
#include "render/explain.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

static const char *shown(struct lilyq *run, const char *text)
{
    return lq_printable(&run->arena, text, strlen(text));
}

/* Whether a name is that of a bucket or DLQ, and of which entry. */
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

    if (suggest(run, name, &near) != LQ_OK) {
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

/* The entry of that name, or NULL. */
static const struct lq_logical *find(const struct lq_topology *topology,
                                     const char *name)
{
    for (size_t i = 0; i < topology->logical_count; ++i) {
        if (lq_str_equal(topology->logicals[i].entry->name, name)) {
            return &topology->logicals[i];
        }
    }
    return NULL;
}

static enum lq_status check_event(struct lilyq *run,
                                  const struct lilyq_explain_options *options)
{
    const char *text = NULL;

    if (!options->event_id ||
        lq_event_id_valid(options->event_id, strlen(options->event_id))) {
        return LQ_OK;
    }
    text = shown(run, options->event_id);
    return lq_error(&run->diags, NULL,
                    "an event id must be a UUID in lower case that is "
                    "not all zeros, such as "
                    "11111111-1111-4111-8111-111111111111, not '%s'",
                    text);
}

static bool is_load_sound(const struct lilyq_explain_options *options)
{
    const double rate = options->messages_per_second;
    const double ratio = options->failure_ratio;

    /* what is not a number is neither less nor more than any */
    return rate >= 0 && rate <= LQ_MAX_RATE && ratio >= 0 && ratio <= 1 &&
           options->outage_millis <= LQ_MAX_SPAN &&
           (rate > 0 || (ratio == 0 && options->outage_millis == 0 &&
                         options->message_bytes == 0));
}

static enum lq_status check_load(struct lilyq *run,
                                 const struct lq_logical *logical,
                                 const struct lilyq_explain_options *options)
{
    const uint64_t most = logical->entry->max_message_size_bytes;

    if (!is_load_sound(options)) {
        return lq_error(&run->diags, NULL,
                        "a load must be up to 1000000 messages a second, with "
                        "a failure ratio from 0 to 1 and an outage of up to "
                        "365 days");
    }
    if (options->message_bytes > most) {
        return lq_error(&run->diags, NULL,
                        "a message must be at most 'max_message_size_bytes' of "
                        "the entry, %" PRIu64 ", not %" PRIu64 " bytes",
                        most, options->message_bytes);
    }
    return LQ_OK;
}

/* Works out the load, if there is one. */
static enum lq_status add_load(struct lilyq *run,
                               const struct lq_logical *logical,
                               const struct lilyq_explain_options *options,
                               const struct lq_load **out)
{
    const struct lq_load_case given = {
        .rate_per_second = options->messages_per_second,
        .failure_ratio = options->failure_ratio,
        .outage_millis = options->outage_millis,
        .message_bytes = options->message_bytes,
    };
    struct lq_load *const load = lq_alloc(&run->arena, sizeof(*load));
    enum lq_status status = load ? check_load(run, logical, options) : LQ_NOMEM;

    *out = NULL;
    if (status == LQ_OK && given.rate_per_second > 0) {
        status = lq_load_build(logical, &given, &run->arena, load);
        *out = load;
    }
    return status;
}

static enum lq_status render(struct lilyq *run,
                             enum lilyq_explain_format format,
                             const struct lq_explanation *explanation,
                             const struct lilyq_sink *sink)
{
    switch (format) {
    case LILYQ_EXPLAIN_TEXT:
        return lq_explain_text_render(explanation, sink);
    case LILYQ_EXPLAIN_JSON:
        return lq_explain_json_render(explanation, sink);
    case LILYQ_EXPLAIN_SVG:
        if (!explanation->load || !explanation->load->given.outage_millis) {
            return lq_error(&run->diags, NULL,
                            "a chart needs a rate and an outage");
        }
        return lq_explain_svg_render(explanation, sink);
    }
    return lq_error(&run->diags, NULL,
                    "no format of an explanation has number %d", (int)format);
}

static enum lq_status explain(struct lilyq *run, const char *queue,
                              const struct lilyq_explain_options *options,
                              enum lilyq_explain_format format,
                              const struct lilyq_sink *sink)
{
    const struct lq_logical *const logical = find(run->topology, queue);
    struct lq_explanation explanation;
    enum lq_status status = check_event(run, options);

    if (status != LQ_OK) {
        return status;
    }
    if (!logical) {
        return report_unknown(run, queue);
    }
    status = lq_life_build(logical, options->event_id, &run->arena,
                           &explanation.life);
    if (status == LQ_OK) {
        status = add_load(run, logical, options, &explanation.load);
    }
    return status == LQ_OK ? render(run, format, &explanation, sink) : status;
}

enum lilyq_status lilyq_explain(struct lilyq *run, const char *queue,
                                const struct lilyq_explain_options *options,
                                enum lilyq_explain_format format,
                                const struct lilyq_sink *sink)
{
    static const struct lilyq_explain_options no_options;
    const size_t first = run->diags.items.count;
    const enum lq_status status =
        run->topology
            ? explain(run, queue, options ? options : &no_options, format,
                      lq_session_sink(run, sink))
            : lq_error(&run->diags, NULL, "there is no plan to explain");

    return lq_session_end(run, first, status);
}
