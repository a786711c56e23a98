/* AMQP over TLS: whom the client trusts, and who trusts it. */
#include "amqp_fixture.h"

#include "base/clock.h"
#include "broker/amqp/publisher.h"
#include "peer_identity.h"

#include <openssl/ssl.h>

#define DAY 86400L

static const long now[] = {-DAY, 2 * DAY};
static const long past[] = {-2 * DAY, DAY};
static const long future[] = {DAY, DAY};

/* A peer's and a client's, the same for all tests. */
static struct peer_identity own;
static struct peer_identity other;
static struct peer_identity elsewhere;
static struct peer_identity expired;
static struct peer_identity early;
static struct peer_identity locked;

static int make_all(void **state)
{
    const bool made =
        peer_identity_make(&own, "DNS:localhost,IP:127.0.0.1", now, NULL) &&
        peer_identity_make(&other, "IP:127.0.0.1", now, NULL) &&
        peer_identity_make(&elsewhere, "IP:127.0.0.2", now, NULL) &&
        peer_identity_make(&expired, "IP:127.0.0.1", past, NULL) &&
        peer_identity_make(&early, "IP:127.0.0.1", future, NULL) &&
        peer_identity_make(&locked, "IP:127.0.0.1", now, "secret");

    (void)state;
    return made ? 0 : -1;
}

static int free_all(void **state)
{
    struct peer_identity *const all[] = {&own,     &other, &elsewhere,
                                         &expired, &early, &locked};

    (void)state;
    for (size_t i = 0; i < COUNT(all); ++i) {
        peer_identity_free(all[i]);
    }
    return 0;
}

/* A peer with that identity, and a client that trusts it. */
static void prepare(struct amqp_fixture *fixture,
                    const struct peer_identity *identity)
{
    again(fixture);
    fixture->connection.tls = true;
    fixture->connection.tls_ca_file = identity->cert_file;
    fixture->connection.connect_timeout_millis = 5000;
    fixture->peer.context = identity->context;
}

static void assert_refused(struct amqp_fixture *fixture, const char *text)
{
    assert_int_equal(open_to(fixture, NULL, 0), LQ_REFUSED);
    assert_null(fixture->broker);
    assert_said(fixture, text);
}

static enum lq_status declare(struct amqp_fixture *fixture,
                              struct lq_answer *answer)
{
    static const struct lq_exchange exchange = {.name = "orders"};
    static const struct lq_request request = {LQ_DECLARE_EXCHANGE,
                                              {.exchange = &exchange}};
    const struct lq_batch batch = {
        .requests = &request, .count = 1, .answers = answer, .writes = true};

    return fixture->broker->run(fixture->broker, &batch);
}

static void trusts_a_private_authority_that_is_named(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct lq_answer answer;

    prepare(fixture, &own);
    open_well(fixture, NULL, 0);
    assert_int_equal(declare(fixture, &answer), LQ_OK);
    assert_int_equal(answer.kind, LQ_DONE);
    end(fixture);
    assert_true(fixture->peer.has_goodbye);
}

static void trusts_a_host_name(void **state)
{
    struct amqp_fixture *const fixture = *state;

    prepare(fixture, &own);
    fixture->connection.host = "localhost";
    open_well(fixture, NULL, 0);
}

static void trusts_anybody_when_told_to(void **state)
{
    struct amqp_fixture *const fixture = *state;

    prepare(fixture, &expired);
    fixture->connection.tls_ca_file = NULL;
    fixture->connection.insecure = true;
    open_well(fixture, NULL, 0);
}

static void tells_why_it_trusts_nobody_else(void **state)
{
    struct amqp_fixture *const fixture = *state;

    prepare(fixture, &own);
    fixture->connection.tls_ca_file = NULL;
    assert_refused(fixture,
                   "the peer's certificate is signed by no authority in the "
                   "system's certificates: give the file of the authority "
                   "that signed it");
    prepare(fixture, &own);
    fixture->connection.tls_ca_file = elsewhere.cert_file;
    assert_refused(fixture,
                   lq_format(&fixture->base.arena,
                             "the peer's certificate is signed by no authority "
                             "in '%s': give the file of the authority that "
                             "signed it",
                             elsewhere.cert_file));
    prepare(fixture, &elsewhere);
    assert_refused(fixture, "the peer's certificate is not for '127.0.0.1': "
                            "use a host name or address that is in it");
    prepare(fixture, &expired);
    assert_refused(fixture, "the peer's certificate has expired: it has to be "
                            "renewed there");
    prepare(fixture, &early);
    assert_refused(fixture, "the peer's certificate is not valid yet: compare "
                            "its dates with the clock here");
}

