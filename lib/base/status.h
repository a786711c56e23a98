#ifndef LQ_BASE_STATUS_H
#define LQ_BASE_STATUS_H

#include "lilyq.h"

/* Makes the compiler warn when a caller ignores a status. */
#define LQ_CHECK __attribute__((warn_unused_result))

/*
 * How a function ended, as in the public header: the values tell what its
 * caller can do about it. The reason is in the caller's struct lq_diags.
 */
enum lq_status {
    LQ_OK = LILYQ_OK,           /* done */
    LQ_INVALID = LILYQ_INVALID, /* the user must correct the input */
    LQ_IO = LILYQ_IO, /* a file could not be read, or the output not written */
    LQ_NOMEM = LILYQ_NOMEM,     /* out of memory */
    LQ_REFUSED = LILYQ_REFUSED, /* the broker said no */
    LQ_LOST = LILYQ_LOST        /* no connection, or it was lost */
};

/* The more serious of two: LQ_NOMEM over LQ_INVALID over LQ_OK. */
static inline enum lq_status lq_worse(enum lq_status a, enum lq_status b)
{
    return a > b ? a : b;
}

#endif
