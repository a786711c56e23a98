/* Whether a consumer of the framework admits a message. */
#ifndef LQ_LETTER_ADMISSION_H
#define LQ_LETTER_ADMISSION_H

#include "base/arena.h"
#include "model/message.h"

/* The rule that a message breaks: the v2 contract on dead letters, section 1.
 */
enum lq_admission {
    LQ_ADMITTED,
    LQ_REFUSED_MALFORMED,     /* properties or headers that nobody can read */
    LQ_REFUSED_EVENT_ID,      /* missing */
    LQ_REFUSED_BAD_EVENT_ID,  /* no lower-case UUID, or all zeros */
    LQ_REFUSED_VERSION,       /* missing, or no number from 1 to 65535 */
    LQ_REFUSED_KIND,          /* missing, or not like "order-created" */
    LQ_REFUSED_RETRY_COUNT,   /* no int32 from 0 to 100 */
    LQ_REFUSED_ROUTE,         /* exchange or key empty, long or padded */
    LQ_REFUSED_HEADER_COUNT,  /* over 64, with those of the hand-off */
    LQ_REFUSED_HEADER_NAME,   /* over 128 bytes, or not visible ASCII */
    LQ_REFUSED_HEADER_VALUE,  /* over 8 KiB */
    LQ_REFUSED_ENVELOPE_SIZE, /* properties and headers over 32 KiB */
    LQ_REFUSED_ELEMENTS,      /* over 256 in nested arrays and tables */
    LQ_REFUSED_DEPTH,         /* nested deeper than 4 */
    LQ_REFUSED_BODY           /* larger than the entry allows */
};

/*
 * Judges a message as it would be delivered. `max_body` is the entry's
 * max_message_size_bytes; 0: not known.
 */
enum lq_admission lq_admission_judge(const struct lq_message *message,
                                     uint64_t max_body);

/*
 * "would be admitted", or "refused again: x-lily-event-id is missing". A
 * constant.
 */
const char *lq_admission_words(enum lq_admission admission);

/* The same as one word for programs: "admitted", "event_id_missing", ... */
const char *lq_admission_code(enum lq_admission admission);

#endif
