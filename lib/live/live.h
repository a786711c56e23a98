/* What the virtual host of a broker holds, however that was learnt. */
#ifndef LQ_LIVE_LIVE_H
#define LQ_LIVE_LIVE_H

#include "base/map.h"
#include "model/topology.h"

/*
 * Kinds of values that a broker tells apart when it compares. The width of an
 * integer is not one of them.
 */
enum lq_live_type {
    LQ_LIVE_STRING,
    LQ_LIVE_INTEGER, /* one that an int64 holds */
    LQ_LIVE_NUMBER,  /* any other: a fraction, or a greater integer */
    LQ_LIVE_BOOL,
    LQ_LIVE_NULL,
    LQ_LIVE_LIST,
    LQ_LIVE_TABLE
};

/*
 * A value with its name: an x-argument, or a key of a policy. Texts everywhere
 * in this header are UTF-8 in which U+0000 is the bytes C0 80.
 */
struct lq_live_argument {
    const char *key;
    enum lq_live_type type;
    const char *text; /* a string itself; any other value as JSON writes it,
                         tables with their keys in order */
    int64_t number;   /* LQ_LIVE_INTEGER; LQ_LIVE_BOOL as 0 or 1 */
};

/* Ordered by key once they are added, and each key once. */
struct lq_live_arguments {
    struct lq_live_argument *items;
    size_t count;
    bool known; /* false: the source did not say what they are */
};

/* A property that the source may leave out. */
enum lq_live_flag { LQ_LIVE_UNKNOWN, LQ_LIVE_NO, LQ_LIVE_YES };

struct lq_live_exchange {
    const char *name; /* "": the default exchange */
    const char *type; /* "direct", "fanout", ... */
    enum lq_live_flag durable;
    enum lq_live_flag auto_delete;
    enum lq_live_flag internal;
    struct lq_live_arguments arguments;
};

struct lq_live_queue {
    const char *name;
    const char *type; /* "classic", "quorum", ...; NULL: not known */
    enum lq_live_flag durable;
    enum lq_live_flag auto_delete;
    enum lq_live_flag exclusive;
    struct lq_live_arguments arguments;
    bool counted; /* the two below are known */
    uint64_t messages;
    uint64_t consumers;
};

struct lq_live_binding {
    const char *source;
    const char *destination;
    bool to_exchange; /* the destination is one, not a queue */
    const char *routing_key;
    struct lq_live_arguments arguments;
    const struct lq_live_binding *next; /* another one to the same queue */
};

/* What a policy is for. */
enum lq_live_scope {
    LQ_LIVE_ALL,
    LQ_LIVE_EXCHANGES,
    LQ_LIVE_QUEUES,
    LQ_LIVE_CLASSIC_QUEUES,
    LQ_LIVE_QUORUM_QUEUES,
    LQ_LIVE_STREAMS,
    LQ_LIVE_OTHERS /* something that is not known here */
};

/* A policy or operator policy. */
struct lq_live_policy {
    const char *name;
    const char *pattern; /* a PCRE, not anchored */
    enum lq_live_scope scope;
    double priority; /* the greatest that matches wins */
    struct lq_live_arguments definition;
};

/* What a source shows; of all else nothing is known. A set of bits. */
enum lq_live_part {
    LQ_LIVE_HAS_EXCHANGES = 1 << 0, /* but for those named amq.… */
    LQ_LIVE_HAS_RESERVED = 1 << 1,  /* exchanges named amq.… */
    LQ_LIVE_HAS_QUEUES = 1 << 2,
    LQ_LIVE_HAS_BINDINGS = 1 << 3,
    LQ_LIVE_HAS_POLICIES = 1 << 4,
    LQ_LIVE_HAS_OPERATOR_POLICIES = 1 << 5,
    LQ_LIVE_HAS_FIGURES = 1 << 6 /* messages and consumers of queues */
};

