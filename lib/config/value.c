#include "config/value.h"

#include "base/text.h"
#include "model/identity.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_variable(const char *name, size_t length)
{
    if (length == 0 || !is_letter(name[0])) {
        return false;
    }
    for (size_t i = 1; i < length; ++i) {
        if (!is_letter(name[i]) && (name[i] < '0' || name[i] > '9')) {
            return false;
        }
    }
    return true;
}

/* What stands between `prefix` and the '}' that ends the value, or NULL. */
static const char *inside(const char *value, const char *prefix, size_t *length)
{
    const size_t skip = strlen(prefix);
    const char *const name = value + skip;

    if (strncmp(value, prefix, skip) != 0) {
        return NULL;
    }
    *length = strcspn(name, "}");
    return name[*length] == '}' && !name[*length + 1] ? name : NULL;
}

struct lq_reference lq_reference_read(const char *value)
{
    struct lq_reference reference = {.kind = LQ_REFERENCE_NONE};

    if (!strstr(value, "${")) {
        return reference;
    }
    reference.name = inside(value, "${env:", &reference.length);
    if (reference.name && is_variable(reference.name, reference.length)) {
        reference.kind = LQ_REFERENCE_ENV;
        return reference;
    }
    reference.name = inside(value, "${file:", &reference.length);
    if (reference.name && reference.length > 0) {
        reference.kind = LQ_REFERENCE_FILE;
        return reference;
    }
    return (struct lq_reference){.kind = LQ_REFERENCE_BAD};
}

static_assert(sizeof(enum lq_queue_type) == sizeof(unsigned), "choice");
static_assert(sizeof(enum lq_ownership) == sizeof(unsigned), "choice");

#define RATIO_MAX 0.5

static bool is_kind(const struct lq_value *value, enum lq_value_kind kind)
{
    return value->kind == LQ_VALUE_PLAIN || value->kind == kind;
}

static void put(const struct lq_key *key, void *object, const void *data,
                size_t size)
{
    memcpy((unsigned char *)object + key->offset, data, size);
}

static enum lq_status store_integer(const struct lq_key *key,
                                    const struct lq_value *value, void *object)
{
    uint64_t number = 0;

    if (!is_kind(value, LQ_VALUE_NUMBER) ||
        lq_parse_u64(value->text, &number) != LQ_NUMBER_OK ||
        number < key->min || number > key->max) {
        return LQ_INVALID;
    }
    put(key, object, &number, sizeof(number));
    return LQ_OK;
}

static enum lq_status store_ratio(const struct lq_key *key,
                                  const struct lq_value *value, void *object)
{
    double number = 0;

    if (!is_kind(value, LQ_VALUE_NUMBER) ||
        lq_parse_double(value->text, &number) != LQ_NUMBER_OK || number < 0 ||
        number > RATIO_MAX) {
        return LQ_INVALID;
    }
    put(key, object, &number, sizeof(number));
    return LQ_OK;
}

static enum lq_status store_bool(const struct lq_key *key,
                                 const struct lq_value *value, void *object)
{
    const bool is_true = lq_str_equal(value->text, "true");

    if (!is_kind(value, LQ_VALUE_BOOL) ||
        (!is_true && !lq_str_equal(value->text, "false"))) {
        return LQ_INVALID;
    }
    put(key, object, &is_true, sizeof(is_true));
    return LQ_OK;
}

static bool is_text(const struct lq_value *value, const char *text)
{
    return value->length == strlen(text) &&
           memcmp(value->text, text, value->length) == 0;
}

static enum lq_status store_choice(const struct lq_key *key,
                                   const struct lq_value *value, void *object)
{
    for (unsigned i = 0; key->choices[i]; ++i) {
        if (is_kind(value, LQ_VALUE_STRING) &&
            is_text(value, key->choices[i])) {
            put(key, object, &i, sizeof(i));
            return LQ_OK;
        }
    }
    return LQ_INVALID;
}

