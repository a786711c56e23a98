/* What `lilyq lint` can find: one row a code. */
#ifndef LQ_LINT_RULE_H
#define LQ_LINT_RULE_H

#include "base/arena.h"
#include "base/version.h"
#include "lilyq.h"

#include <stdbool.h>
#include <stddef.h>

/* In the order of their codes, which never change. */
enum lq_lint_code {
    LQ_LINT_LOSS_FULL_MAIN,
    LQ_LINT_QUORUM_OVERSHOOT,
    LQ_LINT_SHARED_ROUTING_KEY,
    LQ_LINT_SHARED_DEAD_LETTER_KEY,
    LQ_LINT_DEAD_LETTER_LOOP,
    LQ_LINT_RETRY_EXCHANGE_LOOP,
    LQ_LINT_DEAD_LETTER_CROSSING,
    LQ_LINT_RETRY_REORDERS,
    LQ_LINT_TTL_BELOW_WINDOW,
    LQ_LINT_TTL_BELOW_HANDLER,
    LQ_LINT_RETRY_WINDOW_LIMIT,
    LQ_LINT_TRANSIENT_MAIN,
    LQ_LINT_AUTO_DELETE_MAIN,
    LQ_LINT_TRANSIENT_DEPRECATED,
    LQ_LINT_DELIVERY_LIMIT_MAIN,
    LQ_LINT_DELIVERY_LIMIT_DLQ,
    LQ_LINT_RESERVED_NAME,
    LQ_LINT_DEFAULT_DLQ_KEY,
    LQ_LINT_NAME_NEAR_LIMIT,
    LQ_LINT_CONSUMER_ENTRIES,
    LQ_LINT_BUCKETS_NEAR_LIMIT,
    LQ_LINT_BYTES_BELOW_MESSAGE,
    LQ_LINT_BYTES_BEFORE_MESSAGES,
    LQ_LINT_DLQ_BELOW_BUCKET,
    LQ_LINT_DISK_BUDGET,
    LQ_LINT_JITTER_WITHOUT_EFFECT,
    LQ_LINT_BACKOFF_WITHOUT_ATTEMPTS,
    LQ_LINT_QUORUM_TTL_VERSION,
    LQ_LINT_VERSION_NOT_SHOWN,
    LQ_LINT_IGNORE_UNKNOWN_CODE,
    LQ_LINT_IGNORE_WITHOUT_REASON,
    LQ_LINT_IGNORE_UNUSED,
    LQ_LINT_AT_LEAST_ONCE_ROUNDS,
    LQ_LINT_OVERFLOW_POLICY,
    LQ_LINT_POLICY_IN_FORCE,
    LQ_LINT_FOREIGN_BINDING,
    LQ_LINT_LOSS_FULL_DLQ,
    LQ_LINT_POLICY_NOT_APPLIED,
    LQ_LINT_AT_LEAST_ONCE_FULL,
    LQ_LINT_POLICY_DELETES,
    LQ_LINT_CODE_COUNT
};

#define LQ_LINT_SEVERITY_COUNT 3

/* What a rule needs to find anything. A set of bits. */
enum lq_lint_need {
    LQ_LINT_NEEDS_BROKER = 1 << 0, /* what a broker holds */
    LQ_LINT_NEEDS_WINDOW = 1 << 1, /* a limit for the retry window */
    LQ_LINT_NEEDS_DISK = 1 << 2    /* a disk budget */
};

struct lq_lint_rule {
    const char *code; /* "LQ001" */
    const char *slug;
    enum lilyq_severity severity;
    unsigned needs;           /* enum lq_lint_need */
    bool policy_mends;        /* a policy on the broker can remedy it */
    bool common;              /* all entries with that type of queue have it */
    struct lq_version since;  /* the first broker that it holds for */
    struct lq_version before; /* the first that it no longer holds for */
    const char *happens;      /* one sentence, no full stop */
    const char *advice;       /* likewise */
};

/* The row of a code. */
const struct lq_lint_rule *lq_lint_rule(enum lq_lint_code code);

/* The code that is written "LQ001"; LQ_LINT_CODE_COUNT when there is none. */
enum lq_lint_code lq_lint_code_of(const char *text);

/* "note", "warning" or "error". */
const char *lq_lint_severity_word(enum lilyq_severity severity);

/*
 * Whether the rule holds for a broker of that version; for an unknown version,
 * whether it holds for any from 3.10 on.
 */
bool lq_lint_rule_holds(const struct lq_lint_rule *rule,
                        struct lq_version version);

/*
 * "RabbitMQ 4.0 and later", "RabbitMQ before 3.10"; "" when it holds for every
 * version.
 */
const char *lq_lint_rule_versions(const struct lq_lint_rule *rule,
                                  struct lq_arena *arena);

#endif
