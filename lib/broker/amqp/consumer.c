#include "broker/amqp/consumer.h"

#include "base/text.h"
#include "broker/amqp/carrier.h"

#include <string.h>

#define NAME_MAX_BYTES 255

struct lq_consumer {
    struct lq_carrier carrier;
    const char *queue; /* started last; NULL: none */
    const char *tag;   /* "" when not started */
    uint8_t raw_tag[NAME_MAX_BYTES];
    size_t raw_tag_length; /* 0: not started */
};

enum lq_status lq_consumer_open(const struct lq_connection *connection,
                                struct lq_diags *diags,
                                struct lq_consumer **out)
{
    struct lq_consumer *const consumer =
        lq_alloc(diags->arena, sizeof(*consumer));
    enum lq_status status = LQ_NOMEM;

    if (consumer) {
        consumer->tag = "";
        status = lq_carrier_open(&consumer->carrier, connection, diags);
    }
    if (status == LQ_OK) {
        status = lq_carrier_open_channel(&consumer->carrier);
    }
    if (status == LQ_OK) {
        *out = consumer;
    } else {
        lq_consumer_close(consumer);
    }
    return status;
}

void lq_consumer_close(struct lq_consumer *consumer)
{
    if (consumer) {
        lq_carrier_close(&consumer->carrier);
    }
}

const char *lq_consumer_product(const struct lq_consumer *consumer)
{
    return consumer->carrier.link->product;
}

const char *lq_consumer_version(const struct lq_consumer *consumer)
{
    return consumer->carrier.link->version;
}

const char *lq_consumer_tag(const struct lq_consumer *consumer)
{
    return consumer->tag;
}

/* A method has no room for more. */
static enum lq_status check_name(const struct lq_consumer *consumer,
                                 const char *queue)
{
    const size_t length = strlen(queue);

    return length <= NAME_MAX_BYTES
               ? LQ_OK
               : lq_amqp_fail(consumer->carrier.link, LQ_INVALID,
                              "a queue's name may have %d bytes, not %zu",
                              NAME_MAX_BYTES, length);
}

/* " about queue 'x'". */
static const char *about(const struct lq_consumer *consumer, const char *queue)
{
    struct lq_arena *const arena = consumer->carrier.link->diags->arena;
    const char *const shown = lq_printable(arena, queue, strlen(queue));

    return lq_format(arena, " about queue '%s'", shown);
}

/* Asks about a queue; without an interest in the reply itself. */
static enum lq_status ask(struct lq_consumer *consumer, const char *queue,
                          struct lq_question question, struct lq_answer *answer)
{
    const enum lq_status status = check_name(consumer, queue);
    amqp_method_t reply;

    *answer = (struct lq_answer){.kind = LQ_UNSENT};
    question.about = about(consumer, queue);
    return status == LQ_OK
               ? lq_carrier_ask(&consumer->carrier, &question, answer, &reply)
               : status;
}

static amqp_table_entry_t text(const char *key, const char *value)
{
    return (amqp_table_entry_t){
        .key = amqp_cstring_bytes(key),
        .value = {.kind = AMQP_FIELD_KIND_UTF8,
                  .value.bytes = amqp_cstring_bytes(value)}};
}

enum lq_status lq_consumer_lock(struct lq_consumer *consumer, const char *name,
                                const char *holder, struct lq_answer *answer)
{
    /* whatever type the virtual host prefers, only a classic queue can do it */
    amqp_table_entry_t entries[] = {text("x-lilyq-holder", holder),
                                    text("x-queue-type", "classic")};
    amqp_queue_declare_t method = {
        .queue = amqp_cstring_bytes(name),
        .exclusive = true,
        .arguments = {.num_entries = 2, .entries = entries},
    };

    return ask(consumer, name,
               (struct lq_question){.id = AMQP_QUEUE_DECLARE_METHOD,
                                    .method = &method,
                                    .reply = AMQP_QUEUE_DECLARE_OK_METHOD},
               answer);
}

enum lq_status lq_consumer_unlock(struct lq_consumer *consumer,
                                  const char *name, struct lq_answer *answer)
{
    amqp_queue_delete_t method = {.queue = amqp_cstring_bytes(name)};

    return ask(consumer, name,
               (struct lq_question){.id = AMQP_QUEUE_DELETE_METHOD,
                                    .method = &method,
                                    .reply = AMQP_QUEUE_DELETE_OK_METHOD},
               answer);
}

