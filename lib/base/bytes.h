#ifndef LQ_BASE_BYTES_H
#define LQ_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes of someone else's memory; `at` may be NULL when there are none. */
struct lq_bytes {
    const uint8_t *at;
    size_t length;
};

static inline bool lq_bytes_equal(struct lq_bytes a, struct lq_bytes b)
{
    return a.length == b.length &&
           (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

/* The bytes of a NUL-terminated text, without the NUL. */
static inline struct lq_bytes lq_bytes_of(const char *text)
{
    return (struct lq_bytes){(const uint8_t *)text, strlen(text)};
}

#endif
