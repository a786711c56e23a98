/* Comparisons with what is not all that a broker holds. */
#ifndef LQ_DRIFT_SOURCES_H
#define LQ_DRIFT_SOURCES_H

#include "session.h"

/*
 * Compares the run's topology with a broker over AMQP alone, with
 * lq_amqp_diff(); what AMQP never shows is unverified. LQ_OK, or as lq_reach()
 * and lq_amqp_diff().
 */
enum lq_status lq_drift_amqp(struct lilyq *run,
                             const struct lilyq_source *source,
                             const struct lilyq_hooks *hooks,
                             struct lq_drift *out) LQ_CHECK;

/*
 * Finds what the change from the source's earlier plan to the run's topology
 * leads to, with lq_change(). LQ_OK, LQ_IO, LQ_NOMEM, or LQ_INVALID: the
 * earlier plan has errors.
 */
enum lq_status lq_drift_earlier(struct lilyq *run,
                                const struct lilyq_source *source,
                                struct lq_drift *out) LQ_CHECK;

#endif
