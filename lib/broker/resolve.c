#include "broker/resolve.h"

#include "base/clock.h"
#include "base/text.h"
#include "broker/url.h"

#include <string.h>
#include <strings.h>

/* URLs that were read: one of a management API, or all of a broker. */
struct endpoint {
    struct lilyq_url url;  /* first: callers hold a pointer to it */
    struct lq_place place; /* of the errors in them */
    struct lq_connection *ways;
    size_t count;
    const char *prefix; /* of a management API */
};

static const struct endpoint *endpoint_of(const struct lilyq_url *url)
{
    return (const struct endpoint *)url;
}

static bool is_near(const char *host)
{
    return !host || lq_str_equal(host, "localhost") ||
           lq_str_equal(host, "::1") || strncmp(host, "127.", 4) == 0;
}

/* Adds the place to what was found wrong. */
static void hand_on(const struct lq_diags *told,
                    const struct endpoint *endpoint, struct lq_diags *diags)
{
    for (size_t i = 0; i < told->items.count; ++i) {
        lq_error(diags, &endpoint->place, "%s", lq_diags_at(told, i)->text);
    }
}

/* Reads the URLs into an endpoint, whose place is already set. */
static enum lq_status read_ways(const char *url, bool is_management,
                                struct lq_diags *diags, struct endpoint *out)
{
    struct lq_management_settings management = {.prefix = NULL};
    enum lq_status status = LQ_OK;

    if (!is_management) {
        return lq_url_list_parse(url ? url : "amqp://", diags, &out->ways,
                                 &out->count);
    }
    status = lq_management_url_parse(url, diags, &management);
    out->ways = lq_alloc(diags->arena, sizeof(*out->ways));
    if (!out->ways) {
        return LQ_NOMEM;
    }
    out->ways[0] = management.peer;
    out->count = 1;
    out->prefix = management.prefix;
    return status;
}

static enum lq_status read_url(const char *url, bool is_management,
                               const char *source, struct lq_diags *diags,
                               const struct lilyq_url **out)
{
    struct endpoint *const endpoint = lq_alloc(diags->arena, sizeof(*endpoint));
    struct lq_diags told;
    enum lq_status status = LQ_NOMEM;

    *out = NULL;
    if (!endpoint) {
        return LQ_NOMEM;
    }
    lq_diags_init(&told, diags->arena);
    if (source) {
        endpoint->place.file = lq_strdup(diags->arena, source);
    }
    status = read_ways(url, is_management, &told, endpoint);
    if (status != LQ_OK) {
        hand_on(&told, endpoint, diags);
        return status;
    }
    for (size_t i = 0; i < endpoint->count; ++i) {
        const struct lq_connection *const way = &endpoint->ways[i];

        endpoint->url.tls = endpoint->url.tls || way->tls;
        endpoint->url.has_password =
            endpoint->url.has_password || way->password;
        endpoint->url.is_remote =
            endpoint->url.is_remote || !is_near(way->host);
    }
    *out = &endpoint->url;
    return LQ_OK;
}

enum lq_status lq_read_broker_url(const char *url, const char *source,
                                  struct lq_diags *diags,
                                  const struct lilyq_url **out)
{
    return read_url(url, false, source, diags, out);
}

enum lq_status lq_read_management_url(const char *url, const char *source,
                                      struct lq_diags *diags,
                                      const struct lilyq_url **out)
{
    return read_url(url, true, source, diags, out);
}

bool lq_has_management(const struct lilyq_connection *connection)
{
    return connection->read_management_url || connection->management_url;
}

static void set_if(const char **out, const char *value)
{
    if (value) {
        *out = value;
    }
}

/* If so, certificates are not meant for a broker without TLS. */
static bool has_tls_elsewhere(const struct lilyq_connection *connection)
{
    if (connection->read_management_url) {
        return connection->read_management_url->tls;
    }
    return connection->management_url &&
           strncasecmp(connection->management_url, "https://", 8) == 0;
}

/* Adds what the URL leaves open, and what takes precedence over it. */
static void complete(struct lq_connection *way,
                     const struct lilyq_connection *connection)
{
    set_if(&way->vhost, connection->vhost);
    set_if(&way->username, connection->username);
    set_if(&way->password, connection->password);
    if (way->tls || !has_tls_elsewhere(connection)) {
        set_if(&way->tls_ca_file, connection->tls_ca_file);
        set_if(&way->tls_cert_file, connection->tls_cert_file);
        set_if(&way->tls_key_file, connection->tls_key_file);
    }
    way->insecure = connection->insecure;
    way->connect_timeout_millis = connection->connect_timeout_millis;
    way->timeout_millis = connection->timeout_millis;
    way->answer_timeout_millis = connection->answer_timeout_millis;
    lq_connection_settle(way);
}

/* LQ_OK if the two are the same; NULL means the certificate's user. */
static enum lq_status compare(const char *what, const char *one,
                              const char *other, const struct lq_place *place,
                              struct lq_diags *diags)
{
    static const char nobody[] = "that of the certificate";
    const char *const a = one ? one : nobody;
    const char *const b = other ? other : nobody;
    const char *const shown = lq_printable(diags->arena, a, strlen(a));
    const char *const shown_too = lq_printable(diags->arena, b, strlen(b));

