#include "model/entry.h"

#include "base/text.h"
#include "model/schema.h"

#include <stdarg.h>
#include <string.h>

const char *lq_field_name(enum lq_field field)
{
    return lq_key_of(field)->name;
}

enum lq_status lq_field_place(const struct lq_entry *entry, enum lq_field field,
                              struct lq_arena *arena, struct lq_place *out)
{
    *out = entry->place;
    if ((entry->given & lq_field_bit(field)) == 0) {
        return LQ_OK;
    }
    if (entry->lines[field] != 0) {
        out->line = entry->lines[field];
        out->column = 0;
    }
    if (entry->place.path) {
        out->path =
            lq_format(arena, "%s.%s", entry->place.path, lq_field_name(field));
    }
    return entry->place.path && !out->path ? LQ_NOMEM : LQ_OK;
}

char *lq_entry_label(struct lq_arena *arena, const struct lq_entry *entry)
{
    const char *const name = entry->name ? entry->name : "";
    const char *const shown = lq_printable(arena, name, strlen(name));

    return shown ? lq_format(arena, "[queue:%s]", shown) : NULL;
}

enum lq_status lq_entry_error(struct lq_diags *diags,
                              const struct lq_entry *entry, enum lq_field field,
                              const char *format, ...)
{
    const char *const label = lq_entry_label(diags->arena, entry);
    struct lq_place place;
    const char *text = NULL;
    va_list args;

    va_start(args, format);
    text = lq_vformat(diags->arena, format, args);
    va_end(args);
    if (!label || !text ||
        lq_field_place(entry, field, diags->arena, &place) != LQ_OK) {
        return LQ_NOMEM;
    }
    return lq_error(diags, &place, "%s %s", label, text);
}
