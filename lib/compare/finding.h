/* One difference between a plan and what a broker holds. */
#ifndef LQ_COMPARE_FINDING_H
#define LQ_COMPARE_FINDING_H

#include "lilyq.h"
#include "live/live.h"
#include "model/topology.h"

struct lq_live_policy;

enum lq_resource {
    LQ_EXCHANGE,
    LQ_QUEUE,
    LQ_BINDING,
    LQ_POLICY, /* one of lilyq's own */
    LQ_VHOST   /* the virtual host as a whole */
};

/* What was found. The names of these are stable: lq_finding_code(). */
enum lq_finding_code {
    LQ_EXCHANGE_MISSING,
    LQ_QUEUE_MISSING,
    LQ_BINDING_MISSING,
    LQ_EXTERNAL_EXCHANGE_MISSING,
    LQ_EXTERNAL_QUEUE_MISSING,
    LQ_EXTERNAL_BINDING_MISSING,
    LQ_EXCHANGE_PROPERTY_DIFFERENT, /* type, durable, auto_delete, internal */
    LQ_EXCHANGE_ARGUMENT_DIFFERENT,
    LQ_QUEUE_PROPERTY_DIFFERENT, /* durable, auto_delete, exclusive */
    LQ_QUEUE_ARGUMENT_DIFFERENT,
    /* there, not planned, and not compared by the broker */
    LQ_EXCHANGE_ARGUMENT_EXTRA,
    LQ_QUEUE_ARGUMENT_EXTRA,
    LQ_EXCHANGE_NOT_SEEN,
    LQ_QUEUE_NOT_SEEN,
    LQ_BINDING_NOT_SEEN,
    LQ_PROPERTY_NOT_SEEN, /* of an exchange or queue that is there */
    /* what a change of plans leads to: compare/change.h */
    LQ_EXCHANGE_CREATED,
    LQ_QUEUE_CREATED,
    LQ_BINDING_CREATED,
    LQ_EXTERNAL_EXCHANGE_WANTED, /* its owner must declare it first */
    LQ_EXTERNAL_QUEUE_WANTED,
    LQ_EXTERNAL_BINDING_WANTED,
    LQ_QUEUE_PROPERTY_CHANGED,
    LQ_QUEUE_ARGUMENT_CHANGED,
    LQ_OWNER_ENTERS, /* external before, managed now */
    LQ_OWNER_LEAVES, /* managed before, external now */
    LQ_EXCHANGE_ORPHANED,
    LQ_QUEUE_ORPHANED,
    LQ_BINDING_ORPHANED, /* its queue too */
    LQ_BINDING_LEFT,     /* its queue is still planned */
    LQ_EXTERNAL_EXCHANGE_DROPPED,
    LQ_EXTERNAL_QUEUE_DROPPED,
    LQ_EXTERNAL_BINDING_DROPPED,
    /* what is beyond the plan: compare/unexpected.h, which has ORPHANED and
       LEFT too */
    LQ_EXTRAS_NOT_SEEN, /* of the virtual host */
    LQ_QUEUE_OF_GONE_ENTRY,
    LQ_BINDING_OF_GONE_ENTRY,
    LQ_EXCHANGE_OF_V1,
    LQ_QUEUE_OF_V1,
    LQ_MAIN_KEY_SHARED,     /* a binding that gets messages of a main queue */
    LQ_RETRY_SHARED,        /* one that may get what waits for a retry */
    LQ_DEAD_LETTERS_SHARED, /* one that may get dead letters */
    LQ_RETRY_FED,           /* one that brings others' messages into buckets */
    LQ_DEAD_LETTERS_FED,    /* one that brings them into a DLQ */
    /* live figures: compare/notes.h */
    LQ_BUCKET_CONSUMED,
    LQ_QUEUE_NEAR_BOUND,
    /* what policies change: compare/shadow.h */
    LQ_EXCHANGE_SHADOWED,
    LQ_QUEUE_SHADOWED,
    LQ_POLICIES_NOT_SEEN,          /* of the virtual host */
    LQ_OPERATOR_POLICIES_NOT_SEEN, /* the same */
    LQ_POLICY_DOUBTFUL,            /* one that may be in force */
    LQ_POLICY_TIED, /* one as good as the policy that is in force */
    LQ_POLICY_KEY_NOT_KNOWN,
    /* lilyq's own policies: compare/policies.h */
    LQ_OWN_POLICY_MISSING,
    LQ_OWN_POLICY_DIFFERENT,
    LQ_OWN_POLICY_SHARED,   /* and it is in force for others' queues too */
    LQ_OWN_POLICY_ORPHANED, /* named as one, and not planned */
    LQ_OWN_POLICY_SHADOWED, /* another one is in force for its queues */
    LQ_OWN_POLICY_NOT_SEEN,
    LQ_OWN_POLICY_CREATED, /* by a change of plans */
    LQ_OWN_POLICY_CHANGED
};