static void tells_who_does_not_speak_tls(void **state)
{
    static const struct peer_rule hangs_up = {.on = PEER_HEADER,
                                              .act = PEER_HANGS_UP};
    struct amqp_fixture *const fixture = *state;

    prepare(fixture, &own);
    fixture->peer.context = NULL;
    assert_refused(fixture, "the peer does not speak TLS (a plain port wants "
                            "amqp://)");
    prepare(fixture, &own);
    fixture->peer.context = NULL;
    assert_int_equal(open_to(fixture, &hangs_up, 1), LQ_LOST);
    assert_said(fixture, "the peer hung up during the TLS handshake");
}

static void refuses_old_versions_of_tls(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct peer_identity old;

    assert_true(peer_identity_make(&old, "IP:127.0.0.1", now, NULL));
    (void)SSL_CTX_set_min_proto_version(old.context, TLS1_VERSION);
    (void)SSL_CTX_set_max_proto_version(old.context, TLS1_1_VERSION);
    (void)SSL_CTX_set_cipher_list(old.context, "DEFAULT:@SECLEVEL=0");
    prepare(fixture, &old);
    assert_refused(fixture, "the peer speaks no TLS 1.2 or later, and nothing "
                            "older is safe");
    end(fixture);
    peer_identity_free(&old);
}

static void logs_in_with_a_certificate(void **state)
{
    struct amqp_fixture *const fixture = *state;
    const uint8_t *at = fixture->peer.login;

    prepare(fixture, &own);
    fixture->connection.tls_cert_file = other.cert_file;
    fixture->connection.tls_key_file = other.key_file;
    open_well(fixture, NULL, 0);
    end(fixture);
    at += 4 + ((unsigned)at[2] << 8 | at[3]); /* the properties */
    assert_memory_equal(at, "\010EXTERNAL\0\0\0\0", 13);
}

/* Writes megabytes, with no more than the peer takes at a time. */
static void publishes_messages_of_any_size(void **state)
{
    /* basic.ack of all up to 11, which has only one byte */
    static const struct peer_rule rule = {
        .on = PEER_PUBLISH,
        .skip = 10,
        .act = PEER_SAYS,
        .text = "\1\0\1\0\0\0\x0d\0\x3c\0\x50\0\0\0\0\0\0\0\x0b\1\xce",
        .length = 21};
    static uint8_t body[1000000];
    struct amqp_fixture *const fixture = *state;
    struct lq_message message = {.body = {body, sizeof(body)}};
    struct lq_publisher *publisher = NULL;
    struct lq_publisher_event event = {.kind = LQ_NO_EVENT};
    size_t taken = 0;

    prepare(fixture, &own);
    fixture->peer.rules = &rule;
    fixture->peer.rule_count = 1;
    assert_true(peer_start(&fixture->peer));
    fixture->connection.port = fixture->peer.port;
    assert_int_equal(lq_publisher_open(&fixture->connection,
                                       &fixture->base.diags, &publisher),
                     LQ_OK);
    for (size_t sent = 0; sent < 11 || event.kind == LQ_NO_EVENT;) {
        message.body.length = sent < 10 ? sizeof(body) : 1;
        if (sent < 11) {
            assert_int_equal(lq_publisher_send(publisher, &message, 1, &taken),
                             LQ_OK);
            sent += taken;
        }
        assert_int_equal(
            lq_publisher_next(publisher, lq_now_millis() + 20, &event), LQ_OK);
    }
    assert_int_equal(event.kind, LQ_CONFIRMED);
    assert_int_equal(event.last, 11);
    lq_publisher_close(publisher);
    peer_end(&fixture->peer);
    assert_true(fixture->peer.body_bytes >= 10000000);
    assert_true(fixture->peer.has_goodbye);
}