static enum lq_status limit(struct lq_consumer *consumer, const char *queue,
                            unsigned prefetch, struct lq_answer *answer)
{
    amqp_basic_qos_t method = {.prefetch_count = (uint16_t)prefetch};

    return ask(consumer, queue,
               (struct lq_question){.id = AMQP_BASIC_QOS_METHOD,
                                    .method = &method,
                                    .reply = AMQP_BASIC_QOS_OK_METHOD},
               answer);
}

/* Keeps the tag: raw to cancel with it, and printable. */
static enum lq_status note_tag(struct lq_consumer *consumer, amqp_bytes_t tag)
{
    struct lq_diags *const diags = consumer->carrier.link->diags;
    const char *const shown = lq_diags_shown(diags, tag.bytes, tag.len);

    if (tag.len == 0 || tag.len > NAME_MAX_BYTES) {
        return lq_carrier_confused(&consumer->carrier);
    }
    memcpy(consumer->raw_tag, tag.bytes, tag.len);
    consumer->raw_tag_length = tag.len;
    consumer->tag = shown;
    return LQ_OK;
}

static enum lq_status consume(struct lq_consumer *consumer, const char *queue,
                              struct lq_answer *answer)
{
    amqp_basic_consume_t method = {.queue = amqp_cstring_bytes(queue)};
    const struct lq_question question = {.id = AMQP_BASIC_CONSUME_METHOD,
                                         .method = &method,
                                         .reply = AMQP_BASIC_CONSUME_OK_METHOD,
                                         .about = about(consumer, queue)};
    amqp_method_t reply = {0};
    const enum lq_status status =
        lq_carrier_ask(&consumer->carrier, &question, answer, &reply);
    const amqp_basic_consume_ok_t *const consumed = reply.decoded;

    return status == LQ_OK && answer->kind == LQ_DONE && consumed
               ? note_tag(consumer, consumed->consumer_tag)
               : status;
}

static void forget(struct lq_consumer *consumer)
{
    consumer->tag = "";
    consumer->raw_tag_length = 0;
    consumer->carrier.cancelled = false;
    consumer->carrier.surplus = 0;
}

enum lq_status lq_consumer_start(struct lq_consumer *consumer,
                                 const char *queue, unsigned prefetch,
                                 struct lq_answer *answer)
{
    enum lq_status status = LQ_OK;

    if (prefetch < 1 || prefetch > LQ_PREFETCH_MAX) {
        return lq_amqp_fail(consumer->carrier.link, LQ_INVALID,
                            "a prefetch is 1 to %d messages, not %u",
                            LQ_PREFETCH_MAX, prefetch);
    }
    forget(consumer);
    consumer->queue = lq_strdup(consumer->carrier.link->diags->arena, queue);
    if (consumer->carrier.link->diags->arena->failed) {
        return LQ_NOMEM;
    }
    status = limit(consumer, queue, prefetch, answer);
    return status == LQ_OK && answer->kind == LQ_DONE
               ? consume(consumer, queue, answer)
               : status;
}

static void hand_out(struct lq_delivery *out, const struct lq_carried *in)
{
    *out = (struct lq_delivery){.kind = LQ_DELIVERY,
                                .tag = in->deliver.tag,
                                .redelivered = in->deliver.redelivered,
                                .message = in->message};
}

static void tell_closed(const struct lq_consumer *consumer,
                        struct lq_delivery *out)
{
    const struct lq_answer *const closed = &consumer->carrier.closed;

    *out = (struct lq_delivery){.kind = LQ_CONSUMER_CLOSED,
                                .code = closed->code,
                                .text = closed->text,
                                .shown = closed->shown};
}

/* Takes what came in; nothing is said of alarms, which block publishers. */
static enum lq_status take(struct lq_consumer *consumer,
                           const struct lq_carried *in, struct lq_delivery *out)
{
    switch (in->kind) {
    case LQ_CARRIED_DELIVERY:
        hand_out(out, in);
        return LQ_OK;
    case LQ_CARRIED_CLOSED:
        tell_closed(consumer, out);
        return LQ_OK;
    case LQ_CARRIED_METHOD:
        return in->method.id == AMQP_BASIC_CANCEL_METHOD
                   ? LQ_OK
                   : lq_carrier_confused(&consumer->carrier);
    case LQ_CARRIED_RETURN:
        return lq_carrier_confused(&consumer->carrier);
    case LQ_CARRIED_NOTHING:
    case LQ_CARRIED_BLOCKED:
        break;
    }
    return LQ_OK;
}

enum lq_status lq_consumer_next(struct lq_consumer *consumer, uint64_t until,
                                struct lq_delivery *out)
{
    struct lq_carrier *const carrier = &consumer->carrier;
    enum lq_status status = LQ_OK;
    struct lq_carried in;

