#include "format/plan_arguments.h"

#include "base/text.h"

#include <string.h>

/* Whether it may be the key of an argument, and needs no escapes. */
static bool is_argument_key(const char *key)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

    return strncmp(key, "x-", 2) == 0 && strspn(key, letters) == strlen(key);
}

/* What the arguments of a plan are; others may be of any type. */
static bool is_of_its_type(const struct lq_argument *argument)
{
    static const struct {
        const char *key;
        enum lq_argument_type type;
    } known[] = {
        {"x-queue-type", LQ_LONGSTR},
        {"x-max-length", LQ_INT64},
        {"x-max-length-bytes", LQ_INT64},
        {"x-overflow", LQ_LONGSTR},
        {"x-dead-letter-exchange", LQ_LONGSTR},
        {"x-dead-letter-routing-key", LQ_LONGSTR},
        {"x-message-ttl", LQ_INT64},
        {"x-single-active-consumer", LQ_BOOL},
        {"x-max-priority", LQ_INT32},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); ++i) {
        if (lq_str_equal(known[i].key, argument->key)) {
            return known[i].type == argument->type;
        }
    }
    return true;
}

static void read_argument(struct lq_plan_taker *taker,
                          const struct lq_node *node, struct lq_argument *out)
{
    bool good = is_argument_key(lq_node_key(node));

    *out = (struct lq_argument){.key = lq_node_key(node)};
    if (node->kind == LQ_NODE_STRING) {
        out->type = LQ_LONGSTR;
        out->text = lq_node_text(node);
        good = good &&
               lq_utf8_valid(lq_node_text(node), strlen(lq_node_text(node)));
    } else if (node->kind == LQ_NODE_TRUE || node->kind == LQ_NODE_FALSE) {
        out->type = LQ_BOOL;
        out->number = node->kind == LQ_NODE_TRUE;
    } else {
        out->type = lq_str_equal(lq_node_key(node), "x-max-priority")
                        ? LQ_INT32
                        : LQ_INT64;
        good = good && node->kind == LQ_NODE_NUMBER &&
               lq_shape_integer(lq_node_text(node), &out->number);
    }
    if (!good || !is_of_its_type(out)) {
        lq_plan_fail(taker, lq_shape_error(&taker->shape, node,
                                           "an x-argument of the type that "
                                           "plans have"));
    }
}

void lq_plan_take_arguments(struct lq_plan_taker *taker,
                            const struct lq_node *object, struct lq_queue *out)
{
    const struct lq_node *const table =
        lq_plan_take(taker, object, "arguments", LQ_NODE_TABLE);
    struct lq_argument *items = NULL;

    for (const struct lq_node *at = table ? lq_node_first(table) : NULL; at;
         at = lq_node_next(at)) {
        ++out->argument_count;
    }
    items = lq_plan_room(taker, out->argument_count, sizeof(*items));
    out->arguments = items;
    for (const struct lq_node *at = table ? lq_node_first(table) : NULL;
         at && taker->status == LQ_OK; at = lq_node_next(at)) {
        read_argument(taker, at, items++);
    }
}
