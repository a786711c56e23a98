/* The rows of lint/rule.h, which are in two parts. */
#ifndef LQ_LINT_RULE_ROWS_H
#define LQ_LINT_RULE_ROWS_H

#include "lint/rule.h"

/* Codes up to this one are in the first part. */
#define LQ_LINT_LAST_FLOW LQ_LINT_DELIVERY_LIMIT_DLQ

extern const struct lq_lint_rule lq_lint_flow_rules[];
extern const struct lq_lint_rule lq_lint_input_rules[];

#define ROW(code_, slug_, severity_, when, happens_, advice_)                  \
    {                                                                          \
        .code = (code_), .slug = (slug_), .severity = LQ_LINT_##severity_,     \
        .happens = (happens_), .advice = (advice_), when                       \
    }

/* When a rule applies, as its last members. */
#define ALWAYS .needs = 0
#define WINDOW .needs = LQ_LINT_NEEDS_WINDOW
#define DISK .needs = LQ_LINT_NEEDS_DISK
#define MENDABLE .policy_mends = true
#define MENDABLE_FROM_4_0 .policy_mends = true, .since = {true, 4, 0}
#define FROM_4_3 .since = {true, 4, 3}
#define BEFORE_3_10 .before = {true, 3, 10}

#endif
