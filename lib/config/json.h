#ifndef LQ_CONFIG_JSON_H
#define LQ_CONFIG_JSON_H

#include "config/load.h"

/*
 * Adds the queues of a JSON text: an array at `queues` or, in any document, at
 * `rabbitmq.topology.queues`. `file` is what messages call it and lives as
 * long as the arena of `diags`. LQ_OK, LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_json_load(struct lq_config *config, const char *file,
                            const char *text, size_t length,
                            struct lq_diags *diags) LQ_CHECK;

#endif
