#include "live/read.h"

#include "base/text.h"
#include "live/item.h"
#include "live/shape.h"

#include <string.h>

/* "default_queue_type" of an object, or of its "metadata". */
static void note_default_type(struct lq_live *live,
                              const struct lq_node *object)
{
    const struct lq_node *const metadata = lq_node_member(object, "metadata");
    const struct lq_node *node = lq_node_member(object, "default_queue_type");

    if (!node && metadata) {
        node = lq_node_member(metadata, "default_queue_type");
    }
    if (node && node->kind == LQ_NODE_STRING &&
        !lq_str_equal(lq_node_text(node), "undefined")) {
        live->default_queue_type = lq_node_text(node);
    }
}

/* Reports that the document is not about our virtual host. */
static enum lq_status report_no_vhost(const struct lq_live_reader *reader)
{
    struct lq_arena *const arena = reader->diags->arena;
    const struct lq_place place = {.file = reader->file};
    const char *const vhost = reader->live->vhost;
    const char *const wanted = lq_printable(arena, vhost, strlen(vhost));
    const char *const other =
        reader->other
            ? lq_printable(arena, reader->other, strlen(reader->other))
            : "";

    return reader->other
               ? lq_error(reader->diags, &place,
                          "document must have the virtual host '%s', but is "
                          "about others, such as '%s'",
                          wanted, other)
               : lq_error(reader->diags, &place,
                          "document must have the virtual host '%s', but has "
                          "none",
                          wanted);
}

/* Finds our virtual host in the list that an export of a cluster has. */
static enum lq_status read_vhosts(struct lq_live_reader *reader,
                                  const struct lq_node *list)
{
    enum lq_status status = lq_shape_check(reader, list, LQ_NODE_LIST);
    bool found = false;

    for (const struct lq_node *at = status == LQ_OK ? lq_node_first(list)
                                                    : NULL;
         at && status == LQ_OK; at = lq_node_next(at)) {
        const char *name = NULL;

        status = lq_shape_check(reader, at, LQ_NODE_TABLE);
        if (status == LQ_OK) {
            status = lq_shape_text(reader, at, "name", &name);
        }
        if (status == LQ_OK && lq_str_equal(name, reader->live->vhost)) {
            note_default_type(reader->live, at);
            found = true;
        } else if (status == LQ_OK && !reader->other) {
            reader->other = name;
        }
    }
    return status == LQ_OK && !found ? report_no_vhost(reader) : status;
}

static enum lq_status several(const struct lq_live_reader *reader,
                              const char *one, const char *other)
{
    struct lq_arena *const arena = reader->diags->arena;
    const struct lq_place place = {.file = reader->file};
    const char *const shown = lq_printable(arena, one, strlen(one));
    const char *const shown_too = lq_printable(arena, other, strlen(other));

    return lq_error(reader->diags, &place,
                    "document has several virtual hosts, such as '%s' "
                    "and '%s': one must be chosen",
                    shown, shown_too);
}

/* Takes the texts of a member of all objects of a list for virtual hosts. */
static enum lq_status gather(const struct lq_live_reader *reader,
                             const struct lq_node *list, const char *key)
{
    const char **const chosen = &reader->live->vhost;

    for (const struct lq_node *at = list ? lq_node_first(list) : NULL; at;
         at = lq_node_next(at)) {
        const struct lq_node *const name = lq_node_member(at, key);

        if (!name || name->kind != LQ_NODE_STRING) {
            continue; /* what is wrong with it is told when it is read */
        }
        if (*chosen && !lq_str_equal(*chosen, lq_node_text(name))) {
            return several(reader, *chosen, lq_node_text(name));
        }
        *chosen = lq_node_text(name);
    }
    return LQ_OK;
}

/*
 * Finds the virtual host that a definitions document is about, when none was
 * chosen: its only one, or what it was exported from, or else "/". An error
 * when there are several.
 */
static enum lq_status choose_vhost(const struct lq_live_reader *reader,
                                   const struct lq_node *document)
{
    /* what 3.10 exports of a single one names it in the last of them only */
    static const char *const parts[] = {"exchanges", "queues", "bindings",
                                        "policies", "parameters"};
    const struct lq_node *const origin =
        lq_node_member(document, "original_vhost_name");
    enum lq_status status =
        gather(reader, lq_node_member(document, "vhosts"), "name");

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && status == LQ_OK;
         ++i) {
        status = gather(reader, lq_node_member(document, parts[i]), "vhost");
    }
    if (!reader->live->vhost) {
        reader->live->vhost = origin && origin->kind == LQ_NODE_STRING
                                  ? lq_node_text(origin)
                                  : "/";
    }
    return status;
}

