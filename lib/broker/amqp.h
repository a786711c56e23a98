#ifndef LQ_BROKER_AMQP_H
#define LQ_BROKER_AMQP_H

#include "base/diag.h"
#include "broker/broker.h"
#include "broker/connection.h"

/*
 * Connects and logs in. Errors name host, port, vhost and user. LQ_OK,
 * LQ_LOST (not reached, not an AMQP 0-9-1 peer, timed out, TLS), LQ_REFUSED
 * (credentials or vhost), LQ_INVALID (settings) or LQ_NOMEM. The broker
 * belongs to the caller: lq_amqp_close().
 */
enum lq_status lq_amqp_open(const struct lq_connection *connection,
                            struct lq_diags *diags,
                            struct lq_broker **out) LQ_CHECK;

void lq_amqp_close(struct lq_broker *broker);

#endif
