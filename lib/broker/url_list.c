#include "broker/connection.h"

#include <string.h>
#include <strings.h>

/* What every message of lq_url_parse() begins with. */
#define SUBJECT "broker URL"

static bool is_start(const char *text)
{
    return strncasecmp(text, "amqp://", 7) == 0 ||
           strncasecmp(text, "amqps://", 8) == 0;
}

/*
 * The comma behind the first URL, or NULL; `*next` is the URL behind it. A
 * comma may also be part of a password, where a slash may not.
 */
static const char *find_end(const char *urls, const char **next)
{
    for (const char *at = strchr(urls, ','); at; at = strchr(at + 1, ',')) {
        *next = at + 1 + strspn(at + 1, " \t");
        if (is_start(*next)) {
            return at;
        }
    }
    return NULL;
}

static size_t count_urls(const char *urls)
{
    size_t count = 1;

    for (const char *at = urls; find_end(at, &at);) {
        ++count;
    }
    return count;
}

/* Reads number `number` of `count`; messages say which it is. */
static enum lq_status read_one(const char *url, size_t number, size_t count,
                               struct lq_diags *diags,
                               struct lq_connection *out)
{
    struct lq_diags own;
    enum lq_status status = LQ_OK;

    if (count == 1) {
        return lq_url_parse(url, diags, out);
    }
    lq_diags_init(&own, diags->arena);
    status = lq_url_parse(url, &own, out);
    for (size_t i = 0; i < own.items.count; ++i) {
        const char *const text = lq_diags_at(&own, i)->text;

        if (lq_error(diags, NULL, SUBJECT " %zu of %zu%s", number, count,
                     text + strlen(SUBJECT)) == LQ_NOMEM) {
            return LQ_NOMEM;
        }
    }
    return status;
}

enum lq_status lq_url_list_parse(const char *urls, struct lq_diags *diags,
                                 struct lq_connection **out, size_t *count)
{
    const size_t total = count_urls(urls);
    struct lq_connection *const list =
        lq_alloc_array(diags->arena, total, sizeof(*list));
    const char *next = urls;
    enum lq_status status = LQ_OK;

    if (!list) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < total && status != LQ_NOMEM; ++i) {
        const char *const start = next;
        const char *const end = find_end(start, &next);
        const char *const url = lq_strndup(
            diags->arena, start, end ? (size_t)(end - start) : strlen(start));

        status =
            url ? lq_worse(status, read_one(url, i + 1, total, diags, &list[i]))
                : LQ_NOMEM;
    }
    *out = list;
    *count = total;
    return status;
}