/* The version of the broker, if the object says it. */
static enum lq_status read_version(const struct lq_live_reader *reader,
                                   const struct lq_node *object)
{
    const char **const out = &reader->live->version;
    const enum lq_status status =
        lq_shape_optional(reader, object, "rabbit_version", out);

    return status == LQ_OK
               ? lq_shape_optional(reader, object, "rabbitmq_version", out)
               : status;
}

/*
 * The version, and the default queue type of our virtual host. An error when
 * the document lists its virtual hosts, and ours is none of them.
 */
static enum lq_status read_head(struct lq_live_reader *reader,
                                const struct lq_node *document)
{
    const struct lq_node *const vhosts = lq_node_member(document, "vhosts");
    enum lq_status status = LQ_OK;

    note_default_type(reader->live, document);
    status = read_version(reader, document);
    return status == LQ_OK && vhosts ? read_vhosts(reader, vhosts) : status;
}

/* A part of a document: its key, and how one of its objects is read. */
struct part {
    const char *key;
    enum lq_live_part bit;
    enum lq_status (*read)(const struct lq_live_reader *reader,
                           const struct lq_node *object);
};

static const struct part parts[] = {
    {"exchanges", LQ_LIVE_HAS_EXCHANGES, lq_live_item_exchange},
    {"queues", LQ_LIVE_HAS_QUEUES, lq_live_item_queue},
    {"bindings", LQ_LIVE_HAS_BINDINGS, lq_live_item_binding},
    {"policies", LQ_LIVE_HAS_POLICIES, lq_live_item_policy},
    {"parameters", LQ_LIVE_HAS_OPERATOR_POLICIES, lq_live_item_parameter},
};

static const struct part operator_policies = {
    NULL, LQ_LIVE_HAS_OPERATOR_POLICIES, lq_live_item_operator_policy};

static const struct part figures = {NULL, LQ_LIVE_HAS_FIGURES,
                                    lq_live_item_figures};

#define PART_COUNT (sizeof(parts) / sizeof(parts[0]))

/* What is read of a broker's definitions, and of the objects in its lists. */
static const char *const document_keys[] = {"exchanges",
                                            "queues",
                                            "bindings",
                                            "policies",
                                            "parameters",
                                            "vhosts",
                                            "metadata",
                                            "default_queue_type",
                                            "original_vhost_name",
                                            "rabbit_version",
                                            "rabbitmq_version",
                                            "format",
                                            NULL};
static const char *const object_keys[] = {"name",        "vhost",
                                          "type",        "durable",
                                          "arguments",   "auto_delete",
                                          "exclusive",   "internal",
                                          "source",      "destination",
                                          "routing_key", "destination_type",
                                          "pattern",     "apply-to",
                                          "priority",    "definition",
                                          "component",   "value",
                                          "messages",    "consumers",
                                          "metadata",    "default_queue_type",
                                          NULL};

/* Reads the objects of a list that are of our virtual host. */
static enum lq_status read_list(struct lq_live_reader *reader,
                                const struct lq_node *list,
                                const struct part *part)
{
    enum lq_status status = lq_shape_check(reader, list, LQ_NODE_LIST);

    for (const struct lq_node *at = status == LQ_OK ? lq_node_first(list)
                                                    : NULL;
         at && status == LQ_OK; at = lq_node_next(at)) {
        bool ours = false;

        status = lq_shape_is_ours(reader, at, &ours);
        if (status == LQ_OK && ours) {
            status = part->read(reader, at);
        }
    }
    if (status == LQ_OK) {
        reader->live->parts |= (unsigned)part->bit;
    }
    return status;
}

/* Whether the document is an object with a part of a broker in it. */
static enum lq_status check_definitions(const struct lq_live_reader *reader,
                                        const struct lq_node *document)
{
    const struct lq_place place = {.file = reader->file};
    const struct lq_node *const format = lq_node_member(document, "format");

    /* a plan has parts of the same names, and would pass for a broker */
    if (format && format->kind == LQ_NODE_STRING &&
        strncmp(lq_node_text(format), "lilyq-", 6) == 0) {
        return lq_shape_error(reader, format,
                              "missing from a broker's definitions");
    }
    for (size_t i = 0; i < PART_COUNT; ++i) {
        if (lq_node_member(document, parts[i].key)) {
            return LQ_OK;
        }
    }
    return document->kind == LQ_NODE_TABLE
               ? lq_error(reader->diags, &place,
                          "document must be a broker's definitions, with "
                          "'exchanges', 'queues' and 'bindings'")
               : lq_shape_check(reader, document, LQ_NODE_TABLE);
}

