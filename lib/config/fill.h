#ifndef LQ_CONFIG_FILL_H
#define LQ_CONFIG_FILL_H

#include "base/diag.h"
#include "config/value.h"
#include "model/entry.h"

/* Makes an entry that has the schema's defaults: LQ_OK or LQ_NOMEM. */
enum lq_status lq_fill_defaults(struct lq_entry *out,
                                struct lq_arena *arena) LQ_CHECK;

/*
 * Sets a field that the input gives. LQ_INVALID leaves it broken, for the
 * caller to report with lq_value_fault(); a broken name is kept, printable,
 * for messages. LQ_OK and LQ_NOMEM are the others.
 */
enum lq_status lq_fill_set(struct lq_entry *entry, const struct lq_key *key,
                           const struct lq_value *value,
                           struct lq_arena *arena) LQ_CHECK;

/*
 * Marks a field that the input means to give, but in a way that was reported:
 * it is neither missing nor to be relied on.
 */
void lq_fill_spoil(struct lq_entry *entry, enum lq_field field);

/* Hands down the fields that [defaults] gives and the entry does not. */
void lq_fill_inherit(struct lq_entry *entry, const struct lq_entry *defaults);

/* Reports every required field that is neither given nor broken. */
enum lq_status lq_fill_require(struct lq_entry *entry,
                               struct lq_diags *diags) LQ_CHECK;

#endif
