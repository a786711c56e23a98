#include "render/saved.h"

#include "base/text.h"
#include "model/identity.h"

#include <string.h>

void lq_plan_fail(struct lq_plan_taker *taker, enum lq_status status)
{
    if (taker->status == LQ_OK) {
        taker->status = status;
    }
}

void *lq_plan_room(struct lq_plan_taker *taker, size_t count, size_t size)
{
    void *const items = lq_alloc_array(taker->arena, count, size);

    if (!items) {
        lq_plan_fail(taker, LQ_NOMEM);
    }
    return items;
}

static void fail_unless(struct lq_plan_taker *taker, bool good,
                        const struct lq_node *node, const char *wanted)
{
    if (!good && taker->status == LQ_OK) {
        lq_plan_fail(taker, lq_shape_error(&taker->shape, node, wanted));
    }
}

/* A member that must be there; NULL after a failure. */
static const struct lq_node *member(struct lq_plan_taker *taker,
                                    const struct lq_node *object,
                                    const char *key)
{
    const struct lq_node *const node =
        taker->status == LQ_OK ? lq_node_member(object, key) : NULL;

    if (!node && taker->status == LQ_OK) {
        lq_plan_fail(taker, lq_shape_report(&taker->shape, object,
                                            lq_format(taker->arena,
                                                      "must have '%s'", key)));
    }
    return node;
}

const struct lq_node *lq_plan_take(struct lq_plan_taker *taker,
                                   const struct lq_node *object,
                                   const char *key, enum lq_node_kind kind)
{
    const struct lq_node *const node = member(taker, object, key);

    if (node) {
        lq_plan_fail(taker, lq_shape_check(&taker->shape, node, kind));
    }
    return taker->status == LQ_OK ? node : NULL;
}

static const char *kind_words(enum lq_node_kind kind)
{
    switch (kind) {
    case LQ_NODE_LIST:
        return "an array";
    case LQ_NODE_TABLE:
        return "an object";
    case LQ_NODE_NUMBER:
        return "a number";
    case LQ_NODE_STRING:
        return "a string";
    case LQ_NODE_NULL:
    case LQ_NODE_FALSE:
    case LQ_NODE_TRUE:
        break;
    }
    return "a value";
}

const struct lq_node *lq_plan_elements(struct lq_plan_taker *taker,
                                       const struct lq_node *list,
                                       enum lq_node_kind kind, size_t *count)
{
    *count = 0;
    if (taker->status != LQ_OK) {
        return NULL;
    }
    for (const struct lq_node *at = lq_node_first(list); at;
         at = lq_node_next(at)) {
        fail_unless(taker, at->kind == kind, at, kind_words(kind));
        ++*count;
    }
    return taker->status == LQ_OK ? lq_node_first(list) : NULL;
}

static const char *name_of(struct lq_plan_taker *taker,
                           const struct lq_node *node)
{
    enum lq_identity fault = LQ_IDENTITY_OK;

    fail_unless(taker, node->kind == LQ_NODE_STRING, node, "a string");
    if (taker->status != LQ_OK) {
        return NULL;
    }
    fault = lq_identity_check(lq_node_text(node), strlen(lq_node_text(node)));
    if (fault != LQ_IDENTITY_OK) {
        lq_plan_fail(taker,
                     lq_shape_report(&taker->shape, node,
                                     lq_format(taker->arena, "must %s",
                                               lq_identity_rule(fault))));
    }
    return taker->status == LQ_OK ? lq_node_text(node) : NULL;
}

const char *lq_plan_take_name(struct lq_plan_taker *taker,
                              const struct lq_node *object, const char *key)
{
    const struct lq_node *const node = member(taker, object, key);

    return node ? name_of(taker, node) : NULL;
}

const char *lq_plan_take_nullable(struct lq_plan_taker *taker,
                                  const struct lq_node *object, const char *key)
{
    const struct lq_node *const node = member(taker, object, key);

    return node && node->kind != LQ_NODE_NULL ? name_of(taker, node) : NULL;
}

bool lq_plan_take_flag(struct lq_plan_taker *taker,
                       const struct lq_node *object, const char *key)
{
    const struct lq_node *const node = member(taker, object, key);

    if (node) {
        fail_unless(taker,
                    node->kind == LQ_NODE_TRUE || node->kind == LQ_NODE_FALSE,
                    node, "true or false");
    }
    return node && node->kind == LQ_NODE_TRUE;
}

