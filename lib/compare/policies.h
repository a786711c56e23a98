/* The policies of a plan, compared with those of a broker or a plan before. */
#ifndef LQ_COMPARE_POLICIES_H
#define LQ_COMPARE_POLICIES_H

#include "compare/compare.h"
#include "policy/conflict.h"

/*
 * Adds to `diff` what keeps the policies from being in force as they should:
 *
 * - one is missing, or has another pattern, apply-to, priority or definition:
 *   a finding for each field and key that differs;
 * - it has a queue that the plan does not know, and would lose it: it may be
 *   another topology's, and is not compared;
 * - another policy is in force for its queues in its place, or may be;
 * - one named as ours is there, and no longer planned;
 * - where `live` does not show policies, each is unverified; so is the
 *   delivery-limit of quorum DLQs where it does not tell the version.
 *
 * They are of no logical queue. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_diff_own_policies(const struct lq_policy_case *about,
                                    struct lq_arena *arena,
                                    struct lq_diff *diff) LQ_CHECK;

/*
 * Adds what a change from one plan's policies to another's leads to: which are
 * created, changed, and left behind. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_change_own_policies(const struct lq_own_policies *before,
                                      const struct lq_own_policies *after,
                                      struct lq_arena *arena,
                                      struct lq_diff *diff) LQ_CHECK;

/*
 * The version to make the policies of a plan for where a broker's is not known:
 * one that has all of them.
 */
struct lq_version lq_own_policy_version(const char *known);

#endif
