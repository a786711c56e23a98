#ifndef LQ_EXPLAIN_HEADERS_H
#define LQ_EXPLAIN_HEADERS_H

#include <stddef.h>
#include <stdint.h>

/* Where the value of a header of a hand-off is from. */
enum lq_header_value {
    LQ_HEADER_RETRY_COUNT,      /* set: how many retries the message had */
    LQ_HEADER_DELIVERY_ATTEMPT, /* set: which delivery failed, from 1 */
    LQ_HEADER_REJECTION_CODE,   /* set: the handler's word for why */
    LQ_HEADER_EVENT_ID,         /* kept as it was */
    LQ_HEADER_OWN               /* kept as it was, if the message has it */
};

/* A header that the runtime gives a message it hands on. */
struct lq_hand_off_header {
    const char *name;
    const char *type; /* "int32" or "longstr" */
    enum lq_header_value value;
};

#define LQ_HEADER_COUNT ((size_t)8)

/* All of them, those that are set first. */
extern const struct lq_hand_off_header lq_headers[LQ_HEADER_COUNT];

/* The numbers of one hand-off. */
struct lq_hand_off {
    uint64_t retry_count;
    uint64_t delivery_attempt;
};

/* Of the hand-off to retry `number`, from 1. */
struct lq_hand_off lq_hand_off_retry(uint64_t number);

/* Of the hand-off to the dead letters after so many retries. */
struct lq_hand_off lq_hand_off_dead(uint64_t retries);

#endif
