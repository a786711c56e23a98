/* Entries as what is live tells of them, be they in the plan or not. */
#ifndef LQ_COMPARE_FORMER_H
#define LQ_COMPARE_FORMER_H

#include "live/live.h"
#include "model/own.h"

/*
 * An entry that v2 once declared, as is plain from what is live under its name:
 * its main queue dead-letters into its DLQ, a bucket returns to the exchange
 * that its retry exchange is named after, or a DLQ is bound as v2 does it.
 */
struct lq_former {
    const char *name;
    const struct lq_logical *logical; /* the plan's entry of that name; NULL: it
                                         is gone */
    const struct lq_logical *near;    /* the first that shares an exchange with
                                         it, or NULL */
    bool has_main; /* the queue of that name is its main queue */
    struct lq_array
        roots; /* const char *: what its exchanges are named after */
};

/* An exchange of such entries that has no name of the plan's. */
struct lq_former_exchange {
    const char *name;
    enum lq_role role;
    const struct lq_logical *near; /* as above */
    bool is_shared;                /* something else is bound to it as well */
};

struct lq_formers {
    const struct lq_own *own;
    const struct lq_live *live;
    struct lq_arena *arena;
    struct lq_map entries;        /* struct lq_former by name */
    struct lq_map exchange_index; /* struct lq_former_exchange by name */
    struct lq_array exchanges;    /* pointers to these */
};

/*
 * Finds them. Nothing is concluded without the arguments of queues and the
 * bindings, and nothing about what is external in the plan. Linear in the size
 * of what is live. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_formers_init(struct lq_formers *formers,
                               const struct lq_own *own,
                               const struct lq_live *live,
                               struct lq_arena *arena) LQ_CHECK;

/*
 * Whose queue it is and what for, if the entry is gone; NULL: it is not known
 * for one of these.
 */
const struct lq_former *lq_formers_queue(const struct lq_formers *formers,
                                         const char *queue, enum lq_role *role);

/*
 * The same of a binding that v2 declared, or that leads to a main queue of
 * these from the exchange of the entry by another key; of entries that are gone
 * and of others.
 */
const struct lq_former *
lq_formers_binding(const struct lq_formers *formers,
                   const struct lq_live_binding *binding, enum lq_role *role);

#endif
