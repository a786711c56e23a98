#include "format/plan_take.h"

#include "base/text.h"
#include "topology/identity.h"

#include <string.h>

void lq_plan_fail(struct lq_plan_taker *taker, enum lq_status status)
{
    if (taker->status == LQ_OK) {
        taker->status = status;
    }
}

void *lq_plan_room(struct lq_plan_taker *taker, size_t count, size_t size)
{
    void *const items = lq_alloc_array(taker->arena, count, size);

    if (!items) {
        lq_plan_fail(taker, LQ_NOMEM);
    }
    return items;
}

static void fail_unless(struct lq_plan_taker *taker, bool good,
                        const struct lq_node *node, const char *wanted)
{
    if (!good && taker->status == LQ_OK) {
        lq_plan_fail(taker, lq_shape_error(&taker->shape, node, wanted));
    }
}

/* A member that must be there; NULL after a failure. */
static const struct lq_node *member(struct lq_plan_taker *taker,
                                    const struct lq_node *object,
                                    const char *key)
{
    const struct lq_node *const node =
        taker->status == LQ_OK ? lq_node_member(object, key) : NULL;

    if (!node && taker->status == LQ_OK) {
        lq_plan_fail(taker, lq_shape_report(&taker->shape, object,
                                            lq_format(taker->arena,
                                                      "must have '%s'", key)));
    }
    return node;
}

const struct lq_node *lq_plan_take(struct lq_plan_taker *taker,
                                   const struct lq_node *object,
                                   const char *key, enum lq_node_kind kind)
{
    const struct lq_node *const node = member(taker, object, key);

    if (node) {
        lq_plan_fail(taker, lq_shape_check(&taker->shape, node, kind));
    }
    return taker->status == LQ_OK ? node : NULL;
}

static const char *kind_words(enum lq_node_kind kind)
{
    switch (kind) {
    case LQ_NODE_LIST:
        return "an array";
    case LQ_NODE_TABLE:
        return "an object";
    case LQ_NODE_NUMBER:
        return "a number";
    case LQ_NODE_STRING:
        return "a string";
    case LQ_NODE_NULL:
    case LQ_NODE_FALSE:
    case LQ_NODE_TRUE:
        break;
    }
    return "a value";
}

const struct lq_node *lq_plan_elements(struct lq_plan_taker *taker,
                                       const struct lq_node *list,
                                       enum lq_node_kind kind, size_t *count)
{
    *count = 0;
    if (taker->status != LQ_OK) {
        return NULL;
    }
    for (const struct lq_node *at = lq_node_first(list); at;
         at = lq_node_next(at)) {
        fail_unless(taker, at->kind == kind, at, kind_words(kind));
        ++*count;
    }
    return taker->status == LQ_OK ? lq_node_first(list) : NULL;
}

static const char *name_of(struct lq_plan_taker *taker,
                           const struct lq_node *node)
{
    enum lq_identity fault = LQ_IDENTITY_OK;

    fail_unless(taker, node->kind == LQ_NODE_STRING, node, "a string");
    if (taker->status != LQ_OK) {
        return NULL;
    }
    fault = lq_identity_check(lq_node_text(node), strlen(lq_node_text(node)));
    if (fault != LQ_IDENTITY_OK) {
        lq_plan_fail(taker,
                     lq_shape_report(&taker->shape, node,
                                     lq_format(taker->arena, "must %s",
                                               lq_identity_rule(fault))));
    }
    return taker->status == LQ_OK ? lq_node_text(node) : NULL;
}

const char *lq_plan_take_name(struct lq_plan_taker *taker,
                              const struct lq_node *object, const char *key)
{
    const struct lq_node *const node = member(taker, object, key);

    return node ? name_of(taker, node) : NULL;
}

const char *lq_plan_take_nullable(struct lq_plan_taker *taker,
                                  const struct lq_node *object, const char *key)
{
    const struct lq_node *const node = member(taker, object, key);

    return node && node->kind != LQ_NODE_NULL ? name_of(taker, node) : NULL;
}

bool lq_plan_take_flag(struct lq_plan_taker *taker,
                       const struct lq_node *object, const char *key)
{
    const struct lq_node *const node = member(taker, object, key);

    if (node) {
        fail_unless(taker,
                    node->kind == LQ_NODE_TRUE || node->kind == LQ_NODE_FALSE,
                    node, "true or false");
    }
    return node && node->kind == LQ_NODE_TRUE;
}

uint64_t lq_plan_number(struct lq_plan_taker *taker, const struct lq_node *node)
{
    uint64_t number = 0;

    fail_unless(taker,
                node->kind == LQ_NODE_NUMBER &&
                    lq_parse_u64(lq_node_text(node), &number) == LQ_NUMBER_OK,
                node, "an integer of 0 or more");
    return taker->status == LQ_OK ? number : 0;
}

uint64_t lq_plan_take_count(struct lq_plan_taker *taker,
                            const struct lq_node *object, const char *key)
{
    const struct lq_node *const node = member(taker, object, key);

    return node ? lq_plan_number(taker, node) : 0;
}

bool lq_plan_take_word(struct lq_plan_taker *taker,
                       const struct lq_node *object, const char *key,
                       const char *const words[2])
{
    const struct lq_node *const node = member(taker, object, key);
    const bool is_text = node && node->kind == LQ_NODE_STRING;
    const bool second = is_text && lq_str_equal(lq_node_text(node), words[1]);
    const char *wanted = NULL;

    if (!node || second ||
        (is_text && lq_str_equal(lq_node_text(node), words[0]))) {
        return second;
    }
    wanted = lq_format(taker->arena, "'%s' or '%s'", words[0], words[1]);
    if (wanted) {
        fail_unless(taker, false, node, wanted);
    } else {
        lq_plan_fail(taker, LQ_NOMEM);
    }
    return false;
}
