/*
 * Declares a definitions file on a broker one request at a time, each waiting
 * for its answer, as a program over rabbitmq-c usually does: what `lilyq apply`
 * is compared with. The password is in LILYQ_PASSWORD:
 *
 *     sync PORT VHOST USER FILE
 */
#include "broker/amqp/link.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#define CHANNEL 1
#define MAX_ARGUMENTS 32

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static amqp_bytes_t bytes_of(const json_t *object, const char *key)
{
    return amqp_cstring_bytes(text_of(object, key));
}

static amqp_field_value_t value_of(const json_t *json)
{
    amqp_field_value_t value = {0};

    if (json_is_string(json)) {
        value.kind = AMQP_FIELD_KIND_UTF8;
        value.value.bytes = amqp_cstring_bytes(json_string_value(json));
    } else if (json_is_boolean(json)) {
        value.kind = AMQP_FIELD_KIND_BOOLEAN;
        value.value.boolean = json_is_true(json);
    } else {
        value.kind = AMQP_FIELD_KIND_I64;
        value.value.i64 = json_integer_value(json);
    }
    return value;
}

/* Ends the program unless the last answer was good. */
static void expect(amqp_rpc_reply_t reply, const char *what)
{
    if (reply.reply_type != AMQP_RESPONSE_NORMAL) {
        fprintf(stderr, "sync: %s failed\n", what);
        exit(1);
    }
}

static void declare_exchange(amqp_connection_state_t state, const json_t *json)
{
    amqp_exchange_declare(state, CHANNEL, bytes_of(json, "name"),
                          bytes_of(json, "type"), 0, 1, 0, 0, amqp_empty_table);
}

static void declare_queue(amqp_connection_state_t state, const json_t *json)
{
    amqp_table_entry_t entries[MAX_ARGUMENTS];
    amqp_table_t table = {.entries = entries};
    const char *key = NULL;
    json_t *value = NULL;

    json_object_foreach(json_object_get(json, "arguments"), key, value)
    {
        if (table.num_entries < MAX_ARGUMENTS) {
            entries[table.num_entries].key = amqp_cstring_bytes(key);
            entries[table.num_entries++].value = value_of(value);
        }
    }
    amqp_queue_declare(state, CHANNEL, bytes_of(json, "name"), 0,
                       json_is_true(json_object_get(json, "durable")), 0,
                       json_is_true(json_object_get(json, "auto_delete")),
                       table);
}

static void bind(amqp_connection_state_t state, const json_t *json)
{
    amqp_queue_bind(state, CHANNEL, bytes_of(json, "destination"),
                    bytes_of(json, "source"), bytes_of(json, "routing_key"),
                    amqp_empty_table);
}

static void do_each(amqp_connection_state_t state, const json_t *all,
                    const char *key,
                    void (*act)(amqp_connection_state_t, const json_t *))
{
    const json_t *const list = json_object_get(all, key);

    for (size_t i = 0; i < json_array_size(list); ++i) {
        act(state, json_array_get(list, i));
        expect(amqp_get_rpc_reply(state), key);
        amqp_maybe_release_buffers(state);
    }
}

static amqp_connection_state_t connect_to(char **argv)
{
    const char *const password = getenv("LILYQ_PASSWORD");
    amqp_connection_state_t state = amqp_new_connection();
    amqp_socket_t *const socket = amqp_tcp_socket_new(state);

    if (!password || !socket ||
        amqp_socket_open(socket, "127.0.0.1", (int)strtol(argv[1], NULL, 10)) !=
            0) {
        fprintf(stderr, "sync: no connection\n");
        exit(1);
    }
    expect(amqp_login(state, argv[2], 0, LQ_AMQP_FRAME_MAX, 0,
                      AMQP_SASL_METHOD_PLAIN, argv[3], password),
           "the login");
    amqp_channel_open(state, CHANNEL);
    expect(amqp_get_rpc_reply(state), "the channel");
    return state;
}

int main(int argc, char **argv)
{
    json_t *const all = argc == 5 ? json_load_file(argv[4], 0, NULL) : NULL;
    amqp_connection_state_t state = NULL;

    if (!all) {
        fprintf(stderr, "usage: sync PORT VHOST USER FILE\n");
        return 2;
    }
    state = connect_to(argv);
    do_each(state, all, "exchanges", declare_exchange);
    do_each(state, all, "queues", declare_queue);
    do_each(state, all, "bindings", bind);
    expect(amqp_connection_close(state, AMQP_REPLY_SUCCESS), "the end");
    amqp_destroy_connection(state);
    json_decref(all);
    return 0;
}
