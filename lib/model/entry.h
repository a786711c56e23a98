#ifndef LQ_MODEL_ENTRY_H
#define LQ_MODEL_ENTRY_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdint.h>

enum lq_queue_type { LQ_CLASSIC, LQ_QUORUM };

/* external: declared by others; lilyq only checks that it exists. */
enum lq_ownership { LQ_FRAMEWORK_MANAGED, LQ_EXTERNAL };

/* The fields of a queue entry, in the order of the v2 contract's table. */
enum lq_field {
#define QUEUE_KEY(id, ...) id,
#include "model/keys.def"
    LQ_FIELD_COUNT
};

/*
 * One logical queue as its owner wrote it, defaults filled in. Single-field
 * rules (type, range, identity) were checked by whoever filled it; a field
 * that failed, is missing or was misspelt is in `broken`, and no rule reads its
 * value; a name that failed is kept, printable, for messages. Strings are
 * NUL-terminated UTF-8 owned by the run's arena; an absent one is NULL, an
 * absent number 0.
 */
struct lq_entry {
#define QUEUE_KEY(id, key, ctype, member, ...) ctype member;
#include "model/keys.def"

    uint64_t given;     /* fields that the input sets: bits of lq_field_bit() */
    uint64_t broken;    /* fields already reported; their values mean nothing */
    uint64_t inherited; /* given fields that [defaults] handed down */
    struct lq_place place;          /* of the entry itself */
    unsigned lines[LQ_FIELD_COUNT]; /* of each given field; 0: not known */
};

static inline uint64_t lq_field_bit(enum lq_field field)
{
    return UINT64_C(1) << field;
}

/* Whether every field of the set can be relied on. */
static inline bool lq_entry_sound(const struct lq_entry *entry, uint64_t fields)
{
    return (entry->broken & fields) == 0;
}

/* The framework's name of a field, e.g. "retention.main_max_bytes". */
const char *lq_field_name(enum lq_field field);

/*
 * The place of a field of an entry: its own line when the input gives it, in
 * a JSON document the entry's path with the field's name appended, else the
 * place of the entry.
 */
struct lq_place lq_field_place(const struct lq_entry *entry,
                               enum lq_field field, struct lq_arena *arena);

/* "[queue:NAME]", printable, to begin a message. */
const char *lq_entry_label(struct lq_arena *arena,
                           const struct lq_entry *entry);

/*
 * Adds the error "[queue:NAME] text" at the place of a field of the entry;
 * returns LQ_INVALID.
 */
enum lq_status lq_entry_error(struct lq_diags *diags,
                              const struct lq_entry *entry, enum lq_field field,
                              const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A comment in the input that begins with "lilyq:ignore". */
struct lq_remark {
    struct lq_place place; /* of the comment itself */
    unsigned line;    /* that it is about: its own, or the next that is not a
                         comment; 0: none */
    bool for_file;    /* that line is the header of [defaults] */
    const char *text; /* what follows "lilyq:ignore", printable and with
                         spaces as its only blanks */
};

#endif
