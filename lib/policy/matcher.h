/* The port to what matches names against the patterns of policies. */
#ifndef LQ_POLICY_MATCHER_H
#define LQ_POLICY_MATCHER_H

#include "base/status.h"

enum lq_match {
    LQ_MATCH_NO,
    LQ_MATCH_YES,
    LQ_MATCH_UNKNOWN /* what a broker answers cannot be told from here */
};

struct lq_matcher {
    void *context;
    /*
     * Compiles a pattern; the matcher owns the result. LQ_OK, with NULL for a
     * pattern that cannot be matched here, or LQ_NOMEM.
     */
    enum lq_status (*compile)(void *context, const char *pattern, void **out);
    /* Whether a compiled pattern matches a name. LQ_OK or LQ_NOMEM. */
    enum lq_status (*match)(void *context, void *pattern, const char *name,
                            enum lq_match *out);
};

#endif
