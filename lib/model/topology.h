#ifndef LQ_MODEL_TOPOLOGY_H
#define LQ_MODEL_TOPOLOGY_H

#include "model/entry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of the v2 contract, section 3. */
#define LQ_MAX_ATTEMPTS 100
#define LQ_MAX_BUCKETS_PER_QUEUE 32
#define LQ_MAX_BUCKETS 4096

/* What a resource is for. An exchange has the role of its first appearance. */
enum lq_role { LQ_ROLE_MAIN, LQ_ROLE_RETRY, LQ_ROLE_DEAD_LETTER };

/* The AMQP 0-9-1 field types that v2 uses on the wire. */
enum lq_argument_type { LQ_LONGSTR, LQ_INT64, LQ_INT32, LQ_BOOL };

/* One x-argument of a queue. */
struct lq_argument {
    const char *key;
    enum lq_argument_type type;
    const char *text; /* LQ_LONGSTR */
    int64_t number;   /* LQ_INT64, LQ_INT32; LQ_BOOL as 0 or 1 */
};

struct lq_logical;

/* Always direct, durable, neither auto-delete nor internal, no arguments. */
struct lq_exchange {
    const char *name;
    enum lq_ownership ownership;
    enum lq_role role;
    const struct lq_logical *logical; /* where the name first appears */
};

/* Never exclusive. */
struct lq_queue {
    const char *name;
    enum lq_role role;
    bool durable;
    bool auto_delete;
    const struct lq_argument *arguments; /* in the contract's table order */
    size_t argument_count;
    const struct lq_logical *logical;
};

/* An exchange-to-queue binding without arguments. */
struct lq_binding {
    const char *source;
    const char *destination;
    const char *routing_key;
    enum lq_role role; /* of the destination */
    const struct lq_logical *logical;
};

/* The delays one attempt may take: lower, nominal, upper less repeats. */
struct lq_attempt {
    uint64_t delays_millis[3];
    size_t count; /* 1 to 3 */
};

struct lq_bucket {
    uint64_t delay_millis;
    const char *queue_name;
    const char *routing_key;
};

/* A worst-case sum; `known` is false when it does not fit in an int64. */
struct lq_sum {
    uint64_t value;
    bool known;
};

struct lq_capacity {
    struct lq_sum messages;
    struct lq_sum bytes;
};

/* One queue entry and what it expands to. */
struct lq_logical {
    const struct lq_entry *entry;
    const char *retry_exchange; /* NULL without retries */
    const char *dead_letter_exchange;
    const char *dead_letter_queue;
    const char *dead_letter_routing_key;
    const struct lq_attempt *attempts; /* attempt n is attempts[n - 1] */
    size_t attempt_count;
    const struct lq_bucket *buckets; /* distinct delays, ascending */
    size_t bucket_count;
    uint64_t min_wait_millis;    /* all attempts at their shortest delay */
    uint64_t max_wait_millis;    /* all attempts at their longest delay */
    struct lq_capacity capacity; /* main + buckets + DLQ */
};

/*
 * The whole v2 topology, in declaration order: every exchange, then every
 * queue, then every binding. Owned by the arena it was built in.
 */
struct lq_topology {
    const struct lq_logical *logicals;
    size_t logical_count;
    const struct lq_exchange *exchanges;
    size_t exchange_count;
    const struct lq_queue *queues;
    size_t queue_count;
    const struct lq_binding *bindings;
    size_t binding_count;
    size_t bucket_count;
    struct lq_capacity capacity;
};

/* Ownership of a queue or binding is its entry's. */
static inline enum lq_ownership lq_owner(const struct lq_logical *logical)
{
    return logical->entry->topology_ownership;
}

struct lq_json;

/* An x-argument, or a key of a policy, as a member. */
void lq_json_argument(struct lq_json *json, const struct lq_argument *argument);

#endif
