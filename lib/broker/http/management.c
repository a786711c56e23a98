#include "broker/http/management.h"

#include "base/clock.h"
#include "base/text.h"
#include "broker/http/link.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The time left for a request, in milliseconds; for libcurl 0 is no limit. */
static long time_left(const struct lq_management *management)
{
    const uint64_t left = lq_millis_until(management->deadline);

    if (management->deadline == LQ_NEVER) {
        return 0;
    }
    return left < LONG_MAX ? (long)left : LONG_MAX;
}

static CURLcode ask(struct lq_management *management, const char *url)
{
    const struct lq_curl *const curl = &management->curl;
    CURLcode code = curl->easy_setopt(management->easy, CURLOPT_URL, url);

    if (management->diags->arena->failed) {
        return CURLE_OUT_OF_MEMORY; /* what is asked may lack a name */
    }
    management->length = 0;
    management->error[0] = '\0';
    management->asked = lq_now_millis();
    management->measured = management->asked;
    management->counted = 0;
    management->too_slow = false;
    management->too_large = false;
    management->out_of_memory = false;
    management->stopped = false;
    if (!code) {
        code = curl->easy_setopt(management->easy, CURLOPT_TIMEOUT_MS,
                                 time_left(management));
    }
    if (management->deadline != LQ_NEVER && !time_left(management)) {
        return CURLE_OPERATION_TIMEDOUT;
    }
    return code ? code : curl->easy_perform(management->easy);
}

static const char *keep(const struct lq_management *management,
                        const char *text)
{
    return lq_printable(management->diags->arena, text, strlen(text));
}

static enum lq_status describe(const struct lq_management *management,
                               struct lq_response *out)
{
    const struct lq_curl *const curl = &management->curl;
    char *type = NULL;
    char *location = NULL;
    long status = 0;

    if (curl->easy_getinfo(management->easy, CURLINFO_RESPONSE_CODE, &status) ||
        curl->easy_getinfo(management->easy, CURLINFO_CONTENT_TYPE, &type) ||
        curl->easy_getinfo(management->easy, CURLINFO_REDIRECT_URL,
                           &location)) {
        return LQ_NOMEM;
    }
    out->status = (int)status;
    out->body = management->length > 0 ? management->body : "";
    out->length = management->length;
    out->location = location ? keep(management, location) : NULL;
    out->type = type ? keep(management, type) : "";
    return LQ_OK;
}

enum lq_status lq_management_get(struct lq_management *management,
                                 const char *path, struct lq_response *out)
{
    const char *const url =
        lq_format(management->diags->arena, "%s%s", management->base, path);
    CURLcode code = CURLE_OK;

    *out = (struct lq_response){0};
    out->url = lq_printable(management->diags->arena, url, strcspn(url, "?"));
    code = ask(management, url);
    return code ? lq_management_failed(management, code)
                : describe(management, out);
}

/* Gives the next request a body. */
static CURLcode begin(const struct lq_management *management, const char *body)
{
    const struct lq_curl *const curl = &management->curl;
    CURL *const easy = management->easy;
    CURLcode code = curl->easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                                      (curl_off_t)strlen(body));

    if (!code) {
        code = curl->easy_setopt(easy, CURLOPT_POSTFIELDS, body);
    }
    if (!code) {
        code = curl->easy_setopt(easy, CURLOPT_CUSTOMREQUEST, "PUT");
    }
    return code ? code
                : curl->easy_setopt(easy, CURLOPT_HTTPHEADER,
                                    management->put_headers);
}

/* Leaves the requests after that without one. */
static CURLcode end(const struct lq_management *management)
{
    const struct lq_curl *const curl = &management->curl;
    CURL *const easy = management->easy;
    CURLcode code = curl->easy_setopt(easy, CURLOPT_POSTFIELDS, (char *)NULL);

    if (!code) {
        code = curl->easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    }
    if (!code) {
        code = curl->easy_setopt(easy, CURLOPT_CUSTOMREQUEST, (char *)NULL);
    }
    return code ? code
                : curl->easy_setopt(easy, CURLOPT_HTTPHEADER,
                                    management->headers);
}

enum lq_status lq_management_put(struct lq_management *management,
                                 const char *path, const char *body,
                                 struct lq_response *out)
{
    enum lq_status status = LQ_OK;

    if (begin(management, body)) {
        return LQ_NOMEM;
    }
    status = lq_management_get(management, path, out);
    return end(management) ? LQ_NOMEM : status;
}

/* The host as a URL has it: an IPv6 address in brackets, its zone encoded. */
static const char *url_host(const char *host, struct lq_arena *arena)
{
    const char *const zone = strchr(host, '%');

    if (!strchr(host, ':')) {
        return host;
    }
    return zone ? lq_format(arena, "[%.*s%%25%s]", (int)(zone - host), host,
                            zone + 1)
                : lq_format(arena, "[%s]", host);
}

