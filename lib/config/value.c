#include "config/value.h"

#include "base/text.h"
#include "config/reference.h"
#include "topology/identity.h"

#include <assert.h>
#include <string.h>

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
    if (key->offset != LQ_KEY_NOT_STORED) {
        memcpy((unsigned char *)object + key->offset, data, size);
    }
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
    if (!copy) {
        return LQ_NOMEM;
    }
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
    if (key->offset != LQ_KEY_NOT_STORED) {
        put(key, to, (const unsigned char *)from + key->offset,
            stored_size(key->type));
    }
}
