/* What a broker says when it compares without creating anything. */
#ifndef LQ_BROKER_COMPARISON_H
#define LQ_BROKER_COMPARISON_H

#include "broker/broker.h"
#include "compare/finding.h"

/*
 * The arguments that keep LQ_COMPARE_... from creating anything. Brokers of
 * 3.10, 4.0 and 4.3 compare what exists first, and refuse to create a queue
 * with a negative size of segments, or an exchange whose alternate is a number.
 */
#define LQ_QUEUE_BARRIER "x-stream-max-segment-size-bytes"
#define LQ_EXCHANGE_BARRIER "alternate-exchange"

enum lq_comparison_kind {
    LQ_COMPARED_EQUAL,     /* as far as the broker compares */
    LQ_COMPARED_DIFFERENT, /* `field`, the first one that differs */
    LQ_COMPARED_UNCLEAR,   /* equal but for `field`, of which it is not said */
    LQ_COMPARED_GONE,      /* it does not exist */
    LQ_COMPARED_REFUSED    /* permission, limit, node down, ... */
};

struct lq_comparison {
    enum lq_comparison_kind kind;
    const char *field;
    struct lq_side_value planned;
    struct lq_side_value actual; /* its type is what its text suggests; "?" of
                                    type "unknown" where the text was cut */
};

/*
 * What the answer to a LQ_COMPARE_... or LQ_CHECK_... request says. LQ_OK or
 * LQ_NOMEM.
 */
enum lq_status lq_comparison_of(const struct lq_request *request,
                                const struct lq_answer *answer,
                                struct lq_arena *arena,
                                struct lq_comparison *out) LQ_CHECK;

#endif
