#ifndef LQ_JSON_SCAN_H
#define LQ_JSON_SCAN_H

#include "base/arena.h"
#include "base/status.h"
#include "json/lexer.h"

#include <stdbool.h>
#include <stddef.h>

/* Begins the string of a number; a user's own string that so begins has two. */
#define LQ_JSON_MARK '\x01'

/*
 * A JSON text as jansson is to parse it, changed for two reasons. jansson
 * refuses integers beyond int64 without saying which field has them, and
 * rounds reals: so each number that is a value becomes a string, its digits
 * behind LQ_JSON_MARK. And when the buffer of its tokens cannot grow, jansson
 * drops bytes and goes on: so the text is wrapped as ["xxx...", TEXT], a first
 * string longer than any token behind it, in which the loss shows.
 */
struct lq_json_text {
    char *bytes;
    size_t length;
    size_t body;  /* where the user's text begins */
    size_t fill;  /* bytes of the first string's value */
    size_t count; /* tokens of the user's text */
    bool trailed; /* there is more than one value; the first is in `bytes` */
    struct lq_json_token trail; /* ... and here the rest begins */
};

/* LQ_OK or LQ_NOMEM. The user's text is valid UTF-8 without NUL bytes. */
enum lq_status lq_json_prepare(const char *text, size_t length,
                               struct lq_arena *arena,
                               struct lq_json_text *out) LQ_CHECK;

/*
 * The token of the user's text that jansson has come to when it has read
 * `position` bytes of the prepared one; behind the last, one of no bytes.
 */
struct lq_json_token lq_json_locate(const char *text, size_t length,
                                    const struct lq_json_text *prepared,
                                    size_t position);

#endif
