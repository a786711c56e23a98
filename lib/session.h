#ifndef LQ_SESSION_H
#define LQ_SESSION_H

#include "base/diag.h"
#include "apply/apply.h"
#include "broker/management.h"
#include "config/load.h"
#include "format/drift_report.h"
#include "format/policies.h"
#include "lilyq.h"
#include "lint/lint.h"
#include "reach.h"
#include "topology/topology.h"

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
};

/*
 * Ends a public function: the diags from `first` on are ordered by place and
 * become problems. Returns the status, or LILYQ_NOMEM.
 */
enum lilyq_status lq_session_end(struct lilyq *run, size_t first,
                                 enum lq_status status) LQ_CHECK;

/*
 * The version of a broker, not known when `text` is NULL. LQ_OK, LQ_NOMEM, or
 * LQ_INVALID with an error in `diags`.
 */
enum lq_status lq_session_version(const char *text, struct lq_diags *diags,
                                  struct lq_version *out) LQ_CHECK;

/* Begins a report in which nothing was done yet: LQ_OK or LQ_NOMEM. */
enum lq_status lq_session_begin_report(struct lilyq *run,
                                       enum lq_apply_mode mode) LQ_CHECK;

/* Counts up what the run's report says. */
void lq_session_summarise(const struct lilyq *run, struct lilyq_report *out);

/*
 * The policies that the options ask for, of the run's topology, which it must
 * have. `vhost` NULL: "/". LQ_OK, LQ_NOMEM, or LQ_INVALID with an error in the
 * run's diags.
 */
enum lq_status lq_session_policies(struct lilyq *run, const char *vhost,
                                   const struct lilyq_policy_options *options,
                                   struct lq_policy_set *out) LQ_CHECK;

/*
 * The same of any plan for a broker of that version; NULL: it is not known,
 * then all that a newer one would have. `options` NULL: `out` is NULL too.
 * LQ_INVALID also for native retry, which never goes with v2.
 */
enum lq_status
lq_session_own_policies(const struct lq_topology *plan, const char *version,
                        const struct lilyq_policy_options *options,
                        struct lq_diags *diags,
                        const struct lq_own_policies **out) LQ_CHECK;

/*
 * The ways that a connection names, with the URLs read and defaults filled in;
 * no username means that of the client certificate. LQ_INVALID adds to `diags`
 * what is wrong; their arena takes the strings.
 */
enum lq_status lq_session_resolve(const struct lilyq_connection *connection,
                                  struct lq_diags *diags,
                                  struct lq_route *out) LQ_CHECK;

/*
 * The settings of the connection's management API, which must have one. What
 * its URL leaves open is as for the route's first way.
 */
enum lq_status
lq_session_management(const struct lilyq_connection *connection,
                      const struct lq_route *route, struct lq_diags *diags,
                      struct lq_management_settings *out) LQ_CHECK;

/* "http://host:15672", printable; NULL when out of memory. */
const char *
lq_management_address(struct lq_arena *arena,
                      const struct lq_management_settings *management);

#endif
