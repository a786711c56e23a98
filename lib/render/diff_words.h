/* Findings in words. All texts are printable, or NULL when out of memory. */
#ifndef LQ_RENDER_DIFF_WORDS_H
#define LQ_RENDER_DIFF_WORDS_H

#include "base/arena.h"
#include "compare/finding.h"

/* "exchange", "queue", "binding", "policy", "virtual host" */
const char *lq_resource_word(enum lq_resource resource);

/* "exchanges", ... */
const char *lq_resource_words(enum lq_resource resource);

/* "queue 'a'", "binding from exchange 'x' to queue 'a' with key 'k'" */
const char *lq_drift_subject(const struct lq_finding *finding,
                             struct lq_arena *arena);

/*
 * "x-max-length is 1, plan says 2": what is behind the subject and a colon; ""
 * when the kind of the finding says it all.
 */
const char *lq_drift_detail(const struct lq_finding *finding,
                            struct lq_arena *arena);

#endif
