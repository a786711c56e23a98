#include "base/text.h"
#include "broker/amqp/link.h"
#include "broker/tls_words.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <string.h>

/* OpenSSL would ask for a key's passphrase on the terminal. */
static int refuse_passphrase(char *buffer, int size, int writing, void *data)
{
    struct lq_link *const link = data;

    (void)writing;
    link->needs_passphrase = true;
    if (size > 0) {
        buffer[0] = '\0';
    }
    return -1;
}

/*
 * Notes the connection, which rabbitmq-c keeps to itself, and why a certificate
 * is refused, of which the handshake's own error says little.
 */
static int note_trust(int accepted, X509_STORE_CTX *store)
{
    SSL *const tls =
        X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    struct lq_link *const link = SSL_CTX_get_app_data(SSL_get_SSL_CTX(tls));

    link->tls = tls;
    if (SSL_get_verify_mode(tls) == SSL_VERIFY_NONE) {
        return 1;
    }
    if (!accepted && link->verify_error == X509_V_OK) {
        link->verify_error = X509_STORE_CTX_get_error(store);
    }
    return accepted;
}

/* Reports that a file cannot be loaded; `wanted` is what it should hold. */
static enum lq_status not_loaded(struct lq_link *link, const char *what,
                                 const char *file, const char *wanted)
{
    const unsigned long code = ERR_peek_error(); /* the first cause */
    struct lq_arena *const arena = link->diags->arena;
    const char *const name = lq_printable(arena, file, strlen(file));
    const char *reason = NULL;

    if (link->needs_passphrase) {
        reason = "it has a passphrase: give it without one";
    } else if (ERR_GET_LIB(code) == ERR_LIB_X509 &&
               ERR_GET_REASON(code) == X509_R_KEY_VALUES_MISMATCH) {
        reason = "it is the key of another certificate";
    } else if (ERR_SYSTEM_ERROR(code)) {
        reason = lq_strdup(arena, strerror(ERR_GET_REASON(code)));
    } else {
        reason = lq_format(arena, "there is no %s in it", wanted);
    }
    return lq_amqp_fail(link, LQ_INVALID, "cannot load %s '%s': %s", what, name,
                        reason);
}

static enum lq_status load_authorities(struct lq_link *link,
                                       const struct lq_connection *connection,
                                       SSL_CTX *context)
{
    const char *const file = connection->tls_ca_file;

    ERR_clear_error();
    if (file) {
        return SSL_CTX_load_verify_locations(context, file, NULL) == 1
                   ? LQ_OK
                   : not_loaded(link, "the CA certificates", file,
                                "certificate");
    }
    return SSL_CTX_set_default_verify_paths(context) == 1 ? LQ_OK : LQ_NOMEM;
}

static enum lq_status load_own(struct lq_link *link,
                               const struct lq_connection *connection,
                               SSL_CTX *context)
{
    const char *const cert = connection->tls_cert_file;
    const char *const key =
        connection->tls_key_file ? connection->tls_key_file : cert;

    if (!key) {
        return LQ_OK;
    }
    if (!cert) {
        return lq_amqp_fail(link, LQ_INVALID,
                            "a client key '%s' needs a client certificate",
                            key);
    }
    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(context, cert) != 1) {
        return not_loaded(link, "the client certificate", cert, "certificate");
    }
    if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
        return not_loaded(link, "the client key", key, "key");
    }
    return LQ_OK;
}

/*
 * OpenSSL checks the peer's name, not rabbitmq-c: that checks too late to tell
 * reasons apart, and knows no IP addresses before 0.14.
 */