    return lq_str_equal(a, b)
               ? LQ_OK
               : lq_error(diags, place,
                          "broker URLs must name the same %s, not '%s' and "
                          "'%s'",
                          what, shown, shown_too);
}

/*
 * The same must be done whichever way is used, and a node that is down must not
 * make a password travel unencrypted.
 */
static enum lq_status compare_ways(const struct lq_connection *one,
                                   const struct lq_connection *other,
                                   const struct lq_place *place,
                                   struct lq_diags *diags)
{
    enum lq_status status =
        compare("virtual host", one->vhost, other->vhost, place, diags);

    if (status == LQ_OK) {
        status = compare("user", one->username, other->username, place, diags);
    }
    if (status == LQ_OK && !one->password != !other->password) {
        return lq_error(diags, place,
                        "broker URLs must all have a password, or none");
    }
    if (status == LQ_OK && one->tls != other->tls) {
        return lq_error(diags, place,
                        "broker URLs must all begin with amqps://, or all "
                        "with amqp://");
    }
    return status;
}

/* Reads the broker's URLs, unless the caller has. */
static enum lq_status broker_of(const struct lilyq_connection *connection,
                                struct lq_diags *diags,
                                const struct endpoint **out)
{
    const struct lilyq_url *url = connection->read_url;
    enum lq_status status = LQ_OK;

    if (!url) {
        status = lq_read_broker_url(connection->url, NULL, diags, &url);
    }
    *out = endpoint_of(url);
    return status;
}

/* The same for its management API. */
static enum lq_status management_of(const struct lilyq_connection *connection,
                                    struct lq_diags *diags,
                                    const struct endpoint **out)
{
    const struct lilyq_url *url = connection->read_management_url;
    enum lq_status status = LQ_OK;

    if (!url) {
        status = lq_read_management_url(connection->management_url, NULL, diags,
                                        &url);
    }
    *out = endpoint_of(url);
    return status;
}

enum lq_status lq_resolve(const struct lilyq_connection *connection,
                          struct lq_diags *diags, struct lq_route *out)
{
    const struct endpoint *broker = NULL;
    enum lq_status status = broker_of(connection, diags, &broker);

    if (status != LQ_OK) {
        return status;
    }
    *out = (struct lq_route){
        .ways = lq_alloc_array(diags->arena, broker->count, sizeof(*out->ways)),
        .count = broker->count,
        .wait_millis = connection->wait_millis,
        .begun = lq_now_millis(),
    };
    if (!out->ways) {
        return LQ_NOMEM;
    }
    memcpy(out->ways, broker->ways, out->count * sizeof(*out->ways));
    for (size_t i = 0; status == LQ_OK && i < out->count; ++i) {
        complete(&out->ways[i], connection);
        status =
            compare_ways(&out->ways[0], &out->ways[i], &broker->place, diags);
    }
    return status;
}

/* A user of another name needs a password of its own. */
static enum lq_status find_login(const struct lq_connection *way,
                                 const struct lq_place *place,
                                 struct lq_diags *diags,
                                 struct lq_connection *peer)
{
    const bool same =
        !peer->username ||
        (way->username && lq_str_equal(peer->username, way->username));

    if (!same && !peer->password) {
        return lq_error(diags, place,
                        "management URL names another user, and must "
                        "have the password too");
    }
    if (!peer->username) {
        peer->username = way->username;
    }
    if (!peer->password) {
        peer->password = way->password;
    }
    return LQ_OK;
}

enum lq_status lq_resolve_management(const struct lilyq_connection *connection,
                                     const struct lq_route *route,
                                     struct lq_diags *diags,
                                     struct lq_management_settings *out)
{
    const struct lq_connection *const way = &route->ways[0];
    struct lq_connection *const peer = &out->peer;
    const struct endpoint *management = NULL;
    enum lq_status status = management_of(connection, diags, &management);

    *out = (struct lq_management_settings){.prefix = NULL};
    if (status != LQ_OK) {
        return status;
    }
    out->peer = management->ways[0];
    out->prefix = management->prefix;
    status = find_login(way, &management->place, diags, peer);
    peer->vhost = way->vhost;
    peer->insecure = way->insecure;
    peer->connect_timeout_millis = way->connect_timeout_millis;
    peer->timeout_millis = way->timeout_millis;
    peer->answer_timeout_millis = way->answer_timeout_millis;
    if (peer->tls) {
        peer->tls_ca_file = connection->tls_ca_file;
        peer->tls_cert_file = connection->tls_cert_file;
        peer->tls_key_file = connection->tls_key_file;
    }
    lq_management_settle(out);
    return status;
}

const char *
lq_management_address(struct lq_arena *arena,
                      const struct lq_management_settings *management)
{
    const char *const address = lq_connection_address(arena, &management->peer);
    const char *const prefix = management->prefix ? management->prefix : "";
    const char *const shown = lq_printable(arena, prefix, strlen(prefix));

    return lq_format(arena, "%s://%s%s",
                     management->peer.tls ? "https" : "http", address, shown);
}
