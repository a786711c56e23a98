#ifndef LQ_CONFIG_KEYS_H
#define LQ_CONFIG_KEYS_H

#include "base/map.h"
#include "config/schema.h"

/* The rows of a section by name, to look up in constant time. */
struct lq_keys {
    enum lq_section section;
    const char *prefix; /* rows whose names begin with it, less the prefix */
    struct lq_map rows;
};

/* LQ_OK or LQ_NOMEM. */
enum lq_status lq_keys_init(struct lq_keys *keys, enum lq_section section,
                            const char *prefix,
                            struct lq_arena *arena) LQ_CHECK;

/* The row of a name, or NULL. */
const struct lq_key *lq_keys_get(const struct lq_keys *keys, const char *name);

/* The row that a mistyped name is likely to mean, or NULL. */
const struct lq_key *lq_keys_suggest(const struct lq_keys *keys,
                                     const char *name);

#endif
