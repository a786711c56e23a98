/* Looks at all that a broker holds, where a source shows it. */
#ifndef LQ_LOOK_H
#define LQ_LOOK_H

#include "session.h"
#include "survey.h"
#include "topology/live.h"

/* What was seen, and where. */
struct lq_sight {
    struct lq_live live;
    const char *source; /* "http://host:15672" or a file's name; printable */
};

/*
 * Looks through the connection's management API, which it must have. LQ_OK, or
 * as lq_session_resolve(), lq_session_management() and lq_preflight().
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
