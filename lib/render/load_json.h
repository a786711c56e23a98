#ifndef LQ_RENDER_LOAD_JSON_H
#define LQ_RENDER_LOAD_JSON_H

#include "explain/load.h"
#include "json/write.h"

/* Writes what a load makes of the queues, as members of the document. */
void lq_json_write_load(struct lq_json *json, const struct lq_logical *logical,
                        const struct lq_load *load);

#endif
