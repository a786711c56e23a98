/* Looks at all that a broker holds, where a source shows it. */
#ifndef LQ_LIVE_LOOK_H
#define LQ_LIVE_LOOK_H

#include "broker/resolve.h"
#include "lilyq.h"
#include "live/live.h"
#include "live/survey.h"

/* Where to look, and at what. */
struct lq_view {
    const struct lq_route *route; /* its times count */
    const struct lq_management_settings *management;
    const struct lq_survey_wants *wants;
    const struct lilyq_hooks *hooks;
};

/*
 * Reads what the virtual host holds, as often as lq_persist() tries. The status
 * of lq_survey().
 */
enum lq_status lq_preflight(const struct lq_view *view, struct lq_diags *diags,
                            struct lq_live *out) LQ_CHECK;

/* What was seen, and where. */
struct lq_sight {
    struct lq_live live;
    const char *source; /* "http://host:15672" or a file's name; printable */
};

/*
 * Looks through the connection's management API, which it must have. LQ_OK, or
 * as lq_resolve(), lq_resolve_management() and lq_preflight().
 */
enum lq_status lq_look_management(const struct lilyq_connection *connection,
                                  const struct lq_survey_wants *wants,
                                  const struct lilyq_hooks *hooks,
                                  struct lq_diags *diags,
                                  struct lq_sight *out) LQ_CHECK;

/* Looks into a file. LQ_OK, LQ_INVALID, LQ_IO or LQ_NOMEM. */
enum lq_status lq_look_definitions(const struct lilyq_definitions *definitions,
                                   struct lq_diags *diags,
                                   struct lq_sight *out) LQ_CHECK;

#endif
