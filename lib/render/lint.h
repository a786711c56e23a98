#ifndef LQ_RENDER_LINT_H
#define LQ_RENDER_LINT_H

#include "lilyq.h"
#include "lint/lint.h"
#include "render/suite.h"

/*
 * The forms of what lint found. All return LQ_OK, LQ_IO (the sink refused) or
 * LQ_NOMEM.
 */

/*
 * A line for each finding that counts, entry by entry, with the advice at the
 * first of a code. What all entries of a type of queue have is told of the
 * first only, unless it is of the severity `fails_from` or above.
 */
enum lq_status lq_lint_text_render(const struct lq_lint_report *report,
                                   enum lilyq_severity fails_from,
                                   struct lq_arena *arena,
                                   const struct lilyq_sink *sink) LQ_CHECK;

/* The lilyq-lint document; has what is ignored too. */
enum lq_status lq_lint_json_render(const struct lq_lint_report *report,
                                   const struct lilyq_sink *sink) LQ_CHECK;

/* A log in SARIF 2.1.0, where what is ignored is suppressed. */
enum lq_status lq_lint_sarif_render(const struct lq_lint_report *report,
                                    struct lq_arena *arena,
                                    const struct lilyq_sink *sink) LQ_CHECK;

/*
 * What counts, as the cases that JUnit and GitHub are shown: one for each
 * entry, and one for all else. A row fails its case from that severity on.
 * LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_lint_suite(const struct lq_topology *topology,
                             const struct lq_lint_report *report,
                             enum lilyq_severity fails_from,
                             struct lq_arena *arena,
                             struct lq_suite *out) LQ_CHECK;

/*
 * "[queue:NAME] text", with the versions that it holds for when the broker's
 * is not known.
 */
const char *lq_lint_message(const struct lq_lint_report *report,
                            const struct lq_lint_finding *finding,
                            struct lq_arena *arena);

#endif
