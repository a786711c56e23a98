#include "api/session.h"

#include "base/text.h"
#include "broker/resolve.h"
#include "config/value.h"

#include <string.h>

/* "lilyq.ini:3: [broker] 'url'" */
static const char *place_of(struct lilyq *run, const struct lq_key *key)
{
    const struct lq_broker_settings *const broker = &run->config.broker;

    return lq_format(&run->arena, "%s:%u: [broker] '%s'", broker->place.file,
                     broker->lines[key - lq_keys], key->name);
}

/* What a value refers to; a value that is no reference is text. */
static const char *refer(const char *value, struct lq_arena *arena,
                         enum lilyq_setting_kind *kind)
{
    const struct lq_reference reference = lq_reference_read(value);

    switch (reference.kind) {
    case LQ_REFERENCE_ENV:
        *kind = LILYQ_SETTING_VARIABLE;
        break;
    case LQ_REFERENCE_FILE:
        *kind = LILYQ_SETTING_FILE;
        break;
    case LQ_REFERENCE_NONE:
    case LQ_REFERENCE_BAD: /* the loader lets none pass */
        *kind = LILYQ_SETTING_TEXT;
        return value;
    }
    return lq_strndup(arena, reference.name, reference.length);
}

/* The value of a key, or NULL: it is not there. */
static const char *written(const struct lq_broker_settings *broker,
                           const struct lq_key *key)
{
    const char *const at = (const char *)broker + key->offset;
    const char *text = NULL;
    unsigned choice = 0;

    if (!broker->lines[key - lq_keys]) {
        return NULL;
    }
    if (key->type == LQ_KEY_CHOICE) {
        memcpy(&choice, at, sizeof(choice));
        return key->choices[choice];
    }
    memcpy(&text, at, sizeof(text));
    return text;
}

static enum lq_status find_setting(struct lilyq *run, const char *key,
                                   struct lilyq_setting *out)
{
    const struct lq_key *const row = lq_key_find(LQ_SECTION_BROKER, key);
    const char *const named =
        row ? NULL : lq_printable(&run->arena, key, strlen(key));
    const char *value = NULL;

    if (!row) {
        return lq_error(&run->diags, NULL, "[broker] has no key '%s'", named);
    }
    value = written(&run->config.broker, row);
    if (!value) {
        return LQ_OK;
    }
    out->text = refer(value, &run->arena, &out->kind);
    out->place = place_of(run, row);
    return out->text && out->place ? LQ_OK : LQ_NOMEM;
}

enum lilyq_status lilyq_broker_setting(struct lilyq *run, const char *key,
                                       struct lilyq_setting *out)
{
    const size_t first = run->diags.items.count;

    *out = (struct lilyq_setting){.kind = LILYQ_SETTING_ABSENT};
    return lq_session_end(run, first, find_setting(run, key, out));
}

enum lilyq_status lilyq_read_url(struct lilyq *run, const char *url,
                                 const char *source,
                                 const struct lilyq_url **out)
{
    const size_t first = run->diags.items.count;

    return lq_session_end(run, first,
                          lq_read_broker_url(url, source, &run->diags, out));
}

enum lilyq_status lilyq_read_management_url(struct lilyq *run, const char *url,
                                            const char *source,
                                            const struct lilyq_url **out)
{
    const size_t first = run->diags.items.count;

    return lq_session_end(
        run, first, lq_read_management_url(url, source, &run->diags, out));
}

/* "[::1]:5672", or several with commas between them */
static const char *name_all(struct lq_arena *arena,
                            const struct lq_route *route)
{
    const char *names = "";

    for (size_t i = 0; i < route->count; ++i) {
        const char *const name = lq_connection_address(arena, &route->ways[i]);

        names = lq_format(arena, "%s%s%s", names, i ? ", " : "", name);
    }
    return names;
}

static enum lq_status resolve(struct lilyq *run,
                              const struct lilyq_connection *connection,
                              struct lilyq_target *out)
{
    struct lq_management_settings management;
    struct lq_route route;
    enum lq_status status = lq_resolve(connection, &run->diags, &route);

    if (status != LQ_OK) {
        return status;
    }
    out->addresses = name_all(&run->arena, &route);
    out->vhost = route.ways[0].vhost;
    out->username = route.ways[0].username;
    out->has_password = route.ways[0].password != NULL;
    if (!out->addresses || !lq_has_management(connection)) {
        return out->addresses ? LQ_OK : LQ_NOMEM;
    }
    status =
        lq_resolve_management(connection, &route, &run->diags, &management);
    if (status != LQ_OK) {
        return status;
    }
    out->management = lq_management_address(&run->arena, &management);
    return out->management ? LQ_OK : LQ_NOMEM;
}

enum lilyq_status lilyq_resolve(struct lilyq *run,
                                const struct lilyq_connection *connection,
                                struct lilyq_target *out)
{
    const size_t first = run->diags.items.count;

    *out = (struct lilyq_target){.addresses = NULL};
    return lq_session_end(run, first, resolve(run, connection, out));
}
