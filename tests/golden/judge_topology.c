#include "judge.h"

#include "model/entry.h"

#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static bool is_text(const json_t *object, const char *key, const char *text)
{
    const char *const wanted = text_of(object, key);

    return wanted && text && strcmp(wanted, text) == 0;
}

static bool is_bool(const json_t *object, const char *key, bool value)
{
    const json_t *const wanted = json_object_get(object, key);

    return json_is_boolean(wanted) && json_boolean_value(wanted) == value;
}

static bool is_owned(const json_t *object, enum lq_ownership ownership)
{
    return is_text(object, "ownership",
                   ownership == LQ_EXTERNAL ? "external" : "framework_managed");
}

static bool same_exchange(const json_t *wanted,
                          const struct lq_topology *topology, size_t index)
{
    const struct lq_exchange *const exchange = &topology->exchanges[index];

    /* the rest is so for every exchange: see struct lq_exchange */
    return is_text(wanted, "name", exchange->name) &&
           is_owned(wanted, exchange->ownership) &&
           is_text(wanted, "type", "direct") &&
           is_bool(wanted, "durable", true) &&
           is_bool(wanted, "auto_delete", false) &&
           is_bool(wanted, "internal", false) &&
           json_object_size(json_object_get(wanted, "arguments")) == 0;
}

static bool same_argument(const char *key, const json_t *value,
                          const struct lq_argument *argument)
{
    const bool small = strcmp(key, "x-max-priority") == 0;

    if (strcmp(argument->key, key) != 0) {
        return false;
    }
    switch (argument->type) {
    case LQ_LONGSTR:
        return json_is_string(value) &&
               strcmp(json_string_value(value), argument->text) == 0;
    case LQ_INT64:
        return !small && json_is_integer(value) &&
               json_integer_value(value) == argument->number;
    case LQ_INT32:
        return small && json_is_integer(value) &&
               json_integer_value(value) == argument->number;
    case LQ_BOOL:
        return json_is_true(value) && argument->number == 1;
    }
    return false;
}

static bool same_arguments(json_t *wanted, const struct lq_queue *queue)
{
    const char *key = NULL;
    json_t *value = NULL;
    size_t i = 0;

    if (json_object_size(wanted) != queue->argument_count) {
        return false;
    }
    json_object_foreach(wanted, key, value)
    {
        if (!same_argument(key, value, &queue->arguments[i++])) {
            return false;
        }
    }
    return true;
}

static bool same_queue(const json_t *wanted, const struct lq_topology *topology,
                       size_t index)
{
    const struct lq_queue *const queue = &topology->queues[index];

    static const char *const roles[] = {"main", "retry_bucket", "dead_letter"};

    return is_text(wanted, "name", queue->name) &&
           is_text(wanted, "role", roles[queue->role]) &&
           is_text(wanted, "logical_queue", queue->logical->entry->name) &&
           is_owned(wanted, lq_owner(queue->logical)) &&
           is_bool(wanted, "durable", queue->durable) &&
           is_bool(wanted, "auto_delete", queue->auto_delete) &&
           is_bool(wanted, "exclusive", false) &&
           same_arguments(json_object_get(wanted, "arguments"), queue);
}

static bool same_binding(const json_t *wanted,
                         const struct lq_topology *topology, size_t index)
{
    const struct lq_binding *const binding = &topology->bindings[index];

    return is_text(wanted, "source", binding->source) &&
           is_text(wanted, "destination", binding->destination) &&
           is_text(wanted, "destination_type", "queue") &&
           is_text(wanted, "routing_key", binding->routing_key) &&
           is_owned(wanted, lq_owner(binding->logical)) &&
           json_object_size(json_object_get(wanted, "arguments")) == 0;
}

static bool same_attempt(const json_t *wanted, const struct lq_attempt *attempt)
{
    for (size_t i = 0; i < attempt->count; ++i) {
        const json_t *const delay = json_array_get(wanted, i);

        if (!json_is_integer(delay) ||
            (uint64_t)json_integer_value(delay) != attempt->delays_millis[i]) {
            return false;
        }
    }
    return json_array_size(wanted) == attempt->count;
}

static bool same_logical(const json_t *wanted,
                         const struct lq_topology *topology, size_t index)
{
    const struct lq_logical *const logical = &topology->logicals[index];
    const json_t *const delays = json_object_get(wanted, "delays_millis");

    for (size_t i = 0; i < logical->attempt_count; ++i) {
        if (!same_attempt(json_array_get(delays, i), &logical->attempts[i])) {
            return false;
        }
    }
    return json_array_size(delays) == logical->attempt_count &&
           is_text(wanted, "name", logical->entry->name);
}

static size_t count_logicals(const struct lq_topology *topology)
{
    return topology->logical_count;
}

static size_t count_exchanges(const struct lq_topology *topology)
{
    return topology->exchange_count;
}

static size_t count_queues(const struct lq_topology *topology)
{
    return topology->queue_count;
}

static size_t count_bindings(const struct lq_topology *topology)
{
    return topology->binding_count;
}

/* A list of both the vector and the topology, and how its items compare. */
struct kind {
    const char *name;
    size_t (*count)(const struct lq_topology *topology);
    bool (*same)(const json_t *wanted, const struct lq_topology *topology,
                 size_t index);
};

static const char *differs(struct lq_arena *arena, const char *kind,
                           size_t index, json_t *wanted)
{
    char *const text = json_dumps(wanted, JSON_COMPACT | JSON_ENCODE_ANY);
    const char *const message = lq_format(arena, "%s[%zu] should be %s", kind,
                                          index, text ? text : "absent");

    free(text);
    return message;
}

static const char *judge_kind(struct lq_arena *arena,
                              const struct lq_topology *topology,
                              const json_t *ok, const struct kind *kind)
{
    const json_t *const all = json_object_get(ok, kind->name);
    const size_t count = kind->count(topology);

    for (size_t i = 0; i < count || i < json_array_size(all); ++i) {
        json_t *const wanted = json_array_get(all, i);

        if (!wanted || i >= count || !kind->same(wanted, topology, i)) {
            return differs(arena, kind->name, i, wanted);
        }
    }
    return NULL;
}

const char *judge_topology(struct lq_arena *arena,
                           const struct lq_topology *topology, const json_t *ok)
{
    static const struct kind kinds[] = {
        {"logical_queues", count_logicals, same_logical},
        {"exchanges", count_exchanges, same_exchange},
        {"queues", count_queues, same_queue},
        {"bindings", count_bindings, same_binding},
    };
    const char *fault = NULL;

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && !fault; ++i) {
        fault = judge_kind(arena, topology, ok, &kinds[i]);
    }
    return fault;
}
