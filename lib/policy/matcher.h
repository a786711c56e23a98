/* What matches names with the patterns of policies: a port. */
#ifndef LQ_TOPOLOGY_MATCHER_H
#define LQ_TOPOLOGY_MATCHER_H

#include "base/status.h"

enum lq_match {
    LQ_MATCH_NO,
    LQ_MATCH_YES,
    LQ_MATCH_UNKNOWN /* a broker's answer cannot be told from here */
};

struct lq_matcher {
    void *context;
    /*
     * Makes a pattern ready, which stays the matcher's own. LQ_OK, with NULL
     * for one that cannot be matched here, or LQ_NOMEM.
     */
    enum lq_status (*compile)(void *context, const char *pattern, void **out);
    /* Whether a ready pattern matches a name. LQ_OK or LQ_NOMEM. */
    enum lq_status (*match)(void *context, void *pattern, const char *name,
                            enum lq_match *out);
};

#endif
