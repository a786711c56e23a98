/* Reads what a broker holds from the JSON that it writes. */
#ifndef LQ_LIVE_READ_H
#define LQ_LIVE_READ_H

#include "live/live.h"
#include "json/read.h"

/*
 * All of these add what a document holds of the virtual host of `live`, note
 * which parts are seen, and take time linear in the document. Fields that a
 * broker may leave out are then unknown; any other shape is an error with its
 * path. The texts of `live` are in the arena of `diags`. LQ_OK, LQ_INVALID or
 * LQ_NOMEM.
 */

/*
 * A definitions file, or what GET /api/definitions and /api/definitions/VHOST
 * answer. Objects with a "vhost" count when it is that of `live`, objects
 * without one always; LQ_INVALID when the document is about other virtual
 * hosts only. When `live` has no virtual host, it gets the only one of the
 * document, and several are LQ_INVALID. A part that `live` has already is
 * passed over, and a part that the document lacks stays unseen. Exchanges named
 * amq.… are not in such documents; those that every virtual host has are added.
 */
enum lq_status lq_live_read_definitions(struct lq_live *live,
                                        const struct lq_json_source *source,
                                        struct lq_diags *diags) LQ_CHECK;

/* What GET /api/exchanges/VHOST answers, amq.… included. */
enum lq_status lq_live_read_exchanges(struct lq_live *live,
                                      const struct lq_json_source *source,
                                      struct lq_diags *diags) LQ_CHECK;

/* GET /api/queues/VHOST, with or without statistics. */
enum lq_status lq_live_read_queues(struct lq_live *live,
                                   const struct lq_json_source *source,
                                   struct lq_diags *diags) LQ_CHECK;

/* GET /api/bindings/VHOST */
enum lq_status lq_live_read_bindings(struct lq_live *live,
                                     const struct lq_json_source *source,
                                     struct lq_diags *diags) LQ_CHECK;

/* GET /api/policies/VHOST */
enum lq_status lq_live_read_policies(struct lq_live *live,
                                     const struct lq_json_source *source,
                                     struct lq_diags *diags) LQ_CHECK;

/* GET /api/operator-policies/VHOST */
enum lq_status
lq_live_read_operator_policies(struct lq_live *live,
                               const struct lq_json_source *source,
                               struct lq_diags *diags) LQ_CHECK;

/*
 * GET /api/queues/VHOST once more, for the numbers of messages and consumers
 * of the queues that `live` has. One without numbers stays uncounted.
 */
enum lq_status lq_live_read_figures(struct lq_live *live,
                                    const struct lq_json_source *source,
                                    struct lq_diags *diags) LQ_CHECK;

/* GET /api/overview, for the version. */
enum lq_status lq_live_read_overview(struct lq_live *live,
                                     const struct lq_json_source *source,
                                     struct lq_diags *diags) LQ_CHECK;

#endif
