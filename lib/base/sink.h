#ifndef LQ_BASE_SINK_H
#define LQ_BASE_SINK_H

#include <stddef.h>

/* Where a rendering goes. `write` takes all bytes and returns 0, else -1. */
struct lq_sink {
    int (*write)(void *data, const char *bytes, size_t length);
    void *data;
};

#endif
