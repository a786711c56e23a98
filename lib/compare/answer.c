#include "compare/answer.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

enum { NOT_FOUND = 404, LOCKED = 405, PRECONDITION = 406 };

/* Moves `*at` behind a prefix, if it is there. */
static bool skip(const char **at, const char *prefix)
{
    const size_t length = strlen(prefix);

    if (strncmp(*at, prefix, length) != 0) {
        return false;
    }
    *at += length;
    return true;
}

/* Copies up to `end` and moves `*at` behind it; NULL without `end`. */
static const char *take_until(const char **at, const char *end,
                              struct lq_arena *arena)
{
    const char *const stop = strstr(*at, end);
    const char *text = NULL;

    if (stop) {
        text = lq_strndup(arena, *at, (size_t)(stop - *at));
        *at = stop + strlen(end);
    }
    return text;
}

/* The last place of a word in a text, or NULL. */
static const char *find_last(const char *text, const char *word)
{
    const char *found = NULL;

    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        found = at;
    }
    return found;
}

/* 'VALUE'; LQ_INVALID when it is not in quotes, or LQ_NOMEM. */
static enum lq_status read_quoted(const char *text, size_t length,
                                  struct lq_arena *arena, const char **out)
{
    if (length < 2 || text[0] != '\'' || text[length - 1] != '\'') {
        return LQ_INVALID;
    }
    *out = lq_strndup(arena, text + 1, length - 2);
    return LQ_OK;
}

/* 'VALUE' of type 'TYPE' */
static enum lq_status read_typed(const char *text, struct lq_arena *arena,
                                 struct lq_side *out)
{
    static const char of_type[] = " of type ";
    const char *const type = find_last(text, of_type);
    const char *const name = type ? type + strlen(of_type) : NULL;
    enum lq_status status = LQ_INVALID;

    if (type) {
        status = read_quoted(text, (size_t)(type - text), arena, &out->value);
    }
    return status == LQ_OK ? read_quoted(name, strlen(name), arena, &out->type)
                           : status;
}

/*
 * none, 'VALUE' or the value 'VALUE' of type 'TYPE'; else it is not known.
 * LQ_OK or LQ_NOMEM.
 */
static enum lq_status read_side(const char *text, size_t length,
                                struct lq_arena *arena, struct lq_side *out)
{
    const char *const copy = lq_strndup(arena, text, length);
    const char *at = copy;
    enum lq_status status = LQ_OK;

    *out = (struct lq_side){0};
    if (!lq_str_equal(copy, "none")) {
        status = skip(&at, "the value ")
                     ? read_typed(at, arena, out)
                     : read_quoted(copy, length, arena, &out->value);
    }
    out->known = status == LQ_OK;
    return status == LQ_NOMEM ? LQ_NOMEM : LQ_OK;
}

/* Both sides, from what follows the field. LQ_OK or LQ_NOMEM. */
static enum lq_status read_sides(const char *text, struct lq_arena *arena,
                                 struct lq_mismatch *out)
{
    static const char but[] = " but current is ";
    const char *const split = find_last(text, but);
    enum lq_status status = LQ_OK;

    if (split) {
        const char *const there = split + strlen(but);

        status = read_side(text, (size_t)(split - text), arena, &out->planned);
        if (status == LQ_OK) {
            status = read_side(there, strlen(there), arena, &out->there);
        }
    }
    return status;
}

/*
 * Moves `*at` behind "queue 'NAME' in vhost 'VHOST': ". The name is matched as
 * it is known, as any text may be part of one.
 */
static bool skip_resource(const char **at, const char *name)
{
    const char *end = NULL;

    if (!skip(at, "queue '") && !skip(at, "exchange '")) {
        return false;
    }
    if (!skip(at, name) || !skip(at, "' in vhost '")) {
        return false;
    }
    end = strstr(*at, "': received ");
    if (!end) {
        return false;
    }
    *at = end + 3;
    return true;
}

enum lq_status lq_mismatch_parse(const char *text, const char *name,
                                 struct lq_arena *arena,
                                 struct lq_mismatch *out)
{
    const char *at = text;

    *out = (struct lq_mismatch){0};
    (void)skip(&at, "PRECONDITION_FAILED - ");
    if (!skip(&at, "inequivalent arg '")) {
        return LQ_INVALID;
    }
    if (!strstr(at, "' for ")) {
        return LQ_INVALID;
    }
    out->field = take_until(&at, "' for ", arena);
    if (!out->field) {
        return LQ_NOMEM;
    }
    if (!skip_resource(&at, name) || !skip(&at, "received ")) {
        return LQ_OK; /* cut: the field is all that is known */
    }
    return read_sides(at, arena, out);
}

enum lq_status lq_refusal_parse(const char *text, struct lq_arena *arena,
                                struct lq_refusal *out)
{
    static const char in_vhost[] = "' in vhost '";
    static const char refused[] = "' refused for user '";
    const char *at = text;
    const char *vhost = NULL;
    const char *user = NULL;

