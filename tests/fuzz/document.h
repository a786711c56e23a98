#ifndef FUZZ_DOCUMENT_H
#define FUZZ_DOCUMENT_H

#include "lilyq.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Loads the bytes as one document, plans them and renders every format.
 * Aborts when a problem's message could not be shown on a terminal, when an
 * outcome has no problem to explain it, or when a plan does not render.
 */
void fuzz_document(const uint8_t *bytes, size_t size, enum lilyq_input input);

/* Whether the text may be shown: not empty, UTF-8, no control character. */
bool fuzz_is_one_line(const char *text);

#endif
