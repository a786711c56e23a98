/* What the policies of a plan are called. */
#ifndef LQ_TOPOLOGY_POLICY_NAMES_H
#define LQ_TOPOLOGY_POLICY_NAMES_H

#include "topology/own_policies.h"

/* Kinds of policies that a topology may have, from 0. */
#define LQ_POLICY_KIND_COUNT 3

/*
 * "lilyq-NAME-KIND-2", where the first of a kind has no number, and `name` may
 * be NULL; NULL when out of memory.
 */
const char *lq_policy_name(struct lq_arena *arena, const char *name,
                           enum lq_policy_kind kind, size_t index);

#endif
