#include "broker/amqp/publisher.h"

#include "base/text.h"
#include "broker/amqp/carrier.h"

#include <stdlib.h>
#include <string.h>

#define OUTPUT_MOST ((size_t)4 * 1024 * 1024) /* bytes still to be written */
#define SLOTS_LEAST 256                       /* a power of two */

enum fate { IN_FLIGHT, CONFIRMED, NACKED, TOLD };

/* What has become of a message. */
struct slot {
    struct lq_print print;
    enum fate fate;
    bool doubtful;
    const struct lq_answer *returned; /* why; NULL: it was not */
};

struct lq_publisher {
    struct lq_carrier carrier;
    /* Message n has slots[n % capacity], from `oldest` to before `next`. */
    struct slot *slots;
    size_t capacity; /* a power of two */
    uint64_t oldest; /* the first whose outcome is not told */
    uint64_t next;
    size_t in_flight;               /* messages whose outcome is not told */
    size_t untold;                  /* those among them that have one */
    const struct lq_answer *reason; /* of the last return */
    bool blocked;                   /* as the caller was told last */
    const char *alarm;              /* the reason of the last one */
};

static enum lq_status select_confirms(struct lq_publisher *publisher)
{
    struct lq_carrier *const carrier = &publisher->carrier;
    amqp_confirm_select_t method = {0};
    const struct lq_question question = {.id = AMQP_CONFIRM_SELECT_METHOD,
                                         .method = &method,
                                         .reply = AMQP_CONFIRM_SELECT_OK_METHOD,
                                         .about = " about confirms"};
    struct lq_answer answer = {0};
    amqp_method_t reply;
    const enum lq_status status =
        lq_carrier_ask(carrier, &question, &answer, &reply);

    return status == LQ_OK && answer.kind != LQ_DONE
               ? lq_amqp_fail(carrier->link, LQ_REFUSED,
                              "the broker confirms nothing: %s (%d)",
                              answer.shown, answer.code)
               : status;
}

enum lq_status lq_publisher_open(const struct lq_connection *connection,
                                 struct lq_diags *diags,
                                 struct lq_publisher **out)
{
    struct lq_publisher *const publisher =
        lq_alloc(diags->arena, sizeof(*publisher));
    enum lq_status status = LQ_NOMEM;

    if (publisher) {
        publisher->oldest = 1;
        publisher->next = 1;
        status = lq_carrier_open(&publisher->carrier, connection, diags);
    }
    if (status == LQ_OK) {
        status = select_confirms(publisher);
    }
    if (status == LQ_OK) {
        *out = publisher;
    } else {
        lq_publisher_close(publisher);
    }
    return status;
}

void lq_publisher_close(struct lq_publisher *publisher)
{
    if (publisher) {
        lq_carrier_close(&publisher->carrier);
        free(publisher->slots);
        publisher->slots = NULL;
    }
}

const char *lq_publisher_product(const struct lq_publisher *publisher)
{
    return publisher->carrier.link->product;
}

const char *lq_publisher_version(const struct lq_publisher *publisher)
{
    return publisher->carrier.link->version;
}

static struct slot *slot(const struct lq_publisher *publisher, uint64_t number)
{
    return &publisher->slots[number & (publisher->capacity - 1)];
}

size_t lq_publisher_in_flight(const struct lq_publisher *publisher)
{
    return publisher->in_flight;
}

/* Makes room for one more slot. */
static bool grow_slots(struct lq_publisher *publisher)
{
    const size_t capacity =
        publisher->capacity ? publisher->capacity * 2 : SLOTS_LEAST;
    struct slot *larger = NULL;

    if (publisher->next - publisher->oldest < publisher->capacity) {
        return true;
    }
    larger = calloc(capacity, sizeof(*larger));
    if (!larger) {
        return false;
    }
    for (uint64_t n = publisher->oldest; n < publisher->next; ++n) {
        larger[n & (capacity - 1)] = *slot(publisher, n);
    }
    free(publisher->slots);
    publisher->slots = larger;
    publisher->capacity = capacity;
    return true;
}

static enum lq_status refuse(const struct lq_publisher *publisher,
                             const struct lq_message *message)
{
    return lq_amqp_fail(publisher->carrier.link, LQ_INVALID,
                        "a message cannot be published: its properties have "
                        "%zu bytes, its body %zu, and its exchange and key "
                        "%zu and %zu; a frame takes %zu bytes",
                        message->properties.length, message->body.length,
                        message->exchange.length, message->routing_key.length,
                        publisher->carrier.link->frame_max);
}

