#include "base/text.h"
#include "config/reference.h"
#include "config/value.h"
#include "topology/identity.h"

#include <inttypes.h>
#include <string.h>

#define WORDS_MAX 8 /* more than any row has choices */

const char *lq_value_found(const struct lq_value *value, bool wrong_type,
                           struct lq_arena *arena)
{
    const char *const shown = lq_printable(arena, value->text, value->length);

    if (!shown) {
        return NULL;
    }
    switch (value->kind) {
    case LQ_VALUE_NUMBER:
    case LQ_VALUE_BOOL:
    case LQ_VALUE_OTHER:
        return shown;
    case LQ_VALUE_STRING:
        if (wrong_type) {
            return lq_format(arena, "the string '%s'", shown);
        }
        break;
    case LQ_VALUE_PLAIN:
        break;
    }
    return *shown ? lq_format(arena, "'%s'", shown) : "empty";
}

/* "'classic' or 'quorum'" */
static const char *join_choices(const char *const *choices,
                                struct lq_arena *arena)
{
    const char *text = lq_format(arena, "'%s'", choices[0]);

    for (size_t i = 1; text && choices[i]; ++i) {
        text = lq_format(arena, "%s or '%s'", text, choices[i]);
    }
    return text;
}

/* What the row accepts, to follow "must be". */
static const char *accepted(const struct lq_key *key, struct lq_arena *arena)
{
    switch (key->type) {
    case LQ_KEY_INTEGER:
        return lq_format(arena, "an integer from %" PRIu64 " to %" PRIu64,
                         key->min, key->max);
    case LQ_KEY_RATIO:
        return "a number from 0.0 to 0.5";
    case LQ_KEY_BOOL:
        return "true or false";
    case LQ_KEY_CHOICE:
        return join_choices(key->choices, arena);
    case LQ_KEY_IDENTITY:
    case LQ_KEY_TEXT:
        break;
    }
    return "a string";
}

/* The word that a misspelt one is likely to mean, or NULL. */
static const char *meant(const struct lq_key *key, const struct lq_value *value)
{
    const char *words[WORDS_MAX] = {"true", "false"};
    size_t count = 2;

    if (key->type != LQ_KEY_BOOL && key->type != LQ_KEY_CHOICE) {
        return NULL;
    }
    if (key->type == LQ_KEY_CHOICE) {
        for (count = 0; count < WORDS_MAX && key->choices[count]; ++count) {
            words[count] = key->choices[count];
        }
    }
    return lq_suggest(value->text, words, count);
}

static const char *hint(const struct lq_key *key, const struct lq_value *value,
                        struct lq_arena *arena)
{
    const char *const word = meant(key, value);

    if (value->kind == LQ_VALUE_PLAIN && strchr(value->text, '#')) {
        return "; '#' starts no comment after a value, ' ;' does";
    }
    if (word && (value->kind == LQ_VALUE_PLAIN || key->type == LQ_KEY_CHOICE)) {
        return lq_format(arena, "; did you mean '%s'?", word);
    }
    return "";
}

/* A row whose values are told by their type and range. */
static char *simple_fault(const struct lq_key *key,
                          const struct lq_value *value, struct lq_arena *arena)
{
    const char *const wanted = accepted(key, arena);
    const char *const what =
        lq_value_found(value, key->type != LQ_KEY_CHOICE, arena);
    const char *const advice = hint(key, value, arena);

    if (!wanted || !what || !advice) {
        return NULL;
    }
    return lq_format(arena, "'%s' must be %s, not %s%s", key->name, wanted,
                     what, advice);
}

static char *identity_fault(const struct lq_key *key,
                            const struct lq_value *value,
                            struct lq_arena *arena)
{
    const enum lq_identity fault =
        lq_identity_check(value->text, value->length);
    const char *const rule = lq_identity_rule(fault);
    const char *const what = lq_value_found(value, false, arena);

    if (!what) {
        return NULL;
    }
    if (fault == LQ_IDENTITY_LONG) {
        return lq_format(arena, "'%s' must %s, not %zu", key->name, rule,
                         value->length);
    }
    return lq_format(arena, "'%s' must %s, %s %s", key->name, rule,
                     strncmp(rule, "not ", 4) == 0 ? "but is" : "not", what);
}

static char *setting_fault(const struct lq_key *key,
                           const struct lq_value *value, struct lq_arena *arena)
{
    if (value->length == 0) {
        return lq_format(arena, "'%s' must not be empty", key->name);
    }
    return lq_format(
        arena,
        lq_reference_read(value->text).kind == LQ_REFERENCE_BAD
            ? "'%s' must be plain text or, as a whole, ${env:NAME} or "
              "${file:/path}"
            : "'%s' must not contain control characters",
        key->name);
}

char *lq_value_fault(const struct lq_key *key, const struct lq_value *value,
                     struct lq_arena *arena)
{
    const bool is_string =
        value->kind == LQ_VALUE_PLAIN || value->kind == LQ_VALUE_STRING;

    if (is_string && key->type == LQ_KEY_IDENTITY) {
        return identity_fault(key, value, arena);
    }
    if (is_string && key->type == LQ_KEY_TEXT) {
        return setting_fault(key, value, arena);
    }
    return simple_fault(key, value, arena);
}
