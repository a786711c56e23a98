#include "broker/mismatch.h"

#include <string.h>

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

/* 'VALUE' */
static bool read_quoted(const char *text, size_t length, struct lq_arena *arena,
                        const char **out)
{
    if (length < 2 || text[0] != '\'' || text[length - 1] != '\'') {
        return false;
    }
    *out = lq_strndup(arena, text + 1, length - 2);
    return *out != NULL;
}

/* none, 'VALUE' or the value 'VALUE' of type 'TYPE'; else it is not known. */
static struct lq_side read_side(const char *text, size_t length,
                                struct lq_arena *arena)
{
    static const char long_form[] = "the value ";
    static const char of_type[] = " of type ";
    const char *const copy = lq_strndup(arena, text, length);
    const char *at = copy;
    const char *type = NULL;
    struct lq_side side = {0};

    if (!copy) {
        return side;
    }
    if (strcmp(copy, "none") == 0) {
        side.known = true;
        return side;
    }
    if (!skip(&at, long_form)) {
        side.known = read_quoted(copy, length, arena, &side.value);
        return side;
    }
    type = find_last(at, of_type);
    if (type) {
        const char *const name = type + strlen(of_type);

        side.known = read_quoted(at, (size_t)(type - at), arena, &side.value) &&
                     read_quoted(name, strlen(name), arena, &side.type);
    }
    return side;
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
    static const char but[] = " but current is ";
    const char *at = text;
    const char *split = NULL;

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
    split = find_last(at, but);
    if (split) {
        const char *const there = split + strlen(but);

        out->planned = read_side(at, (size_t)(split - at), arena);
        out->there = read_side(there, strlen(there), arena);
    }
    return LQ_OK;
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