uint64_t lq_plan_number(struct lq_plan_taker *taker, const struct lq_node *node)
{
    uint64_t number = 0;

    fail_unless(taker,
                node->kind == LQ_NODE_NUMBER &&
                    lq_parse_u64(lq_node_text(node), &number) == LQ_NUMBER_OK,
                node, "an integer of 0 or more");
    return taker->status == LQ_OK ? number : 0;
}

uint64_t lq_plan_take_count(struct lq_plan_taker *taker,
                            const struct lq_node *object, const char *key)
{
    const struct lq_node *const node = member(taker, object, key);

    return node ? lq_plan_number(taker, node) : 0;
}

bool lq_plan_take_word(struct lq_plan_taker *taker,
                       const struct lq_node *object, const char *key,
                       const char *const words[2])
{
    const struct lq_node *const node = member(taker, object, key);
    const bool is_text = node && node->kind == LQ_NODE_STRING;
    const bool second = is_text && lq_str_equal(lq_node_text(node), words[1]);
    const char *wanted = NULL;

    if (!node || second ||
        (is_text && lq_str_equal(lq_node_text(node), words[0]))) {
        return second;
    }
    wanted = lq_format(taker->arena, "'%s' or '%s'", words[0], words[1]);
    if (wanted) {
        fail_unless(taker, false, node, wanted);
    } else {
        lq_plan_fail(taker, LQ_NOMEM);
    }
    return false;
}

/* Whether it may be the key of an argument, and needs no escapes. */
static bool is_argument_key(const char *key)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

    return strncmp(key, "x-", 2) == 0 && strspn(key, letters) == strlen(key);
}

/* What the arguments of a plan are; others may be of any type. */
static bool is_of_its_type(const struct lq_argument *argument)
{
    static const struct {
        const char *key;
        enum lq_argument_type type;
    } known[] = {
        {"x-queue-type", LQ_LONGSTR},
        {"x-max-length", LQ_INT64},
        {"x-max-length-bytes", LQ_INT64},
        {"x-overflow", LQ_LONGSTR},
        {"x-dead-letter-exchange", LQ_LONGSTR},
        {"x-dead-letter-routing-key", LQ_LONGSTR},
        {"x-message-ttl", LQ_INT64},
        {"x-single-active-consumer", LQ_BOOL},
        {"x-max-priority", LQ_INT32},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); ++i) {
        if (lq_str_equal(known[i].key, argument->key)) {
            return known[i].type == argument->type;
        }
    }
    return true;
}

static void read_argument(struct lq_plan_taker *taker,
                          const struct lq_node *node, struct lq_argument *out)
{
    bool good = is_argument_key(lq_node_key(node));

    *out = (struct lq_argument){.key = lq_node_key(node)};
    if (node->kind == LQ_NODE_STRING) {
        out->type = LQ_LONGSTR;
        out->text = lq_node_text(node);
        good = good &&
               lq_utf8_valid(lq_node_text(node), strlen(lq_node_text(node)));
    } else if (node->kind == LQ_NODE_TRUE || node->kind == LQ_NODE_FALSE) {
        out->type = LQ_BOOL;
        out->number = node->kind == LQ_NODE_TRUE;
    } else {
        out->type = lq_str_equal(lq_node_key(node), "x-max-priority")
                        ? LQ_INT32
                        : LQ_INT64;
        good = good && node->kind == LQ_NODE_NUMBER &&
               lq_shape_integer(lq_node_text(node), &out->number);
    }
    if (!good || !is_of_its_type(out)) {
        lq_plan_fail(taker, lq_shape_error(&taker->shape, node,
                                           "an x-argument of the type that "
                                           "plans have"));
    }
}

void lq_plan_take_arguments(struct lq_plan_taker *taker,
                            const struct lq_node *object, struct lq_queue *out)
{
    const struct lq_node *const table =
        lq_plan_take(taker, object, "arguments", LQ_NODE_TABLE);
    struct lq_argument *items = NULL;

    for (const struct lq_node *at = table ? lq_node_first(table) : NULL; at;
         at = lq_node_next(at)) {
        ++out->argument_count;
    }
    items = lq_plan_room(taker, out->argument_count, sizeof(*items));
    out->arguments = items;
    for (const struct lq_node *at = table ? lq_node_first(table) : NULL;
         at && taker->status == LQ_OK; at = lq_node_next(at)) {
        read_argument(taker, at, items++);
    }
}

