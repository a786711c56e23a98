/*
 * Reads one object of a document into what a broker holds: LQ_OK, LQ_INVALID
 * (reported) or LQ_NOMEM.
 */
#ifndef LQ_LIVE_ITEM_H
#define LQ_LIVE_ITEM_H

#include "live/shape.h"

enum lq_status lq_live_item_exchange(const struct lq_live_reader *reader,
                                     const struct lq_node *object) LQ_CHECK;

enum lq_status lq_live_item_queue(const struct lq_live_reader *reader,
                                  const struct lq_node *object) LQ_CHECK;

enum lq_status lq_live_item_binding(const struct lq_live_reader *reader,
                                    const struct lq_node *object) LQ_CHECK;

enum lq_status lq_live_item_policy(const struct lq_live_reader *reader,
                                   const struct lq_node *object) LQ_CHECK;

enum lq_status
lq_live_item_operator_policy(const struct lq_live_reader *reader,
                             const struct lq_node *object) LQ_CHECK;

/* A parameter of a plugin, or, in definitions, an operator policy. */
enum lq_status lq_live_item_parameter(const struct lq_live_reader *reader,
                                      const struct lq_node *object) LQ_CHECK;

/* The numbers of messages and consumers of a queue that is there. */
enum lq_status lq_live_item_figures(const struct lq_live_reader *reader,
                                    const struct lq_node *object) LQ_CHECK;

#endif
