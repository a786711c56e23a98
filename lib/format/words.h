#ifndef LQ_FORMAT_WORDS_H
#define LQ_FORMAT_WORDS_H

#include "topology/topology.h"

/* Enumerators as they are spelt in every output. All are constants. */

/* "framework_managed" or "external" */
const char *lq_ownership_word(enum lq_ownership ownership);

/* "classic" or "quorum" */
const char *lq_queue_type_word(enum lq_queue_type type);

/* Of an exchange: "main", "retry" or "dead_letter". */
const char *lq_exchange_role_word(enum lq_role role);

/* Of a queue and of its binding: "main", "retry_bucket" or "dead_letter". */
const char *lq_queue_role_word(enum lq_role role);

#endif
