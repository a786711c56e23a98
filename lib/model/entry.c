#include "model/entry.h"

#include "base/text.h"
#include "model/schema.h"

#include <stdarg.h>
#include <string.h>

const char *lq_field_name(enum lq_field field)
{
    return lq_key_of(field)->name;
}

struct lq_place lq_field_place(const struct lq_entry *entry,
                               enum lq_field field, struct lq_arena *arena)
{
    struct lq_place place = entry->place;

    if ((entry->given & lq_field_bit(field)) == 0) {
        return place;
    }
    if (entry->lines[field] != 0) {
        place.line = entry->lines[field];
        place.column = 0;
    }
    if (place.path) {
        place.path =
            lq_format(arena, "%s.%s", place.path, lq_field_name(field));
    }
    return place;
}

const char *lq_entry_label(struct lq_arena *arena, const struct lq_entry *entry)
{
    const char *const name = entry->name ? entry->name : "";

    return lq_format(arena, "[queue:%s]",
                     lq_printable(arena, name, strlen(name)));
}

enum lq_status lq_entry_error(struct lq_diags *diags,
                              const struct lq_entry *entry, enum lq_field field,
                              const char *format, ...)
{
    const struct lq_place place = lq_field_place(entry, field, diags->arena);
    const char *text = NULL;
    va_list args;

    va_start(args, format);
    text = lq_vformat(diags->arena, format, args);
    va_end(args);
    return lq_error(diags, &place, "%s %s", lq_entry_label(diags->arena, entry),
                    text);
}
