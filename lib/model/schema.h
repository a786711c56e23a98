#ifndef LQ_MODEL_SCHEMA_H
#define LQ_MODEL_SCHEMA_H

#include "base/map.h"
#include "model/entry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lq_key_type {
    LQ_KEY_IDENTITY, /* const char *, see model/identity.h */
    LQ_KEY_INTEGER,  /* uint64_t, min..max */
    LQ_KEY_RATIO,    /* double, 0.0 to 0.5 */
    LQ_KEY_BOOL,     /* true or false */
    LQ_KEY_CHOICE,   /* one of `choices`, stored as its index (unsigned) */
    LQ_KEY_TEXT      /* const char *, any text; may be a ${...} reference */
};

enum lq_section { LQ_SECTION_BROKER, LQ_SECTION_QUEUE };

/* What model/keys.def says of one key. */
struct lq_key {
    enum lq_section section;
    enum lq_key_type type;
    const char *name;    /* as in INI, e.g. "retention.main_max_bytes" */
    enum lq_field field; /* LQ_SECTION_QUEUE */
    bool required;
    bool runtime_only;          /* checked, but no part of the topology */
    uint64_t min;               /* LQ_KEY_INTEGER */
    uint64_t max;               /* LQ_KEY_INTEGER; bytes of LQ_KEY_IDENTITY */
    const char *unit;           /* "millis", "bytes", "messages" or NULL */
    const char *const *choices; /* LQ_KEY_CHOICE: NULL-terminated */
    const char *default_text;   /* as it would be written; NULL: absent */
    const char *help;           /* one sentence, no full stop */
    size_t offset; /* into struct lq_entry or struct lq_broker_settings */
};

/* The keys of [broker], e.g. LQ_BROKER_KEY_url, in the order of lq_keys. */
enum lq_broker_key {
#define BROKER_KEY(ctype, member, ...) LQ_BROKER_KEY_##member,
#include "model/keys.def"
    LQ_BROKER_KEY_COUNT
};

/* The [broker] section as written: references are not resolved here. */
struct lq_broker_settings {
#define BROKER_KEY(ctype, member, ...) ctype member;
#include "model/keys.def"
    struct lq_place place; /* of the section; file NULL when there is none */
    unsigned lines[LQ_BROKER_KEY_COUNT]; /* of its keys; 0: not given */
};

/* Whether lilyq's own policies are planned too. */
static inline bool
lq_broker_has_policies(const struct lq_broker_settings *broker)
{
    return broker->policies % 2 == 1;
}

/* All rows: [broker] first, then the queue keys, the name included. */
extern const struct lq_key lq_keys[];
extern const size_t lq_key_count;

/* The row of a name in a section, or NULL. */
const struct lq_key *lq_key_find(enum lq_section section, const char *name);

/* The row of a field of a queue entry. */
const struct lq_key *lq_key_of(enum lq_field field);

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
