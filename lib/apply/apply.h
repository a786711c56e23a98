#ifndef LQ_APPLY_APPLY_H
#define LQ_APPLY_APPLY_H

#include "base/diag.h"
#include "broker/broker.h"
#include "broker/http/management.h"
#include "broker/route.h"
#include "lilyq.h"
#include "live/live.h"
#include "model/topology.h"
#include "policy/conflict.h"
#include "policy/own_policies.h"

#include <stdbool.h>
#include <stddef.h>

/* What became of one resource. */
enum lq_result {
    LQ_NOT_DONE,   /* not declared: the run ended before */
    LQ_CREATED,    /* was missing, is now declared */
    LQ_EXISTING,   /* was there, and equivalent */
    LQ_ENSURED,    /* a binding declared between resources that were there:
                      AMQP does not tell whether it is new */
    LQ_DECLARED,   /* either new, or was there and equivalent */
    LQ_PENDING,    /* missing, and left missing by a dry run */
    LQ_VERIFIED,   /* external, exists */
    LQ_UNVERIFIED, /* cannot be checked, and was not declared: an external
                      binding, which may be missing; in a dry run, any
                      binding, and what came or went during the look */
    LQ_CONFLICT,   /* exists, but not as planned */
    LQ_FAILED,     /* refused: permission, limit, missing external, ... */
    LQ_UNCERTAIN,  /* sent, but the connection ended before an answer */
    LQ_UPDATED     /* a policy that was there, but different */
};

#define LQ_RESULT_COUNT 12

struct lq_outcome {
    enum lq_result result;
    int code;         /* AMQP reply code of a conflict or failure, HTTP status
                         of a policy's failure, otherwise 0 */
    const char *text; /* the broker's words, or NULL */
};

/* What happened, in the arena; outcomes run parallel to the topology's. */
struct lq_apply_report {
    enum lilyq_apply_mode mode;
    enum lilyq_ending ending;
    struct lq_outcome *exchanges;
    struct lq_outcome *queues;
    struct lq_outcome *bindings;
    /* lq_apply() leaves the rest alone */
    enum lilyq_cause cause;
    const struct lq_own_policies *policies; /* NULL: none were to be set */
    struct lq_outcome *policy_outcomes;     /* parallel to `policies` */
    const char *version;                    /* of the broker; NULL: not known */
    const char *broker;     /* "host:5672", printable; NULL: not connected */
    const char *vhost;      /* NULL likewise */
    const char *management; /* the API that showed what is live, or NULL */
};

struct lq_apply_options {
    enum lilyq_apply_mode mode;
    /*
     * All that the broker holds; if given, the only requests are declarations
     * of what is missing. NULL: the broker is asked.
     */
    const struct lq_live *live;
    size_t max_in_flight;   /* as in struct lq_batch */
    bool fail_when_blocked; /* an alarm ends the run, instead of a wait */
    /*
     * With LILYQ_PREFLIGHT, called before the first declaration once everything
     * was looked at and nothing is in the way; any status but LQ_OK ends the
     * run. May be NULL.
     */
    enum lq_status (*before)(void *data);
    void *before_data;
    /* Called now and then with the answered requests, out of all; may be NULL.
     */
    void (*progress)(void *data, size_t done, size_t total);
    /* Asked several times a second; true ends the run. May be NULL. */
    bool (*stop)(void *data);
    /* Called at once with what people should know while they wait; may be NULL.
     */
    void (*notice)(void *data, const char *text);
    void *data;
};

/*
 * Gives the broker what the topology plans, or with LILYQ_DRY_RUN finds out
 * what that would take. Unless the mode leaves it out, a look at what is live
 * finds conflicts before anything is written. Then declares exchanges, queues
 * and bindings, in that order. Never deletes. The first refusal ends the run.
 * LQ_OK; LQ_REFUSED (a conflict, a failure or a stop); LQ_LOST; LQ_NOMEM. Fills
 * in `out` in every case but the last, and adds an error to `diags` for each
 * conflict or failure.
 */
enum lq_status lq_apply(struct lq_broker *broker,
                        const struct lq_topology *topology,
                        const struct lq_apply_options *options,
                        struct lq_diags *diags,
                        struct lq_apply_report *out) LQ_CHECK;

/* Policies to be set on a broker; results live in the arena of `diags`. */
struct lq_policy_job {
    /* set by the caller */
    const struct lq_topology *topology;
    struct lq_diags *diags;
    const struct lq_route *route;
    const struct lilyq_hooks *hooks;
    struct lq_management_settings management;
    /* set by lq_policy_job_look() */
    const struct lq_own_policies *policies;
    struct lq_policy_step *verdicts;
    struct lq_outcome *outcomes;
    const char *version; /* of the broker; NULL: not known */
    bool conflict;       /* something is in the way of one */
};

/*
 * Builds the policies for a broker that holds `live`, and finds out what
 * setting them would do there. The broker's version is that of `live`, whatever
 * `wants` says. A conflict is reported, and is no failure. LQ_OK, LQ_INVALID,
 * LQ_REFUSED (policies are not shown) or LQ_NOMEM.
 */
enum lq_status lq_policy_job_look(struct lq_policy_job *job,
                                  const struct lq_policy_wants *wants,
                                  const struct lq_live *live) LQ_CHECK;

/*
 * Creates and updates policies one by one, up to the first failure; with a
 * conflict it does nothing. LQ_OK, LQ_REFUSED (a conflict, a failure or a
 * stop), LQ_LOST, LQ_INVALID, LQ_IO or LQ_NOMEM.
 */
enum lq_status lq_policy_job_set(struct lq_policy_job *job) LQ_CHECK;

/* Marks the policies that would be set as pending. */
void lq_policy_job_leave_pending(struct lq_policy_job *job);

/* Whether a policy was set, or may have been. */
bool lq_policy_job_wrote(const struct lq_policy_job *job);

#endif
