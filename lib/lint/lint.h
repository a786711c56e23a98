/* Judges a plan by the rules of lint. */
#ifndef LQ_LINT_LINT_H
#define LQ_LINT_LINT_H

#include "compare/compare.h"
#include "lint/rule.h"
#include "model/entry.h"
#include "model/topology.h"
#include "policy/matcher.h"

#include <stdint.h>

/* What to judge a plan by; what is zero is not known. */
struct lq_lint_settings {
    struct lq_version version;  /* of the broker */
    uint64_t max_window_millis; /* the limit for the retry window */
    uint64_t max_disk_bytes;    /* the budget for all queues together */
    const struct lq_remark *remarks;
    size_t remark_count;
    const struct lq_live *live;       /* what a broker holds; or NULL */
    const struct lq_matcher *matcher; /* for its policies; set with `live` */
    const struct lq_diff *drift;      /* its diff, by entry; set with `live` */
};

/* One thing that a rule found. */
struct lq_lint_finding {
    enum lq_lint_code code;
    struct lq_place place;            /* a key's own line, else the entry's */
    const struct lq_logical *logical; /* whose it is; NULL: of no entry */
    enum lq_field field;              /* LQ_FIELD_COUNT: no single one */
    const char *text;                 /* one sentence, no full stop */
    const char *advice;               /* likewise */
    const char *reason;               /* for ignoring it; NULL: it counts */
    size_t order;                     /* its number in the order of finding */
};

struct lq_lint_report {
    struct lq_version version;
    const char *file;         /* of the first entry; NULL: there is none */
    struct lq_array findings; /* struct lq_lint_finding, by entry, the gravest
                                 of each first; those of no entry last */
    size_t counts[LQ_LINT_SEVERITY_COUNT]; /* of findings not ignored */
    size_t ignored;
};

/*
 * Judges a plan. Linear in its size, but for the sorting of what is found.
 * LQ_OK or LQ_NOMEM; the findings live in the arena and point into the plan.
 */
enum lq_status lq_lint(const struct lq_topology *topology,
                       const struct lq_lint_settings *settings,
                       struct lq_arena *arena,
                       struct lq_lint_report *out) LQ_CHECK;

const struct lq_lint_finding *lq_lint_at(const struct lq_lint_report *report,
                                         size_t index);

#endif
