#ifndef LQ_RENDER_PLAN_H
#define LQ_RENDER_PLAN_H

#include "base/arena.h"
#include "base/diag.h"
#include "lilyq.h"
#include "model/topology.h"
#include "render/policies.h"
#include "json/write.h"

/*
 * The lilyq-plan document, format_version 1 (man/lilyq-plan.schema.json).
 * The warnings among `diags` go into it. LQ_OK, LQ_IO (the sink refused) or
 * LQ_NOMEM.
 */
enum lq_status lq_plan_json_render(const struct lq_topology *topology,
                                   const struct lq_diags *diags,
                                   const struct lilyq_sink *sink) LQ_CHECK;

/* The members that say what an entry's main queue is, and where. */
void lq_json_main_queue(struct lq_json *json, const struct lq_entry *entry);

/*
 * Writes a logical queue of the plan document: where it is, its delays,
 * buckets, waits and bounds.
 */
void lq_json_logical(struct lq_json *json, const struct lq_logical *logical);

/* {"messages": ..., "bytes": ...} with null for a sum that is not known. */
void lq_json_capacity(struct lq_json *json, const char *key,
                      const struct lq_capacity *capacity);

/*
 * Members that a resource has in a RabbitMQ definitions file, for an object
 * already begun. `vhost` is left out when it is NULL.
 */
void lq_json_exchange(struct lq_json *json, const struct lq_exchange *exchange,
                      const char *vhost);
void lq_json_queue(struct lq_json *json, const struct lq_queue *queue,
                   const char *vhost);
void lq_json_binding(struct lq_json *json, const struct lq_binding *binding,
                     const char *vhost);

/*
 * The tree of each logical queue, its exchanges, buckets and DLQ.
 * LQ_OK or LQ_IO (the sink refused).
 */
enum lq_status lq_tree_render(const struct lq_topology *topology,
                              const struct lilyq_sink *sink) LQ_CHECK;

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

/*
 * The flow of messages between exchanges and queues (publish, retry, return,
 * dead-letter), TTLs as labels, in Graphviz DOT. `arena` is for scratch.
 * LQ_OK, LQ_IO (the sink refused) or LQ_NOMEM.
 */
enum lq_status lq_dot_render(const struct lq_topology *topology,
                             struct lq_arena *arena,
                             const struct lilyq_sink *sink) LQ_CHECK;

/* The same as a Mermaid flowchart. */
enum lq_status lq_mermaid_render(const struct lq_topology *topology,
                                 struct lq_arena *arena,
                                 const struct lilyq_sink *sink) LQ_CHECK;

#endif
