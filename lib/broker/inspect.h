#ifndef LQ_BROKER_INSPECT_H
#define LQ_BROKER_INSPECT_H

#include "broker/apply.h"
#include "compare/compare.h"

/*
 * Compares a plan with a broker over AMQP alone, and writes nothing, whatever
 * else happens there at the same time. What is missing is found by passive
 * declarations; what is there and managed is compared by declarations that
 * cannot create anything, unless `passive_only`. Of each exchange and queue
 * that differs the first difference is known. What AMQP does not show is
 * unverified: bindings, unless an end of theirs is missing, and with
 * `passive_only` the arguments of all that is there. Of what the plan does not
 * have nothing is seen. Of the options the mode and `live` are not used.
 *
 * LQ_OK; LQ_REFUSED when something is denied, each with an error, or the
 * options say stop; LQ_LOST; LQ_NOMEM.
 */
enum lq_status lq_inspect(struct lq_broker *broker,
                          const struct lq_topology *plan,
                          const struct lq_apply_options *options,
                          struct lq_diags *diags, struct lq_diff *out) LQ_CHECK;

#endif
