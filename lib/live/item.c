#include "live/item.h"

#include "base/text.h"

#include <string.h>

enum lq_status lq_live_item_exchange(const struct lq_live_reader *reader,
                                     const struct lq_node *object)
{
    struct lq_live_exchange *const item =
        lq_alloc(reader->diags->arena, sizeof(*item));
    enum lq_status status = LQ_OK;

    if (!item) {
        return LQ_NOMEM;
    }
    status = lq_shape_text(reader, object, "name", &item->name);
    if (status == LQ_OK) {
        status = lq_shape_text(reader, object, "type", &item->type);
    }
    if (status == LQ_OK) {
        status = lq_shape_flag(reader, object, "durable", &item->durable);
    }
    if (status == LQ_OK) {
        status =
            lq_shape_flag(reader, object, "auto_delete", &item->auto_delete);
    }
    if (status == LQ_OK) {
        status = lq_shape_flag(reader, object, "internal", &item->internal);
    }
    if (status == LQ_OK) {
        status =
            lq_shape_arguments(reader, object, "arguments", &item->arguments);
    }
    if (status != LQ_OK) {
        return status;
    }
    status = lq_live_add_exchange(reader->live, item);
    return status == LQ_INVALID ? lq_shape_repeated(reader, object) : status;
}

/*
 * The type of a queue without x-queue-type. One that was declared before its
 * virtual host had a default type may be of another: it is not known then.
 */
static const char *implied_type(const struct lq_live *live)
{
    const char *const common = live->default_queue_type;

    return !common || lq_str_equal(common, "classic") ? "classic" : NULL;
}

static enum lq_status read_queue(const struct lq_live_reader *reader,
                                 const struct lq_node *object,
                                 struct lq_live_queue *item)
{
    enum lq_status status = lq_shape_text(reader, object, "name", &item->name);

    if (status == LQ_OK) {
        status = lq_shape_flag(reader, object, "durable", &item->durable);
    }
    if (status == LQ_OK) {
        status =
            lq_shape_flag(reader, object, "auto_delete", &item->auto_delete);
    }
    if (status == LQ_OK) {
        item->exclusive = LQ_LIVE_NO; /* what is left out where none can be */
        status = lq_shape_flag(reader, object, "exclusive", &item->exclusive);
    }
    if (status == LQ_OK) {
        status = lq_shape_optional(reader, object, "type", &item->type);
    }
    return status == LQ_OK ? lq_shape_arguments(reader, object, "arguments",
                                                &item->arguments)
                           : status;
}

enum lq_status lq_live_item_queue(const struct lq_live_reader *reader,
                                  const struct lq_node *object)
{
    struct lq_live_queue *const item =
        lq_alloc(reader->diags->arena, sizeof(*item));
    const struct lq_live_argument *type = NULL;
    enum lq_status status = LQ_OK;

    if (!item) {
        return LQ_NOMEM;
    }
    status = read_queue(reader, object, item);
    if (status == LQ_OK) {
        status = lq_live_add_queue(reader->live, item);
        if (status == LQ_INVALID) {
            return lq_shape_repeated(reader, object);
        }
    }
    if (status != LQ_OK) {
        return status;
    }
    type = lq_live_argument(&item->arguments, "x-queue-type");
    if (type && type->type == LQ_LIVE_STRING) {
        item->type = type->text;
    } else if (!item->type && item->arguments.known) {
        item->type = implied_type(reader->live);
    }
    return LQ_OK;
}

enum lq_status lq_live_item_binding(const struct lq_live_reader *reader,
                                    const struct lq_node *object)
{
    struct lq_live_binding *const item =
        lq_alloc(reader->diags->arena, sizeof(*item));
    const char *kind = NULL;
    enum lq_status status = LQ_OK;

    if (!item) {
        return LQ_NOMEM;
    }
    status = lq_shape_text(reader, object, "source", &item->source);
    if (status == LQ_OK) {
        status =
            lq_shape_text(reader, object, "destination", &item->destination);
    }
    if (status == LQ_OK) {
        status = lq_shape_text(reader, object, "destination_type", &kind);
    }
    if (status == LQ_OK) {
        status =
            lq_shape_text(reader, object, "routing_key", &item->routing_key);
    }
    if (status == LQ_OK) {
        status =
            lq_shape_arguments(reader, object, "arguments", &item->arguments);
    }
    if (status != LQ_OK) {
        return status;
    }
    item->to_exchange = lq_str_equal(kind, "exchange");
    if (!item->to_exchange && !lq_str_equal(kind, "queue")) {
        return lq_shape_error(reader,
                              lq_node_member(object, "destination_type"),
                              "'queue' or 'exchange'");
    }
    return lq_live_add_binding(reader->live, item);
}

