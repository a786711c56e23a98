#ifndef LQ_PLAN_RULES_H
#define LQ_PLAN_RULES_H

#include "base/diag.h"
#include "model/entry.h"

/*
 * Checks the rules of the v2 contract, section 5, that take more than one
 * field of an entry or hang on another field. Reports every broken one; a rule
 * that needs a field which is broken already is passed over. LQ_OK, LQ_INVALID
 * or LQ_NOMEM.
 */
enum lq_status lq_rules_check(const struct lq_entry *entry,
                              struct lq_diags *diags) LQ_CHECK;

#endif
