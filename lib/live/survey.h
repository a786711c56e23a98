/* Learns what a broker holds, through its management API. */
#ifndef LQ_LIVE_SURVEY_H
#define LQ_LIVE_SURVEY_H

#include "broker/http/management.h"
#include "live/live.h"

/* What to read beyond exchanges, queues and bindings. */
struct lq_survey_wants {
    bool policies; /* operator policies too */
    bool figures;  /* messages and consumers of queues; slow on big brokers */
};

/*
 * Reads the virtual host of the settings' peer into `out`, in as few requests
 * as show it: its definitions, or where there are none for this user or this
 * virtual host, list by list; with figures of queues that are not among the
 * definitions, queues and bindings once more as lists, since exclusive queues
 * are in these alone. What the user may not see (operator policies,
 * the version) stays unseen. LQ_OK, or as lq_management_open(),
 * lq_management_get() and lq_management_expect(); LQ_REFUSED too for an answer
 * of another shape. `out` lives in the arena of `diags`.
 */
enum lq_status lq_survey(const struct lq_management_settings *settings,
                         const struct lq_survey_wants *wants,
                         struct lq_diags *diags, struct lq_live *out) LQ_CHECK;

#endif
