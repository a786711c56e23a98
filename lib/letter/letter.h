/* What a dead letter says of itself. */
#ifndef LQ_LETTER_LETTER_H
#define LQ_LETTER_LETTER_H

#include "letter/properties.h"
#include "letter/table.h"
#include "model/message.h"

/* The headers of the framework, and those that a replay sets. */
#define LQ_EVENT_ID "x-lily-event-id"
#define LQ_SCHEMA_VERSION "x-lily-schema-version"
#define LQ_CONTENT_KIND "x-lily-content-kind"
#define LQ_RETRY_COUNT "x-retry-count"
#define LQ_FAILED_ATTEMPT "x-lily-failure-delivery-attempt"
#define LQ_REJECTION_CODE "x-lily-rejection-code"
#define LQ_REPLAY_ID "x-lilyq-replay-id"
#define LQ_REPLAY_COUNT "x-lilyq-replay-count"

/* Where the age of a letter is known from, the most reliable first. */
enum lq_age_source {
    LQ_AGE_UNKNOWN,
    LQ_AGE_X_DEATH,   /* the newest time in it */
    LQ_AGE_TIMESTAMP, /* the property */
    LQ_AGE_EVENT_ID   /* a UUID of version 7 */
};

/*
 * All bytes are those of the message; a text that a letter does not have, or
 * has as another type, has none.
 */
struct lq_letter {
    struct lq_message message;
    struct lq_properties properties;
    bool malformed; /* nothing below is known */
    struct lq_bytes event_id;
    struct lq_bytes schema_version;
    struct lq_bytes content_kind;
    struct lq_bytes code; /* of the last rejection by the framework */
    struct lq_bytes replay_id;
    int64_t attempt; /* deliveries that failed; 0: not known */
    int64_t replays; /* how often it was replayed */
    /*
     * Why it died: the reason of the newest x-death entry when that is of the
     * main queue, else the rejection code; no bytes: not known.
     */
    struct lq_bytes reason;
    enum lq_age_source age_source;
    int64_t died_millis; /* since 1970, unless the source is unknown */
    bool expires;        /* it has an `expiration` */
};

/*
 * Reads a message that was delivered from a dead-letter queue; `main_queue` is
 * the one that its letters come from.
 */
void lq_letter_read(const struct lq_message *message, const char *main_queue,
                    struct lq_letter *out);

/* "x-death", "timestamp", "event id" or "unknown". A constant. */
const char *lq_age_source_word(enum lq_age_source source);

#endif
