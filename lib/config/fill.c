#include "config/fill.h"

#include "base/text.h"
#include "model/entry.h"

#include <string.h>

#define RETENTION_FIRST LQ_MAIN_MAX_MESSAGES
#define RETENTION_LAST LQ_DEAD_LETTER_MAX_BYTES
#define RETENTION_PREFIX "retention."

enum lq_status lq_fill_defaults(struct lq_entry *out, struct lq_arena *arena)
{
    memset(out, 0, sizeof(*out));
    for (unsigned field = 0; field < LQ_FIELD_COUNT; ++field) {
        const struct lq_key *const key = lq_key_of((enum lq_field)field);

        if (key->default_text) {
            const struct lq_value value = {LQ_VALUE_PLAIN, key->default_text,
                                           strlen(key->default_text)};
            const enum lq_status status =
                lq_value_store(key, &value, arena, out);

            if (status != LQ_OK) {
                return status;
            }
        }
    }
    return LQ_OK;
}

enum lq_status lq_fill_set(struct lq_entry *entry, const struct lq_key *key,
                           const struct lq_value *value, struct lq_arena *arena)
{
    const uint64_t bit = lq_field_bit(key->field);
    const enum lq_status status = lq_value_store(key, value, arena, entry);

    entry->given |= bit;
    entry->broken &= ~bit;
    if (status != LQ_INVALID) {
        return status;
    }
    entry->broken |= bit;
    if (key->field == LQ_NAME) {
        entry->name = lq_printable(arena, value->text, value->length);
    }
    return key->field == LQ_NAME && !entry->name ? LQ_NOMEM : LQ_INVALID;
}

void lq_fill_spoil(struct lq_entry *entry, enum lq_field field)
{
    if ((entry->given & lq_field_bit(field)) == 0) {
        entry->broken |= lq_field_bit(field);
    }
}

void lq_fill_inherit(struct lq_entry *entry, const struct lq_entry *defaults)
{
    for (unsigned field = 0; field < LQ_FIELD_COUNT; ++field) {
        const uint64_t bit = lq_field_bit((enum lq_field)field);

        if ((entry->given | entry->broken) & bit) {
            continue;
        }
        entry->given |= defaults->given & bit;
        entry->broken |= defaults->broken & bit;
        if (defaults->given & bit) {
            entry->inherited |= bit;
            entry->lines[field] = defaults->lines[field];
            lq_value_copy(lq_key_of((enum lq_field)field), defaults, entry);
        }
    }
}

static bool is_missing(const struct lq_entry *entry, unsigned field)
{
    const uint64_t bit = lq_field_bit((enum lq_field)field);

    return lq_key_of((enum lq_field)field)->required &&
           ((entry->given | entry->broken) & bit) == 0;
}

static bool lacks_all_retention(const struct lq_entry *entry)
{
    for (unsigned field = RETENTION_FIRST; field <= RETENTION_LAST; ++field) {
        if (!is_missing(entry, field)) {
            return false;
        }
    }
    return true;
}

/* "main_max_messages, main_max_bytes, ... and dead_letter_max_bytes" */
static const char *retention_names(struct lq_arena *arena)
{
    const char *text = "";

    for (unsigned field = RETENTION_FIRST; field <= RETENTION_LAST; ++field) {
        const char *const before = field == RETENTION_FIRST  ? ""
                                   : field == RETENTION_LAST ? " and "
                                                             : ", ";

        text = lq_format(arena, "%s%s%s", text, before,
                         lq_field_name((enum lq_field)field) +
                             strlen(RETENTION_PREFIX));
    }
    return text;
}

/* One message for all six. */
static enum lq_status report_retention(struct lq_entry *entry,
                                       struct lq_diags *diags)
{
    const char *const names = retention_names(diags->arena);

    for (unsigned field = RETENTION_FIRST; field <= RETENTION_LAST; ++field) {
        lq_fill_spoil(entry, (enum lq_field)field);
    }
    return lq_entry_error(diags, entry, RETENTION_FIRST,
                          "'retention' is required: %s", names);
}

enum lq_status lq_fill_require(struct lq_entry *entry, struct lq_diags *diags)
{
    enum lq_status status = LQ_OK;

    for (unsigned i = 0; i < LQ_FIELD_COUNT && status != LQ_NOMEM; ++i) {
        const enum lq_field field = (enum lq_field)i;

        if (field == RETENTION_FIRST && lacks_all_retention(entry)) {
            status = lq_worse(status, report_retention(entry, diags));
        } else if (is_missing(entry, field)) {
            status = lq_worse(status, lq_entry_error(diags, entry, field,
                                                     "'%s' is required",
                                                     lq_field_name(field)));
            lq_fill_spoil(entry, field);
        }
    }
    return status;
}
