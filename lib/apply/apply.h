#ifndef LQ_APPLY_APPLY_H
#define LQ_APPLY_APPLY_H

#include "base/diag.h"
#include "broker/broker.h"
#include "lilyq.h"
#include "live/live.h"
#include "model/topology.h"
#include "policy/own_policies.h"

#include <stdbool.h>
#include <stddef.h>

/* What became of one resource. */
enum lq_result {
    LQ_NOT_DONE,   /* not declared: the run ended before it */
    LQ_CREATED,    /* was missing, now declared */
    LQ_EXISTING,   /* was there, and equivalent */
    LQ_ENSURED,    /* a binding declared between resources that were there:
                      AMQP does not tell a new one from an old one */
    LQ_DECLARED,   /* declared without knowing: new, or there and equivalent */
    LQ_PENDING,    /* missing, and left so by a dry run */
    LQ_VERIFIED,   /* external, exists */
    LQ_UNVERIFIED, /* cannot be checked, and was not declared: an external
                      binding, which may be missing; in a dry run any binding,
                      and what came and went while it was looked at */
    LQ_CONFLICT,   /* exists, but not as planned */
    LQ_FAILED,     /* refused: permission, limit, missing external, ... */
    LQ_UNCERTAIN,  /* sent, but the connection ended before an answer */
    LQ_UPDATED     /* a policy that was there, but otherwise */
};

#define LQ_RESULT_COUNT 12

struct lq_outcome {
    enum lq_result result;
    int code;         /* AMQP reply code of a conflict or failure, HTTP status
                         of a policy's failure, else 0 */
    const char *text; /* the broker's words, or NULL */
};

/* What happened, in the arena; outcomes run parallel to the topology's. */
struct lq_apply_report {
    enum lilyq_apply_mode mode;
    enum lilyq_ending ending;
    enum lilyq_cause cause; /* not set by lq_apply() */
    struct lq_outcome *exchanges;
    struct lq_outcome *queues;
    struct lq_outcome *bindings;
    const struct lq_own_policies *policies; /* NULL: none were to be set; this
                                               and the next two are not set by
                                               lq_apply() */
    struct lq_outcome *policy_outcomes;
    const char *version;    /* of the broker; NULL: not known */
    const char *broker;     /* "host:5672", printable; NULL: none was reached */
    const char *vhost;      /* of it; NULL likewise */
    const char *management; /* where all was looked at, or NULL. lq_apply() sets
                               none of these three */
};

struct lq_apply_options {
    enum lilyq_apply_mode mode;
    /*
     * All that the broker holds; NULL: it is asked. With it, nothing is sent
     * but declarations of what is missing.
     */
    const struct lq_live *live;
    size_t max_in_flight;   /* as in struct lq_batch */
    bool fail_when_blocked; /* ends the run then, instead of waiting */
    /*
     * Called once all was looked at and nothing is in the way, before the first
     * declaration, with LILYQ_PREFLIGHT only; all but LQ_OK ends the run. May
     * be NULL.
     */
    enum lq_status (*before)(void *data);
    void *before_data;
    /* Called now and then with requests answered of all; may be NULL. */
    void (*progress)(void *data, size_t done, size_t total);
    /* Asked several times a second; true ends the run. May be NULL. */
    bool (*stop)(void *data);
    /* Told at once what people should know while they wait. May be NULL. */
    void (*notice)(void *data, const char *text);
    void *data;
};

/*
 * Brings the broker to the topology, or with LILYQ_DRY_RUN finds out what that
 * would take. With a look first a conflict is found before anything is written;
 * then exchanges, queues and bindings are declared in that order. Never
 * deletes. The first refusal ends the run. LQ_OK; LQ_REFUSED (a conflict, a
 * failure or a stop); LQ_LOST; LQ_NOMEM. `out` is filled in each case but the
 * last, and each conflict or failure is an error in `diags`.
 */
enum lq_status lq_apply(struct lq_broker *broker,
                        const struct lq_topology *topology,
                        const struct lq_apply_options *options,
                        struct lq_diags *diags,
                        struct lq_apply_report *out) LQ_CHECK;

#endif
