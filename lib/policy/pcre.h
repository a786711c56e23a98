/* Matches names as brokers do; the only user of PCRE2. */
#ifndef LQ_POLICY_PCRE_H
#define LQ_POLICY_PCRE_H

#include "base/arena.h"
#include "policy/matcher.h"

/*
 * To a broker, patterns and names are bytes, not characters. Up to Erlang 27,
 * bytes from hex 80 on are Latin-1 (`\w` matches some of them); later they are
 * of no class. Where that makes a difference, the answer is unknown. It is
 * unknown too for a pattern that PCRE2 rejects (older brokers have PCRE, which
 * accepts more), that is longer than 64 KiB or holds U+0000. A pattern that
 * takes more than 50000 steps for one name, where the newest brokers give up,
 * is unknown for all names from then on.
 */
struct lq_pcre;

/* LQ_OK or LQ_NOMEM. */
enum lq_status lq_pcre_open(struct lq_arena *arena,
                            struct lq_pcre **out) LQ_CHECK;

/* The port, which works until lq_pcre_close(). */
struct lq_matcher lq_pcre_matcher(struct lq_pcre *pcre);

/* NULL is allowed. */
void lq_pcre_close(struct lq_pcre *pcre);

#endif
