/* What the parts of lq_diff() share. */
#ifndef LQ_TOPOLOGY_DIFFER_H
#define LQ_TOPOLOGY_DIFFER_H

#include "topology/diff.h"

/* A comparison under way, and what its next finding is about. */
struct lq_differ {
    const struct lq_live *live;
    struct lq_arena *arena;
    struct lq_diff *diff;
    struct lq_finding about;
};

static const struct lq_side_value lq_no_value = {NULL, NULL};

struct lq_side_value lq_text_value(const char *text);
struct lq_side_value lq_actual_value(const struct lq_live_argument *value);

/* A text of NULL is out of memory. */
struct lq_side_value lq_planned_value(const struct lq_argument *argument,
                                      struct lq_arena *arena);

/* Adds a finding about the resource as a whole: LQ_OK or LQ_NOMEM. */
enum lq_status lq_differ_add(const struct lq_differ *differ,
                             enum lq_finding_code code) LQ_CHECK;

/* The same about a field of the resource. */
enum lq_status lq_differ_add_field(const struct lq_differ *differ,
                                   enum lq_finding_code code, const char *field,
                                   const struct lq_side_value *planned,
                                   const struct lq_side_value *actual) LQ_CHECK;

/* The same about an argument that is there, but not planned. */
enum lq_status
lq_differ_add_extra(const struct lq_differ *differ, enum lq_finding_code code,
                    const struct lq_live_argument *argument) LQ_CHECK;

/* Adds a finding if a field differs, or is not seen (NULL, or unknown). */
enum lq_status lq_differ_compare_text(const struct lq_differ *differ,
                                      enum lq_finding_code code,
                                      const char *field, const char *planned,
                                      const char *actual) LQ_CHECK;
enum lq_status lq_differ_compare_flag(const struct lq_differ *differ,
                                      enum lq_finding_code code,
                                      const char *field, bool planned,
                                      enum lq_live_flag actual) LQ_CHECK;

/* Compares a queue with the one of its name. */
enum lq_status lq_differ_check_queue(struct lq_differ *differ,
                                     const struct lq_queue *queue) LQ_CHECK;

#endif
