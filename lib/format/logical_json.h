#ifndef LQ_FORMAT_LOGICAL_JSON_H
#define LQ_FORMAT_LOGICAL_JSON_H

#include "topology/topology.h"
#include "json/write.h"

/* The members that say what an entry's main queue is, and where. */
void lq_json_main_queue(struct lq_json *json, const struct lq_entry *entry);

/*
 * Writes a logical queue of the plan document: where it is, its delays,
 * buckets, waits and bounds.
 */
void lq_json_logical(struct lq_json *json, const struct lq_logical *logical);

/* {"messages": ..., "bytes": ...} with null for a sum that is not known. */
void lq_json_capacity(struct lq_json *json, const char *key,
                      const struct lq_capacity *capacity);

#endif
