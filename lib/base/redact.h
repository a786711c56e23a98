/* Keeps passwords out of what peers and libraries say. */
#ifndef LQ_BASE_REDACT_H
#define LQ_BASE_REDACT_H

#include "base/arena.h"

#include <stddef.h>

/* Who logs in; NULL: no user, or no password. */
struct lq_login {
    const char *username;
    const char *password;
};

/*
 * What a peer or a library says, made safe to show: printable, with "***" in
 * place of the user part of every URL, of the password, whether it is plain,
 * percent-encoded or already made printable, and of the login as HTTP's Basic
 * scheme encodes it. A password of fewer than four bytes is masked only as a
 * word of its own, and one that equals the user name not at all: messages name
 * the user anyway. "" when out of memory.
 */
const char *lq_redact(struct lq_arena *arena, const struct lq_login *login,
                      const char *text, size_t length);

#endif
