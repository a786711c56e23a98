#ifndef LQ_FORMAT_RESOURCE_JSON_H
#define LQ_FORMAT_RESOURCE_JSON_H

#include "topology/topology.h"
#include "json/write.h"

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

/* An x-argument, or a key of a policy, as a member. */
void lq_json_argument(struct lq_json *json, const struct lq_argument *argument);

#endif
