#include "compare/compare.h"

#include "base/text.h"

#include <string.h>

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

static void compare_text(const struct lq_differ *differ,
                         enum lq_finding_code code, const char *field,
                         const char *planned, const char *actual)
{
    const struct lq_side_value wanted = lq_text_value(planned);
    const struct lq_side_value found = lq_text_value(actual);

    if (!actual) {
        lq_differ_add_field(differ, LQ_PROPERTY_NOT_SEEN, field, &wanted,
                            &lq_no_value);
        return;
    }
    if (!lq_str_equal(planned, actual)) {
        lq_differ_add_field(differ, code, field, &wanted, &found);
    }
}

static void compare_flag(const struct lq_differ *differ,
                         enum lq_finding_code code, const char *field,
                         bool planned, enum lq_live_flag actual)
{
    const struct lq_side_value wanted = lq_truth_value(planned);
    const struct lq_side_value found = lq_truth_value(actual == LQ_LIVE_YES);

    if (actual == LQ_LIVE_UNKNOWN) {
        lq_differ_add_field(differ, LQ_PROPERTY_NOT_SEEN, field, &wanted,
                            &lq_no_value);
        return;
    }
    if (planned != (actual == LQ_LIVE_YES)) {
        lq_differ_add_field(differ, code, field, &wanted, &found);
    }
}

/* A queue without the argument has a type all the same. */
static void compare_unset(const struct lq_differ *differ,
                          const struct lq_argument *planned,
                          const struct lq_live_queue *actual)
{
    const enum lq_finding_code code = LQ_QUEUE_ARGUMENT_DIFFERENT;

    if (lq_str_equal(planned->key, "x-queue-type")) {
        compare_text(differ, code, planned->key, planned->text, actual->type);
    } else {
        const struct lq_side_value wanted =
            lq_planned_value(planned, differ->arena);

        lq_differ_add_field(differ, code, planned->key, &wanted, &lq_no_value);
    }
}

static void compare_argument(const struct lq_differ *differ,
                             const struct lq_argument *planned,
                             const struct lq_live_queue *actual)
{
    const struct lq_live_argument *const value =
        lq_live_argument(&actual->arguments, planned->key);

    if (!value) {
        compare_unset(differ, planned, actual);
    } else if (!lq_is_same_value(planned, value)) {
        const struct lq_side_value wanted =
            lq_planned_value(planned, differ->arena);
        const struct lq_side_value found = lq_actual_value(value);

        lq_differ_add_field(differ, LQ_QUEUE_ARGUMENT_DIFFERENT, planned->key,
                            &wanted, &found);
    }
}

static bool is_planned(const struct lq_queue *queue, const char *key)
{
    for (size_t i = 0; i < queue->argument_count; ++i) {
        if (lq_str_equal(queue->arguments[i].key, key)) {
            return true;
        }
    }
    return false;
}

static void find_extra(const struct lq_differ *differ,
                       const struct lq_queue *planned,
                       const struct lq_live_queue *actual)
{

    for (size_t i = 0; i < actual->arguments.count; ++i) {
        const struct lq_live_argument *const argument =
            &actual->arguments.items[i];

        if (!is_planned(planned, argument->key)) {
            lq_differ_add_extra(
                differ,
                lq_is_compared(differ->live, actual, argument->key)
                    ? LQ_QUEUE_ARGUMENT_DIFFERENT
                    : LQ_QUEUE_ARGUMENT_EXTRA,
                argument);
        }
    }
}

static void compare_arguments(const struct lq_differ *differ,
                              const struct lq_queue *planned,
                              const struct lq_live_queue *actual)
{
    if (!actual->arguments.known) {
        lq_differ_add_field(differ, LQ_PROPERTY_NOT_SEEN, "arguments",
                            &lq_no_value, &lq_no_value);
        return;
    }
    for (size_t i = 0; i < planned->argument_count; ++i) {
        compare_argument(differ, &planned->arguments[i], actual);
    }
    find_extra(differ, planned, actual);
}

static void compare_queue(const struct lq_differ *differ,
                          const struct lq_queue *planned,
                          const struct lq_live_queue *actual)
{
    const enum lq_finding_code code = LQ_QUEUE_PROPERTY_DIFFERENT;

    compare_flag(differ, code, "durable", planned->durable, actual->durable);
    compare_flag(differ, code, "auto_delete", planned->auto_delete,
                 actual->auto_delete);
    compare_flag(differ, code, "exclusive", false, actual->exclusive);
    compare_arguments(differ, planned, actual);
}

static void check_queue(struct lq_differ *differ, const struct lq_queue *queue)
{
    const struct lq_live_queue *const actual =
        lq_live_queue(differ->live, queue->name);
    const bool external = lq_owner(queue->logical) == LQ_EXTERNAL;

    differ->about = (struct lq_finding){.resource = LQ_QUEUE,
                                        .name = queue->name,
                                        .logical = queue->logical,
                                        .role = queue->role};
    if (!actual && !lq_live_has(differ->live, LQ_LIVE_HAS_QUEUES)) {
        lq_differ_add(differ, LQ_QUEUE_NOT_SEEN);
    } else if (!actual) {
        lq_differ_add(differ,
                      external ? LQ_EXTERNAL_QUEUE_MISSING : LQ_QUEUE_MISSING);
    } else if (!external) {
        compare_queue(differ, queue, actual);
    }
}

