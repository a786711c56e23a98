/* Which names belong to a plan: those it has, and those it once had. */
#ifndef LQ_MODEL_OWN_H
#define LQ_MODEL_OWN_H

#include "base/map.h"
#include "model/topology.h"

/* What an exchange is to a plan. A set of bits. */
enum lq_own_use {
    LQ_OWN_PLANNED = 1 << 0,     /* else it only has a derived name */
    LQ_OWN_MAIN = 1 << 1,        /* some entry's exchange_name */
    LQ_OWN_RETRY = 1 << 2,       /* a retry exchange of `main` */
    LQ_OWN_DEAD_LETTER = 1 << 3, /* has the derived name of `main`'s dead-letter
                                    exchange */
    LQ_OWN_V1 = 1 << 4           /* one that v1 derived */
};

struct lq_own_exchange {
    const char *name;
    unsigned uses;    /* enum lq_own_use */
    const char *main; /* what the name was derived from, or NULL */
    const struct lq_logical *logical; /* the first that has it */
};

/*
 * The names of a plan. What is external is planned, but not the plan's own: no
 * name is derived from it, and lq_own_exchange() does not return it.
 */
struct lq_own {
    const struct lq_topology *plan;
    struct lq_arena *arena;
    struct lq_array exchanges; /* pointers to struct lq_own_exchange */
    struct lq_map exchange_index;
    struct lq_map entries;  /* all, by name */
    struct lq_map bindings; /* all, by destination */
    struct lq_map keys;     /* its own, by source and routing key */
};

/* Linear in the size of the plan. LQ_OK or LQ_NOMEM. */
enum lq_status lq_own_init(struct lq_own *own, const struct lq_topology *plan,
                           struct lq_arena *arena) LQ_CHECK;

const struct lq_own_exchange *lq_own_exchange_at(const struct lq_own *own,
                                                 size_t index);

/* By name; NULL when it is not the plan's own. */
const struct lq_own_exchange *lq_own_exchange(const struct lq_own *own,
                                              const char *name);

/* Whether a name is planned, external or not, or derived from the plan. */
bool lq_own_has_exchange(const struct lq_own *own, const char *name);

static inline bool lq_own_is(const struct lq_own_exchange *exchange,
                             enum lq_own_use use)
{
    return exchange && (exchange->uses & (unsigned)use) != 0;
}

/*
 * Whether an exchange serves only retries or dead letters, under a derived
 * name, so that nobody else has a reason to use it. One that the plan's author
 * chose as a dead_letter_exchange may have other uses.
 */
bool lq_own_is_private(const struct lq_own_exchange *exchange);

/* The planned binding to a queue, of which each has one; NULL: no such queue.
 */
const struct lq_binding *lq_own_binding_to(const struct lq_own *own,
                                           const char *queue);

/*
 * The plan's first own binding from an exchange with a key; NULL when there is
 * none.
 */
const struct lq_binding *lq_own_binding_of(const struct lq_own *own,
                                           const char *source, const char *key);

/* Whose entry a name begins with. */
enum lq_own_entry {
    LQ_OWN_ENTRY,    /* the plan's own */
    LQ_OWN_EXTERNAL, /* external in the plan */
    LQ_OWN_NOT_HERE  /* of no entry in the plan */
};

/*
 * Looks up the first `length` bytes of a name; `logical` becomes NULL with
 * LQ_OWN_NOT_HERE.
 */
enum lq_own_entry lq_own_entry(const struct lq_own *own, const char *name,
                               size_t length,
                               const struct lq_logical **logical);

#endif