static void guesses_why_a_peer_breaks_off_late(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct peer_identity strict;

    assert_true(peer_identity_make(&strict, "IP:127.0.0.1", now, NULL));
    SSL_CTX_set_verify(strict.context,
                       SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    prepare(fixture, &strict);
    assert_int_equal(open_to(fixture, NULL, 0), LQ_LOST);
    assert_said(fixture, "the peer broke off TLS before the login was done (it "
                         "may want a client certificate)");
    prepare(fixture, &strict);
    fixture->connection.username = "guest";
    fixture->connection.password = "guest";
    fixture->connection.tls_cert_file = other.cert_file;
    fixture->connection.tls_key_file = other.key_file;
    assert_int_equal(open_to(fixture, NULL, 0), LQ_LOST);
    assert_said(fixture, "the peer broke off TLS before the login was done (it "
                         "may not trust the client certificate)");
    end(fixture);
    peer_identity_free(&strict);
}

static void tells_how_a_connection_ends(void **state)
{
    static const struct {
        struct peer_rule rule;
        const char *text;
    } cases[] = {
        {{.on = PEER_REQUEST, .act = PEER_HANGS_UP}, "the peer hung up"},
        {{.on = PEER_REQUEST, .act = PEER_RESETS}, "the TLS connection broke"},
    };
    struct amqp_fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(cases); ++i) {
        struct lq_answer answer;

        prepare(fixture, &own);
        open_well(fixture, &cases[i].rule, 1);
        assert_int_equal(declare(fixture, &answer), LQ_LOST);
        assert_said(fixture, cases[i].text);
        assert_int_equal(answer.kind, LQ_UNKNOWN);
    }
}

/* Opening fails for the sake of files, before anything is sent. */
static void assert_files_refused(struct amqp_fixture *fixture, const char *cert,
                                 const char *key, const char *text)
{
    prepare(fixture, &own);
    fixture->peer.context = NULL;
    fixture->connection.username = "guest";
    fixture->connection.password = "guest";
    fixture->connection.tls_cert_file = cert;
    fixture->connection.tls_key_file = key;
    assert_int_equal(open_to(fixture, NULL, 0), LQ_INVALID);
    assert_said(fixture, text);
}

static void tells_which_file_it_cannot_use(void **state)
{
    struct amqp_fixture *const fixture = *state;
    char text[256];

    assert_files_refused(fixture, NULL, "client.key",
                         "a client key 'client.key' needs a client "
                         "certificate");
    assert_files_refused(fixture, "/absent/c.pem", NULL,
                         "cannot load the client certificate '/absent/c.pem': "
                         "No such file or directory");
    (void)snprintf(text, sizeof(text),
                   "cannot load the client certificate '%s': there is no "
                   "certificate in it",
                   own.key_file);
    assert_files_refused(fixture, own.key_file, NULL, text);
    (void)snprintf(text, sizeof(text),
                   "cannot load the client key '%s': there is no key in it",
                   own.cert_file);
    assert_files_refused(fixture, own.cert_file, NULL, text);
    (void)snprintf(text, sizeof(text),
                   "cannot load the client key '%s': it is the key of another "
                   "certificate",
                   other.key_file);
    assert_files_refused(fixture, own.cert_file, other.key_file, text);
    (void)snprintf(text, sizeof(text),
                   "cannot load the client key '%s': it has a passphrase: give "
                   "it without one",
                   locked.key_file);
    assert_files_refused(fixture, locked.cert_file, locked.key_file, text);
}

static void tells_that_there_are_no_authorities(void **state)
{
    struct amqp_fixture *const fixture = *state;

    prepare(fixture, &own);
    fixture->peer.context = NULL;
    fixture->connection.tls_ca_file = "/absent/ca.pem";
    assert_int_equal(open_to(fixture, NULL, 0), LQ_INVALID);
    assert_said(fixture, "cannot load the CA certificates '/absent/ca.pem': No "
                         "such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AMQP_TEST(trusts_a_private_authority_that_is_named),
        AMQP_TEST(trusts_a_host_name),
        AMQP_TEST(trusts_anybody_when_told_to),
        AMQP_TEST(tells_why_it_trusts_nobody_else),
        AMQP_TEST(tells_who_does_not_speak_tls),
        AMQP_TEST(refuses_old_versions_of_tls),
        AMQP_TEST(logs_in_with_a_certificate),
        AMQP_TEST(publishes_messages_of_any_size),
        AMQP_TEST(guesses_why_a_peer_breaks_off_late),
        AMQP_TEST(tells_how_a_connection_ends),
        AMQP_TEST(tells_which_file_it_cannot_use),
        AMQP_TEST(tells_that_there_are_no_authorities),
    };

    return cmocka_run_group_tests(tests, make_all, free_all);
}
