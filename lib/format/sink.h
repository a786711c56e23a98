#ifndef LQ_FORMAT_SINK_H
#define LQ_FORMAT_SINK_H

#include "base/status.h"

#include <stddef.h>

/* Where a rendering goes. `write` takes all bytes and returns 0, else -1. */
struct lq_sink {
    int (*write)(void *data, const char *bytes, size_t length);
    void *data;
};

/* LQ_OK, or LQ_IO when the sink refuses. */
enum lq_status lq_sink_text(const struct lq_sink *sink,
                            const char *text) LQ_CHECK;

#endif
