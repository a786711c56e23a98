#include "base/text.h"
#include "compare/answer.h"
#include "compare/finding.h"

#include <string.h>

enum { FORBIDDEN = 403, LOCKED = 405, PRECONDITION = 406 };

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

    return lq_format(arena, "%s%s%s%s%s%s", quote, text, quote,
                     type ? " (" : "", type ? type : "", type ? ")" : "");
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
    return lq_format(arena, "is %s there", value);
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
    return lq_format(arena, "plan says %s", value);
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

    return lq_format(arena, "%s %s, %s", field, there, plan);
}

static const char *name_of(const struct lq_request *request)
{
    return lq_is_about_exchange(request) ? request->of.exchange->name
                                         : request->of.queue->name;
}

const char *lq_answer_words(const struct lq_answer *answer)
{
    return answer->shown ? answer->shown : answer->text;
}

static const char *shown(struct lq_arena *arena, const char *text)
{
    return lq_printable(arena, text, strlen(text));
}

/* What can be done about a difference. */
static const char *advice(const struct lq_request *request)
{
    const struct lq_finding finding = {
        .code = lq_is_about_exchange(request) ? LQ_EXCHANGE_PROPERTY_DIFFERENT
                                              : LQ_QUEUE_PROPERTY_DIFFERENT,
        .role = lq_is_about_exchange(request) ? request->of.exchange->role
                                              : request->of.queue->role,
    };

    return lq_finding_advice(&finding);
}

static const char *mismatch_text(const struct lq_request *request,
                                 const struct lq_mismatch *mismatch,
                                 const char *what, struct lq_arena *arena)
{
    struct lq_mismatch difference = *mismatch;
    const char *text = NULL;

    /* the broker names a type only where the other side has none */
    difference.there.type = NULL;
    if (lq_planned_side(request, mismatch->field, arena, &difference.planned) !=
        LQ_OK) {
        return "";
    }
    text = lq_difference_text(&difference, arena);
    return lq_format(arena, "%s: %s; %s", what, text, advice(request));
}

static bool has_dead_letter_exchange(const struct lq_queue *queue)
{
    for (size_t i = 0; i < queue->argument_count; ++i) {
        if (lq_str_equal(queue->arguments[i].key, "x-dead-letter-exchange")) {
            return true;
        }
    }
    return false;
}

/* What was missing: 3.x names the resource, but no permission. */
static const char *permission(const struct lq_request *request,
                              const struct lq_refusal *refusal)
{
    if (refusal->permission) {
        return refusal->permission;
    }
    switch (request->kind) {
    case LQ_BIND_QUEUE:
        return refusal->exchange ? "read" : "write";
    case LQ_DECLARE_EXCHANGE:
    case LQ_COMPARE_EXCHANGE:
    case LQ_COMPARE_QUEUE:
        return "configure";
    case LQ_DECLARE_QUEUE:
        if (refusal->exchange) {
            return "write"; /* to its dead-letter exchange */
        }
        return has_dead_letter_exchange(request->of.queue)
                   ? "configure and read"
                   : "configure";
    case LQ_CHECK_EXCHANGE:
    case LQ_CHECK_QUEUE:
        break;
    }
    return "configure, write or read";
}

static const char *refusal_text(const struct lq_request *request,
                                const struct lq_refusal *refusal,
                                const char *what, struct lq_arena *arena)
{
    const char *const name = shown(arena, refusal->name);
    const char *const vhost = shown(arena, refusal->vhost);
    const char *const user = shown(arena, refusal->user);

    return lq_format(arena,
                     "%s: user '%s' needs permission to %s %s '%s' in "
                     "vhost '%s'",
                     what, user, permission(request, refusal),
                     refusal->exchange ? "exchange" : "queue", name, vhost);
}

static const char *own_words(const struct lq_answer *answer, const char *what,
                             struct lq_arena *arena)
{
    const char *const text = lq_answer_words(answer);
    const char *const words = shown(arena, text ? text : "");

    return lq_format(arena, "%s: the broker refuses%s%s (%d)", what,
                     *words ? ": " : "", words, answer->code);
}

const char *lq_verdict_text(const struct lq_request *request,
                            const struct lq_answer *answer,
                            struct lq_arena *arena)
{
    const char *const what = lq_request_subject(request, arena);
    const char *const text = answer->text ? answer->text : "";
    struct lq_mismatch mismatch;
    struct lq_refusal refusal;
    enum lq_status status = LQ_INVALID;

    if (lq_verdict_of(request, answer) == LQ_VERDICT_MISSING) {
        return lq_format(arena, "%s: is external, but does not exist", what);
    }
    if (answer->code == LOCKED) {
        return lq_format(arena, "%s: is exclusive to another connection there",
                         what);
    }
    if (answer->code == PRECONDITION && request->kind != LQ_BIND_QUEUE) {
        status = lq_mismatch_parse(text, name_of(request), arena, &mismatch);
        if (status == LQ_OK) {
            return mismatch_text(request, &mismatch, what, arena);
        }
    }
    if (answer->code == FORBIDDEN) {
        status = lq_refusal_parse(text, arena, &refusal);
        if (status == LQ_OK) {
            return refusal_text(request, &refusal, what, arena);
        }
    }
    return own_words(answer, what, arena);
}
