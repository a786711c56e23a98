/* Matches names as brokers do, with PCRE2: the only user of that library. */
#ifndef LQ_POLICY_PCRE_H
#define LQ_POLICY_PCRE_H

#include "base/arena.h"
#include "policy/matcher.h"

/*
 * Patterns and names are bytes to a broker, not characters. Those from 80 on
 * are Latin-1 to it up to Erlang 27 (`\w` matches some of them), and of no
 * class later: where that makes a difference, the answer is unknown. So it is
 * for a pattern that PCRE2 takes for invalid (older brokers have PCRE, which
 * lets more pass), that is longer than 64 KiB or holds U+0000; and, once it
 * took more than 50000 steps for one name, where the newest brokers give up,
 * for all names from then on.
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
