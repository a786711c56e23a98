#ifndef LQ_BROKER_VERDICT_H
#define LQ_BROKER_VERDICT_H

#include "base/arena.h"
#include "broker/broker.h"
#include "broker/mismatch.h"

/* What a denial means for the run. */
enum lq_verdict {
    LQ_VERDICT_MISSING,  /* a check found nothing */
    LQ_VERDICT_CONFLICT, /* it exists, but not as planned */
    LQ_VERDICT_REFUSED   /* permission, limit, node down, ... */
};

enum lq_verdict lq_verdict_of(const struct lq_request *request,
                              const struct lq_answer *answer);

/*
 * What a request is about, as messages name it: "queue 'x'", or for a binding
 * what it binds. NULL when out of memory.
 */
const char *lq_request_subject(const struct lq_request *request,
                               struct lq_arena *arena);

/*
 * What the plan says of a field of the exchange or queue that a request is
 * about: LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_planned_side(const struct lq_request *request,
                               const char *field, struct lq_arena *arena,
                               struct lq_side *out) LQ_CHECK;

/*
 * The denial in one line: which resource, what differs or is not allowed, and
 * what can be done; in the broker's own words where they are not known. NULL
 * when out of memory.
 */
const char *lq_verdict_text(const struct lq_request *request,
                            const struct lq_answer *answer,
                            struct lq_arena *arena);

/* The broker's words as they may be shown; NULL: it has none. */
const char *lq_answer_words(const struct lq_answer *answer);

#endif
