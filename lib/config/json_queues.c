#include "config/json_queues.h"

#include "base/text.h"
#include "config/fill.h"
#include "config/json_entry.h"

#include <string.h>

enum lq_status lq_json_error(const struct lq_json_reader *reader,
                             const char *path, const char *wanted,
                             const json_t *json)
{
    const struct lq_place place = {.file = reader->file, .path = path};
    const struct lq_value value = lq_json_value(json);
    const char *const what = lq_value_found(&value, true, reader->diags->arena);

    return what ? lq_error(reader->diags, &place, "must be %s, not %s", wanted,
                           what)
                : LQ_NOMEM;
}

static enum lq_status read_queues(const struct lq_json_reader *reader,
                                  const char *path, const json_t *json)
{
    enum lq_status status = LQ_OK;

    if (!json_is_array(json)) {
        return lq_json_error(reader, path, "an array of objects", json);
    }
    for (size_t i = 0; i < json_array_size(json) && status != LQ_NOMEM; ++i) {
        status = lq_worse(status, lq_json_entry(reader,
                                                lq_format(reader->diags->arena,
                                                          "%s[%zu]", path, i),
                                                json_array_get(json, i)));
    }
    return status;
}

/* Nothing but `queues` may stand in rabbitmq.topology. */
static enum lq_status check_topology(const struct lq_json_reader *reader,
                                     json_t *topology)
{
    static const char *const words[] = {"queues"};
    struct lq_arena *const arena = reader->diags->arena;
    enum lq_status status = LQ_OK;
    const char *name = NULL;
    json_t *value = NULL;

    if (!json_is_object(topology)) {
        return lq_json_error(reader, "rabbitmq.topology", "an object",
                             topology);
    }
    json_object_foreach(topology, name, value)
    {
        const char *const shown = lq_printable(arena, name, strlen(name));
        const struct lq_place place = {.file = reader->file,
                                       .path = "rabbitmq.topology"};

        if (!shown) {
            return LQ_NOMEM;
        }
        if (!lq_str_equal(name, "queues")) {
            status = lq_worse(status,
                              lq_error(reader->diags, &place,
                                       "unknown field '%s'; %s", shown,
                                       lq_suggest(name, words, 1)
                                           ? "did you mean 'queues'?"
                                           : "only 'queues' may stand here"));
        }
    }
    return status;
}

/* Finds the queues in one of their two places. */
static enum lq_status find_queues(const struct lq_json_reader *reader,
                                  json_t *document, const char **path,
                                  json_t **out)
{
    const struct lq_place place = {.file = reader->file};
    json_t *const topology =
        json_object_get(json_object_get(document, "rabbitmq"), "topology");
    json_t *const top = json_object_get(document, "queues");
    json_t *const nested = json_object_get(topology, "queues");
    const enum lq_status status =
        topology ? check_topology(reader, topology) : LQ_OK;

    *path = top ? "queues" : "rabbitmq.topology.queues";
    *out = top ? top : nested;
    if (top && nested) {
        return lq_error(reader->diags, &place,
                        "'queues' and 'rabbitmq.topology.queues' must not both "
                        "be given");
    }
    if (!*out && status == LQ_OK) {
        return lq_error(reader->diags, &place,
                        "'queues' is required, at the top or in "
                        "'rabbitmq.topology'");
    }
    return status;
}

enum lq_status lq_json_queues(struct lq_config *config, const char *file,
                              json_t *document, struct lq_diags *diags)
{
    struct lq_json_reader reader = {
        .config = config, .diags = diags, .file = file};
    struct lq_arena *const arena = diags->arena;
    const char *path = NULL;
    json_t *queues = NULL;
    enum lq_status status = LQ_OK;

    if (lq_fill_defaults(&reader.blank, arena) != LQ_OK ||
        lq_keys_init(&reader.fields, LQ_SECTION_QUEUE, "", arena) != LQ_OK ||
        lq_keys_init(&reader.retention, LQ_SECTION_QUEUE, "retention.",
                     arena) != LQ_OK) {
        return LQ_NOMEM;
    }
    if (!json_is_object(document)) {
        return lq_json_error(&reader, NULL,
                             "an object with 'queues' or "
                             "'rabbitmq.topology.queues'",
                             document);
    }
    status = find_queues(&reader, document, &path, &queues);
    return queues && status != LQ_NOMEM
               ? lq_worse(status, read_queues(&reader, path, queues))
               : status;
}
