#ifndef LQ_TOPOLOGY_PERMISSIONS_H
#define LQ_TOPOLOGY_PERMISSIONS_H

#include "base/diag.h"
#include "lilyq.h"
#include "topology/grants.h"

/* One regular expression for each permission, indexed by enum lq_access. */
struct lq_permissions {
    const char *patterns[LQ_ACCESS_COUNT];
};

/*
 * The least that lets a user in that role do its work. LQ_OK, with a warning in
 * `diags` if only some brokers take so long a pattern. LQ_NOMEM, or LQ_INVALID
 * with an error: no broker takes it, or a name has another meaning there.
 */
enum lq_status lq_permissions_build(const struct lq_topology *topology,
                                    enum lilyq_role role,
                                    struct lq_diags *diags,
                                    struct lq_permissions *out) LQ_CHECK;

/* "deployer", "publisher", "consumer" or "operator"; a constant. */
const char *lq_user_role_word(enum lilyq_role role);

#endif