struct lq_live {
    struct lq_arena *arena;
    const char *vhost;
    const char *version;            /* of the broker, e.g. "3.10.8", or NULL */
    const char *default_queue_type; /* of the virtual host, or NULL */
    unsigned parts;                 /* enum lq_live_part */
    bool has_unlisted;              /* there are figures of other queues */
    struct lq_array exchanges;      /* all five: pointers, see ..._at() */
    struct lq_array queues;
    struct lq_array bindings;
    struct lq_array policies;
    struct lq_array operator_policies;
    struct lq_map exchange_index;
    struct lq_map queue_index;
    struct lq_map binding_index; /* the first one to each queue */
    struct lq_map source_index;  /* one from each exchange */
};

/* One that holds nothing and shows nothing. */
void lq_live_init(struct lq_live *live, const char *vhost,
                  struct lq_arena *arena);

static inline bool lq_live_has(const struct lq_live *live,
                               enum lq_live_part part)
{
    return (live->parts & (unsigned)part) != 0;
}

/*
 * Adds an item, which must stay where it is; orders its arguments. LQ_OK,
 * LQ_NOMEM, or LQ_INVALID: one of that name is there.
 */
enum lq_status lq_live_add_exchange(struct lq_live *live,
                                    struct lq_live_exchange *item) LQ_CHECK;
enum lq_status lq_live_add_queue(struct lq_live *live,
                                 struct lq_live_queue *item) LQ_CHECK;

/* Whether two lists hold the same, in the same order. */
bool lq_live_arguments_equal(const struct lq_live_arguments *a,
                             const struct lq_live_arguments *b);

/*
 * Adds the exchanges that every virtual host has, and nobody can delete, but
 * for those of which it has one already. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_live_add_reserved(struct lq_live *live) LQ_CHECK;

/* The same; bindings have no names. LQ_OK or LQ_NOMEM. */
enum lq_status lq_live_add_binding(struct lq_live *live,
                                   struct lq_live_binding *item) LQ_CHECK;

/* The same for one of the two arrays of policies. LQ_OK or LQ_NOMEM. */
enum lq_status lq_live_add_policy(struct lq_live *live,
                                  struct lq_array *policies,
                                  struct lq_live_policy *item) LQ_CHECK;

const struct lq_live_queue *lq_live_queue_at(const struct lq_live *live,
                                             size_t index);
const struct lq_live_binding *lq_live_binding_at(const struct lq_live *live,
                                                 size_t index);
const struct lq_live_policy *lq_live_policy_at(const struct lq_array *policies,
                                               size_t index);

/* By name; NULL: there is none, or it is not seen. */
const struct lq_live_exchange *lq_live_exchange(const struct lq_live *live,
                                                const char *name);
struct lq_live_queue *lq_live_queue(const struct lq_live *live,
                                    const char *name);

/* The first binding to a queue, from which `next` leads to the others. */
const struct lq_live_binding *lq_live_bindings_to(const struct lq_live *live,
                                                  const char *queue);

/* Whether something is bound to the exchange of this name. */
bool lq_live_is_source(const struct lq_live *live, const char *exchange);

/*
 * Whether a queue is bound as planned, without arguments; LQ_LIVE_UNKNOWN:
 * there is such a binding, of which the arguments are not known.
 */
enum lq_live_flag lq_live_is_bound(const struct lq_live *live,
                                   const struct lq_binding *planned);

/* By key, in logarithmic time, or NULL. */
const struct lq_live_argument *
lq_live_argument(const struct lq_live_arguments *arguments, const char *key);

/*
 * Whether the broker is known to be of a version before major.minor; false
 * when its version is not known.
 */
bool lq_live_is_before(const struct lq_live *live, unsigned major,
                       unsigned minor);

/* Whether the broker takes two values for the same. */
bool lq_is_same_value(const struct lq_argument *planned,
                      const struct lq_live_argument *actual);

#endif
