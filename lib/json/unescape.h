#ifndef LQ_JSON_UNESCAPE_H
#define LQ_JSON_UNESCAPE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Undoes the escapes of a JSON string in its place, text[0..length) without
 * the quotes, and ends it with a NUL at text[length] or before: no escape is
 * shorter than what it stands for. U+0000 becomes the bytes C0 80, and sets
 * `nul`. False, with the text spoilt, for an escape that JSON does not have and
 * for half a surrogate pair.
 */
bool lq_json_unescape(char *text, size_t length, bool *nul);

#endif
