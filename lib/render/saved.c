#include "render/saved.h"

#include "base/buffer.h"
#include "base/text.h"
#include "render/plan.h"
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

        lq_plan_fail(taker, lq_shape_error(&taker->shape, found, words));
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

/* A plan while it is read. */
struct plan_reader {
    struct lq_plan_taker taker;
    struct lq_topology *plan;
    struct lq_logical *logicals;
    struct lq_map logical_index;
    struct lq_plan_names names; /* that were met */
    struct lq_diags *warnings;
};

bool lq_plan_is_saved(const struct lq_node *document)
{
    const struct lq_node *const format = lq_node_member(document, "format");

    return format && format->kind == LQ_NODE_STRING &&
           lq_str_equal(lq_node_text(format), "lilyq-plan");
}

/* A member of the document that is an array of objects. */
static const struct lq_node *take_list(struct plan_reader *reader,
                                       const struct lq_node *document,
                                       const char *key, size_t *count)
{
    return lq_plan_elements(
        &reader->taker,
        lq_plan_take(&reader->taker, document, key, LQ_NODE_LIST),
        LQ_NODE_TABLE, count);
}

/* Notes an item by its name, which no other may have. */
static void note(struct plan_reader *reader, struct lq_map *index,
                 const struct lq_node *object, const char *name, void *item)
{
    struct lq_plan_taker *const taker = &reader->taker;
    void *held = NULL;

    if (taker->status != LQ_OK) {
        return;
    }
    if (lq_map_add(index, name, item, &held) != LQ_OK) {
        lq_plan_fail(taker, LQ_NOMEM);
    } else if (held != item) {
        lq_plan_fail(taker, lq_shape_repeated(&taker->shape, object));
    }
}

static void read_logicals(struct plan_reader *reader,
                          const struct lq_node *document)
{
    struct lq_topology *const plan = reader->plan;
    const struct lq_node *at =
        take_list(reader, document, "logical_queues", &plan->logical_count);
    struct lq_logical *const items =
        lq_plan_room(&reader->taker, plan->logical_count, sizeof(*items));

    plan->logicals = items;
    for (size_t i = 0; at && reader->taker.status == LQ_OK;
         at = lq_node_next(at)) {
        lq_plan_read_logical(&reader->taker, at, i, &items[i]);
        note(reader, &reader->logical_index, at,
             items[i].entry ? items[i].entry->name : NULL, &items[i]);
        plan->bucket_count += items[i].bucket_count;
        ++i;
    }
}

/* Whose a resource is, by "logical_queue". */
static const struct lq_logical *take_logical(struct plan_reader *reader,
                                             const struct lq_node *object)
{
    struct lq_plan_taker *const taker = &reader->taker;
    const char *const name = lq_plan_take_name(taker, object, "logical_queue");
    const struct lq_logical *const logical =
        name ? lq_map_get(&reader->logical_index, name) : NULL;

    if (name && !logical) {
        lq_plan_fail(taker,
                     lq_shape_error(&taker->shape,
                                    lq_node_member(object, "logical_queue"),
                                    "one of 'logical_queues'"));
    }
    return logical;
}

/* "main", "dead_letter", or `retry` */
static enum lq_role take_role(struct plan_reader *reader,
                              const struct lq_node *object, const char *retry)
{
    struct lq_plan_taker *const taker = &reader->taker;
    const struct lq_node *const node = lq_node_member(object, "role");
    const char *const words[] = {"main", "dead_letter"};

    if (node && node->kind == LQ_NODE_STRING &&
        lq_str_equal(lq_node_text(node), retry)) {
        return LQ_ROLE_RETRY;
    }
    return lq_plan_take_word(taker, object, "role", words) ? LQ_ROLE_DEAD_LETTER
                                                           : LQ_ROLE_MAIN;
}

static void read_exchanges(struct plan_reader *reader,
                           const struct lq_node *document)
{
    static const char *const owners[] = {"framework_managed", "external"};
    struct lq_plan_taker *const taker = &reader->taker;
    const struct lq_node *at =
        take_list(reader, document, "exchanges", &reader->plan->exchange_count);
    struct lq_exchange *const items =
        lq_plan_room(taker, reader->plan->exchange_count, sizeof(*items));

    reader->plan->exchanges = items;
    for (size_t i = 0; at && taker->status == LQ_OK; at = lq_node_next(at)) {
        items[i] = (struct lq_exchange){
            .name = lq_plan_take_name(taker, at, "name"),
            .ownership = lq_plan_take_word(taker, at, "ownership", owners)
                             ? LQ_EXTERNAL
                             : LQ_FRAMEWORK_MANAGED,
            .role = take_role(reader, at, "retry"),
            .logical = take_logical(reader, at),
        };
        note(reader, &reader->names.exchanges, at, items[i].name, &items[i]);
        ++i;
    }
}