static bool has_control(const struct lq_value *value)
{
    for (size_t i = 0; i < value->length; ++i) {
        const unsigned char byte = (unsigned char)value->text[i];

        if (byte < 0x20 || byte == 0x7f) {
            return true;
        }
    }
    return false;
}

/* Whether it may stand in [broker]. */
static bool is_setting(const struct lq_value *value)
{
    return is_kind(value, LQ_VALUE_STRING) && value->length > 0 &&
           !has_control(value) &&
           lq_reference_read(value->text).kind != LQ_REFERENCE_BAD;
}

static bool is_identity(const struct lq_value *value)
{
    return is_kind(value, LQ_VALUE_STRING) &&
           lq_identity_check(value->text, value->length) == LQ_IDENTITY_OK;
}

static enum lq_status store_text(const struct lq_key *key,
                                 const struct lq_value *value,
                                 struct lq_arena *arena, void *object)
{
    const bool good =
        key->type == LQ_KEY_TEXT ? is_setting(value) : is_identity(value);
    const char *copy = NULL;

    if (!good) {
        return LQ_INVALID;
    }
    copy = lq_strndup(arena, value->text, value->length);
    put(key, object, &copy, sizeof(copy));
    return LQ_OK;
}

enum lq_status lq_value_store(const struct lq_key *key,
                              const struct lq_value *value,
                              struct lq_arena *arena, void *object)
{
    switch (key->type) {
    case LQ_KEY_INTEGER:
        return store_integer(key, value, object);
    case LQ_KEY_RATIO:
        return store_ratio(key, value, object);
    case LQ_KEY_BOOL:
        return store_bool(key, value, object);
    case LQ_KEY_CHOICE:
        return store_choice(key, value, object);
    case LQ_KEY_IDENTITY:
    case LQ_KEY_TEXT:
        break;
    }
    return store_text(key, value, arena, object);
}

static size_t stored_size(enum lq_key_type type)
{
    switch (type) {
    case LQ_KEY_INTEGER:
        return sizeof(uint64_t);
    case LQ_KEY_RATIO:
        return sizeof(double);
    case LQ_KEY_BOOL:
        return sizeof(bool);
    case LQ_KEY_CHOICE:
        return sizeof(unsigned);
    case LQ_KEY_IDENTITY:
    case LQ_KEY_TEXT:
        break;
    }
    return sizeof(const char *);
}

void lq_value_copy(const struct lq_key *key, const void *from, void *to)
{
    put(key, to, (const unsigned char *)from + key->offset,
        stored_size(key->type));
}

#define WORDS_MAX 8 /* more than any row has choices */

const char *lq_value_found(const struct lq_value *value, bool wrong_type,
                           struct lq_arena *arena)
{
    const char *const shown = lq_printable(arena, value->text, value->length);

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

    for (size_t i = 1; choices[i]; ++i) {
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
static const char *simple_fault(const struct lq_key *key,
                                const struct lq_value *value,
                                struct lq_arena *arena)
{
    const char *const wanted = accepted(key, arena);
    const char *const what =
        lq_value_found(value, key->type != LQ_KEY_CHOICE, arena);
    const char *const advice = hint(key, value, arena);

    return lq_format(arena, "'%s' must be %s, not %s%s", key->name, wanted,
                     what, advice);
}

static const char *identity_fault(const struct lq_key *key,
                                  const struct lq_value *value,
                                  struct lq_arena *arena)
{
    const enum lq_identity fault =
        lq_identity_check(value->text, value->length);
    const char *const rule = lq_identity_rule(fault);
    const char *const what = lq_value_found(value, false, arena);

    if (fault == LQ_IDENTITY_LONG) {
        return lq_format(arena, "'%s' must %s, not %zu", key->name, rule,
                         value->length);
    }
    return lq_format(arena, "'%s' must %s, %s %s", key->name, rule,
                     strncmp(rule, "not ", 4) == 0 ? "but is" : "not", what);
}

static const char *setting_fault(const struct lq_key *key,
                                 const struct lq_value *value,
                                 struct lq_arena *arena)
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

const char *lq_value_fault(const struct lq_key *key,
                           const struct lq_value *value, struct lq_arena *arena)
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