    *out = (struct lq_delivery){.kind = LQ_NO_DELIVERY};
    do {
        if (carrier->cancelled) {
            forget(consumer);
            out->kind = LQ_CONSUMER_CANCELLED;
            return LQ_OK;
        }
        status = lq_carrier_next(carrier, until, &in);
        if (status == LQ_OK) {
            status = take(consumer, &in, out);
        }
    } while (status == LQ_OK && out->kind == LQ_NO_DELIVERY &&
             in.kind != LQ_CARRIED_NOTHING);
    if (status == LQ_OK && out->kind == LQ_NO_DELIVERY &&
        !carrier->channel_open) {
        tell_closed(consumer, out);
    }
    return status;
}

/* Whether there is a consumer to stop. */
static bool is_consuming(const struct lq_consumer *consumer)
{
    return consumer->raw_tag_length > 0 && consumer->carrier.channel_open &&
           !consumer->carrier.cancelled;
}

enum lq_status lq_consumer_stop(struct lq_consumer *consumer,
                                struct lq_surplus *surplus,
                                struct lq_answer *answer)
{
    struct lq_carrier *const carrier = &consumer->carrier;
    amqp_basic_cancel_t method = {
        .consumer_tag = {.len = consumer->raw_tag_length,
                         .bytes = consumer->raw_tag}};
    enum lq_status status = carrier->link->open ? LQ_OK : LQ_LOST;

    *answer = (struct lq_answer){.kind = LQ_DONE};
    if (!carrier->channel_open) {
        *answer = carrier->closed;
    } else if (status == LQ_OK && is_consuming(consumer)) {
        status = ask(consumer, consumer->queue,
                     (struct lq_question){.id = AMQP_BASIC_CANCEL_METHOD,
                                          .method = &method,
                                          .reply = AMQP_BASIC_CANCEL_OK_METHOD},
                     answer);
    }
    *surplus = (struct lq_surplus){
        .count = carrier->surplus,
        .last_tag = carrier->channel_open ? carrier->last_tag : 0,
        .cancelled = carrier->cancelled};
    forget(consumer);
    return status;
}

/* Sends what settles a delivery. */
static enum lq_status settle(struct lq_consumer *consumer,
                             amqp_method_number_t id, void *method)
{
    struct lq_carrier *const carrier = &consumer->carrier;
    enum lq_status status = LQ_OK;

    if (!carrier->link->open) {
        return LQ_LOST;
    }
    if (!carrier->channel_open) {
        return LQ_REFUSED;
    }
    status = lq_carrier_put(carrier, id, method);
    lq_carrier_flush(carrier);
    return status;
}

enum lq_status lq_consumer_ack(struct lq_consumer *consumer, uint64_t tag,
                               bool multiple)
{
    amqp_basic_ack_t method = {.delivery_tag = tag, .multiple = multiple};

    return settle(consumer, AMQP_BASIC_ACK_METHOD, &method);
}

enum lq_status lq_consumer_put_back(struct lq_consumer *consumer, uint64_t tag,
                                    bool multiple)
{
    amqp_basic_nack_t method = {
        .delivery_tag = tag, .multiple = multiple, .requeue = true};

    return settle(consumer, AMQP_BASIC_NACK_METHOD, &method);
}

enum lq_status lq_consumer_sync(struct lq_consumer *consumer,
                                struct lq_answer *answer)
{
    struct lq_carrier *const carrier = &consumer->carrier;
    amqp_queue_declare_t method = {.passive = true};
    struct lq_question question = {.id = AMQP_QUEUE_DECLARE_METHOD,
                                   .method = &method,
                                   .reply = AMQP_QUEUE_DECLARE_OK_METHOD};
    const amqp_queue_declare_ok_t *declared = NULL;
    amqp_method_t reply = {0};
    enum lq_status status = carrier->link->open ? LQ_OK : LQ_LOST;

    *answer = (struct lq_answer){.kind = LQ_DONE};
    if (status != LQ_OK || !consumer->queue) {
        return status;
    }
    if (!carrier->channel_open) {
        *answer = carrier->closed; /* what was sent on it may be lost */
        return LQ_OK;
    }
    method.queue = amqp_cstring_bytes(consumer->queue);
    question.about = about(consumer, consumer->queue);
    status = lq_carrier_ask(carrier, &question, answer, &reply);
    declared = reply.decoded;
    if (status == LQ_OK && answer->kind == LQ_DONE && declared) {
        answer->messages = declared->message_count;
        answer->consumers = declared->consumer_count;
    }
    return status;
}
