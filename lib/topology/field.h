#ifndef LQ_TOPOLOGY_FIELD_H
#define LQ_TOPOLOGY_FIELD_H

#include "base/diag.h"
#include "topology/entry.h"

/* The framework's name of a field, e.g. "retention.main_max_bytes". */
const char *lq_field_name(enum lq_field field);

/*
 * The place of a field of an entry: its own line when the input gives it, in
 * a JSON document the entry's path with the field's name appended, else the
 * place of the entry. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_field_place(const struct lq_entry *entry, enum lq_field field,
                              struct lq_arena *arena,
                              struct lq_place *out) LQ_CHECK;

#endif
