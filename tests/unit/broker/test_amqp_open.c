/* Connecting and logging in, and each way in which that fails. */
#include "amqp_fixture.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Opening fails like that when the peer goes by that rule. */
struct failure {
    struct peer_rule rule;
    enum lq_status status;
    const char *text;
};

static void assert_fails(struct amqp_fixture *fixture,
                         const struct failure *failures, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        again(fixture);
        fixture->connection.connect_timeout_millis = 5000;
        assert_int_equal(open_to(fixture, &failures[i].rule, 1),
                         failures[i].status);
        assert_null(fixture->broker);
        assert_said(fixture, failures[i].text);
    }
}

static void logs_in_and_says_goodbye(void **state)
{
    static const char response[] = "\0\0\0\014\0guest\0guest";
    struct amqp_fixture *const fixture = *state;
    const uint8_t *at = fixture->peer.login;

    open_well(fixture, NULL, 0);
    assert_int_equal(fixture->base.diags.items.count, 0);
    end(fixture);
    assert_true(fixture->peer.has_goodbye);
    at += 4 + ((unsigned)at[2] << 8 | at[3]); /* the properties */
    assert_memory_equal(at, "\005PLAIN", 6);
    assert_memory_equal(at + 6, response, sizeof(response) - 1);
}

static void closes_nothing_without_a_broker(void **state)
{
    (void)state;
    lq_amqp_close(NULL);
}

static void takes_the_limits_that_a_peer_sets(void **state)
{
    static const unsigned limits[][2] = {{0, 0}, {1, 4096}, {2047, 131072}};
    struct amqp_fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(limits); ++i) {
        again(fixture);
        fixture->peer.channel_max = limits[i][0];
        fixture->peer.frame_max = limits[i][1];
        open_well(fixture, NULL, 0);
        end(fixture);
        assert_true(fixture->peer.has_goodbye);
    }
}

static void refuses_frames_that_are_too_small(void **state)
{
    struct amqp_fixture *const fixture = *state;

    fixture->peer.frame_max = 4095;
    assert_int_equal(open_to(fixture, NULL, 0), LQ_REFUSED);
    assert_said(fixture, "the peer allows frames of at most 4095 bytes, but "
                         "AMQP needs at least 4096");
}

#define TEXT(literal) .text = (literal), .length = sizeof(literal) - 1

static void tells_who_is_no_broker(void **state)
{
    static const struct failure failures[] = {
        {{PEER_HEADER, 0, PEER_SAYS, 0,
          TEXT("HTTP/1.1 400 Bad Request\r\n\r\n")},
         LQ_REFUSED,
         "the peer does not speak AMQP 0-9-1, but HTTP"},
        {{PEER_HEADER, 0, PEER_SAYS, 0, TEXT("\x15\x03\x01\0\x02\x02\x46")},
         LQ_REFUSED,
         "the peer does not speak AMQP 0-9-1, but TLS (a TLS port wants "
         "amqps://)"},
        {{PEER_HEADER, 0, PEER_SAYS, 0, TEXT("AMQP\0\1\0\0")},
         LQ_REFUSED,
         "the peer does not speak AMQP 0-9-1, but another version of AMQP"},
        {{PEER_HEADER, 0, PEER_SAYS, 0, TEXT("220 mail.example ESMTP\r\n")},
         LQ_REFUSED,
         "the peer does not speak AMQP 0-9-1"},
        {{PEER_HEADER, 0, PEER_SAYS, 0, TEXT("\1\0\0\x7f\xff\xff\xf0xxxx")},
         LQ_REFUSED,
         "the peer does not speak AMQP 0-9-1"},
        /* connection.start without arguments */
        {{PEER_HEADER, 0, PEER_SAYS, 0, TEXT("\1\0\0\0\0\0\4\0\x0a\0\x0a\xce")},
         LQ_REFUSED,
         "the peer does not speak AMQP 0-9-1"},
        /* basic.deliver, and connection.tune on channel 1 */
        {{PEER_HEADER, 0, PEER_SAYS, 0, TEXT("\1\0\0\0\0\0\4\0\x3c\0\x3c\xce")},
         LQ_REFUSED,
         "the peer sent an answer that nobody asked for"},
        {{PEER_HEADER, 0, PEER_SAYS, 0, TEXT("\1\0\1\0\0\0\4\0\x0a\0\x1e\xce")},
         LQ_REFUSED,
         "the peer sent an answer that nobody asked for"},
    };

    assert_fails(*state, failures, COUNT(failures));
}