static const char *shown(struct lq_arena *arena, const char *text)
{
    return lq_printable(arena, text, strlen(text));
}

static enum lq_status name_peer(struct lq_management *management)
{
    const struct lq_connection *const peer = &management->peer;
    struct lq_arena *const arena = management->diags->arena;
    const char *const prefix = management->settings->prefix;
    const char *const host = url_host(peer->host, arena);
    const char *const user =
        peer->username ? shown(arena, peer->username) : "of the certificate";
    const char *const vhost = shown(arena, peer->vhost);
    const char *const quote = peer->username ? "'" : "";
    const char *base = NULL;

    management->base =
        lq_format(arena, "%s://%s:%u%s/api/", peer->tls ? "https" : "http",
                  host, peer->port, prefix ? prefix : "");
    base = shown(arena, management->base);
    management->name = lq_format(
        arena, "management API %.*s (vhost '%s', user %s%s%s)",
        (int)(strlen(base) - strlen("/api/")), base, vhost, quote, user, quote);
    return management->name ? LQ_OK : LQ_NOMEM;
}

/* Whether a host name may stand in a URL as it is. */
static bool is_host(const char *text)
{
    for (const char *at = text; *at; ++at) {
        if ((unsigned char)*at <= ' ' || strchr("/?#@[]\\\"<>^`{|}\x7f", *at)) {
            return false;
        }
    }
    return *text != '\0';
}

/* Refuses what would fail with words that help nobody. */
static enum lq_status check(const struct lq_management *management)
{
    const struct lq_connection *const peer = &management->peer;

    if (!is_host(peer->host)) {
        return lq_management_fail(management, LQ_INVALID,
                                  "this is no host name or address");
    }
    if (!*peer->vhost || !lq_is_vhost(peer->vhost)) {
        return lq_management_fail(management, LQ_INVALID,
                                  "the virtual host must have a name in UTF-8");
    }
    if (peer->username && !peer->password) {
        return lq_management_fail(management, LQ_INVALID,
                                  "the user has no password");
    }
    if (peer->username && strchr(peer->username, ':')) {
        return lq_management_fail(management, LQ_INVALID,
                                  "HTTP cannot send a user name with ':'");
    }
    if (!peer->tls &&
        (peer->tls_cert_file || peer->tls_key_file || peer->tls_ca_file)) {
        return lq_management_fail(management, LQ_INVALID,
                                  "certificates need an https:// URL");
    }
    if (peer->tls_key_file && !peer->tls_cert_file) {
        return lq_management_fail(management, LQ_INVALID,
                                  "a client key needs a client certificate");
    }
    return LQ_OK;
}

static enum lq_status start(struct lq_management *management)
{
    const struct lq_login login = {management->peer.username,
                                   management->peer.password};
    enum lq_status status = LQ_OK;

    lq_diags_hide(management->diags, &login);
    status = name_peer(management);
    if (status == LQ_OK) {
        status = check(management);
    }
    if (status == LQ_OK) {
        status =
            lq_curl_load(LQ_CURL_LIBRARY, management->diags, &management->curl);
    }
    return status == LQ_OK ? lq_management_set_up(management) : status;
}

enum lq_status lq_management_open(const struct lq_management_settings *settings,
                                  struct lq_diags *diags,
                                  struct lq_management **out)
{
    struct lq_management *const management =
        lq_alloc(diags->arena, sizeof(*management));
    struct lq_management_settings settled = *settings;
    enum lq_status status = LQ_OK;

    if (!management) {
        return LQ_NOMEM;
    }
    lq_management_settle(&settled);
    management->diags = diags;
    management->settings = settings;
    management->peer = settled.peer;
    management->deadline = lq_connection_deadline(&settings->peer);
    status = start(management);
    if (status != LQ_OK) {
        lq_management_close(management);
        return status;
    }
    *out = management;
    return LQ_OK;
}

void lq_management_tell(struct lq_management *management,
                        struct lq_diags *diags)
{
    diags->logins = management->diags->logins; /* hidden there too */
    management->diags = diags;
}

void lq_management_close(struct lq_management *management)
{
    if (!management) {
        return;
    }
    free(management->body);
    management->body = NULL;
    if (management->easy) {
        management->curl.easy_cleanup(management->easy);
        management->easy = NULL;
    }
    if (management->started) {
        management->curl.slist_free_all(management->headers);
        management->curl.slist_free_all(management->put_headers);
        management->curl.global_cleanup();
        management->started = false;
    }
}