static void read_queues(struct plan_reader *reader,
                        const struct lq_node *document)
{
    struct lq_plan_taker *const taker = &reader->taker;
    const struct lq_node *at =
        take_list(reader, document, "queues", &reader->plan->queue_count);
    struct lq_queue *const items =
        lq_plan_room(taker, reader->plan->queue_count, sizeof(*items));

    reader->plan->queues = items;
    for (size_t i = 0; at && taker->status == LQ_OK; at = lq_node_next(at)) {
        items[i] = (struct lq_queue){
            .name = lq_plan_take_name(taker, at, "name"),
            .role = take_role(reader, at, "retry_bucket"),
            .durable = lq_plan_take_flag(taker, at, "durable"),
            .auto_delete = lq_plan_take_flag(taker, at, "auto_delete"),
            .logical = take_logical(reader, at),
        };
        lq_plan_take_arguments(taker, at, &items[i]);
        note(reader, &reader->names.queues, at, items[i].name, &items[i]);
        ++i;
    }
}

static void read_bindings(struct plan_reader *reader,
                          const struct lq_node *document)
{
    struct lq_plan_taker *const taker = &reader->taker;
    const struct lq_node *at =
        take_list(reader, document, "bindings", &reader->plan->binding_count);
    struct lq_binding *const items =
        lq_plan_room(taker, reader->plan->binding_count, sizeof(*items));

    reader->plan->bindings = items;
    for (size_t i = 0; at && taker->status == LQ_OK; at = lq_node_next(at)) {
        items[i++] = (struct lq_binding){
            .source = lq_plan_take_name(taker, at, "source"),
            .destination = lq_plan_take_name(taker, at, "destination"),
            .routing_key = lq_plan_take_name(taker, at, "routing_key"),
            .role = take_role(reader, at, "retry_bucket"),
            .logical = take_logical(reader, at),
        };
    }
}

static void read_warnings(struct plan_reader *reader,
                          const struct lq_node *document)
{
    struct lq_plan_taker *const taker = &reader->taker;
    size_t count = 0;
    const struct lq_node *at = take_list(reader, document, "warnings", &count);

    for (; at && taker->status == LQ_OK; at = lq_node_next(at)) {
        const char *text = NULL;

        lq_plan_fail(taker, lq_shape_text(&taker->shape, at, "text", &text));
        if (taker->status == LQ_OK) {
            lq_warning(reader->warnings, NULL, "%s", text);
        }
    }
}

/* Later versions may mean anything by what is read here. */
static void check_version(struct plan_reader *reader,
                          const struct lq_node *document)
{
    struct lq_plan_taker *const taker = &reader->taker;
    const uint64_t version =
        lq_plan_take_count(taker, document, "format_version");

    if (taker->status == LQ_OK && version != 1) {
        lq_plan_fail(taker,
                     lq_shape_error(&taker->shape,
                                    lq_node_member(document, "format_version"),
                                    "1, the only version known here"));
    }
}

static void read_all(struct plan_reader *reader, const struct lq_node *document)
{
    const struct lq_node *summary = NULL;

    check_version(reader, document);
    summary = lq_plan_take(&reader->taker, document, "summary", LQ_NODE_TABLE);
    if (summary) {
        reader->plan->capacity = lq_plan_take_capacity(&reader->taker, summary);
    }
    read_logicals(reader, document);
    read_exchanges(reader, document);
    read_queues(reader, document);
    read_bindings(reader, document);
    read_warnings(reader, document);
}

enum lq_status lq_plan_read(const struct lq_node *document, const char *file,
                            struct lq_diags *diags, struct lq_diags *warnings,
                            const struct lq_topology **out)
{
    struct lq_arena *const arena = diags->arena;
    struct plan_reader reader = {
        .taker = {.shape = {.file = file, .diags = diags}, .arena = arena},
        .plan = lq_alloc(arena, sizeof(*reader.plan)),
        .warnings = warnings,
    };

    if (!reader.plan) {
        return LQ_NOMEM;
    }
    lq_map_init(&reader.logical_index, arena);
    lq_map_init(&reader.names.exchanges, arena);
    lq_map_init(&reader.names.queues, arena);
    read_all(&reader, document);
    if (reader.taker.status == LQ_OK) {
        lq_plan_check_parts(&reader.taker, document, reader.plan,
                            &reader.names);
    }
    if (reader.taker.status == LQ_OK) {
        lq_plan_verify(&reader.taker, document, reader.plan, warnings);
    }
    *out = reader.taker.status == LQ_OK ? reader.plan : NULL;
    return reader.taker.status;
}