static void tells_why_the_login_fails(void **state)
{
    static const struct failure failures[] = {
        {{PEER_START_OK, 0, PEER_ENDS, 403, TEXT("ACCESS_REFUSED - no")},
         LQ_REFUSED,
         "the broker does not know this user and password: ACCESS_REFUSED - no "
         "(403)"},
        {{PEER_OPEN, 0, PEER_ENDS, 530,
          TEXT("NOT_ALLOWED - vhost / not found")},
         LQ_REFUSED,
         "there is no such virtual host: NOT_ALLOWED - vhost / not found "
         "(530)"},
        {{PEER_OPEN, 0, PEER_ENDS, 530,
          TEXT("NOT_ALLOWED - access to vhost '/' refused for user 'guest'")},
         LQ_REFUSED,
         "this user may not use the virtual host: NOT_ALLOWED - access to "
         "vhost '/' refused for user 'guest' (530)"},
        {{PEER_OPEN, 0, PEER_ENDS, 320, TEXT("CONNECTION_FORCED - by\nforce")},
         LQ_LOST,
         "the broker closed the connection: CONNECTION_FORCED - by\\x0aforce "
         "(320)"},
    };

    assert_fails(*state, failures, COUNT(failures));
}

static void tells_where_the_peer_hangs_up(void **state)
{
    static const char early[] = "the peer hung up before the login was done (a "
                                "TLS port wants amqps://)";
    static const char late[] = "the peer hung up before the login was done";
    static const struct failure failures[] = {
        {{.on = PEER_HEADER, .act = PEER_HANGS_UP}, LQ_LOST, early},
        {{.on = PEER_START_OK, .act = PEER_HANGS_UP}, LQ_LOST, late},
        {{.on = PEER_TUNE_OK, .act = PEER_HANGS_UP}, LQ_LOST, late},
        {{.on = PEER_OPEN, .act = PEER_HANGS_UP}, LQ_LOST, late},
        {{.on = PEER_HEADER, .act = PEER_RESETS}, LQ_LOST, early},
        {{.on = PEER_OPEN, .act = PEER_RESETS}, LQ_LOST, late},
    };

    assert_fails(*state, failures, COUNT(failures));
}

static void waits_no_longer_than_it_may(void **state)
{
    static const struct {
        struct peer_rule rule;
        unsigned connect_millis;
        unsigned millis;
        const char *text;
    } cases[] = {
        {{.on = PEER_HEADER, .act = PEER_SAYS},
         100,
         10000,
         "connected, but no AMQP answer within 100 ms"},
        {{.on = PEER_START_OK, .act = PEER_SAYS},
         100,
         10000,
         "connected, but not logged in within 100 ms"},
        {{.on = PEER_OPEN, .act = PEER_SAYS},
         10000,
         100,
         "connected, but not logged in within 100 ms"},
    };
    struct amqp_fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(cases); ++i) {
        const uint64_t start = lq_now_millis();

        again(fixture);
        fixture->connection.connect_timeout_millis = cases[i].connect_millis;
        fixture->connection.timeout_millis = cases[i].millis;
        assert_int_equal(open_to(fixture, &cases[i].rule, 1), LQ_LOST);
        assert_said(fixture, cases[i].text);
        assert_in_range(lq_now_millis() - start, 95, 5000);
    }
}

