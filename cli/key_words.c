#include "key_words.h"

#include "report.h"

#include <inttypes.h>

static const char *integer_range(struct lq_arena *arena,
                                 const struct lq_key *key)
{
    const char *const gap = key->unit ? " " : "";
    const char *const unit = key->unit ? key->unit : "";

    if (key->max == INT64_MAX) {
        return lq_format(arena, "%" PRIu64 " to 2^63-1%s%s", key->min, gap,
                         unit);
    }
    return lq_format(arena, "%" PRIu64 " to %" PRIu64 "%s%s", key->min,
                     key->max, gap, unit);
}

const char *key_accepts(struct lq_arena *arena, const struct lq_key *key)
{
    switch (key->type) {
    case LQ_KEY_IDENTITY:
        return lq_format(arena, "1 to %" PRIu64 " bytes of text", key->max);
    case LQ_KEY_INTEGER:
        return integer_range(arena, key);
    case LQ_KEY_RATIO:
        return "0.0 to 0.5";
    case LQ_KEY_BOOL:
        return "true or false";
    case LQ_KEY_CHOICE:
        return words_or(arena, key->choices);
    case LQ_KEY_TEXT:
        return "text";
    }
    return NULL;
}

const char *key_default(const struct lq_key *key)
{
    if (key->required) {
        return "required";
    }
    return key->default_text ? key->default_text : "none";
}
