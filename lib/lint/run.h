/* What the checks of lint share. */
#ifndef LQ_LINT_RUN_H
#define LQ_LINT_RUN_H

#include "lint/lint.h"
#include "policy/in_force.h"

#include <stdbool.h>

/* A run of all checks, which need not look whether memory ran out. */
struct lq_lint_run {
    const struct lq_topology *topology;
    const struct lq_lint_settings *settings;
    struct lq_arena *arena;
    struct lq_array findings;           /* struct lq_lint_finding */
    const struct lq_lint_guard *guards; /* one an entry; NULL: not known */
};

/* What policies of the broker do for an entry. */
struct lq_lint_guard {
    const struct lq_live_policy *at_least_once; /* keeps what its buckets cannot
                                                   deliver; NULL: not in all */
    const struct lq_live_policy *main_keeper; /* the same for the main queue */
    struct lq_effective main_limit; /* its delivery limit; without a value: the
                                       broker's own holds */
    struct lq_effective dead_limit; /* the same for the dead-letter queue */
    bool bare; /* a bucket has no policy that keeps its messages */
};

/* Where a finding belongs. */
struct lq_lint_spot {
    const struct lq_logical *logical;
    enum lq_field field; /* LQ_FIELD_COUNT: the entry as a whole */
};

/*
 * Adds a finding with the rule's advice, unless the rule does not hold for the
 * version of the broker.
 */
void lq_lint_found(struct lq_lint_run *run, enum lq_lint_code code,
                   struct lq_lint_spot spot, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for a finding that belongs to no entry; `place` may be NULL. */
void lq_lint_found_at(struct lq_lint_run *run, enum lq_lint_code code,
                      const struct lq_place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A text for messages. */
const char *lq_lint_format(struct lq_lint_run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "[queue:NAME] (file:line)" */
const char *lq_lint_entry_text(struct lq_lint_run *run,
                               const struct lq_logical *logical);

/* A text of the broker, made printable. */
const char *lq_lint_shown(struct lq_lint_run *run, const char *text);

/* "retention.main_max_bytes = 1000" */
const char *lq_lint_number_text(struct lq_lint_run *run, enum lq_field field,
                                uint64_t number);

/* What policies do for the entry, as far as that is known. */
const struct lq_lint_guard *lq_lint_guard(const struct lq_lint_run *run,
                                          const struct lq_logical *logical);

/* Finds what policies do for each entry, if there is a broker to ask. */
void lq_lint_find_guards(struct lq_lint_run *run);

static inline bool lq_lint_is_quorum(const struct lq_logical *logical)
{
    return logical->entry->queue_type == LQ_QUORUM;
}

/* The checks of one entry, each in the file of its theme. */
void lq_lint_loss(struct lq_lint_run *run, const struct lq_logical *logical);
void lq_lint_times(struct lq_lint_run *run, const struct lq_logical *logical);
void lq_lint_lifetime(struct lq_lint_run *run,
                      const struct lq_logical *logical);
void lq_lint_names(struct lq_lint_run *run, const struct lq_logical *logical);
void lq_lint_bounds(struct lq_lint_run *run, const struct lq_logical *logical);
void lq_lint_idle(struct lq_lint_run *run, const struct lq_logical *logical);

/* The checks of the whole plan. */
void lq_lint_routes(struct lq_lint_run *run);
void lq_lint_limits(struct lq_lint_run *run);
void lq_lint_versions(struct lq_lint_run *run);
void lq_lint_policies(struct lq_lint_run *run);
void lq_lint_unapplied(struct lq_lint_run *run);
void lq_lint_bindings(struct lq_lint_run *run);

/* Applies the ignore comments to all findings, and checks the comments too. */
void lq_lint_ignores(struct lq_lint_run *run);

#endif