static void compare_exchange_arguments(const struct lq_differ *differ,
                                       const struct lq_live_arguments *actual)
{

    if (!actual->known) {
        lq_differ_add_field(differ, LQ_PROPERTY_NOT_SEEN, "arguments",
                            &lq_no_value, &lq_no_value);
        return;
    }
    for (size_t i = 0; i < actual->count; ++i) {
        lq_differ_add_extra(differ,
                            lq_is_compared_exchange(actual->items[i].key)
                                ? LQ_EXCHANGE_ARGUMENT_DIFFERENT
                                : LQ_EXCHANGE_ARGUMENT_EXTRA,
                            &actual->items[i]);
    }
}

/* 4.3 exports only what is not internal, and does not say so. */
static enum lq_live_flag is_internal(const struct lq_live *live,
                                     const struct lq_live_exchange *actual)
{
    const bool told = actual->internal != LQ_LIVE_UNKNOWN || !live->version ||
                      lq_live_is_before(live, 4, 3);

    return told ? actual->internal : LQ_LIVE_NO;
}

static void compare_exchange(const struct lq_differ *differ,
                             const struct lq_live_exchange *actual)
{
    const enum lq_finding_code code = LQ_EXCHANGE_PROPERTY_DIFFERENT;

    compare_text(differ, code, "type", "direct", actual->type);
    compare_flag(differ, code, "durable", true, actual->durable);
    compare_flag(differ, code, "auto_delete", false, actual->auto_delete);
    compare_flag(differ, code, "internal", false,
                 is_internal(differ->live, actual));
    compare_exchange_arguments(differ, &actual->arguments);
}

static bool is_exchange_shown(const struct lq_live *live, const char *name)
{
    return lq_live_has(live, strncmp(name, "amq.", 4) == 0
                                 ? LQ_LIVE_HAS_RESERVED
                                 : LQ_LIVE_HAS_EXCHANGES);
}

/*
 * Whether an exchange that is not listed is there: nothing can be bound to one
 * that is not, and 4.3 exports no internal ones.
 */
static bool is_left_out(const struct lq_live *live, const char *name)
{
    return live->version && !lq_live_is_before(live, 4, 1) &&
           lq_live_is_source(live, name);
}

static void check_exchange(struct lq_differ *differ,
                           const struct lq_exchange *exchange)
{
    const struct lq_live_exchange *const actual =
        lq_live_exchange(differ->live, exchange->name);
    const bool external = exchange->ownership == LQ_EXTERNAL;

    differ->about = (struct lq_finding){.resource = LQ_EXCHANGE,
                                        .name = exchange->name,
                                        .logical = exchange->logical,
                                        .role = exchange->role};
    if (actual) {
        if (!external) {
            compare_exchange(differ, actual);
        }
    } else if (!is_exchange_shown(differ->live, exchange->name)) {
        lq_differ_add(differ, LQ_EXCHANGE_NOT_SEEN);
    } else if (!is_left_out(differ->live, exchange->name)) {
        lq_differ_add(differ, external ? LQ_EXTERNAL_EXCHANGE_MISSING
                                       : LQ_EXCHANGE_MISSING);
    } else if (!external) {
        compare_flag(differ, LQ_EXCHANGE_PROPERTY_DIFFERENT, "internal", false,
                     LQ_LIVE_YES);
    }
}

static void check_binding(struct lq_differ *differ,
                          const struct lq_binding *binding)
{
    const enum lq_live_flag bound =
        lq_live_has(differ->live, LQ_LIVE_HAS_BINDINGS)
            ? lq_live_is_bound(differ->live, binding)
            : LQ_LIVE_UNKNOWN;

    differ->about = (struct lq_finding){.resource = LQ_BINDING,
                                        .name = binding->destination,
                                        .binding = binding,
                                        .logical = binding->logical,
                                        .role = binding->role};
    switch (bound) {
    case LQ_LIVE_YES:
        return;
    case LQ_LIVE_UNKNOWN:
        lq_differ_add(differ, LQ_BINDING_NOT_SEEN);
        return;
    case LQ_LIVE_NO:
        break;
    }
    lq_differ_add(differ, lq_owner(binding->logical) == LQ_EXTERNAL
                              ? LQ_EXTERNAL_BINDING_MISSING
                              : LQ_BINDING_MISSING);
}

enum lq_status lq_diff(const struct lq_topology *plan,
                       const struct lq_live *live, struct lq_arena *arena,
                       struct lq_diff *out)
{
    struct lq_differ differ = {.live = live, .arena = arena, .diff = out};

    *out = (struct lq_diff){.counts = {0}};
    lq_array_init(&out->findings, sizeof(struct lq_finding));
    for (size_t i = 0; i < plan->exchange_count; ++i) {
        check_exchange(&differ, &plan->exchanges[i]);
    }
    for (size_t i = 0; i < plan->queue_count; ++i) {
        check_queue(&differ, &plan->queues[i]);
    }
    for (size_t i = 0; i < plan->binding_count; ++i) {
        check_binding(&differ, &plan->bindings[i]);
    }
    return lq_arena_status(arena, LQ_OK);
}
