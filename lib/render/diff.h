#ifndef LQ_RENDER_DIFF_H
#define LQ_RENDER_DIFF_H

#include "compare/compare.h"
#include "lilyq.h"

#include <stdbool.h>

/* What a comparison found, and where it looked. */
struct lq_drift {
    const struct lq_topology *plan;
    struct lq_diff diff; /* by logical queue, in the order of the plan */
    bool has_policies;   /* lilyq's own policies were compared too */
    bool lacks_policies; /* they were not, and it may matter */
    enum lilyq_source_kind kind;
    const char *source;  /* an address or a file, printable */
    const char *vhost;   /* of the source; NULL: it has none */
    const char *version; /* of the broker, or NULL: not known */
};

/*
 * For people: the findings by logical queue, then what to do about them. Like
 * findings of a queue share a line once there are many. `arena` is for scratch,
 * here and below. LQ_OK, LQ_IO (the sink refused) or LQ_NOMEM.
 */
enum lq_status lq_drift_text_render(const struct lq_drift *drift,
                                    const struct lilyq_diff_style *style,
                                    struct lq_arena *arena,
                                    const struct lilyq_sink *sink) LQ_CHECK;

/* The lilyq-diff document, format_version 1 (man/lilyq-diff.schema.json). */
enum lq_status lq_drift_json_render(const struct lq_drift *drift,
                                    const struct lilyq_diff_style *style,
                                    struct lq_arena *arena,
                                    const struct lilyq_sink *sink) LQ_CHECK;

/* See render/suite.h: a case is a logical queue, those in sync too. */
enum lq_status lq_drift_junit_render(const struct lq_drift *drift,
                                     const struct lilyq_diff_style *style,
                                     struct lq_arena *arena,
                                     const struct lilyq_sink *sink) LQ_CHECK;
enum lq_status lq_drift_github_render(const struct lq_drift *drift,
                                      const struct lilyq_diff_style *style,
                                      struct lq_arena *arena,
                                      const struct lilyq_sink *sink) LQ_CHECK;

#endif