static enum lq_status read_definitions(struct lq_live_reader *reader,
                                       const struct lq_node *document)
{
    struct lq_live *const live = reader->live;
    enum lq_status status = check_definitions(reader, document);

    if (status == LQ_OK && !live->vhost) {
        status = choose_vhost(reader, document);
    }
    if (status == LQ_OK) {
        status = read_head(reader, document);
    }
    for (size_t i = 0; i < PART_COUNT && status == LQ_OK; ++i) {
        const struct lq_node *const list =
            lq_node_member(document, parts[i].key);
        const bool reserved = parts[i].bit == LQ_LIVE_HAS_EXCHANGES;

        if (list && !lq_live_has(live, parts[i].bit)) {
            status = read_list(reader, list, &parts[i]);
            if (status == LQ_OK && reserved) {
                status = lq_live_add_reserved(live);
            }
        }
    }
    if (status == LQ_OK && reader->ours == 0 && reader->others > 0 &&
        !lq_node_member(document, "vhosts")) {
        status = report_no_vhost(reader);
    }
    return status;
}

enum lq_status lq_live_read_definitions(struct lq_live *live,
                                        const struct lq_json_source *source,
                                        struct lq_diags *diags)
{
    struct lq_live_reader reader = {
        .live = live, .file = source->file, .diags = diags};
    static const struct lq_json_wanted wanted = {document_keys, object_keys};
    const struct lq_node *document = NULL;
    const enum lq_status status =
        lq_json_read(source, &wanted, diags, &document);

    return status == LQ_OK ? read_definitions(&reader, document) : status;
}

/* Reads a document that is one list. */
static enum lq_status read_part(struct lq_live *live,
                                const struct lq_json_source *source,
                                const struct part *part, struct lq_diags *diags)
{
    struct lq_live_reader reader = {
        .live = live, .file = source->file, .diags = diags};
    static const struct lq_json_wanted wanted = {.outer = object_keys};
    const struct lq_node *document = NULL;
    const enum lq_status status =
        lq_json_read(source, &wanted, diags, &document);

    return status == LQ_OK ? read_list(&reader, document, part) : status;
}

enum lq_status lq_live_read_exchanges(struct lq_live *live,
                                      const struct lq_json_source *source,
                                      struct lq_diags *diags)
{
    const enum lq_status status = read_part(live, source, &parts[0], diags);

    if (status == LQ_OK) {
        live->parts |= LQ_LIVE_HAS_RESERVED;
    }
    return status;
}

enum lq_status lq_live_read_queues(struct lq_live *live,
                                   const struct lq_json_source *source,
                                   struct lq_diags *diags)
{
    return read_part(live, source, &parts[1], diags);
}

enum lq_status lq_live_read_bindings(struct lq_live *live,
                                     const struct lq_json_source *source,
                                     struct lq_diags *diags)
{
    return read_part(live, source, &parts[2], diags);
}

enum lq_status lq_live_read_policies(struct lq_live *live,
                                     const struct lq_json_source *source,
                                     struct lq_diags *diags)
{
    return read_part(live, source, &parts[3], diags);
}

enum lq_status
lq_live_read_operator_policies(struct lq_live *live,
                               const struct lq_json_source *source,
                               struct lq_diags *diags)
{
    return read_part(live, source, &operator_policies, diags);
}

enum lq_status lq_live_read_figures(struct lq_live *live,
                                    const struct lq_json_source *source,
                                    struct lq_diags *diags)
{
    return read_part(live, source, &figures, diags);
}

enum lq_status lq_live_read_overview(struct lq_live *live,
                                     const struct lq_json_source *source,
                                     struct lq_diags *diags)
{
    const struct lq_live_reader reader = {
        .live = live, .file = source->file, .diags = diags};
    const struct lq_node *document = NULL;
    enum lq_status status = lq_json_read(source, NULL, diags, &document);

    if (status == LQ_OK) {
        status = lq_shape_check(&reader, document, LQ_NODE_TABLE);
    }
    return status == LQ_OK ? read_version(&reader, document) : status;
}
