#include "base/clock.h"
#include "broker/http/link.h"
#include "broker/http/management.h"
#include "broker/url.h"

#include <stdlib.h>
#include <string.h>

#define READ_BUFFER_BYTES (256L * 1024)
#define LEAST_BYTES_A_SECOND 1024

/* The path of the URL, without slashes and "/api" at its end. */
static enum lq_status read_prefix(const struct lq_url *url, const char *tail,
                                  const char **out)
{
    static const char api[] = "/api";
    const size_t api_length = sizeof(api) - 1;
    size_t length = strlen(tail);

    if (strpbrk(tail, "?#")) {
        return lq_url_fail(url, "takes no '?' query and no '#' fragment");
    }
    while (length > 0 && tail[length - 1] == '/') {
        --length;
    }
    if (length >= api_length &&
        strncmp(tail + length - api_length, api, api_length) == 0) {
        length -= api_length;
    }
    *out = lq_strndup(url->diags->arena, tail, length);
    return LQ_OK;
}

static enum lq_status read_parts(const struct lq_url *url,
                                 const struct lq_url_parts *parts,
                                 struct lq_management_settings *out)
{
    const enum lq_status status = lq_url_peer(url, parts, &out->peer);

    return status == LQ_OK ? read_prefix(url, parts->tail, &out->prefix)
                           : status;
}

enum lq_status lq_management_url_parse(const char *text, struct lq_diags *diags,
                                       struct lq_management_settings *out)
{
    const struct lq_url url = {"management URL",
                               "must name one host, without ','", diags};
    struct lq_management_settings read = *out;
    struct lq_url_parts parts = {.tail = ""};
    const char *rest = "";
    enum lq_status status =
        lq_url_scheme(&url, text, "http", &read.peer.tls, &rest);

    if (status == LQ_OK) {
        status = lq_url_split(&url, rest, &parts);
    }
    if (status == LQ_OK) {
        status = read_parts(&url, &parts, &read);
    }
    if (status == LQ_OK) {
        *out = read;
    }
    return status;
}

void lq_management_settle(struct lq_management_settings *settings)
{
    struct lq_connection *const peer = &settings->peer;

    if (!peer->port) {
        peer->port = peer->tls ? 443 : 80;
    }
    lq_connection_settle(peer);
}

/* Room for `more` bytes of the body. */
static bool reserve(struct lq_management *management, size_t more)
{
    const size_t needed = management->length + more;
    size_t capacity = management->capacity ? management->capacity : 65536;
    char *body = NULL;

    if (needed <= management->capacity) {
        return true;
    }
    while (capacity < needed) {
        capacity *= 2;
    }
    body = realloc(management->body, capacity);
    if (!body) {
        management->out_of_memory = true;
        return false;
    }
    management->body = body;
    management->capacity = capacity;
    return true;
}

/* Called by libcurl with a piece of the body; a short count is an error. */
static size_t take_body(char *bytes, size_t size, size_t count, void *data)
{
    struct lq_management *const management = data;
    const size_t length = size * count;

    if (length > LQ_BODY_MAX_BYTES - management->length) {
        management->too_large = true;
        return 0;
    }
    if (length > 0 && !reserve(management, length)) {
        return 0;
    }
    if (length > 0) {
        memcpy(management->body + management->length, bytes, length);
        management->length += length;
    }
    return length;
}

static bool is_overdue(const struct lq_management *management, uint64_t now)
{
    return now - management->asked >= LQ_WHOLE_MILLIS;
}

/*
 * Whether too little has come in within the time that an answer may take to
 * begin. A long answer may come slowly, but not a few bytes at a time for ever.
 */
static bool is_too_slow(struct lq_management *management, curl_off_t got)
{
    const uint64_t now = lq_now_millis();
    const unsigned span = management->peer.answer_timeout_millis;
    const curl_off_t least = (curl_off_t)span * LEAST_BYTES_A_SECOND / 1000;
    const bool begins = management->counted == 0 && got > 0;

    if (is_overdue(management, now)) {
        return true;
    }
    if (!begins && now - management->measured < span) {
        return false;
    }
    if (!begins && got - management->counted < least) {
        return true;
    }
    management->measured = now;
    management->counted = got;
    return false;
}

/* Called by libcurl at least once a second; true ends the request. */
static int watch(void *data, curl_off_t to_get, curl_off_t got,
                 curl_off_t to_send, curl_off_t sent)
{
    struct lq_management *const management = data;
    const struct lq_management_settings *const settings = management->settings;

    (void)to_get;
    (void)to_send;
    (void)sent;
    management->stopped = settings->stop && settings->stop(settings->data);
    management->too_slow = is_too_slow(management, got);
    return management->stopped || management->too_slow;
}

struct number_option {
    CURLoption option;
    long value;
};

