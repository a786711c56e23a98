#ifndef LQ_PLAN_EXPAND_H
#define LQ_PLAN_EXPAND_H

#include "base/diag.h"
#include "model/topology.h"

/*
 * Fills `out` with the delays, buckets, names and keys that v2 derives from
 * one entry. Reports a derived name over 200 bytes and more than 32 buckets;
 * what these or broken fields leave unknown stays NULL or 0, while the rest is
 * filled all the same. LQ_OK, LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_expand_entry(const struct lq_entry *entry,
                               struct lq_diags *diags,
                               struct lq_logical *out) LQ_CHECK;

#endif
