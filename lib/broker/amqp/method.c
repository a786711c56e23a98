#include "broker/amqp/link.h"
#include "broker/broker.h"

#include <string.h>

static amqp_bytes_t bytes_of(const char *text)
{
    return amqp_cstring_bytes(text);
}

static amqp_field_value_t value_of(const struct lq_argument *argument)
{
    amqp_field_value_t value = {0};

    switch (argument->type) {
    case LQ_LONGSTR:
        value.kind = AMQP_FIELD_KIND_UTF8;
        value.value.bytes = bytes_of(argument->text);
        break;
    case LQ_INT64:
        value.kind = AMQP_FIELD_KIND_I64;
        value.value.i64 = argument->number;
        break;
    case LQ_INT32:
        value.kind = AMQP_FIELD_KIND_I32;
        value.value.i32 = (int32_t)argument->number;
        break;
    case LQ_BOOL:
        value.kind = AMQP_FIELD_KIND_BOOLEAN;
        value.value.boolean = argument->number != 0;
        break;
    }
    return value;
}

/* Makes room for `count` arguments in the link's scratch. */
static bool reserve(struct lq_link *link, size_t count)
{
    amqp_table_entry_t *entries = NULL;

    if (count <= link->entry_capacity) {
        return true;
    }
    entries =
        lq_alloc_array(link->diags->arena, count * 2, sizeof(*link->entries));
    if (!entries) {
        return false;
    }
    link->entries = entries;
    link->entry_capacity = count * 2;
    return true;
}

/*
 * The argument that keeps a declaration from creating anything. Only streams
 * compare it, and they are never planned.
 */
static amqp_table_entry_t barrier_of_queue(void)
{
    return (amqp_table_entry_t){
        .key = bytes_of(LQ_QUEUE_BARRIER),
        .value = {.kind = AMQP_FIELD_KIND_I64, .value.i64 = -1}};
}

/* The same for exchanges, which compare it last. */
static amqp_table_entry_t barrier_of_exchange(void)
{
    return (amqp_table_entry_t){
        .key = bytes_of(LQ_EXCHANGE_BARRIER),
        .value = {.kind = AMQP_FIELD_KIND_I64, .value.i64 = 0}};
}

static int send_queue(struct lq_link *link, amqp_channel_t channel,
                      const struct lq_queue *queue, bool creates)
{
    const size_t count = queue->argument_count + !creates;
    amqp_queue_declare_t method = {
        .queue = bytes_of(queue->name),
        .durable = queue->durable,
        .auto_delete = queue->auto_delete,
    };

    if (!reserve(link, count)) {
        return AMQP_STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < queue->argument_count; ++i) {
        link->entries[i].key = bytes_of(queue->arguments[i].key);
        link->entries[i].value = value_of(&queue->arguments[i]);
    }
    if (!creates) {
        link->entries[queue->argument_count] = barrier_of_queue();
    }
    method.arguments.num_entries = (int)count;
    method.arguments.entries = link->entries;
    return amqp_send_method(link->state, channel, AMQP_QUEUE_DECLARE_METHOD,
                            &method);
}

static int send_exchange(struct lq_link *link, amqp_channel_t channel,
                         const struct lq_exchange *exchange, bool passive)
{
    amqp_exchange_declare_t method = {
        .exchange = bytes_of(exchange->name),
        .type = bytes_of("direct"),
        .passive = passive,
        .durable = true,
    };

    return amqp_send_method(link->state, channel, AMQP_EXCHANGE_DECLARE_METHOD,
                            &method);
}

static int send_exchange_comparison(struct lq_link *link,
                                    amqp_channel_t channel,
                                    const struct lq_exchange *exchange)
{
    amqp_table_entry_t barrier = barrier_of_exchange();
    amqp_exchange_declare_t method = {
        .exchange = bytes_of(exchange->name),
        .type = bytes_of("direct"),
        .durable = true,
        .arguments = {.num_entries = 1, .entries = &barrier},
    };

    return amqp_send_method(link->state, channel, AMQP_EXCHANGE_DECLARE_METHOD,
                            &method);
}

static int send_check(struct lq_link *link, amqp_channel_t channel,
                      const struct lq_queue *queue)
{
    amqp_queue_declare_t method = {
        .queue = bytes_of(queue->name),
        .passive = true,
    };

    return amqp_send_method(link->state, channel, AMQP_QUEUE_DECLARE_METHOD,
                            &method);
}

static int send_bind(struct lq_link *link, amqp_channel_t channel,
                     const struct lq_binding *binding)
{
    amqp_queue_bind_t method = {
        .queue = bytes_of(binding->destination),
        .exchange = bytes_of(binding->source),
        .routing_key = bytes_of(binding->routing_key),
    };

    return amqp_send_method(link->state, channel, AMQP_QUEUE_BIND_METHOD,
                            &method);
}

int lq_amqp_send(struct lq_link *link, amqp_channel_t channel,
                 const struct lq_request *request)
{
    switch (request->kind) {
    case LQ_DECLARE_EXCHANGE:
        return send_exchange(link, channel, request->of.exchange, false);
    case LQ_CHECK_EXCHANGE:
        return send_exchange(link, channel, request->of.exchange, true);
    case LQ_DECLARE_QUEUE:
        return send_queue(link, channel, request->of.queue, true);
    case LQ_COMPARE_QUEUE:
        return send_queue(link, channel, request->of.queue, false);
    case LQ_COMPARE_EXCHANGE:
        return send_exchange_comparison(link, channel, request->of.exchange);
    case LQ_CHECK_QUEUE:
        return send_check(link, channel, request->of.queue);
    case LQ_BIND_QUEUE:
        return send_bind(link, channel, request->of.binding);
    }
    return AMQP_STATUS_INVALID_PARAMETER;
}

amqp_method_number_t lq_amqp_reply_to(enum lq_request_kind kind)
{
    switch (kind) {
    case LQ_DECLARE_EXCHANGE:
    case LQ_CHECK_EXCHANGE:
    case LQ_COMPARE_EXCHANGE:
        return AMQP_EXCHANGE_DECLARE_OK_METHOD;
    case LQ_DECLARE_QUEUE:
    case LQ_CHECK_QUEUE:
    case LQ_COMPARE_QUEUE:
        return AMQP_QUEUE_DECLARE_OK_METHOD;
    case LQ_BIND_QUEUE:
        return AMQP_QUEUE_BIND_OK_METHOD;
    }
    return 0;
}
