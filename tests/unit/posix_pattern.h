/* Patterns of lilyq for the regular expressions of POSIX. */
#ifndef POSIX_PATTERN_H
#define POSIX_PATTERN_H

#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* POSIX writes "$" for the end that PCRE calls "\\z". */
static inline int compile_pattern(regex_t *out, const char *pattern)
{
    const size_t length = strlen(pattern);
    char *const text = malloc(length + 1);
    int error = 0;

    memcpy(text, pattern, length + 1);
    if (length > 2 && strcmp(text + length - 2, "\\z") == 0) {
        memcpy(text + length - 2, "$", 2);
    }
    error = regcomp(out, text, REG_EXTENDED | REG_NOSUB);
    free(text);
    return error;
}

#endif
