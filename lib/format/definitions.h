#ifndef LQ_FORMAT_DEFINITIONS_H
#define LQ_FORMAT_DEFINITIONS_H

#include "base/diag.h"
#include "format/policies.h"
#include "lilyq.h"
#include "topology/topology.h"

/*
 * A definitions file for rabbitmqctl import_definitions and the HTTP API:
 * all that is framework-managed, with every object in `vhost`, as
 * lq_vhost_check() has it; `policies` too, unless NULL. LQ_OK, LQ_IO (the sink
 * refused) or LQ_NOMEM.
 */
enum lq_status lq_definitions_render(const struct lq_topology *topology,
                                     const char *vhost,
                                     const struct lq_policy_set *policies,
                                     const struct lilyq_sink *sink) LQ_CHECK;

#endif