/* A plan whose parts are looked for. */
struct parts {
    struct lq_plan_taker *taker;
    const struct lq_plan_names *names;
};

/* Reports that a logical queue names what is not in the plan. */
static void fail_missing(const struct parts *parts,
                         const struct lq_logical *logical, const char *what,
                         const char *name)
{
    struct lq_plan_taker *const taker = parts->taker;
    const char *const shown = lq_printable(taker->arena, name, strlen(name));

    if (taker->status == LQ_OK) {
        lq_plan_fail(taker,
                     lq_error(taker->shape.diags, &logical->entry->place,
                              "%s '%s' must be in the plan", what, shown));
    }
}

static void check_queue(const struct parts *parts,
                        const struct lq_logical *logical, const char *name)
{
    if (!lq_map_get(&parts->names->queues, name)) {
        fail_missing(parts, logical, "queue", name);
    }
}

static void check_exchange(const struct parts *parts,
                           const struct lq_logical *logical, const char *name)
{
    if (!lq_map_get(&parts->names->exchanges, name)) {
        fail_missing(parts, logical, "exchange", name);
    }
}

/* What a logical queue is made of must be there. */
static void check_logical(const struct parts *parts,
                          const struct lq_logical *logical)
{
    check_queue(parts, logical, logical->entry->name);
    for (size_t i = 0; i < logical->bucket_count; ++i) {
        check_queue(parts, logical, logical->buckets[i].queue_name);
    }
    check_queue(parts, logical, logical->dead_letter_queue);
    check_exchange(parts, logical, logical->entry->exchange_name);
    if (logical->retry_exchange) {
        check_exchange(parts, logical, logical->retry_exchange);
    }
    check_exchange(parts, logical, logical->dead_letter_exchange);
}

void lq_plan_check_parts(struct lq_plan_taker *taker,
                         const struct lq_node *document,
                         const struct lq_topology *plan,
                         const struct lq_plan_names *names)
{
    const struct parts parts = {taker, names};
    const size_t queues = 2 * plan->logical_count + plan->bucket_count;

    for (size_t i = 0; i < plan->logical_count && taker->status == LQ_OK; ++i) {
        check_logical(&parts, &plan->logicals[i]);
    }
    if (taker->status == LQ_OK &&
        (plan->queue_count != queues || plan->binding_count != queues)) {
        lq_plan_fail(taker,
                     lq_shape_report(&taker->shape, document,
                                     lq_format(taker->arena,
                                               "must have %zu queues and "
                                               "bindings, as its logical "
                                               "queues have",
                                               queues)));
    }
}

#define DELAYS_MAX                                                             \
    (sizeof(((struct lq_attempt *)NULL)->delays_millis) / sizeof(uint64_t))

/* A sum that is too great is null. */
static struct lq_sum take_sum(struct lq_plan_taker *taker,
                              const struct lq_node *object, const char *key)
{
    const struct lq_node *const node = lq_node_member(object, key);
    struct lq_sum sum = {.value = 0};

    if (!node || node->kind != LQ_NODE_NULL) {
        sum.value = lq_plan_take_count(taker, object, key);
        sum.known = true;
    }
    return sum;
}

struct lq_capacity lq_plan_take_capacity(struct lq_plan_taker *taker,
                                         const struct lq_node *object)
{
    const struct lq_node *const table =
        lq_plan_take(taker, object, "worst_case", LQ_NODE_TABLE);
    struct lq_capacity capacity = {{0}, {0}};

    if (table) {
        capacity.messages = take_sum(taker, table, "messages");
        capacity.bytes = take_sum(taker, table, "bytes");
    }
    return capacity;
}

static void read_attempt(struct lq_plan_taker *taker,
                         const struct lq_node *list, struct lq_attempt *out)
{
    size_t count = 0;
    const struct lq_node *at =
        lq_plan_elements(taker, list, LQ_NODE_NUMBER, &count);

    if (taker->status == LQ_OK && (count < 1 || count > DELAYS_MAX)) {
        lq_plan_fail(taker, lq_shape_report(&taker->shape, list,
                                            "must have 1 to 3 delays"));
    }
    for (; at && taker->status == LQ_OK; at = lq_node_next(at)) {
        out->delays_millis[out->count++] = lq_plan_number(taker, at);
    }
}

