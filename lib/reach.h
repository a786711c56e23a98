#ifndef LQ_REACH_H
#define LQ_REACH_H

#include "broker/amqp.h"
#include "lilyq.h"

/*
 * Opens the connection. A broker that is not reached is tried again for
 * `wait_millis`; only the last try's errors stay in `diags`. The hooks' stop
 * ends the waiting with LQ_LOST. Time spent here counts against the timeout
 * of the whole run. The status of lq_amqp_open().
 */
enum lq_status lq_reach(const struct lq_connection *connection,
                        unsigned wait_millis, const struct lilyq_hooks *hooks,
                        struct lq_diags *diags,
                        struct lq_broker **out) LQ_CHECK;

#endif
