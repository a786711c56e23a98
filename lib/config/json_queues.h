#ifndef LQ_CONFIG_JSON_QUEUES_H
#define LQ_CONFIG_JSON_QUEUES_H

#include "config/load.h"

#include <jansson.h>

/*
 * Adds the queues of a document whose numbers are marked strings, see
 * json/scan.h. LQ_OK, LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_json_queues(struct lq_config *config, const char *file,
                              json_t *document,
                              struct lq_diags *diags) LQ_CHECK;

#endif
