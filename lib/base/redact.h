/* Keeps a password out of what others say. */
#ifndef LQ_BASE_REDACT_H
#define LQ_BASE_REDACT_H

#include "base/arena.h"

#include <stddef.h>

/* Who logs in; NULL: nobody, or without a password. */
struct lq_login {
    const char *username;
    const char *password;
};

/*
 * What a peer or a library says, as it may be shown: printable, with "***" for
 * the user part of every URL, for the password, however much of it is
 * percent-encoded, and for the login as HTTP's Basic scheme encodes it. A
 * password of fewer than four bytes counts only as a word of its own, and one
 * that equals the user name not at all: messages name the user anyway. NULL
 * when out of memory.
 */
const char *lq_redact(struct lq_arena *arena, const struct lq_login *login,
                      const char *text, size_t length);

#endif