/* Adds the message to what is to be written. */
static enum lq_status take_message(struct lq_publisher *publisher,
                                   const struct lq_message *message)
{
    struct lq_output *const output = &publisher->carrier.output;
    const size_t most = publisher->carrier.link->frame_max;
    uint8_t *at = NULL;

    if (!lq_publish_fits(message, most)) {
        return refuse(publisher, message);
    }
    at = lq_output_reserve(output, lq_publish_size(message, most));
    if (!at || !grow_slots(publisher)) {
        return LQ_NOMEM;
    }
    lq_publish_write(message, LQ_CARRIER_CHANNEL, most, at);
    output->end += lq_publish_size(message, most);
    *slot(publisher, publisher->next) =
        (struct slot){.print = lq_print_of(message)};
    ++publisher->next;
    ++publisher->in_flight;
    return LQ_OK;
}

static bool has_room(const struct lq_publisher *publisher)
{
    const struct lq_output *const output = &publisher->carrier.output;

    return !publisher->carrier.link->blocked &&
           output->end - output->start < OUTPUT_MOST;
}

enum lq_status lq_publisher_send(struct lq_publisher *publisher,
                                 const struct lq_message *messages,
                                 size_t count, size_t *taken)
{
    struct lq_carrier *const carrier = &publisher->carrier;
    enum lq_status status = LQ_OK;

    *taken = 0;
    if (!carrier->link->open) {
        return LQ_LOST;
    }
    if (!carrier->channel_open) {
        return LQ_REFUSED;
    }
    while (status == LQ_OK && *taken < count && has_room(publisher)) {
        status = take_message(publisher, &messages[*taken]);
        *taken += status == LQ_OK;
    }
    lq_carrier_flush(carrier);
    return status;
}

static bool is_same(struct lq_print a, struct lq_print b, bool properties)
{
    return a.content == b.content &&
           (!properties || a.properties == b.properties);
}

/* Whether the message may be the one that came back. */
static bool may_be_it(const struct slot *slot, struct lq_print print,
                      bool properties)
{
    return slot->fate == IN_FLIGHT && !slot->returned &&
           is_same(slot->print, print, properties);
}

/* How many may be the one that came back, and the last of them. */
static size_t count_candidates(const struct lq_publisher *publisher,
                               struct lq_print print, bool properties,
                               struct slot **last)
{
    size_t count = 0;

    for (uint64_t n = publisher->oldest; n < publisher->next; ++n) {
        if (may_be_it(slot(publisher, n), print, properties)) {
            *last = slot(publisher, n);
            ++count;
        }
    }
    return count;
}

/*
 * Finds the message that came back. Nothing but its content tells which one it
 * is: any of several that are alike, or all if it is like none, are doubtful.
 */
static void trace_return(struct lq_publisher *publisher, struct lq_print print)
{
    struct slot *found = NULL;
    const size_t alike = count_candidates(publisher, print, false, &found);

    if (alike == 1 || count_candidates(publisher, print, true, &found) == 1) {
        found->returned = publisher->reason;
        return;
    }
    for (uint64_t n = publisher->oldest; n < publisher->next; ++n) {
        struct slot *const at = slot(publisher, n);

        at->doubtful |=
            alike == 0 ? at->fate == IN_FLIGHT : may_be_it(at, print, false);
    }
}

/* Notes why messages come back; a reason is kept only once in a row. */
static enum lq_status note_reason(struct lq_publisher *publisher,
                                  const struct lq_return *returned)
{
    struct lq_diags *const diags = publisher->carrier.link->diags;
    const char *const text = (const char *)returned->text.at;
    const struct lq_answer *const last = publisher->reason;
    struct lq_answer *reason = NULL;

    if (last && last->code == returned->code &&
        lq_bytes_equal(lq_bytes_of(last->text), returned->text)) {
        return LQ_OK;
    }
    reason = lq_alloc(diags->arena, sizeof(*reason));
    if (!reason) {
        return LQ_NOMEM;
    }
    reason->code = returned->code;
    reason->text = lq_strndup(diags->arena, text, returned->text.length);
    reason->shown = lq_diags_shown(diags, text, returned->text.length);
    publisher->reason = reason;
    return reason->text && reason->shown ? LQ_OK : LQ_NOMEM;
}

static enum lq_status take_return(struct lq_publisher *publisher,
                                  const struct lq_carried *in)
{
    const enum lq_status status = note_reason(publisher, &in->returned);

    trace_return(publisher, lq_print_of(&in->message));
    return status;
}

static void settle(struct lq_publisher *publisher, uint64_t number,
                   enum fate fate)
{
    struct slot *const at = slot(publisher, number);

    if (at->fate == IN_FLIGHT) {
        at->fate = fate;
        ++publisher->untold;
    }
}

/* Takes basic.ack or basic.nack: of one message, or of all up to it. */
static enum lq_status take_settlement(struct lq_publisher *publisher,
                                      struct lq_bytes arguments, enum fate fate)
{
    struct lq_settlement settlement = {0};
    uint64_t first = 0;
    uint64_t last = 0;

