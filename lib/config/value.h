#ifndef LQ_CONFIG_VALUE_H
#define LQ_CONFIG_VALUE_H

#include "base/arena.h"
#include "base/status.h"
#include "model/schema.h"

#include <stddef.h>

enum lq_reference_kind {
    LQ_REFERENCE_NONE, /* plain text */
    LQ_REFERENCE_ENV,  /* ${env:NAME} */
    LQ_REFERENCE_FILE, /* ${file:PATH} */
    LQ_REFERENCE_BAD   /* has a "${" that is neither */
};

/* What a [broker] value refers to; `name` points into the value. */
struct lq_reference {
    enum lq_reference_kind kind;
    const char *name; /* the variable's name or the path; not terminated */
    size_t length;    /* bytes of `name` */
};

/*
 * A reference is the whole value. A variable's name is made of ASCII letters,
 * digits and '_' and begins with no digit; a path is not empty and has no '}'.
 */
struct lq_reference lq_reference_read(const char *value);

enum lq_value_kind {
    LQ_VALUE_PLAIN,  /* untyped: the text itself decides */
    LQ_VALUE_STRING, /* the others carry the type that the document gave */
    LQ_VALUE_NUMBER, /* the number as written */
    LQ_VALUE_BOOL,   /* the text is "true" or "false" */
    LQ_VALUE_OTHER   /* the text says what it is: "null", "an array", ... */
};

/* A value as the user wrote it; the text is NUL-terminated. */
struct lq_value {
    enum lq_value_kind kind;
    const char *text;
    size_t length; /* bytes; a LQ_VALUE_STRING may hold NUL bytes */
};

/*
 * Checks the value against its row and stores it at the row's offset of
 * `object`, a struct lq_entry or struct lq_broker_settings; texts are copied.
 * LQ_INVALID leaves the object as it was: lq_value_fault() says why. The other
 * outcomes are LQ_OK and LQ_NOMEM.
 */
enum lq_status lq_value_store(const struct lq_key *key,
                              const struct lq_value *value,
                              struct lq_arena *arena, void *object) LQ_CHECK;

/* Copies what the row describes from one object to another. */
void lq_value_copy(const struct lq_key *key, const void *from, void *to);

/*
 * Why lq_value_store() said LQ_INVALID, as "'retry_attempts' must be an
 * integer from 0 to 100, not 'soon'". The values of
 * [broker] may be secrets and are not quoted.
 */
const char *lq_value_fault(const struct lq_key *key,
                           const struct lq_value *value,
                           struct lq_arena *arena);

/*
 * What was found, to follow "not": "'soon'", "the string '5'" where a string
 * is of the wrong type, "5", "an array", "empty".
 */
const char *lq_value_found(const struct lq_value *value, bool wrong_type,
                           struct lq_arena *arena);

#endif