    *out = (struct lq_refusal){0};
    (void)skip(&at, "ACCESS_REFUSED - ");
    if (skip(&at, "configure ")) {
        out->permission = "configure";
    } else if (skip(&at, "write ")) {
        out->permission = "write";
    } else if (skip(&at, "read ")) {
        out->permission = "read";
    }
    out->exchange = skip(&at, "access to exchange '");
    if (!out->exchange && !skip(&at, "access to queue '")) {
        return LQ_INVALID;
    }
    vhost = find_last(at, in_vhost);
    user = vhost ? find_last(vhost + strlen(in_vhost), refused) : NULL;
    if (!user || strlen(user) == strlen(refused) ||
        text[strlen(text) - 1] != '\'') {
        return LQ_INVALID;
    }
    out->name = lq_strndup(arena, at, (size_t)(vhost - at));
    vhost += strlen(in_vhost);
    out->vhost = lq_strndup(arena, vhost, (size_t)(user - vhost));
    user += strlen(refused);
    out->user = lq_strndup(arena, user, strlen(user) - 1);
    return out->name && out->vhost && out->user ? LQ_OK : LQ_NOMEM;
}

bool lq_is_missing(const char *text)
{
    const char *at = text;

    (void)skip(&at, "NOT_FOUND - ");
    return skip(&at, "no queue '") || skip(&at, "no exchange '");
}

static bool is_check(const struct lq_request *request)
{
    return request->kind == LQ_CHECK_QUEUE ||
           request->kind == LQ_CHECK_EXCHANGE;
}

static bool says(const struct lq_answer *answer, const char *words)
{
    return answer->text && strstr(answer->text, words);
}

enum lq_verdict lq_verdict_of(const struct lq_request *request,
                              const struct lq_answer *answer)
{
    if (answer->code == NOT_FOUND && is_check(request) && answer->text &&
        lq_is_missing(answer->text)) {
        return LQ_VERDICT_MISSING;
    }
    if (answer->code == LOCKED ||
        (answer->code == PRECONDITION && says(answer, "inequivalent arg"))) {
        return LQ_VERDICT_CONFLICT;
    }
    return LQ_VERDICT_REFUSED;
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

static struct lq_side side_of(const char *value, const char *type)
{
    return (struct lq_side){.known = true, .value = value, .type = type};
}

static struct lq_side argument_side(const struct lq_argument *argument,
                                    struct lq_arena *arena)
{
    switch (argument->type) {
    case LQ_LONGSTR:
        return side_of(argument->text, "string");
    case LQ_BOOL:
        return side_of(truth(argument->number != 0), "boolean");
    case LQ_INT32:
    case LQ_INT64:
        break;
    }
    return side_of(lq_format(arena, "%" PRId64, argument->number), "integer");
}

/* An exchange has no arguments. */
static struct lq_side exchange_side(const char *field)
{
    if (lq_str_equal(field, "type")) {
        return side_of("direct", "string");
    }
    if (lq_str_equal(field, "durable")) {
        return side_of(truth(true), "boolean");
    }
    return lq_str_equal(field, "auto_delete") || lq_str_equal(field, "internal")
               ? side_of(truth(false), "boolean")
               : side_of(NULL, NULL);
}

enum lq_status lq_planned_side(const struct lq_request *request,
                               const char *field, struct lq_arena *arena,
                               struct lq_side *out)
{
    const struct lq_queue *const queue = request->of.queue;

    *out = side_of(NULL, NULL);
    if (lq_is_about_exchange(request)) {
        *out = exchange_side(field);
        return LQ_OK;
    }
    if (lq_str_equal(field, "durable")) {
        *out = side_of(truth(queue->durable), "boolean");
    } else if (lq_str_equal(field, "auto_delete")) {
        *out = side_of(truth(queue->auto_delete), "boolean");
    } else if (lq_str_equal(field, "exclusive")) {
        *out = side_of(truth(false), "boolean");
    }
    for (size_t i = 0; i < queue->argument_count; ++i) {
        if (lq_str_equal(field, queue->arguments[i].key)) {
            *out = argument_side(&queue->arguments[i], arena);
            return out->value ? LQ_OK : LQ_NOMEM;
        }
    }
    return LQ_OK;
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

    if (lq_is_about_exchange(request) &&
        lq_str_equal(field, LQ_EXCHANGE_BARRIER)) {
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
    if (answer->kind == LQ_UNSENT || answer->kind == LQ_UNKNOWN) {
        out->kind = LQ_COMPARISON_OPEN;
    } else if (answer->kind == LQ_DONE) {
        out->kind = LQ_COMPARED_EQUAL;
    } else if (met_barrier(answer) ||
               lq_verdict_of(request, answer) == LQ_VERDICT_MISSING) {
        out->kind = LQ_COMPARED_GONE;
    } else if (answer->code == LOCKED) {
        differ(out, "exclusive", (struct lq_side_value){"false", "boolean"},
               (struct lq_side_value){"true", "boolean"});
    } else if (answer->code == PRECONDITION && answer->text) {
        status = lq_mismatch_parse(answer->text,
                                   lq_is_about_exchange(request)
                                       ? request->of.exchange->name
                                       : request->of.queue->name,
                                   arena, &mismatch);
        if (status == LQ_OK) {
            status = read_mismatch(request, &mismatch, arena, out);
        }
    }
    return status == LQ_NOMEM ? LQ_NOMEM : LQ_OK;
}
