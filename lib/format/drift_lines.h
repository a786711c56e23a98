#ifndef LQ_FORMAT_DRIFT_LINES_H
#define LQ_FORMAT_DRIFT_LINES_H

#include "topology/finding.h"

#include "base/arena.h"
#include "base/status.h"

/* So many findings that are alike still have a line each. */
#define LQ_DRIFT_ALONE 3

/* Findings that say the same of different resources. */
struct lq_drift_line {
    const struct lq_finding *named[LQ_DRIFT_ALONE]; /* the first ones */
    size_t count;
};

/*
 * Puts findings together that are alike. `out` gets pointers to struct
 * lq_drift_line, in the order of appearance. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_drift_lines(const struct lq_finding *findings, size_t count,
                              struct lq_arena *arena,
                              struct lq_array *out) LQ_CHECK;

#endif
