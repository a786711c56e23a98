#ifndef LQ_JSON_STRING_H
#define LQ_JSON_STRING_H

#include "base/arena.h"
#include "base/status.h"

#include <stddef.h>

/*
 * Copies what stands between the quotes of a JSON string, UTF-8 without NUL,
 * and undoes its escapes; U+0000 becomes the bytes C0 80. LQ_INVALID: an escape
 * that JSON does not have, or half of a surrogate pair. LQ_NOMEM.
 */
enum lq_status lq_json_unescape(const char *text, size_t length,
                                struct lq_arena *arena,
                                const char **out) LQ_CHECK;

/*
 * The bytes that a text from lq_json_unescape() takes between quotes, and
 * these bytes, written to `to` if it is not NULL. Returns their number.
 */
size_t lq_json_escape(const char *text, char *to);

#endif