static bool expect_peer(const char *host, SSL_CTX *context)
{
    X509_VERIFY_PARAM *const param = SSL_CTX_get0_param(context);
    unsigned char address[16];

    if (inet_pton(AF_INET, host, address) == 1) {
        return X509_VERIFY_PARAM_set1_ip(param, address, 4) == 1;
    }
    if (inet_pton(AF_INET6, host, address) == 1) {
        return X509_VERIFY_PARAM_set1_ip(param, address, 16) == 1;
    }
    X509_VERIFY_PARAM_set_hostflags(param,
                                    X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return X509_VERIFY_PARAM_set1_host(param, host, 0) == 1;
}

static enum lq_status set_up(struct lq_link *link,
                             const struct lq_connection *connection,
                             SSL_CTX *context)
{
    enum lq_status status = LQ_OK;

    /* otherwise an endless stream of empty records would keep a read going */
    (void)SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
    /* what is to be written moves as more is added */
    (void)SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE |
                                        SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_default_passwd_cb(context, refuse_passphrase);
    SSL_CTX_set_default_passwd_cb_userdata(context, link);
    if (SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1 ||
        SSL_CTX_set_app_data(context, link) != 1) {
        return LQ_NOMEM;
    }
    SSL_CTX_set_verify(context,
                       connection->insecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER,
                       note_trust);
    if (!connection->insecure) {
        if (!expect_peer(connection->host, context)) {
            return LQ_NOMEM;
        }
        status = load_authorities(link, connection, context);
    }
    if (status == LQ_OK) {
        status = load_own(link, connection, context);
    }
    return status;
}

enum lq_status lq_amqp_tls_socket(struct lq_link *link,
                                  const struct lq_connection *connection,
                                  amqp_socket_t **out)
{
    *out = amqp_ssl_socket_new(link->state);
    if (!*out) {
        return LQ_NOMEM;
    }
    amqp_ssl_socket_set_verify_peer(*out, !connection->insecure);
    amqp_ssl_socket_set_verify_hostname(*out, false);
    link->verify_error = X509_V_OK;
    return set_up(link, connection, amqp_ssl_socket_get_context(*out));
}

/* What a read or write came to that moved nothing. */
static int not_moved(const struct lq_link *link, short *events)
{
    switch (SSL_get_error(link->tls, 0)) {
    case SSL_ERROR_WANT_WRITE:
        *events = POLLOUT;
        return AMQP_STATUS_TIMEOUT;
    case SSL_ERROR_WANT_READ:
        *events = POLLIN;
        return AMQP_STATUS_TIMEOUT;
    case SSL_ERROR_ZERO_RETURN:
        return AMQP_STATUS_CONNECTION_CLOSED;
    default:
        return AMQP_STATUS_SSL_ERROR;
    }
}

int lq_amqp_tls_read(struct lq_link *link, uint8_t *at, size_t room,
                     size_t *count, short *events)
{
    ERR_clear_error();
    return SSL_read_ex(link->tls, at, room, count) == 1
               ? AMQP_STATUS_OK
               : not_moved(link, events);
}

int lq_amqp_tls_write(struct lq_link *link, struct lq_bytes bytes,
                      size_t *count, short *events)
{
    ERR_clear_error();
    return SSL_write_ex(link->tls, bytes.at, bytes.length, count) == 1
               ? AMQP_STATUS_OK
               : not_moved(link, events);
}

/* Whether the two have no version of TLS in common. */
static bool is_too_old(unsigned long code)
{
    const int reason = ERR_GET_REASON(code);

    return ERR_GET_LIB(code) == ERR_LIB_SSL &&
           (reason == SSL_R_UNSUPPORTED_PROTOCOL ||
            reason == SSL_R_TLSV1_ALERT_PROTOCOL_VERSION);
}

enum lq_status lq_amqp_tls_failed(struct lq_link *link,
                                  const struct lq_connection *connection)
{
    const unsigned long code = ERR_peek_last_error();
    const char *reason = NULL;

    if (link->verify_error != X509_V_OK) {
        reason = lq_tls_untrusted(link->verify_error, connection,
                                  link->diags->arena);
        return lq_amqp_fail(link, LQ_REFUSED, "%s", reason);
    }
    if (ERR_GET_LIB(code) == ERR_LIB_SSL &&
        ERR_GET_REASON(code) == SSL_R_WRONG_VERSION_NUMBER) {
        return lq_amqp_fail(link, LQ_REFUSED,
                            "the peer does not speak TLS (a plain port wants "
                            "amqp://)");
    }
    if (is_too_old(code)) {
        return lq_amqp_fail(link, LQ_REFUSED,
                            "the peer speaks no TLS 1.2 or later, and nothing "
                            "older is safe");
    }
    if (!code) {
        return lq_amqp_fail(link, LQ_LOST,
                            "the peer hung up during the TLS handshake");
    }
    reason = ERR_reason_error_string(code);
    return lq_amqp_fail(link, LQ_REFUSED, "the TLS handshake failed: %s",
                        reason ? reason : "for no known reason");
}
