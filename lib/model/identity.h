#ifndef LQ_MODEL_IDENTITY_H
#define LQ_MODEL_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

#define LQ_IDENTITY_MAX_BYTES 200

/* Why a text is not an identity in the sense of the v2 contract, section 1. */
enum lq_identity {
    LQ_IDENTITY_OK,
    LQ_IDENTITY_EMPTY,
    LQ_IDENTITY_LONG,     /* over 200 bytes */
    LQ_IDENTITY_ENCODING, /* not UTF-8 */
    LQ_IDENTITY_PADDED,   /* Unicode white space at an end */
    LQ_IDENTITY_CONTROL,  /* a control character, NUL included */
    LQ_IDENTITY_REFERENCE /* a whole ${secret:...} or ${file:...} */
};

enum lq_identity lq_identity_check(const char *text, size_t length);

/*
 * The rule, to follow "must": "be 1 to 200 bytes", "not begin or end with white
 * space", ... A constant.
 */
const char *lq_identity_rule(enum lq_identity fault);

/*
 * Whether a text is an event id as the contract has it: a UUID of lower-case
 * hexadecimal digits in groups of 8, 4, 4, 4 and 12, not all of them 0.
 */
bool lq_event_id_valid(const char *text, size_t length);

#endif
