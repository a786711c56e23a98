#include "session.h"

#include "base/text.h"

#include <string.h>

static void set_if(const char **out, const char *value)
{
    if (value) {
        *out = value;
    }
}

/* What the URL leaves open, or what wins over it. */
static void complete(struct lq_connection *way,
                     const struct lilyq_connection *connection)
{
    set_if(&way->vhost, connection->vhost);
    set_if(&way->username, connection->username);
    set_if(&way->password, connection->password);
    set_if(&way->tls_ca_file, connection->tls_ca_file);
    set_if(&way->tls_cert_file, connection->tls_cert_file);
    set_if(&way->tls_key_file, connection->tls_key_file);
    way->insecure = connection->insecure;
    way->connect_timeout_millis = connection->connect_timeout_millis;
    way->timeout_millis = connection->timeout_millis;
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

enum lq_status lq_session_resolve(const struct lilyq_connection *connection,
                                  struct lq_diags *diags, struct lq_route *out)
{
    const char *const urls = connection->url ? connection->url : "amqp://";
    enum lq_status status =
        lq_url_list_parse(urls, diags, &out->ways, &out->count);

    if (status != LQ_OK) {
        return status;
    }
    out->wait_millis = connection->wait_millis;
    for (size_t i = 0; status == LQ_OK && i < out->count; ++i) {
        complete(&out->ways[i], connection);
        status = compare_ways(&out->ways[0], &out->ways[i], diags);
    }
    return status;
}