/* What the peer's connection.start has to be. */
static void assert_greeting(struct amqp_fixture *fixture,
                            const struct peer_bytes *hello,
                            enum lq_status status, const char *text)
{
    const struct peer_rule rule = {.on = PEER_HEADER,
                                   .act = PEER_SAYS,
                                   .text = (const char *)hello->at,
                                   .length = hello->length};

    again(fixture);
    assert_int_equal(open_to(fixture, &rule, 1), status);
    assert_said(fixture, text);
    end(fixture);
}

static void refuses_other_versions_and_mechanisms(void **state)
{
    const struct peer_bytes old = peer_hello(0, 8, "PLAIN");
    const struct peer_bytes major = peer_hello(1, 9, "PLAIN");
    const struct peer_bytes external = peer_hello(0, 9, "EXTERNAL AMQPLAIN");

    assert_greeting(*state, &old, LQ_REFUSED,
                    "the peer does not speak AMQP 0-9-1, but 0-8");
    assert_greeting(*state, &major, LQ_REFUSED,
                    "the peer does not speak AMQP 0-9-1, but 1-9");
    assert_greeting(*state, &external, LQ_REFUSED,
                    "the broker does not offer PLAIN logins");
}

static void reads_frames_that_come_in_pieces_and_heartbeats(void **state)
{
    /* a heartbeat, then all but the end of connection.start */
    static const char heartbeat[] = "\x08\0\0\0\0\0\0\xce";
    struct peer_bytes hello = peer_hello(0, 9, "PLAIN");
    struct peer_bytes both = {.length = 8 + hello.length};
    const struct peer_rule rule = {.on = PEER_HEADER,
                                   .act = PEER_SAYS,
                                   .text = (const char *)both.at,
                                   .length = both.length};

    memcpy(both.at, heartbeat, 8);
    memcpy(both.at + 8, hello.at, hello.length);
    open_well(*state, &rule, 1);
}

/* A socket that is bound to a free port of this machine. */
static int bind_one(unsigned *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof(address);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

static void tells_why_there_is_no_connection(void **state)
{
    struct amqp_fixture *const fixture = *state;
    const int fd = bind_one(&fixture->connection.port); /* and no listen() */

    assert_int_equal(lq_amqp_open(&fixture->connection, &fixture->base.diags,
                                  &fixture->broker),
                     LQ_LOST);
    assert_said(fixture, "cannot connect: Connection refused");
    assert_int_equal(close(fd), 0);
}

/* Connects to it without waiting until it accepts. */
static int knock(unsigned port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
    (void)connect(fd, (struct sockaddr *)&address, sizeof(address));
    return fd;
}

static void waits_no_longer_than_it_may_for_a_connection(void **state)
{
    struct amqp_fixture *const fixture = *state;
    const int listener = bind_one(&fixture->connection.port);
    int crowd[4]; /* nobody accepts those, and so nobody more */

    assert_int_equal(listen(listener, 0), 0);
    for (size_t i = 0; i < COUNT(crowd); ++i) {
        crowd[i] = knock(fixture->connection.port);
    }
    fixture->connection.connect_timeout_millis = 150;
    assert_int_equal(lq_amqp_open(&fixture->connection, &fixture->base.diags,
                                  &fixture->broker),
                     LQ_LOST);
    assert_said(fixture, "no connection within 150 ms");
    for (size_t i = 0; i < COUNT(crowd); ++i) {
        assert_int_equal(close(crowd[i]), 0);
    }
    assert_int_equal(close(listener), 0);
}

static void tells_that_a_host_is_not_known(void **state)
{
    struct amqp_fixture *const fixture = *state;

    fixture->connection.host = "no host";
    assert_int_equal(lq_amqp_open(&fixture->connection, &fixture->base.diags,
                                  &fixture->broker),
                     LQ_LOST);
    assert_non_null(strstr(
        lq_diags_at(&fixture->base.diags, 0)->text,
        "broker no host:5672 (vhost '/', user 'guest'): the host name cannot "
        "be resolved: "));
}

static void refuses_settings_that_no_broker_takes(void **state)
{
    static const struct {
        struct lq_connection connection;
        const char *line;
    } cases[] = {
        {{.host = "h", .vhost = "\xff"},
         "broker h:5672 (vhost '\\xff', user 'guest'): the virtual host must "
         "be at most 255 bytes of UTF-8"},
        {{.host = "h", .vhost = BYTES_200 BYTES_50 "vhosts"},
         "broker h:5672 (vhost '" BYTES_200 BYTES_50
         "vhosts', user 'guest'): the virtual host must be at most 255 bytes "
         "of UTF-8"},
        {{.host = "::1", .username = "u", .port = 1},
         "broker [::1]:1 (vhost '/', user 'u'): the user has no password"},
        {{.host = "h", .tls_ca_file = "ca.pem"},
         "broker h:5672 (vhost '/', user 'guest'): certificates need an "
         "amqps:// URL"},
        {{.host = "h", .tls_cert_file = "c.pem"},
         "broker h:5672 (vhost '/', user 'guest'): certificates need an "
         "amqps:// URL"},
        {{.host = "h", .tls_key_file = "k.pem"},
         "broker h:5672 (vhost '/', user 'guest'): certificates need an "
         "amqps:// URL"},
    };
    struct amqp_fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(cases); ++i) {
        restart(&fixture->base, SIZE_MAX);
        assert_int_equal(lq_amqp_open(&cases[i].connection,
                                      &fixture->base.diags, &fixture->broker),
                         LQ_INVALID);
        assert_one_reported(&fixture->base, cases[i].line);
    }
}

