#ifndef JUDGE_H
#define JUDGE_H

#include "base/diag.h"
#include "model/topology.h"

#include <jansson.h>

/*
 * Compares a topology with the "ok" of a vector: every logical queue's delays,
 * every exchange, queue, argument (its wire type included) and binding, in
 * order. NULL when equal, else what differs first, in the arena.
 */
const char *judge_topology(struct lq_arena *arena,
                           const struct lq_topology *topology,
                           const json_t *ok);

/*
 * Whether one of the problems is the vector's "error": NULL, or what is
 * missing from all of them.
 */
const char *judge_error(struct lq_arena *arena, const struct lq_diags *diags,
                        const json_t *error);

#endif
