#ifndef LQ_API_SESSION_H
#define LQ_API_SESSION_H

#include "apply/apply.h"
#include "base/diag.h"
#include "config/load.h"
#include "lilyq.h"
#include "lint/lint.h"
#include "model/topology.h"
#include "policy/own_policies.h"
#include "render/diff.h"

#include <stdbool.h>
#include <stddef.h>

/* How far a run has come. */
enum lq_stage {
    LQ_STAGE_LOADING, /* documents may still be added */
    LQ_STAGE_PLANNED, /* lilyq_plan() was called: `outcome` */
    LQ_STAGE_APPLIED  /* ... and there is a report */
};

/* What a struct lilyq holds; all of it is in the arena. */
struct lilyq {
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_config config;
    struct lq_array problems; /* struct lilyq_problem *, one for each diag */
    enum lq_stage stage;
    enum lq_status outcome;             /* of the plan */
    const struct lq_topology *topology; /* NULL unless planned well */
    struct lq_apply_report report;
    struct lq_drift drift;
    bool compared; /* there is a drift to render */
    bool linted;   /* `lint` holds what was found */
    struct lq_lint_report lint;
    const struct lilyq_sink *sink; /* of lq_session_sink() */
    struct lilyq_sink guarded;
};

/*
 * Ends a public function: orders the diags from `first` on by place and makes
 * problems of them. Returns the status, or LILYQ_NOMEM when memory ran out at
 * any time.
 */
enum lilyq_status lq_session_end(struct lilyq *run, size_t first,
                                 enum lq_status status) LQ_CHECK;

/*
 * The sink to render into: once memory has run out, nothing more reaches the
 * caller's. Valid until the next call.
 */
const struct lilyq_sink *lq_session_sink(struct lilyq *run,
                                         const struct lilyq_sink *sink);

/*
 * Reads the version of a broker; it is not known if `text` is NULL. LQ_OK,
 * LQ_NOMEM, or LQ_INVALID with an error in `diags`.
 */
enum lq_status lq_session_version(const char *text, struct lq_diags *diags,
                                  struct lq_version *out) LQ_CHECK;

/*
 * Checks the name of a virtual host; NULL means "/". LQ_OK, LQ_NOMEM, or
 * LQ_INVALID with an error in `diags`: no virtual host can have that name.
 */
enum lq_status lq_session_vhost(const char *vhost, struct lq_diags *diags,
                                const char **out) LQ_CHECK;

/*
 * Reads what the options ask for. LQ_OK, LQ_NOMEM, or LQ_INVALID with an error
 * in `diags`.
 */
enum lq_status
lq_session_policy_wants(const struct lilyq_policy_options *options,
                        struct lq_diags *diags,
                        struct lq_policy_wants *out) LQ_CHECK;

/*
 * Builds the policies of a plan for a broker of that version. If `version` is
 * NULL, it is not known, and they are those of the newest. If `options` is
 * NULL,
 * `*out` is NULL. LQ_INVALID also for native retry, which cannot be combined
 * with v2.
 */
enum lq_status
lq_session_own_policies(const struct lq_topology *plan, const char *version,
                        const struct lilyq_policy_options *options,
                        struct lq_diags *diags,
                        const struct lq_own_policies **out) LQ_CHECK;

#endif