struct text_option {
    CURLoption option;
    const char *value; /* NULL: libcurl's default */
};

static CURLcode set_numbers(const struct lq_management *management)
{
    const struct lq_connection *const peer = &management->peer;
    const struct number_option options[] = {
        {CURLOPT_NOSIGNAL, 1},
        {CURLOPT_NOPROGRESS, 0}, /* calls watch() */
        {CURLOPT_FOLLOWLOCATION, 0},
        {CURLOPT_PATH_AS_IS, 1},
        {CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1},
        {CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC},
        {CURLOPT_BUFFERSIZE, READ_BUFFER_BYTES},
        {CURLOPT_CONNECTTIMEOUT_MS, (long)peer->connect_timeout_millis},
        {CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2},
        {CURLOPT_SSL_VERIFYPEER, !peer->insecure},
        {CURLOPT_SSL_VERIFYHOST, peer->insecure ? 0 : 2},
    };
    CURLcode code = CURLE_OK;

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]) && !code; ++i) {
        code = management->curl.easy_setopt(management->easy, options[i].option,
                                            options[i].value);
    }
    return code;
}

static CURLcode set_texts(const struct lq_management *management)
{
    const struct lq_connection *const peer = &management->peer;
    const struct text_option options[] = {
        {CURLOPT_PROXY, ""}, /* none, not even the environment's */
        {CURLOPT_PROTOCOLS_STR, "http,https"},
        {CURLOPT_USERAGENT, "lilyq"},
        {CURLOPT_USERNAME, peer->username},
        {CURLOPT_PASSWORD, peer->password},
        {CURLOPT_SSLCERT, peer->tls_cert_file},
        {CURLOPT_SSLKEY, peer->tls_key_file},
        {CURLOPT_KEYPASSWD, ""}, /* else the terminal is asked for one */
    };
    CURLcode code = CURLE_OK;

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]) && !code; ++i) {
        if (options[i].value) {
            code = management->curl.easy_setopt(
                management->easy, options[i].option, options[i].value);
        }
    }
    if (!code && peer->tls_ca_file) {
        code = management->curl.easy_setopt(management->easy, CURLOPT_CAINFO,
                                            peer->tls_ca_file);
        if (!code) { /* else the system's authorities count too */
            code = management->curl.easy_setopt(management->easy,
                                                CURLOPT_CAPATH, (char *)NULL);
        }
    }
    return code;
}

static CURLcode set_callbacks(struct lq_management *management)
{
    const struct lq_curl *const curl = &management->curl;
    CURL *const easy = management->easy;

    if (curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body) ||
        curl->easy_setopt(easy, CURLOPT_WRITEDATA, management) ||
        curl->easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, watch) ||
        curl->easy_setopt(easy, CURLOPT_XFERINFODATA, management) ||
        curl->easy_setopt(easy, CURLOPT_ERRORBUFFER, management->error) ||
        curl->easy_setopt(easy, CURLOPT_HTTPHEADER, management->headers)) {
        return CURLE_OUT_OF_MEMORY;
    }
    return curl->easy_setopt(easy, CURLOPT_MAXFILESIZE_LARGE,
                             (curl_off_t)LQ_BODY_MAX_BYTES);
}

/* Adds a header to a list, which stays as it is when that fails. */
static bool add_header(const struct lq_management *management,
                       struct curl_slist **list, const char *header)
{
    struct curl_slist *const longer =
        management->curl.slist_append(*list, header);

    if (longer) {
        *list = longer;
    }
    return longer != NULL;
}

static bool make_headers(struct lq_management *management)
{
    static const char accept[] = "Accept: application/json";

    return add_header(management, &management->headers, accept) &&
           add_header(management, &management->put_headers, accept) &&
           add_header(management, &management->put_headers,
                      "Content-Type: application/json") &&
           /* else it waits for permission to send a body */
           add_header(management, &management->put_headers, "Expect:");
}

enum lq_status lq_management_set_up(struct lq_management *management)
{
    const struct lq_curl *const curl = &management->curl;
    CURLcode code = curl->global_init(CURL_GLOBAL_DEFAULT);

    management->started = code == CURLE_OK;
    if (management->started) {
        management->easy = curl->easy_init();
    }
    if (!management->easy || !make_headers(management)) {
        return LQ_NOMEM;
    }
    code = set_numbers(management);
    if (!code) {
        code = set_texts(management);
    }
    if (!code) {
        code = set_callbacks(management);
    }
    if (!code) {
        return LQ_OK;
    }
    return code == CURLE_OUT_OF_MEMORY
               ? LQ_NOMEM
               : lq_management_fail(management, LQ_IO,
                                    "this libcurl will not do: %s",
                                    curl->easy_strerror(code));
}
