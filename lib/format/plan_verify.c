#include "format/plan_verify.h"

#include "base/buffer.h"
#include "base/text.h"
#include "format/plan_json.h"
#include "json/read.h"

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
    lq_plan_fail(taker,
                 lq_json_read(&source, NULL, taker->shape.diags, &document));
    return taker->status == LQ_OK ? document : NULL;
}

/* All members that are wanted must be there. */
static void check_members(struct lq_plan_taker *taker,
                          const struct lq_node *wanted,
                          const struct lq_node *found)
{
    for (const struct lq_node *at = lq_node_first(wanted);
         at && taker->status == LQ_OK; at = lq_node_next(at)) {
        if (!lq_node_member(found, lq_node_key(at))) {
            lq_plan_fail(
                taker, lq_shape_report(&taker->shape, found,
                                       lq_format(taker->arena, "must have '%s'",
                                                 lq_node_key(at))));
        }
    }
}

static bool is_same(const struct lq_node *wanted, const struct lq_node *found)
{
    return wanted->kind == found->kind &&
           (!lq_node_text(wanted) ||
            lq_str_equal(lq_node_text(wanted), lq_node_text(found)));
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
    } else if (wanted->kind == LQ_NODE_LIST &&
               lq_node_count(wanted) != lq_node_count(found)) {
        lq_plan_fail(taker,
                     lq_shape_report(&taker->shape, found,
                                     lq_format(taker->arena,
                                               "must have %zu elements, not "
                                               "%zu",
                                               lq_node_count(wanted),
                                               lq_node_count(found))));
    }
}

/* The counterpart of a node, whose elder sibling has one; NULL: there is none
 */
static const struct lq_node *partner(const struct lq_node *parent,
                                     const struct lq_node *elder,
                                     const struct lq_node *found)
{
    if (lq_node_key(found)) {
        return lq_node_member(parent, lq_node_key(found));
    }
    return elder ? lq_node_next(elder) : lq_node_first(parent);
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

    if (lq_node_first(walk->found)) {
        walk->found = lq_node_first(walk->found);
    } else {
        while (lq_node_parent(walk->found) && !lq_node_next(walk->found)) {
            walk->found = lq_node_parent(walk->found);
            walk->wanted = lq_node_parent(walk->wanted);
        }
        if (!lq_node_next(walk->found)) {
            return false;
        }
        walk->found = lq_node_next(walk->found);
        elder = walk->wanted;
        parent = lq_node_parent(walk->wanted);
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