/* Until it succeeds with that many allocations, it must not crash or leak. */
static void survives_any_failed_allocation(void **state)
{
    struct amqp_fixture *const fixture = *state;
    enum lq_status status = LQ_NOMEM;

    for (size_t limit = 0; status == LQ_NOMEM; ++limit) {
        again(fixture);
        restart(&fixture->base, limit);
        status = open_to(fixture, NULL, 0);
        assert_true(status == LQ_NOMEM || status == LQ_OK);
        assert_true(limit < 100);
    }
}

static void survives_any_failed_allocation_when_turned_away(void **state)
{
    static const struct peer_rule rules[] = {
        {.on = PEER_START_OK, .act = PEER_ENDS, .code = 403, .text = "no"}};
    struct amqp_fixture *const fixture = *state;
    enum lq_status status = LQ_NOMEM;

    for (size_t limit = 0; status == LQ_NOMEM; ++limit) {
        again(fixture);
        restart(&fixture->base, limit);
        status = open_to(fixture, rules, 1);
        assert_true(status == LQ_NOMEM || status == LQ_REFUSED);
        assert_true(limit < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AMQP_TEST(logs_in_and_says_goodbye),
        AMQP_TEST(closes_nothing_without_a_broker),
        AMQP_TEST(takes_the_limits_that_a_peer_sets),
        AMQP_TEST(refuses_frames_that_are_too_small),
        AMQP_TEST(tells_who_is_no_broker),
        AMQP_TEST(tells_why_the_login_fails),
        AMQP_TEST(tells_where_the_peer_hangs_up),
        AMQP_TEST(waits_no_longer_than_it_may),
        AMQP_TEST(refuses_other_versions_and_mechanisms),
        AMQP_TEST(reads_frames_that_come_in_pieces_and_heartbeats),
        AMQP_TEST(tells_why_there_is_no_connection),
        AMQP_TEST(waits_no_longer_than_it_may_for_a_connection),
        AMQP_TEST(tells_that_a_host_is_not_known),
        AMQP_TEST(refuses_settings_that_no_broker_takes),
        AMQP_TEST(survives_any_failed_allocation),
        AMQP_TEST(survives_any_failed_allocation_when_turned_away),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
