#include "words.h"

#include "base/text.h"

#include <string.h>

static const char *or_unknown(const char *text)
{
    return text ? text : "?";
}

const char *words_shown(struct lq_arena *arena, const char *text)
{
    return or_unknown(lq_printable(arena, text, strlen(text)));
}

const char *words_or(struct lq_arena *arena, const char *const *list)
{
    const char *text = list[0];

    for (size_t i = 1; text && list[i]; ++i) {
        const char *const link = list[i + 1] ? ", " : " or ";

        text = lq_format(arena, "%s%s%s", text, link, list[i]);
    }
    return or_unknown(text);
}

const char *words_count(struct lq_arena *arena, size_t count, const char *noun)
{
    const size_t length = strlen(noun);

    if (count == 1) {
        return or_unknown(lq_format(arena, "1 %s", noun));
    }
    if (length > 0 && noun[length - 1] == 'y') {
        return or_unknown(
            lq_format(arena, "%zu %.*sies", count, (int)length - 1, noun));
    }
    return or_unknown(lq_format(arena, "%zu %ss", count, noun));
}
