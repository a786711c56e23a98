#include "base/clock.h"
#include "base/text.h"
#include "broker/http/link.h"
#include "broker/tls_words.h"

#include <stdarg.h>
#include <string.h>

enum lq_status lq_management_fail(const struct lq_management *management,
                                  enum lq_status status, const char *format,
                                  ...)
{
    va_list args;
    const char *text = NULL;

    va_start(args, format);
    text = lq_vformat(management->diags->arena, format, args);
    va_end(args);
    (void)lq_error(management->diags, NULL, "%s: %s", management->name, text);
    return status;
}

/* libcurl's own words about the last request. */
static const char *own_words(const struct lq_management *management,
                             CURLcode code)
{
    const char *const text = management->error[0]
                                 ? management->error
                                 : management->curl.easy_strerror(code);

    return lq_printable(management->diags->arena, text, strlen(text));
}

static enum lq_status fail_in_own_words(const struct lq_management *management,
                                        enum lq_status status, CURLcode code,
                                        const char *what)
{
    const char *const words = own_words(management, code);

    return lq_management_fail(management, status, "%s%s", what, words);
}

static enum lq_status not_connected(const struct lq_management *management)
{
    long reason = 0;

    if (management->curl.easy_getinfo(management->easy, CURLINFO_OS_ERRNO,
                                      &reason) ||
        reason == 0) {
        return lq_management_fail(management, LQ_LOST, "cannot connect");
    }
    return lq_management_fail(management, LQ_LOST, "cannot connect: %s",
                              strerror((int)reason));
}

/* How long the last request took to reach a point, in seconds. */
static double time_of(const struct lq_management *management, CURLINFO point)
{
    double seconds = 0;

    return management->curl.easy_getinfo(management->easy, point, &seconds) ==
                   CURLE_OK
               ? seconds
               : 0;
}

/* Whether connecting took too long, and not the whole run. */
static bool connected_too_late(const struct lq_management *management)
{
    const double limit = management->peer.connect_timeout_millis;

    return time_of(management, CURLINFO_PRETRANSFER_TIME) <= 0 &&
           time_of(management, CURLINFO_TOTAL_TIME) * 1000 + 1 >= limit;
}

static enum lq_status timed_out(const struct lq_management *management)
{
    const struct lq_connection *const peer = &management->peer;

    if (connected_too_late(management)) {
        return lq_management_fail(management, LQ_LOST,
                                  "no connection within %u ms",
                                  peer->connect_timeout_millis);
    }
    return lq_management_fail(management, LQ_LOST,
                              "not done within the timeout of %u ms",
                              peer->timeout_millis);
}

static enum lq_status not_trusted(const struct lq_management *management,
                                  CURLcode code)
{
    const struct lq_connection *const peer = &management->peer;
    struct lq_arena *const arena = management->diags->arena;
    long reason = 0;
    const char *text = NULL;

    if (strstr(management->error, "subject name")) {
        text = lq_format(arena, "the peer's certificate is not for '%s'",
                         peer->host);
    } else if (management->curl.easy_getinfo(management->easy,
                                             CURLINFO_SSL_VERIFYRESULT,
                                             &reason) == CURLE_OK &&
               reason != 0) {
        text = lq_tls_untrusted((int)reason, peer, arena);
    } else {
        return fail_in_own_words(management, LQ_REFUSED, code,
                                 "the peer's certificate is refused: ");
    }
    return lq_management_fail(management, LQ_REFUSED, "%s", text);
}

/* The connection ended before the answer did. */
static enum lq_status broken_off(const struct lq_management *management,
                                 CURLcode code)
{
    long status = 0;

    if (management->curl.easy_getinfo(management->easy, CURLINFO_RESPONSE_CODE,
                                      &status) == CURLE_OK &&
        status == 0) {
        return lq_management_fail(
            management, LQ_LOST, "the peer hung up without an answer%s",
            management->peer.tls ? "" : " (a TLS port wants https://)");
    }
    return fail_in_own_words(management, LQ_LOST, code,
                             "the answer broke off: ");
}

static enum lq_status not_encrypted(const struct lq_management *management,
                                    CURLcode code)
{
    if (strstr(management->error, "wrong version number")) {
        return lq_management_fail(management, LQ_REFUSED,
                                  "the peer does not speak TLS (a plain port "
                                  "wants http://)");
    }
    return fail_in_own_words(management, LQ_REFUSED, code,
                             "the TLS handshake failed: ");
}

/* A file that libcurl, or its TLS library, cannot use. */
static enum lq_status bad_file(const struct lq_management *management,
                               CURLcode code)
{
    if (code == CURLE_SSL_CACERT_BADFILE && management->peer.tls_ca_file) {
        return lq_management_fail(management, LQ_INVALID,
                                  "cannot load CA certificates from '%s'",
                                  management->peer.tls_ca_file);
    }
    return fail_in_own_words(management, LQ_INVALID, code, "");
}

static enum lq_status too_slow(const struct lq_management *management)
{
    const uint64_t taken = lq_now_millis() - management->asked;

    if (taken >= LQ_WHOLE_MILLIS) {
        return lq_management_fail(management, LQ_LOST,
                                  "the answer is not complete after an hour");
    }
    return lq_management_fail(management, LQ_LOST,
                              "no answer, or hardly any, within %g s; "
                              "--answer-timeout waits longer",
                              management->peer.answer_timeout_millis / 1000.0);
}

/* Failures that this side of the connection caused. */
static enum lq_status given_up(const struct lq_management *management,
                               CURLcode code)
{
    if (management->out_of_memory) {
        return LQ_NOMEM;
    }
    if (management->stopped) {
        return lq_management_fail(management, LQ_REFUSED, "stopped");
    }
    if (management->too_slow) {
        return too_slow(management);
    }
    if (management->too_large || code == CURLE_FILESIZE_EXCEEDED) {
        return lq_management_fail(management, LQ_REFUSED,
                                  "the answer is larger than %zu MiB",
                                  LQ_BODY_MAX_BYTES / 1024 / 1024);
    }
    return fail_in_own_words(management, LQ_LOST, code, "");
}

enum lq_status lq_management_failed(struct lq_management *management,
                                    CURLcode code)
{
    switch ((int)code) {
    case CURLE_OUT_OF_MEMORY:
        return LQ_NOMEM;
    case CURLE_COULDNT_RESOLVE_HOST:
        return lq_management_fail(management, LQ_LOST,
                                  "the host name cannot be resolved");
    case CURLE_COULDNT_CONNECT:
        return not_connected(management);
    case CURLE_OPERATION_TIMEDOUT:
        return timed_out(management);
    case CURLE_PEER_FAILED_VERIFICATION:
        return not_trusted(management, code);
    case CURLE_SSL_CONNECT_ERROR:
        return not_encrypted(management, code);
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
        return bad_file(management, code);
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
        return lq_management_fail(management, LQ_REFUSED,
                                  "the peer does not speak HTTP");
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
        return broken_off(management, code);
    default:
        return given_up(management, code);
    }
}
