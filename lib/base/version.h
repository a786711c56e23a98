#ifndef LQ_BASE_VERSION_H
#define LQ_BASE_VERSION_H

#include <stdbool.h>

/* The version of a broker, as far as it matters. */
struct lq_version {
    bool known; /* false: the two below are 0 */
    unsigned major;
    unsigned minor;
};

/*
 * Reads "4", "4.0", "3.10.8", "4.3.0-rc.1" and the like. False, with nothing
 * known, for anything else.
 */
bool lq_version_read(const char *text, struct lq_version *out);

/* False when the version is not known. */
bool lq_version_is_before(struct lq_version version, unsigned major,
                          unsigned minor);

/* False when the version is not known. */
bool lq_version_is_from(struct lq_version version, unsigned major,
                        unsigned minor);

#endif
