#include "format/live_head.h"

#include "base/text.h"

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

enum lq_status lq_live_no_vhost(const struct lq_live_reader *reader)
{
    struct lq_arena *const arena = reader->diags->arena;
    const struct lq_place place = {.file = reader->file};
    const char *const vhost = reader->live->vhost;
    const char *const wanted = lq_printable(arena, vhost, strlen(vhost));
    const char *const other =
        reader->other
            ? lq_printable(arena, reader->other, strlen(reader->other))
            : "";

    if (!wanted || !other) {
        return LQ_NOMEM;
    }
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
    return status == LQ_OK && !found ? lq_live_no_vhost(reader) : status;
}

static enum lq_status several(const struct lq_live_reader *reader,
                              const char *one, const char *other)
{
    struct lq_arena *const arena = reader->diags->arena;
    const struct lq_place place = {.file = reader->file};
    const char *const shown = lq_printable(arena, one, strlen(one));
    const char *const shown_too = lq_printable(arena, other, strlen(other));

    return shown && shown_too
               ? lq_error(reader->diags, &place,
                          "document has several virtual hosts, such as '%s' "
                          "and '%s': one must be chosen",
                          shown, shown_too)
               : LQ_NOMEM;
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

enum lq_status lq_live_choose_vhost(const struct lq_live_reader *reader,
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

enum lq_status lq_live_version(const struct lq_live_reader *reader,
                               const struct lq_node *object)
{
    const char **const out = &reader->live->version;
    const enum lq_status status =
        lq_shape_optional(reader, object, "rabbit_version", out);

    return status == LQ_OK
               ? lq_shape_optional(reader, object, "rabbitmq_version", out)
               : status;
}

enum lq_status lq_live_head(struct lq_live_reader *reader,
                            const struct lq_node *document)
{
    const struct lq_node *const vhosts = lq_node_member(document, "vhosts");
    enum lq_status status = LQ_OK;

    note_default_type(reader->live, document);
    status = lq_live_version(reader, document);
    return status == LQ_OK && vhosts ? read_vhosts(reader, vhosts) : status;
}
