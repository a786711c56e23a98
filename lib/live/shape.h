/* Takes members of JSON objects, and says which has another shape. */
#ifndef LQ_LIVE_SHAPE_H
#define LQ_LIVE_SHAPE_H

#include "live/live.h"
#include "json/tree.h"

/* A document while it is read. */
struct lq_live_reader {
    struct lq_live *live;
    const char *file;
    struct lq_diags *diags;
    size_t ours;       /* objects of the virtual host that is read */
    size_t others;     /* objects of other ones */
    const char *other; /* the first of these */
};

/* A value as messages name it. */
const char *lq_shape_words(const struct lq_node *node, struct lq_arena *arena);

/* Whether a number is an integer that an int64 holds. */
bool lq_shape_integer(const char *text, int64_t *out);

/*
 * Reports at a node; the document itself has no path. A text of NULL is out of
 * memory: LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_shape_report(const struct lq_live_reader *reader,
                               const struct lq_node *node,
                               const char *text) LQ_CHECK;

/* Reports "must be WANTED, not FOUND" at a node: LQ_INVALID or LQ_NOMEM. */
enum lq_status lq_shape_error(const struct lq_live_reader *reader,
                              const struct lq_node *node,
                              const char *wanted) LQ_CHECK;

/* Reports an object whose name is there already: LQ_INVALID or LQ_NOMEM. */
enum lq_status lq_shape_repeated(const struct lq_live_reader *reader,
                                 const struct lq_node *object) LQ_CHECK;

/* Checks the kind of a value that is there: LQ_NODE_LIST or LQ_NODE_TABLE. */
enum lq_status lq_shape_check(const struct lq_live_reader *reader,
                              const struct lq_node *node,
                              enum lq_node_kind kind) LQ_CHECK;

/* The text of a member; an error when it is missing. */
enum lq_status lq_shape_text(const struct lq_live_reader *reader,
                             const struct lq_node *object, const char *key,
                             const char **out) LQ_CHECK;

/* The same for one that may be missing: `out` stays as it is then. */
enum lq_status lq_shape_optional(const struct lq_live_reader *reader,
                                 const struct lq_node *object, const char *key,
                                 const char **out) LQ_CHECK;

/* A truth value; `out` stays as it is when it is missing. */
enum lq_status lq_shape_flag(const struct lq_live_reader *reader,
                             const struct lq_node *object, const char *key,
                             enum lq_live_flag *out) LQ_CHECK;

/* A member that is a table of values, such as "arguments"; may be missing. */
enum lq_status lq_shape_arguments(const struct lq_live_reader *reader,
                                  const struct lq_node *object, const char *key,
                                  struct lq_live_arguments *out) LQ_CHECK;

/*
 * Whether an object belongs to the virtual host that is read: its "vhost" says
 * so or is missing. Counts.
 */
enum lq_status lq_shape_is_ours(struct lq_live_reader *reader,
                                const struct lq_node *object,
                                bool *out) LQ_CHECK;

#endif
