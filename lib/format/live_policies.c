#include "format/live_items.h"

#include "base/text.h"

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
