#include "format/plan_verify.h"

#include "base/buffer.h"
#include "base/text.h"
#include "format/plan_json.h"

#include <string.h>

static int keep(void *data, const char *bytes, size_t length)
{
    lq_buffer_add_bytes(data, bytes, length);
    return 0;
}

/* The plan as a document of its own; NULL after a failure. */
static const struct lq_node *document_of(struct lq_plan_taker *taker,
                                         const struct lq_topology *plan,
                                         const struct lq_diags *warnings)
{
    struct lq_json_source source = {taker->shape.file, NULL, 0};
    const struct lq_node *document = NULL;
    struct lq_buffer buffer;
    const struct lilyq_sink sink = {keep, &buffer};

    lq_buffer_init(&buffer, taker->arena);
    if (lq_plan_json_render(plan, warnings, &sink) != LQ_OK ||
        !lq_buffer_text(&buffer)) {
        lq_plan_fail(taker, LQ_NOMEM);
        return NULL;
    }
    source.text = buffer.bytes;
    source.length = buffer.length;
    lq_plan_fail(taker, lq_json_tree(&source, taker->shape.diags, &document));
    return taker->status == LQ_OK ? document : NULL;
}

static size_t count(const struct lq_node *node)
{
    size_t number = 0;

    for (const struct lq_node *at = node->first; at; at = at->next) {
        ++number;
    }
    return number;
}

/* All members that are wanted must be there. */
static void check_members(struct lq_plan_taker *taker,
                          const struct lq_node *wanted,
                          const struct lq_node *found)
{
    for (const struct lq_node *at = wanted->first; at && taker->status == LQ_OK;
         at = at->next) {
        if (!lq_node_member(found, at->key)) {
            lq_plan_fail(taker,
                         lq_shape_report(&taker->shape, found,
                                         lq_format(taker->arena,
                                                   "must have '%s'", at->key)));
        }
    }
}

static bool is_same(const struct lq_node *wanted, const struct lq_node *found)
{
    return wanted->kind == found->kind &&
           (!wanted->text || lq_str_equal(wanted->text, found->text));
}

/* Compares two nodes, but not what is in them. */
static void check_node(struct lq_plan_taker *taker,
                       const struct lq_node *wanted,
                       const struct lq_node *found)
{
    if (!is_same(wanted, found)) {
        const char *const words = lq_shape_words(wanted, taker->arena);

        lq_plan_fail(taker, words ? lq_shape_error(&taker->shape, found, words)
                                  : LQ_NOMEM);
    } else if (wanted->kind == LQ_NODE_TABLE) {
        check_members(taker, wanted, found);
    } else if (wanted->kind == LQ_NODE_LIST && count(wanted) != count(found)) {
        lq_plan_fail(taker,
                     lq_shape_report(&taker->shape, found,
                                     lq_format(taker->arena,
                                               "must have %zu elements, not "
                                               "%zu",
                                               count(wanted), count(found))));
    }
}

/* The counterpart of a node, whose elder sibling has one; NULL: there is none
 */
static const struct lq_node *partner(const struct lq_node *parent,
                                     const struct lq_node *elder,
                                     const struct lq_node *found)
{
    if (found->key) {
        return lq_node_member(parent, found->key);
    }
    return elder ? elder->next : parent->first;
}

/* Two trees on a walk through both. */
struct walk {
    const struct lq_node *wanted;
    const struct lq_node *found;
};

/* To the next node in document order; false at the end. */
static bool step(struct walk *walk)
{
    const struct lq_node *parent = walk->wanted;
    const struct lq_node *elder = NULL;

    if (walk->found->first) {
        walk->found = walk->found->first;
    } else {
        while (walk->found->parent && !walk->found->next) {
            walk->found = walk->found->parent;
            walk->wanted = walk->wanted->parent;
        }
        if (!walk->found->next) {
            return false;
        }
        walk->found = walk->found->next;
        elder = walk->wanted;
        parent = walk->wanted->parent;
    }
    walk->wanted = partner(parent, elder, walk->found);
    return true;
}

void lq_plan_verify(struct lq_plan_taker *taker, const struct lq_node *document,
                    const struct lq_topology *plan,
                    const struct lq_diags *warnings)
{
    struct walk walk = {document_of(taker, plan, warnings), document};

    if (!walk.wanted) {
        return;
    }
    do {
        if (walk.wanted) {
            check_node(taker, walk.wanted, walk.found);
        } else {
            lq_plan_fail(taker, lq_shape_report(&taker->shape, walk.found,
                                                "is not a field of a plan"));
        }
    } while (taker->status == LQ_OK && step(&walk));
}
