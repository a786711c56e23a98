/* What a broker says, in words for people. */
#ifndef LQ_LIVE_VERDICT_H
#define LQ_LIVE_VERDICT_H

#include "live/answer.h"

/*
 * A difference in words, such as "x-max-length is 1000 there, plan says 2000".
 * Both types are named where they differ; a side whose type is not known is
 * "of another type" when its value cannot be of the other side's. NULL when
 * out of memory.
 */
const char *lq_difference_text(const struct lq_mismatch *difference,
                               struct lq_arena *arena);

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
