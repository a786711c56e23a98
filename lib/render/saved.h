/* Reads a plan that was saved as JSON. */
#ifndef LQ_RENDER_SAVED_H
#define LQ_RENDER_SAVED_H

#include "base/diag.h"
#include "base/map.h"
#include "live/shape.h"
#include "model/topology.h"
#include "json/tree.h"

/* Whether a JSON document says that it is a plan. */
bool lq_plan_is_saved(const struct lq_node *document);

/*
 * Reads what lq_plan_json_render() wrote, be its members in another order. It
 * is strict: all members must be there and no others, and what can be told
 * from the rest must agree with it, so that rendering the plan again gives the
 * same document. A format_version that is not known is an error. The plan has
 * what the document says, and no more of its entries; its texts are those of
 * the document. `warnings` takes those of the plan. LQ_OK, LQ_INVALID or
 * LQ_NOMEM.
 */
enum lq_status lq_plan_read(const struct lq_node *document, const char *file,
                            struct lq_diags *diags, struct lq_diags *warnings,
                            const struct lq_topology **out) LQ_CHECK;

/*
 * A document while it is read. The first failure sticks, with one error; what
 * is taken after it is NULL, 0 or false. All members must be there.
 */
struct lq_plan_taker {
    struct lq_live_reader shape; /* without `live` */
    struct lq_arena *arena;
    enum lq_status status;
};

/* Notes a failure: that of lq_shape_error() and the like. */
void lq_plan_fail(struct lq_plan_taker *taker, enum lq_status status);

/* Zeroed items; NULL, and a failure, when out of memory. */
void *lq_plan_room(struct lq_plan_taker *taker, size_t count, size_t size);

/* A list or a table; NULL after a failure. */
const struct lq_node *lq_plan_take(struct lq_plan_taker *taker,
                                   const struct lq_node *object,
                                   const char *key, enum lq_node_kind kind);

/* The elements of a list, all of one kind; counts them. */
const struct lq_node *lq_plan_elements(struct lq_plan_taker *taker,
                                       const struct lq_node *list,
                                       enum lq_node_kind kind, size_t *count);

/* A text that is an identity of the contract, such as a name or a key. */
const char *lq_plan_take_name(struct lq_plan_taker *taker,
                              const struct lq_node *object, const char *key);

/* The same for a member that may be null. */
const char *lq_plan_take_nullable(struct lq_plan_taker *taker,
                                  const struct lq_node *object,
                                  const char *key);

bool lq_plan_take_flag(struct lq_plan_taker *taker,
                       const struct lq_node *object, const char *key);

uint64_t lq_plan_take_count(struct lq_plan_taker *taker,
                            const struct lq_node *object, const char *key);

/* A number as it is, not a member. */
uint64_t lq_plan_number(struct lq_plan_taker *taker,
                        const struct lq_node *node);

/* One of two words: whether it is the second one. */
bool lq_plan_take_word(struct lq_plan_taker *taker,
                       const struct lq_node *object, const char *key,
                       const char *const words[2]);

/* Takes the "arguments" of a queue, in the order of the document. */
void lq_plan_take_arguments(struct lq_plan_taker *taker,
                            const struct lq_node *object, struct lq_queue *out);

/* The names of what a saved plan has. */
struct lq_plan_names {
    struct lq_map exchanges;
    struct lq_map queues;
};

/*
 * Fails unless the exchanges and queues that the logical queues are made of
 * are in the plan, with a binding for each queue, and no more queues than that.
 */
void lq_plan_check_parts(struct lq_plan_taker *taker,
                         const struct lq_node *document,
                         const struct lq_topology *plan,
                         const struct lq_plan_names *names);

/*
 * Reads one of the "logical_queues" of a saved plan, the one of that number.
 * Its entry has what the document says of it, and no more.
 */
void lq_plan_read_logical(struct lq_plan_taker *taker,
                          const struct lq_node *object, size_t index,
                          struct lq_logical *out);

/* Reads a "worst_case". */
struct lq_capacity lq_plan_take_capacity(struct lq_plan_taker *taker,
                                         const struct lq_node *object);

/*
 * Fails unless the document is what the plan read from it is written as: with
 * the same members, in any order, and the same values. Linear.
 */
void lq_plan_verify(struct lq_plan_taker *taker, const struct lq_node *document,
                    const struct lq_topology *plan,
                    const struct lq_diags *warnings);

#endif
