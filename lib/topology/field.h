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

/* "[queue:NAME]", printable, to begin a message; NULL when out of memory. */
char *lq_entry_label(struct lq_arena *arena, const struct lq_entry *entry);

/*
 * Adds the error "[queue:NAME] text" at the place of a field of the entry;
 * returns LQ_INVALID, or LQ_NOMEM.
 */
enum lq_status lq_entry_error(struct lq_diags *diags,
                              const struct lq_entry *entry, enum lq_field field,
                              const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