/* A number that may be missing. */
static enum lq_status read_count(const struct lq_live_reader *reader,
                                 const struct lq_node *object, const char *key,
                                 uint64_t *out)
{
    const struct lq_node *const node = lq_node_member(object, key);

    return node->kind == LQ_NODE_NUMBER &&
                   lq_parse_u64(lq_node_text(node), out) == LQ_NUMBER_OK
               ? LQ_OK
               : lq_shape_error(reader, node, "a count");
}

enum lq_status lq_live_item_figures(const struct lq_live_reader *reader,
                                    const struct lq_node *object)
{
    struct lq_live_queue *queue = NULL;
    const char *name = NULL;
    enum lq_status status = lq_shape_text(reader, object, "name", &name);

    if (status != LQ_OK) {
        return status;
    }
    queue = lq_live_queue(reader->live, name);
    if (!queue) {
        reader->live->has_unlisted = true;
        return LQ_OK;
    }
    if (!lq_node_member(object, "messages") ||
        !lq_node_member(object, "consumers")) {
        return LQ_OK;
    }
    status = read_count(reader, object, "messages", &queue->messages);
    if (status == LQ_OK) {
        status = read_count(reader, object, "consumers", &queue->consumers);
    }
    queue->counted = status == LQ_OK;
    return status;
}

static enum lq_live_scope scope_of(const char *text)
{
    static const struct {
        const char *text;
        enum lq_live_scope scope;
    } scopes[] = {
        {"all", LQ_LIVE_ALL},
        {"exchanges", LQ_LIVE_EXCHANGES},
        {"queues", LQ_LIVE_QUEUES},
        {"classic_queues", LQ_LIVE_CLASSIC_QUEUES},
        {"quorum_queues", LQ_LIVE_QUORUM_QUEUES},
        {"streams", LQ_LIVE_STREAMS},
    };

    for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); ++i) {
        if (lq_str_equal(scopes[i].text, text)) {
            return scopes[i].scope;
        }
    }
    return LQ_LIVE_OTHERS;
}

static enum lq_status read_priority(const struct lq_live_reader *reader,
                                    const struct lq_node *object, double *out)
{
    const struct lq_node *const node = lq_node_member(object, "priority");

    if (!node) {
        return LQ_OK;
    }
    return node->kind == LQ_NODE_NUMBER &&
                   lq_parse_double(lq_node_text(node), out) == LQ_NUMBER_OK
               ? LQ_OK
               : lq_shape_error(reader, node, "a number");
}

/* `object` has the name, `value` all else; they may be the same. */
static enum lq_status read_policy(const struct lq_live_reader *reader,
                                  const struct lq_node *object,
                                  const struct lq_node *value,
                                  struct lq_array *policies)
{
    struct lq_live_policy *const item =
        lq_alloc(reader->diags->arena, sizeof(*item));
    const char *scope = "all";
    enum lq_status status = LQ_OK;

    if (!item) {
        return LQ_NOMEM;
    }
    status = lq_shape_text(reader, object, "name", &item->name);
    if (status == LQ_OK) {
        status = lq_shape_text(reader, value, "pattern", &item->pattern);
    }
    if (status == LQ_OK) {
        status = lq_shape_optional(reader, value, "apply-to", &scope);
    }
    if (status == LQ_OK) {
        status = read_priority(reader, value, &item->priority);
    }
    if (status == LQ_OK) {
        status =
            lq_shape_arguments(reader, value, "definition", &item->definition);
    }
    item->scope = scope_of(scope);
    return status == LQ_OK ? lq_live_add_policy(reader->live, policies, item)
                           : status;
}

enum lq_status lq_live_item_policy(const struct lq_live_reader *reader,
                                   const struct lq_node *object)
{
    return read_policy(reader, object, object, &reader->live->policies);
}

enum lq_status lq_live_item_operator_policy(const struct lq_live_reader *reader,
                                            const struct lq_node *object)
{
    return read_policy(reader, object, object,
                       &reader->live->operator_policies);
}

enum lq_status lq_live_item_parameter(const struct lq_live_reader *reader,
                                      const struct lq_node *object)
{
    const struct lq_node *const value = lq_node_member(object, "value");
    const char *component = "";
    enum lq_status status =
        lq_shape_optional(reader, object, "component", &component);

    if (status != LQ_OK || !lq_str_equal(component, "operator_policy")) {
        return status;
    }
    if (!value) {
        return lq_shape_text(reader, object, "value", &component);
    }
    status = lq_shape_check(reader, value, LQ_NODE_TABLE);
    return status == LQ_OK ? read_policy(reader, object, value,
                                         &reader->live->operator_policies)
                           : status;
}