#define LQ_FINDING_CODE_COUNT (LQ_OWN_POLICY_CHANGED + 1)

/* What `apply` can do about a finding. */
enum lq_remedy {
    LQ_REMEDY_APPLY, /* declares it */
    LQ_REMEDY_NONE,  /* cannot: the broker refuses, or others must declare it */
    LQ_REMEDY_LEAVE  /* leaves it as it is, and declares all else */
};

/* One side of a difference. */
struct lq_side_value {
    const char *text; /* NULL: not set, or not known when it is not seen */
    const char *type; /* "string", "integer", "number", "boolean", "list", ...;
                         NULL when `text` is */
};

struct lq_finding {
    enum lq_finding_code code;
    enum lq_resource resource;
    const char *name; /* of the exchange, queue, policy or virtual host; a
                         binding's destination */
    const struct lq_binding *binding; /* when the resource is one, else NULL */
    bool to_exchange; /* the binding's destination is an exchange */
    /*
     * Whose it is. Of what is not planned: whose name or exchange it has, or
     * whom it concerns. NULL: the virtual host's.
     */
    const struct lq_logical *logical;
    enum lq_role role;
    const char *field; /* "type", "x-message-ttl", ..., a key of a policy;
                          NULL: the whole of it */
    struct lq_side_value planned;
    struct lq_side_value actual;
    bool counted; /* the two below are known: of a queue that is unexpected, or
                     in a note */
    uint64_t messages;
    uint64_t consumers;
    const struct lq_live_policy *policy; /* whose doing it is, or NULL */
    bool by_operator;                    /* it is an operator policy */
    const char *queue;  /* of a policy: the first queue that it is about; NULL:
                           of none in particular */
    size_t queue_count; /* how many it is about */
    bool removes; /* shadowed: by it the broker deletes the queue, or takes
                     messages away that the plan keeps */
};

/* "queue-missing", ...: for programs to rely on. */
const char *lq_finding_code(enum lq_finding_code code);

enum lilyq_finding lq_finding_kind(enum lq_finding_code code);

/* "missing", "different", "unexpected", "shadowed", "unverified", "note". */
const char *lq_finding_kind_name(enum lilyq_finding kind);

enum lq_remedy lq_finding_remedy(enum lq_finding_code code);

/*
 * Whether the broker can be brought to the plan without deleting anything:
 * what is missing can, the properties and arguments of what is there cannot.
 */
bool lq_finding_in_place(enum lq_finding_code code);

/* One sentence, without full stop: what to do about it. A constant. */
const char *lq_finding_advice(const struct lq_finding *finding);

/* Every difference, in the order of the plan. */
struct lq_diff {
    struct lq_array findings;           /* struct lq_finding */
    size_t counts[LILYQ_FINDING_COUNT]; /* by enum lilyq_finding */
};

const struct lq_finding *lq_diff_at(const struct lq_diff *diff, size_t index);

/* Adds a finding and counts it. */
void lq_diff_add(struct lq_diff *diff, const struct lq_finding *finding,
                 struct lq_arena *arena);

/* A comparison under way, and what its next finding is about. */
struct lq_differ {
    const struct lq_live *live;
    struct lq_arena *arena;
    struct lq_diff *diff;
    struct lq_finding about;
};

static const struct lq_side_value lq_no_value = {NULL, NULL};

struct lq_side_value lq_text_value(const char *text);
struct lq_side_value lq_truth_value(bool value);
struct lq_side_value lq_actual_value(const struct lq_live_argument *value);

/* A text of NULL is out of memory. */
struct lq_side_value lq_planned_value(const struct lq_argument *argument,
                                      struct lq_arena *arena);

/* Adds a finding about the resource as a whole. */
void lq_differ_add(const struct lq_differ *differ, enum lq_finding_code code);

/* The same about a field of the resource. */
void lq_differ_add_field(const struct lq_differ *differ,
                         enum lq_finding_code code, const char *field,
                         const struct lq_side_value *planned,
                         const struct lq_side_value *actual);

/* The same about an argument that is there, but not planned. */
void lq_differ_add_extra(const struct lq_differ *differ,
                         enum lq_finding_code code,
                         const struct lq_live_argument *argument);

#endif
