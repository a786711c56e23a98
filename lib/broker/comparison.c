#include "broker/comparison.h"

#include "base/text.h"
#include "broker/verdict.h"

#include <string.h>

enum { LOCKED = 405, PRECONDITION = 406 };

static bool is_exchange(const struct lq_request *request)
{
    return request->kind == LQ_DECLARE_EXCHANGE ||
           request->kind == LQ_CHECK_EXCHANGE ||
           request->kind == LQ_COMPARE_EXCHANGE;
}

static bool skip(const char **at, const char *word)
{
    const size_t length = strlen(word);
    const bool found = strncmp(*at, word, length) == 0;

    *at += found ? length : 0;
    return found;
}

/* Whether the broker would have created it, had it not been for the barrier. */
static bool met_barrier(const struct lq_answer *answer)
{
    const char *at = answer->text;

    if (answer->code != PRECONDITION || !at) {
        return false;
    }
    (void)skip(&at, "PRECONDITION_FAILED - ");
    if (skip(&at, "invalid arg '" LQ_QUEUE_BARRIER "' for queue ")) {
        return true;
    }
    if (!skip(&at, "invalid type '")) {
        return false;
    }
    at += strcspn(at, "'");
    return skip(&at, "' for arg '" LQ_EXCHANGE_BARRIER "' in exchange ");
}

/* What a broker's name of a type means; NULL: nothing known. */
static const char *type_of(const char *name)
{
    static const struct {
        const char *name;
        const char *type;
    } types[] = {
        {"longstr", "string"},        {"binary", "string"},
        {"bool", "boolean"},          {"byte", "integer"},
        {"unsignedbyte", "integer"},  {"short", "integer"},
        {"unsignedshort", "integer"}, {"signedint", "integer"},
        {"unsignedint", "integer"},   {"long", "integer"},
        {"unsignedlong", "integer"},  {"timestamp", "integer"},
        {"float", "number"},          {"double", "number"},
        {"decimal", "number"},        {"array", "list"},
        {"table", "table"},           {"void", "null"},
    };

    for (size_t i = 0; name && i < sizeof(types) / sizeof(types[0]); ++i) {
        if (lq_str_equal(types[i].name, name)) {
            return types[i].type;
        }
    }
    return NULL;
}

static bool is_whole_number(const char *text)
{
    const char *const digits = text + (*text == '-');

    return *digits && strspn(digits, "0123456789") == strlen(digits);
}

/* The type of a value of which a text is all that is known. */
static const char *suggested_type(const char *text)
{
    if (is_whole_number(text)) {
        return "integer";
    }
    return lq_str_equal(text, "true") || lq_str_equal(text, "false") ? "boolean"
                                                                     : "string";
}

static struct lq_side_value actual_value(const struct lq_side *there,
                                         const struct lq_side *planned)
{
    const char *type = type_of(there->type);

    if (!there->known) {
        return (struct lq_side_value){"?", "unknown"};
    }
    if (!there->value) {
        return (struct lq_side_value){NULL, NULL};
    }
    if (!type) {
        /* a string may read like a number, where a string is planned */
        type = planned->type && lq_str_equal(planned->type, "string")
                   ? "string"
                   : suggested_type(there->value);
    }
    return (struct lq_side_value){there->value, type};
}

static void differ(struct lq_comparison *out, const char *field,
                   struct lq_side_value planned, struct lq_side_value actual)
{
    *out =
        (struct lq_comparison){LQ_COMPARED_DIFFERENT, field, planned, actual};
}

/* All else is equal: what remains is whether an exchange has an alternate. */
static void read_alternate(const struct lq_side *there,
                           struct lq_comparison *out)
{
    const struct lq_side_value none = {NULL, NULL};

    if (!there->known) {
        out->kind = LQ_COMPARED_UNCLEAR;
        out->field = LQ_EXCHANGE_BARRIER;
    } else if (there->value) {
        differ(out, LQ_EXCHANGE_BARRIER, none,
               (struct lq_side_value){there->value, "string"});
    } else {
        out->kind = LQ_COMPARED_EQUAL;
    }
}

static enum lq_status read_mismatch(const struct lq_request *request,
                                    const struct lq_mismatch *mismatch,
                                    struct lq_arena *arena,
                                    struct lq_comparison *out)
{
    const bool stream = lq_str_equal(mismatch->field, LQ_QUEUE_BARRIER);
    const char *const field = stream ? "x-queue-type" : mismatch->field;
    struct lq_side planned = {0};

    if (is_exchange(request) && lq_str_equal(field, LQ_EXCHANGE_BARRIER)) {
        read_alternate(&mismatch->there, out);
        return LQ_OK;
    }
    if (lq_planned_side(request, field, arena, &planned) != LQ_OK) {
        return LQ_NOMEM;
    }
    differ(out, field, (struct lq_side_value){planned.value, planned.type},
           stream ? (struct lq_side_value){"stream", "string"}
                  : actual_value(&mismatch->there, &planned));
    return LQ_OK;
}

enum lq_status lq_comparison_of(const struct lq_request *request,
                                const struct lq_answer *answer,
                                struct lq_arena *arena,
                                struct lq_comparison *out)
{
    struct lq_mismatch mismatch;
    enum lq_status status = LQ_INVALID;

    *out = (struct lq_comparison){.kind = LQ_COMPARED_REFUSED};
    if (answer->kind == LQ_DONE) {
        out->kind = LQ_COMPARED_EQUAL;
    } else if (met_barrier(answer) ||
               lq_verdict_of(request, answer) == LQ_VERDICT_MISSING) {
        out->kind = LQ_COMPARED_GONE;
    } else if (answer->code == LOCKED) {
        differ(out, "exclusive", (struct lq_side_value){"false", "boolean"},
               (struct lq_side_value){"true", "boolean"});
    } else if (answer->code == PRECONDITION && answer->text) {
        status =
            lq_mismatch_parse(answer->text,
                              is_exchange(request) ? request->of.exchange->name
                                                   : request->of.queue->name,
                              arena, &mismatch);
        if (status == LQ_OK) {
            status = read_mismatch(request, &mismatch, arena, out);
        }
    }
    return status == LQ_NOMEM ? LQ_NOMEM : LQ_OK;
}