static void read_attempts(struct lq_plan_taker *taker,
                          const struct lq_node *object, struct lq_logical *out)
{
    const struct lq_node *const list =
        lq_plan_take(taker, object, "delays_millis", LQ_NODE_LIST);
    const struct lq_node *at =
        lq_plan_elements(taker, list, LQ_NODE_LIST, &out->attempt_count);
    struct lq_attempt *const attempts =
        lq_plan_room(taker, out->attempt_count, sizeof(*attempts));

    out->attempts = attempts;
    for (size_t i = 0; at && taker->status == LQ_OK; at = lq_node_next(at)) {
        read_attempt(taker, at, &attempts[i++]);
    }
}

static void read_buckets(struct lq_plan_taker *taker,
                         const struct lq_node *object, struct lq_logical *out)
{
    const struct lq_node *const list =
        lq_plan_take(taker, object, "buckets", LQ_NODE_LIST);
    const struct lq_node *at =
        lq_plan_elements(taker, list, LQ_NODE_TABLE, &out->bucket_count);
    struct lq_bucket *const buckets =
        lq_plan_room(taker, out->bucket_count, sizeof(*buckets));

    out->buckets = buckets;
    for (size_t i = 0; at && taker->status == LQ_OK; at = lq_node_next(at)) {
        buckets[i++] = (struct lq_bucket){
            .delay_millis = lq_plan_take_count(taker, at, "delay_millis"),
            .queue_name = lq_plan_take_name(taker, at, "queue"),
            .routing_key = lq_plan_take_name(taker, at, "routing_key"),
        };
    }
}

static void read_entry(struct lq_plan_taker *taker,
                       const struct lq_node *object, struct lq_entry *out)
{
    static const char *const owners[] = {"framework_managed", "external"};
    static const char *const types[] = {"classic", "quorum"};

    out->name = lq_plan_take_name(taker, object, "name");
    out->topology_ownership =
        lq_plan_take_word(taker, object, "ownership", owners)
            ? LQ_EXTERNAL
            : LQ_FRAMEWORK_MANAGED;
    out->queue_type = lq_plan_take_word(taker, object, "queue_type", types)
                          ? LQ_QUORUM
                          : LQ_CLASSIC;
    out->exchange_name = lq_plan_take_name(taker, object, "exchange");
    out->routing_key = lq_plan_take_name(taker, object, "routing_key");
}

static void read_dead_letter(struct lq_plan_taker *taker,
                             const struct lq_node *object,
                             struct lq_logical *out)
{
    const struct lq_node *const table =
        lq_plan_take(taker, object, "dead_letter", LQ_NODE_TABLE);

    if (table) {
        out->dead_letter_exchange = lq_plan_take_name(taker, table, "exchange");
        out->dead_letter_queue = lq_plan_take_name(taker, table, "queue");
        out->dead_letter_routing_key =
            lq_plan_take_name(taker, table, "routing_key");
    }
}

static void read_window(struct lq_plan_taker *taker,
                        const struct lq_node *object, struct lq_logical *out)
{
    const struct lq_node *const table =
        lq_plan_take(taker, object, "retry_window", LQ_NODE_TABLE);

    if (table) {
        out->min_wait_millis =
            lq_plan_take_count(taker, table, "min_wait_millis");
        out->max_wait_millis =
            lq_plan_take_count(taker, table, "max_wait_millis");
    }
}

void lq_plan_read_logical(struct lq_plan_taker *taker,
                          const struct lq_node *object, size_t index,
                          struct lq_logical *out)
{
    struct lq_entry *const entry = lq_plan_room(taker, 1, sizeof(*entry));

    if (!entry) {
        return;
    }
    entry->place.file = taker->shape.file;
    entry->place.path = lq_format(taker->arena, "logical_queues[%zu]", index);
    if (!entry->place.path) {
        lq_plan_fail(taker, LQ_NOMEM);
    }
    out->entry = entry;
    read_entry(taker, object, entry);
    out->retry_exchange =
        lq_plan_take_nullable(taker, object, "retry_exchange");
    read_attempts(taker, object, out);
    read_buckets(taker, object, out);
    read_window(taker, object, out);
    read_dead_letter(taker, object, out);
    out->capacity = lq_plan_take_capacity(taker, object);
}
