#ifndef LQ_EXPLAIN_LOAD_H
#define LQ_EXPLAIN_LOAD_H

#include "base/arena.h"
#include "base/status.h"
#include "explain/flow.h"
#include "model/topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is asked. */
struct lq_load_case {
    double rate_per_second; /* over 0 */
    double failure_ratio;   /* 0 to 1 */
    uint64_t outage_millis; /* 0: none */
    uint64_t message_bytes; /* 0: not known */
};

/* What may fill a queue up. */
enum lq_bound {
    LQ_BOUND_MESSAGES, /* its x-max-length */
    LQ_BOUND_LARGEST,  /* its x-max-length-bytes, by the largest messages */
    LQ_BOUND_BYTES,    /* the same, by messages of message_bytes */
    LQ_BOUND_COUNT
};

/* How one queue fills. Numbers are of messages, and means. */
struct lq_level {
    enum lq_role role;
    const struct lq_bucket *bucket; /* of LQ_ROLE_RETRY */
    uint64_t max_messages;
    uint64_t max_bytes;
    double normal; /* before the outage; dead letters: 0, all were removed */
    double growth; /* a second, in normal time; dead letters only */
    double peak;   /* of the outage, with bounds; dead letters: at its
                      end, or when the consumer stops */
    double peak_millis; /* since the outage began; INFINITY: there is none */
    /* what an outage without an end takes, if no queue is ever full;
       INFINITY but for buckets */
    double most;
    /*
     * How long an outage lasts, in millis, when the bound is reached: INFINITY
     * when it never is. Of the main queue: how long nothing is consumed.
     */
    double full_millis[LQ_BOUND_COUNT];
};

/* The first bound that an outage without an end breaks, and what follows. */
struct lq_break {
    const struct lq_level *level; /* NULL: none ever */
    enum lq_bound bound;
    double millis;
    /* the main queue is full, as its consumer stops at the break */
    double main_millis;
    enum lq_bound main_bound;
};

/*
 * What becomes of the outage that is asked for. Before the stop it is as if no
 * queue had a bound. Times are in millis since it began; INFINITY: never.
 */
struct lq_course {
    const struct lq_level *level; /* that is full first; NULL: none is */
    enum lq_bound bound;
    double stop_millis; /* it refuses a hand-off: the consumer stops */
    double main_millis; /* the main queue is full: it refuses publishers */
    enum lq_bound main_bound;
    double start_millis; /* the outage is over: the consumer starts again;
                            INFINITY: it was over when the consumer stopped */
    double backlog;      /* in the main queue then */
    double refused;      /* what publishers were refused by then */
    /* what came back to the full main queue by then: a classic one loses it, a
       quorum one holds it above its bound */
    double surplus;
    double drained_millis; /* all that was in buckets is back */
};

/* What comes back once the outage is over, if nothing fails any more. */
struct lq_wave {
    double jitter_ratio;
    double messages;
    double peak_per_second;
    double peak_millis; /* since the outage ended; so are the two below */
    double half_millis; /* half of it is back */
    double all_millis;
};

/* What is in each queue at times one step apart. */
struct lq_timeline {
    int64_t first_millis; /* not over 0; the outage begins at 0 */
    uint64_t step_millis;
    size_t count;
    const double *messages; /* the samples of the first level, the second... */
    /* up to the outage's end nothing changes any more, but that the main queue
       fills at the load's rate if it is not full */
    bool ends_early;
};

struct lq_load {
    struct lq_load_case given;
    const struct lq_level *levels; /* main, the buckets, dead letters */
    size_t level_count;
    struct lq_break first;
    /* all that follows is of the outage, if there is one */
    struct lq_course course;
    double peak; /* of all buckets together */
    double peak_millis;
    double dead;             /* dead-lettered from its begin to its end */
    struct lq_wave waves[2]; /* the entry's own jitter, then another one */
    struct lq_timeline timeline;
};

/* The bytes of a message that reaches a bound; 0 for that of messages. */
uint64_t lq_load_bytes(const struct lq_load *load,
                       const struct lq_logical *logical, enum lq_bound bound);

/*
 * The size of the messages that bounds in bytes are compared with: that which
 * is given, or else the largest.
 */
enum lq_bound lq_load_bytes_bound(const struct lq_load *load);

/*
 * How many messages the level may hold by a bound; INFINITY when the size of a
 * message is not known.
 */
double lq_load_allowed(const struct lq_load *load,
                       const struct lq_logical *logical,
                       const struct lq_level *level, enum lq_bound bound);

/* The same by the bound that is reached first. */
double lq_load_capacity(const struct lq_load *load,
                        const struct lq_logical *logical,
                        const struct lq_level *level, enum lq_bound *out);

/* Works out what the load makes of the queues. LQ_OK or LQ_NOMEM. */
enum lq_status lq_load_build(const struct lq_logical *logical,
                             const struct lq_load_case *given,
                             struct lq_arena *arena,
                             struct lq_load *out) LQ_CHECK;

/* A load while it is worked out. */
struct lq_load_job {
    const struct lq_logical *logical;
    struct lq_load *load;
    struct lq_level *levels;
    struct lq_flow_plan plan;
    struct lq_flow flow;
    struct lq_curve slope; /* of the main queue */
    /* how much of the load's normal time the buckets can hold, up to 1: where
       it is less, the consumer stops before they hold more */
    double share;
};

/*
 * Takes the memory, and fills in what each queue may hold and what it holds in
 * normal time. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_load_start(struct lq_load_job *job,
                             const struct lq_logical *logical,
                             struct lq_load *load,
                             struct lq_arena *arena) LQ_CHECK;

/* Has the attempts wait with another jitter; no bucket means anything then. */
void lq_load_jitter(struct lq_load_job *job, double ratio);

/* The load in an outage without an end, that nothing stops. */
struct lq_flow_case lq_load_flow_case(const struct lq_load *load);

/* Works out the flows. */
void lq_load_run(struct lq_load_job *job, const struct lq_flow_case *given);

/*
 * Works out what becomes of the outage that is asked for, once it is known what
 * an endless one breaks. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_load_run_outage(struct lq_load_job *job,
                                  struct lq_arena *arena) LQ_CHECK;

#endif
