/* Settings that do nothing. */
#include "lint/run.h"

#include "topology/field.h"

static bool varies(const struct lq_logical *logical)
{
    for (size_t i = 0; i < logical->attempt_count; ++i) {
        if (logical->attempts[i].count > 1) {
            return true;
        }
    }
    return false;
}

static void check_jitter(struct lq_lint_run *run,
                         const struct lq_logical *logical)
{
    if (!varies(logical)) {
        lq_lint_found(run, LQ_LINT_JITTER_WITHOUT_EFFECT,
                      (struct lq_lint_spot){logical, LQ_RETRY_JITTER_RATIO},
                      "'retry_jitter_ratio' is set, but changes none of the "
                      "%zu delays",
                      logical->attempt_count);
    }
}

/* The first backoff field that the entry itself gives. */
static enum lq_field given_backoff(const struct lq_entry *entry)
{
    static const enum lq_field fields[] = {LQ_RETRY_BACKOFF_MILLIS,
                                           LQ_MAX_RETRY_BACKOFF_MILLIS,
                                           LQ_RETRY_JITTER_RATIO};
    const uint64_t own = entry->given & ~entry->inherited;

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); ++i) {
        if (own & lq_field_bit(fields[i])) {
            return fields[i];
        }
    }
    return LQ_FIELD_COUNT;
}

static void check_backoff(struct lq_lint_run *run,
                          const struct lq_logical *logical)
{
    const enum lq_field field = given_backoff(logical->entry);

    if (field != LQ_FIELD_COUNT) {
        lq_lint_found(run, LQ_LINT_BACKOFF_WITHOUT_ATTEMPTS,
                      (struct lq_lint_spot){logical, field},
                      "'%s' is set, but with retry_attempts = 0 there is no "
                      "retry to delay",
                      lq_field_name(field));
    }
}

void lq_lint_idle(struct lq_lint_run *run, const struct lq_logical *logical)
{
    if (logical->attempt_count == 0) {
        check_backoff(run, logical);
    } else if (logical->entry->retry_jitter_ratio > 0) {
        check_jitter(run, logical);
    }
}
