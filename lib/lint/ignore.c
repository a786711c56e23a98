#include "lint/ignore.h"

#include <string.h>

static bool add_code(struct lq_ignore_words *words, struct lq_arena *arena,
                     const char *text, size_t length)
{
    const char *const code = lq_strndup(arena, text, length);
    const char **const slot = code ? lq_array_push(&words->codes, arena) : NULL;

    if (slot) {
        *slot = code;
    }
    return slot != NULL;
}

bool lq_ignore_read(const char *text, struct lq_arena *arena,
                    struct lq_ignore_words *out)
{
    bool more = true;

    lq_array_init(&out->codes, sizeof(const char *));
    while (more) {
        size_t length = 0;

        text += strspn(text, " ");
        length = strcspn(text, ", ");
        if (length > 0 && !add_code(out, arena, text, length)) {
            return false;
        }
        text += length;
        text += strspn(text, " ");
        more = *text == ',';
        text += more;
    }
    out->reason = text;
    return true;
}
