#ifndef LQ_BASE_STATUS_H
#define LQ_BASE_STATUS_H

#include "lilyq.h"

/* Fails to compile quietly when a caller drops a status. */
#define LQ_CHECK __attribute__((warn_unused_result))

/*
 * What the caller of a function can do about its outcome, as the public header
 * has it. Why it came to that is in the caller's struct lq_diags.
 */
enum lq_status {
    LQ_OK = LILYQ_OK,           /* done */
    LQ_INVALID = LILYQ_INVALID, /* the user mends the input and tries again */
    LQ_IO = LILYQ_IO,           /* a file could not be read or the output not be
                                   written */
    LQ_NOMEM = LILYQ_NOMEM,     /* out of memory */
    LQ_REFUSED = LILYQ_REFUSED, /* the broker answered no */
    LQ_LOST = LILYQ_LOST        /* the broker was not reached, or the connection
                                   went away */
};

/* The graver of two outcomes: LQ_NOMEM over LQ_INVALID over LQ_OK. */
static inline enum lq_status lq_worse(enum lq_status a, enum lq_status b)
{
    return a > b ? a : b;
}

#endif
