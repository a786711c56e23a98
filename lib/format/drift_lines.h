#ifndef LQ_FORMAT_DRIFT_LINES_H
#define LQ_FORMAT_DRIFT_LINES_H

#include "compare/finding.h"

#include "base/map.h"

/* So many findings that are alike still have a line each. */
#define LQ_DRIFT_ALONE 3

/* Findings that say the same of different resources. */
struct lq_drift_line {
    const struct lq_finding *named[LQ_DRIFT_ALONE]; /* the first ones */
    size_t count;
};

/* Findings put together by what they say. */
struct lq_drift_lines {
    struct lq_arena *arena;
    struct lq_map index;
    struct lq_array list; /* struct lq_drift_line *, in order of appearance */
};

void lq_drift_lines_begin(struct lq_drift_lines *lines, struct lq_arena *arena);

/* Adds a finding to those that are like it: LQ_OK or LQ_NOMEM. */
enum lq_status lq_drift_lines_add(struct lq_drift_lines *lines,
                                  const struct lq_finding *finding) LQ_CHECK;

/* How many are like a finding; 0 too when out of memory. */
size_t lq_drift_lines_like(const struct lq_drift_lines *lines,
                           const struct lq_finding *finding);

#endif