    if (!lq_settlement_read(arguments, &settlement) ||
        settlement.tag >= publisher->next ||
        (settlement.tag == 0 && !settlement.multiple)) {
        return lq_carrier_confused(&publisher->carrier);
    }
    last = settlement.tag > 0 ? settlement.tag : publisher->next - 1;
    first = settlement.multiple ? publisher->oldest : last;
    for (uint64_t n = first; n <= last; ++n) {
        if (n >= publisher->oldest) {
            settle(publisher, n, fate);
        }
    }
    return LQ_OK;
}

static void note_alarm(struct lq_publisher *publisher,
                       const amqp_method_t *method)
{
    struct lq_link *const link = publisher->carrier.link;
    const amqp_connection_blocked_t *const blocked = method->decoded;

    if (link->blocked) {
        publisher->alarm = lq_diags_shown(link->diags, blocked->reason.bytes,
                                          blocked->reason.len);
    }
}

static enum lq_status take(struct lq_publisher *publisher,
                           const struct lq_carried *in)
{
    switch (in->kind) {
    case LQ_CARRIED_METHOD:
        if (in->method.id == AMQP_BASIC_ACK_METHOD) {
            return take_settlement(publisher, in->arguments, CONFIRMED);
        }
        return in->method.id == AMQP_BASIC_NACK_METHOD
                   ? take_settlement(publisher, in->arguments, NACKED)
                   : lq_carrier_confused(&publisher->carrier);
    case LQ_CARRIED_RETURN:
        return take_return(publisher, in);
    case LQ_CARRIED_BLOCKED:
        note_alarm(publisher, &in->method);
        return LQ_OK;
    case LQ_CARRIED_DELIVERY:
        return lq_carrier_confused(&publisher->carrier);
    case LQ_CARRIED_NOTHING:
    case LQ_CARRIED_CLOSED:
        break;
    }
    return LQ_OK;
}

/* What the caller is told about a message that is settled. */
static enum lq_publisher_event_kind outcome(const struct slot *slot)
{
    if (slot->fate == NACKED) {
        return LQ_NACKED;
    }
    if (slot->returned) {
        return LQ_RETURNED;
    }
    return slot->doubtful ? LQ_DOUBTFUL : LQ_CONFIRMED;
}

static bool is_untold(const struct slot *slot)
{
    return slot->fate == CONFIRMED || slot->fate == NACKED;
}

static void tell_reason(const struct lq_answer *reason,
                        struct lq_publisher_event *out)
{
    out->code = reason->code;
    out->text = reason->text;
    out->shown = reason->shown;
}

/* Tells the outcome of the first messages that have one, and the same one. */
static void tell_outcome(struct lq_publisher *publisher,
                         struct lq_publisher_event *out)
{
    uint64_t n = publisher->oldest;
    const struct lq_answer *why = NULL;

    while (!is_untold(slot(publisher, n))) {
        ++n;
    }
    out->kind = outcome(slot(publisher, n));
    out->first = n;
    why = slot(publisher, n)->returned;
    if (out->kind == LQ_RETURNED || out->kind == LQ_DOUBTFUL) {
        tell_reason(why ? why : publisher->reason, out);
    }
    while (n < publisher->next && is_untold(slot(publisher, n)) &&
           outcome(slot(publisher, n)) == out->kind &&
           slot(publisher, n)->returned == why) {
        slot(publisher, n++)->fate = TOLD;
        --publisher->untold;
        --publisher->in_flight;
    }
    out->last = n - 1;
    while (publisher->oldest < publisher->next &&
           slot(publisher, publisher->oldest)->fate == TOLD) {
        ++publisher->oldest;
    }
}

/* Tells what is known already; false when that is nothing. */
static bool tell(struct lq_publisher *publisher, struct lq_publisher_event *out)
{
    const struct lq_carrier *const carrier = &publisher->carrier;

    if (publisher->untold > 0) {
        tell_outcome(publisher, out);
        return true;
    }
    if (publisher->blocked != carrier->link->blocked) {
        publisher->blocked = carrier->link->blocked;
        out->kind = publisher->blocked ? LQ_BLOCKED : LQ_UNBLOCKED;
        out->text = publisher->blocked ? publisher->alarm : NULL;
        out->shown = out->text;
        return true;
    }
    if (!carrier->channel_open) {
        out->kind = LQ_PUBLISHER_CLOSED;
        tell_reason(&carrier->closed, out);
        return true;
    }
    return false;
}

enum lq_status lq_publisher_next(struct lq_publisher *publisher, uint64_t until,
                                 struct lq_publisher_event *out)
{
    enum lq_status status = LQ_OK;
    struct lq_carried in;

    *out = (struct lq_publisher_event){.kind = LQ_NO_EVENT};
    do {
        if (tell(publisher, out)) {
            return LQ_OK;
        }
        status = lq_carrier_next(&publisher->carrier, until, &in);
        if (status == LQ_OK) {
            status = take(publisher, &in);
        }
    } while (status == LQ_OK && in.kind != LQ_CARRIED_NOTHING);
    return status;
}
