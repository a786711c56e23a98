#ifndef LQ_RENDER_LOAD_TEXT_H
#define LQ_RENDER_LOAD_TEXT_H

#include "base/writer.h"
#include "explain/load.h"

/* Writes what a load makes of the queues, as tables. */
void lq_write_load(struct lq_writer *writer, const struct lq_logical *logical,
                   const struct lq_load *load);

#endif
