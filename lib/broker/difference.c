#include "broker/difference.h"

#include "base/text.h"

#include <string.h>

static bool is_whole_number(const char *text)
{
    const char *const digits = text + (*text == '-');

    return *digits && strspn(digits, "0123456789") == strlen(digits);
}

static bool is_truth(const char *text)
{
    return lq_str_equal(text, "true") || lq_str_equal(text, "false");
}

static bool is_text(const char *type)
{
    return lq_str_equal(type, "string");
}

/* Whether a value that reads so may be of a type. */
static bool can_be(const char *text, const char *type)
{
    if (lq_str_equal(type, "integer")) {
        return is_whole_number(text);
    }
    return !lq_str_equal(type, "boolean") || is_truth(text);
}

/* Only where both have a value there are types to compare. */
static bool differs_in_type(const struct lq_mismatch *difference)
{
    const struct lq_side *const there = &difference->there;
    const struct lq_side *const planned = &difference->planned;

    if (!there->value || !planned->value || !planned->type) {
        return false;
    }
    if (there->type) {
        return !lq_str_equal(there->type, planned->type);
    }
    return lq_str_equal(there->value, planned->value) ||
           !can_be(there->value, planned->type);
}

/* Numbers and truth bare, words in quotes; the type behind it, unless NULL. */
static const char *side_text(const struct lq_side *side, const char *type,
                             struct lq_arena *arena)
{
    const char *const text =
        lq_printable(arena, side->value, strlen(side->value));
    const bool is_word = type && side->type && is_text(side->type);
    const bool bare =
        text && !is_word && (is_whole_number(text) || is_truth(text));
    const char *const quote = bare ? "" : "'";

    return text ? lq_format(arena, "%s%s%s%s%s%s", quote, text, quote,
                            type ? " (" : "", type ? type : "", type ? ")" : "")
                : NULL;
}

/* "is 1000 there", "is not set there", "differs there" */
static const char *there_text(const struct lq_side *there, const char *type,
                              struct lq_arena *arena)
{
    const char *value = NULL;

    if (!there->known) {
        return "differs there";
    }
    if (!there->value) {
        return "is not set there";
    }
    value = side_text(there, type, arena);
    return value ? lq_format(arena, "is %s there", value) : NULL;
}

/* "plan says 2000", "plan does not set it" */
static const char *plan_text(const struct lq_side *planned, const char *type,
                             struct lq_arena *arena)
{
    const char *value = NULL;

    if (!planned->value) {
        return "plan does not set it";
    }
    value = side_text(planned, type, arena);
    return value ? lq_format(arena, "plan says %s", value) : NULL;
}

const char *lq_difference_text(const struct lq_mismatch *difference,
                               struct lq_arena *arena)
{
    const struct lq_side *const actual = &difference->there;
    const bool typed = differs_in_type(difference);
    const char *const type = actual->type ? actual->type : "of another type";
    const char *const field =
        lq_printable(arena, difference->field, strlen(difference->field));
    const char *const there = there_text(actual, typed ? type : NULL, arena);
    const char *const plan = plan_text(
        &difference->planned, typed ? difference->planned.type : NULL, arena);

    return field && there && plan
               ? lq_format(arena, "%s %s, %s", field, there, plan)
               : NULL;
}
