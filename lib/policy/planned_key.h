/* The policy keys that matter to a plan, and when their values are drift. */
#ifndef LQ_POLICY_PLANNED_KEY_H
#define LQ_POLICY_PLANNED_KEY_H

#include "policy/in_force.h"

/* A planned queue, and what is in force for it. */
struct lq_shadow_view {
    const struct lq_live *live;
    const struct lq_queue *queue;
    enum lq_target target;
    struct lq_in_force in_force;
};

/* A key that matters to a plan. */
struct lq_shadow_key {
    const char *name;
    /* whether a value that a policy puts in force is drift */
    bool (*is_drift)(const struct lq_shadow_view *view,
                     const struct lq_effective *value);
    /* whether the broker then deletes the queue, or messages that the plan
       keeps; NULL: never */
    bool (*removes)(const struct lq_shadow_view *view);
};

#define LQ_SHADOW_KEY_COUNT 9

extern const struct lq_shadow_key lq_shadow_keys[LQ_SHADOW_KEY_COUNT];

/* Whether a key is one of these, or is known never to be drift. */
bool lq_shadow_knows(const char *key);

#endif
