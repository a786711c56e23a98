#ifndef LQ_BROKER_AMQP_AMQP_H
#define LQ_BROKER_AMQP_AMQP_H

#include "base/diag.h"
#include "broker/broker.h"
#include "broker/connection.h"

/*
 * Connects and logs in. Errors name host, port, vhost and user. LQ_OK;
 * LQ_LOST (not reached, timed out, hung up: trying again may help);
 * LQ_REFUSED (credentials, vhost, certificate, or no AMQP 0-9-1 peer: trying
 * again will not help); LQ_INVALID (settings) or LQ_NOMEM. The timeout of the
 * whole run starts here. The connection's strings must outlive it: a broker
 * that allows fewer channels is connected to again. The broker lives in the
 * arena of `diags`, which also take later errors; the caller closes it with
 * lq_amqp_close().
 */
enum lq_status lq_amqp_open(const struct lq_connection *connection,
                            struct lq_diags *diags,
                            struct lq_broker **out) LQ_CHECK;

/* Says goodbye if the peer still listens, and hangs up. NULL is fine. */
void lq_amqp_close(struct lq_broker *broker);

#endif
