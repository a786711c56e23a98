/* The rows of lint/rule.h, which are in three parts. */
#ifndef LQ_LINT_RULE_ROWS_H
#define LQ_LINT_RULE_ROWS_H

#include "lint/rule.h"

/* The first code of each part. */
#define LQ_LINT_FIRST_FLOW ((int)LQ_LINT_LOSS_FULL_MAIN)
#define LQ_LINT_FIRST_INPUT ((int)LQ_LINT_RESERVED_NAME)
#define LQ_LINT_FIRST_BROKER ((int)LQ_LINT_AT_LEAST_ONCE_ROUNDS)

extern const struct lq_lint_rule lq_lint_flow_rules[];
extern const struct lq_lint_rule lq_lint_input_rules[];
extern const struct lq_lint_rule lq_lint_broker_rules[];

#define ROW(code_, slug_, severity_, when, happens_, advice_)                  \
    {                                                                          \
        .code = (code_), .slug = (slug_),                                      \
        .severity = LILYQ_SEVERITY_##severity_, .happens = (happens_),         \
        .advice = (advice_), when                                              \
    }

/* When a rule applies, as its last members. */
#define ALWAYS .needs = 0
#define BROKER .needs = LQ_LINT_NEEDS_BROKER
#define WINDOW .needs = LQ_LINT_NEEDS_WINDOW
#define DISK .needs = LQ_LINT_NEEDS_DISK
#define COMMON_BROKER BROKER, .common = true
#define MENDABLE .policy_mends = true
#define COMMON_MENDABLE MENDABLE, .common = true
#define MENDABLE_FROM_4_0 .policy_mends = true, .since = {true, 4, 0}
#define COMMON_MENDABLE_FROM_4_0 MENDABLE_FROM_4_0, .common = true
#define FROM_4_0 .since = {true, 4, 0}
#define BEFORE_3_10 .before = {true, 3, 10}

#endif
