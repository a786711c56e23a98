/* What the tests of the AMQP client share: a peer, and a link to it. */
#ifndef AMQP_FIXTURE_H
#define AMQP_FIXTURE_H

#include "broker/amqp/amqp.h"

#include "../plan/fixture.h"
#include "base/text.h"
#include "peer.h"

#include <stdio.h>

struct amqp_fixture {
    struct fixture base; /* first: its helpers take it */
    struct peer peer;
    struct lq_connection connection;
    struct lq_broker *broker;
};

static inline void begin(struct amqp_fixture *fixture)
{
    memset(&fixture->peer, 0, sizeof(fixture->peer));
    fixture->connection =
        (struct lq_connection){.host = "127.0.0.1", .timeout_millis = 10000};
    fixture->broker = NULL;
}

static inline void end(struct amqp_fixture *fixture)
{
    lq_amqp_close(fixture->broker);
    fixture->broker = NULL;
    peer_end(&fixture->peer);
}

static inline int set_up_amqp(void **state)
{
    static struct amqp_fixture fixture;

    lq_arena_init(&fixture.base.arena);
    lq_diags_init(&fixture.base.diags, &fixture.base.arena);
    begin(&fixture);
    *state = &fixture;
    return 0;
}

static inline int tear_down_amqp(void **state)
{
    struct amqp_fixture *const fixture = *state;

    end(fixture);
    lq_arena_free(&fixture->base.arena);
    return 0;
}

#define AMQP_TEST(name)                                                        \
    cmocka_unit_test_setup_teardown(name, set_up_amqp, tear_down_amqp)

/* Starts the peer and opens a link to it, which may fail. */
static inline enum lq_status open_to(struct amqp_fixture *fixture,
                                     const struct peer_rule *rules,
                                     size_t count)
{
    fixture->peer.rules = rules;
    fixture->peer.rule_count = count;
    assert_true(peer_start(&fixture->peer));
    fixture->connection.port = fixture->peer.port;
    return lq_amqp_open(&fixture->connection, &fixture->base.diags,
                        &fixture->broker);
}

static inline void open_well(struct amqp_fixture *fixture,
                             const struct peer_rule *rules, size_t count)
{
    assert_int_equal(open_to(fixture, rules, count), LQ_OK);
    assert_non_null(fixture->broker);
}

/* There is one error: this text about the peer, vhost / and user guest. */
static inline void assert_said(struct amqp_fixture *fixture, const char *text)
{
    struct lq_diags *const diags = &fixture->base.diags;

    assert_int_equal(diags->items.count, 1);
    assert_string_equal(lq_diags_at(diags, 0)->text,
                        lq_format(diags->arena,
                                  "broker 127.0.0.1:%u (vhost '/', user 'guest'"
                                  "): %s",
                                  fixture->connection.port, text));
}

/* Ends everything and starts again. */
static inline void again(struct amqp_fixture *fixture)
{
    end(fixture);
    restart(&fixture->base, SIZE_MAX);
    begin(fixture);
}

#endif
