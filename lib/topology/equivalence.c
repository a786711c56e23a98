#include "topology/equivalence.h"

#include "base/text.h"

enum { CLASSIC = 1 << 0, QUORUM = 1 << 1, STREAM = 1 << 2 };

/* An argument, which types of queues compare it, and since when. */
struct row {
    const char *key;
    unsigned types;
    unsigned major; /* the first series not known to leave it out; 0: all */
    unsigned minor;
};

static const struct row rows[] = {
    {"x-consumer-disconnected-timeout", QUORUM, 4, 1},
    {"x-consumer-timeout", QUORUM, 4, 1},
    {"x-dead-letter-exchange", CLASSIC | QUORUM, 0, 0},
    {"x-dead-letter-routing-key", CLASSIC | QUORUM, 0, 0},
    {"x-dead-letter-strategy", QUORUM, 0, 0},
    {"x-delayed-retry-max", QUORUM, 4, 1},
    {"x-delayed-retry-min", QUORUM, 4, 1},
    {"x-delayed-retry-type", QUORUM, 4, 1},
    {"x-delivery-limit", QUORUM, 0, 0},
    {"x-expires", CLASSIC | QUORUM, 0, 0},
    {"x-initial-cluster-size", STREAM, 0, 0},
    {"x-max-age", STREAM, 0, 0},
    {"x-max-in-memory-bytes", QUORUM, 0, 0},
    {"x-max-in-memory-length", QUORUM, 0, 0},
    {"x-max-length", CLASSIC | QUORUM, 0, 0},
    {"x-max-length-bytes", CLASSIC | QUORUM | STREAM, 0, 0},
    {"x-max-priority", CLASSIC, 0, 0},
    {"x-message-ttl", CLASSIC | QUORUM, 0, 0},
    {"x-overflow", CLASSIC | QUORUM, 0, 0},
    {"x-queue-leader-locator", QUORUM | STREAM, 0, 0},
    {"x-queue-leader-locator", CLASSIC, 3, 11},
    {"x-queue-master-locator", CLASSIC, 0, 0},
    {"x-queue-mode", CLASSIC, 0, 0},
    {"x-queue-type", CLASSIC | QUORUM | STREAM, 0, 0},
    {"x-queue-version", CLASSIC, 0, 0},
    {"x-quorum-initial-group-size", QUORUM, 0, 0},
    {"x-single-active-consumer", CLASSIC | QUORUM, 0, 0},
    {"x-stream-filter-size-bytes", STREAM, 4, 1},
    {"x-stream-max-segment-size-bytes", STREAM, 0, 0},
};

/* The bit of a type; all of them when it is not known. */
static unsigned type_bit(const char *type)
{
    static const struct {
        const char *name;
        unsigned bit;
    } types[] = {{"classic", CLASSIC}, {"quorum", QUORUM}, {"stream", STREAM}};

    for (size_t i = 0; type && i < sizeof(types) / sizeof(types[0]); ++i) {
        if (lq_str_equal(type, types[i].name)) {
            return types[i].bit;
        }
    }
    return CLASSIC | QUORUM | STREAM;
}

bool lq_is_compared(const struct lq_live *live,
                    const struct lq_live_queue *queue, const char *key)
{
    const unsigned types = type_bit(queue->type);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        const struct row *const row = &rows[i];

        if ((row->types & types) && lq_str_equal(row->key, key) &&
            !lq_live_is_before(live, row->major, row->minor)) {
            return true;
        }
    }
    return false;
}

bool lq_is_compared_exchange(const char *key)
{
    return lq_str_equal(key, "alternate-exchange");
}

bool lq_is_same_value(const struct lq_argument *planned,
                      const struct lq_live_argument *actual)
{
    switch (planned->type) {
    case LQ_LONGSTR:
        return actual->type == LQ_LIVE_STRING &&
               lq_str_equal(planned->text, actual->text);
    case LQ_INT64:
    case LQ_INT32:
        return actual->type == LQ_LIVE_INTEGER &&
               planned->number == actual->number;
    case LQ_BOOL:
        break;
    }
    return actual->type == LQ_LIVE_BOOL && planned->number == actual->number;
}
