#include "format/resource_json.h"

static void write_vhost(struct lq_json *json, const char *vhost)
{
    if (vhost) {
        lq_json_text(json, "vhost", vhost);
    }
}

static void write_no_arguments(struct lq_json *json)
{
    lq_json_object_begin(json, "arguments");
    lq_json_object_end(json);
}

void lq_json_argument(struct lq_json *json, const struct lq_argument *argument)
{
    switch (argument->type) {
    case LQ_LONGSTR:
        lq_json_text(json, argument->key, argument->text);
        break;
    case LQ_INT64:
    case LQ_INT32:
        lq_json_integer(json, argument->key, argument->number);
        break;
    case LQ_BOOL:
        lq_json_bool(json, argument->key, argument->number != 0);
        break;
    }
}

void lq_json_exchange(struct lq_json *json, const struct lq_exchange *exchange,
                      const char *vhost)
{
    lq_json_text(json, "name", exchange->name);
    write_vhost(json, vhost);
    lq_json_text(json, "type", "direct");
    lq_json_bool(json, "durable", true);
    lq_json_bool(json, "auto_delete", false);
    lq_json_bool(json, "internal", false);
    write_no_arguments(json);
}

void lq_json_queue(struct lq_json *json, const struct lq_queue *queue,
                   const char *vhost)
{
    lq_json_text(json, "name", queue->name);
    write_vhost(json, vhost);
    lq_json_bool(json, "durable", queue->durable);
    lq_json_bool(json, "auto_delete", queue->auto_delete);
    lq_json_object_begin(json, "arguments");
    for (size_t i = 0; i < queue->argument_count; ++i) {
        lq_json_argument(json, &queue->arguments[i]);
    }
    lq_json_object_end(json);
}

void lq_json_binding(struct lq_json *json, const struct lq_binding *binding,
                     const char *vhost)
{
    lq_json_text(json, "source", binding->source);
    write_vhost(json, vhost);
    lq_json_text(json, "destination", binding->destination);
    lq_json_text(json, "destination_type", "queue");
    lq_json_text(json, "routing_key", binding->routing_key);
    write_no_arguments(json);
}
