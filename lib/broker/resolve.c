#include "broker/resolve.h"

#include "base/clock.h"
#include "base/text.h"

#include <string.h>
#include <strings.h>

static void set_if(const char **out, const char *value)
{
    if (value) {
        *out = value;
    }
}

/* Certificates are then not meant for a broker without TLS. */
static bool has_tls_elsewhere(const struct lilyq_connection *connection)
{
    return connection->management_url &&
           strncasecmp(connection->management_url, "https://", 8) == 0;
}

/* What the URL leaves open, or what wins over it. */
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

/* LQ_OK if the two are the same; NULL is the certificate's user. */
static enum lq_status compare(const char *what, const char *one,
                              const char *other, struct lq_diags *diags)
{
    static const char nobody[] = "that of the certificate";
    const char *const a = one ? one : nobody;
    const char *const b = other ? other : nobody;
    const char *const shown = lq_printable(diags->arena, a, strlen(a));
    const char *const shown_too = lq_printable(diags->arena, b, strlen(b));

    if (!shown || !shown_too) {
        return LQ_NOMEM;
    }
    return lq_str_equal(a, b)
               ? LQ_OK
               : lq_error(diags, NULL,
                          "broker URLs must name the same %s, not '%s' and "
                          "'%s'",
                          what, shown, shown_too);
}

/*
 * Which way is used must make no difference to what is done, and a node that is
 * down must not bring a password out into the open.
 */
static enum lq_status compare_ways(const struct lq_connection *one,
                                   const struct lq_connection *other,
                                   struct lq_diags *diags)
{
    enum lq_status status =
        compare("virtual host", one->vhost, other->vhost, diags);

    if (status == LQ_OK) {
        status = compare("user", one->username, other->username, diags);
    }
    if (status == LQ_OK && !one->password != !other->password) {
        return lq_error(diags, NULL,
                        "broker URLs must all have a password, or none");
    }
    if (status == LQ_OK && one->tls != other->tls) {
        return lq_error(diags, NULL,
                        "broker URLs must all begin with amqps://, or all "
                        "with amqp://");
    }
    return status;
}

enum lq_status lq_resolve(const struct lilyq_connection *connection,
                          struct lq_diags *diags, struct lq_route *out)
{
    const char *const urls = connection->url ? connection->url : "amqp://";
    enum lq_status status =
        lq_url_list_parse(urls, diags, &out->ways, &out->count);

    if (status != LQ_OK) {
        return status;
    }
    out->wait_millis = connection->wait_millis;
    out->begun = lq_now_millis();
    for (size_t i = 0; status == LQ_OK && i < out->count; ++i) {
        complete(&out->ways[i], connection);
        status = compare_ways(&out->ways[0], &out->ways[i], diags);
    }
    return status;
}

/* A user of its own has a password of its own. */
static enum lq_status find_login(const struct lq_connection *way,
                                 struct lq_diags *diags,
                                 struct lq_connection *peer)
{
    const bool same =
        !peer->username ||
        (way->username && lq_str_equal(peer->username, way->username));

    if (!same && !peer->password) {
        return lq_error(diags, NULL,
                        "management URL names a user of its own, and must "
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
    enum lq_status status = LQ_OK;

    *out = (struct lq_management_settings){.prefix = NULL};
    status = lq_management_url_parse(connection->management_url, diags, out);
    if (status == LQ_OK) {
        status = find_login(way, diags, peer);
    }
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

    return address && shown ? lq_format(arena, "%s://%s%s",
                                        management->peer.tls ? "https" : "http",
                                        address, shown)
                            : NULL;
}
