#ifndef LQ_CONFIG_REFERENCE_H
#define LQ_CONFIG_REFERENCE_H

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

#endif
