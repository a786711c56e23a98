#include "config/schema.h"

#include "base/text.h"
#include "config/load.h"
#include "model/identity.h"

#include <string.h>

/* The least and the greatest of a capacity that AMQP carries as int64. */
#define CAPACITY .type = LQ_KEY_INTEGER, .min = 1, .max = INT64_MAX

/* The name of something that is declared. */
#define IDENTITY .type = LQ_KEY_IDENTITY, .max = LQ_IDENTITY_MAX_BYTES

#define BROKER(member)                                                         \
    .section = LQ_SECTION_BROKER, .type = LQ_KEY_TEXT,                         \
    .offset = offsetof(struct lq_broker_settings, member), .name = #member

#define QUEUE(id, member)                                                      \
    .section = LQ_SECTION_QUEUE, .field = (id),                                \
    .offset = offsetof(struct lq_entry, member)

static const char *const exchange_kinds[] = {"direct", NULL};
static const char *const queue_types[] = {"classic", "quorum", NULL};
static const char *const ownerships[] = {"framework_managed", "external", NULL};
/* each second one means yes: lq_broker_has_policies() */
static const char *const answers[] = {"no", "yes", "false", "true", NULL};

const struct lq_key lq_keys[] = {
    {BROKER(url),
     .help = "where the broker is, as amqp://user@host:port/vhost or "
             "amqps://; several, with commas between them, are tried in turn"},
    {BROKER(vhost), .help = "virtual host, instead of the URL's"},
    {BROKER(username), .help = "user to log in as, instead of the URL's"},
    {BROKER(password_file), .help = "file that holds the user's password"},
    {BROKER(management_url),
     .help = "the broker's management API, as https://host:port, to look at "
             "what is there"},
    {BROKER(tls_ca_file),
     .help = "PEM file of the authorities to trust instead of the system's"},
    {BROKER(tls_cert_file),
     .help = "PEM file of the certificate to present to the broker"},
    {BROKER(tls_key_file), .help = "PEM file of that certificate's key"},
    {.section = LQ_SECTION_BROKER,
     .offset = offsetof(struct lq_broker_settings, policies),
     .name = "policies",
     .type = LQ_KEY_CHOICE,
     .choices = answers,
     .default_text = "no",
     .help = "whether apply, diff and lint take the policies that 'lilyq "
             "policies' prints for planned, as with '--policies'"},

    {QUEUE(LQ_NAME, name), .name = "name", IDENTITY, .required = true,
     .help = "logical name of the queue and name of its main queue"},
    {QUEUE(LQ_EXCHANGE_NAME, exchange_name), .name = "exchange_name", IDENTITY,
     .required = true,
     .help = "main exchange, from which the retry and dead-letter exchanges "
             "take their names"},
    {QUEUE(LQ_ROUTING_KEY, routing_key), .name = "routing_key", IDENTITY,
     .required = true,
     .help = "key that binds the main queue to the main exchange"},
    {.section = LQ_SECTION_QUEUE,
     .field = LQ_EXCHANGE_KIND,
     .offset = LQ_KEY_NOT_STORED,
     .name = "exchange_kind",
     .type = LQ_KEY_CHOICE,
     .choices = exchange_kinds,
     .default_text = "direct",
     .help = "type of the main exchange"},
    {QUEUE(LQ_QUEUE_TYPE, queue_type), .name = "queue_type",
     .type = LQ_KEY_CHOICE, .choices = queue_types, .default_text = "classic",
     .help = "type of the main queue, its retry buckets and its dead-letter "
             "queue"},
    {QUEUE(LQ_TOPOLOGY_OWNERSHIP, topology_ownership),
     .name = "topology_ownership", .type = LQ_KEY_CHOICE, .choices = ownerships,
     .default_text = "framework_managed",
     .help = "whether the topology is declared, or belongs to others and is "
             "only checked"},
    {QUEUE(LQ_DURABLE, durable), .name = "durable", .type = LQ_KEY_BOOL,
     .default_text = "true",
     .help = "whether the main queue outlives a restart of the broker; a "
             "quorum queue must"},
    {QUEUE(LQ_AUTO_DELETE, auto_delete), .name = "auto_delete",
     .type = LQ_KEY_BOOL, .default_text = "false",
     .help = "whether the main queue goes with its last consumer; a quorum "
             "queue must not"},
    {QUEUE(LQ_EXCLUSIVE, exclusive), .name = "exclusive", .type = LQ_KEY_BOOL,
     .default_text = "false",
     .help = "must be false, as an exclusive queue goes with the connection "
             "that declares it"},
    {QUEUE(LQ_SINGLE_ACTIVE_CONSUMER, single_active_consumer),
     .name = "single_active_consumer", .type = LQ_KEY_BOOL,
     .default_text = "false",
     .help = "whether one consumer of the main queue works at a time"},
    {QUEUE(LQ_MAX_PRIORITY, max_priority), .name = "max_priority",
     .type = LQ_KEY_INTEGER, .min = 1, .max = 16,
     .help = "highest priority of messages in the main queue; classic queues "
             "only"},
    {QUEUE(LQ_MESSAGE_TTL_MS, message_ttl_ms), .name = "message_ttl_ms",
     .type = LQ_KEY_INTEGER, .min = 1, .max = UINT32_MAX, .unit = "millis",
     .help = "how long a message may wait in the main queue before it is "
             "dead-lettered"},
    {QUEUE(LQ_DEAD_LETTER_EXCHANGE, dead_letter_exchange),
     .name = "dead_letter_exchange", IDENTITY,
     .help = "dead-letter exchange instead of EXCHANGE_NAME.dlx.v2; required "
             "with external ownership"},
    {QUEUE(LQ_DEAD_LETTER_ROUTING_KEY, dead_letter_routing_key),
     .name = "dead_letter_routing_key", IDENTITY,
     .help = "key of the dead-letter queue instead of the queue's name; "
             "required with external ownership"},
    {QUEUE(LQ_MAIN_MAX_MESSAGES, main_max_messages), CAPACITY,
     .name = "retention.main_max_messages", .required = true,
     .unit = "messages", .help = "most messages that the main queue holds"},
    {QUEUE(LQ_MAIN_MAX_BYTES, main_max_bytes), CAPACITY,
     .name = "retention.main_max_bytes", .required = true, .unit = "bytes",
     .help = "most bytes of messages that the main queue holds"},
    {QUEUE(LQ_RETRY_BUCKET_MAX_MESSAGES, retry_bucket_max_messages), CAPACITY,
     .name = "retention.retry_bucket_max_messages", .required = true,
     .unit = "messages", .help = "most messages that each retry bucket holds"},
    {QUEUE(LQ_RETRY_BUCKET_MAX_BYTES, retry_bucket_max_bytes), CAPACITY,
     .name = "retention.retry_bucket_max_bytes", .required = true,
     .unit = "bytes",
     .help = "most bytes of messages that each retry bucket holds"},
    {QUEUE(LQ_DEAD_LETTER_MAX_MESSAGES, dead_letter_max_messages), CAPACITY,
     .name = "retention.dead_letter_max_messages", .required = true,
     .unit = "messages",
     .help = "most messages that the dead-letter queue holds"},
    {QUEUE(LQ_DEAD_LETTER_MAX_BYTES, dead_letter_max_bytes), CAPACITY,
     .name = "retention.dead_letter_max_bytes", .required = true,
     .unit = "bytes",
     .help = "most bytes of messages that the dead-letter queue holds"},
    {QUEUE(LQ_RETRY_ATTEMPTS, retry_attempts), .name = "retry_attempts",
     .type = LQ_KEY_INTEGER, .max = 100, .default_text = "0",
     .help = "how many times a failed message is tried again; 0 means no "
             "retry exchange and no bucket"},
    {QUEUE(LQ_RETRY_BACKOFF_MILLIS, retry_backoff_millis),
     .name = "retry_backoff_millis", .type = LQ_KEY_INTEGER, .min = 100,
     .max = 300000, .default_text = "1000", .unit = "millis",
     .help = "delay before the first retry, doubled for each one after it"},
    {QUEUE(LQ_MAX_RETRY_BACKOFF_MILLIS, max_retry_backoff_millis),
     .name = "max_retry_backoff_millis", .type = LQ_KEY_INTEGER, .min = 100,
     .max = 900000, .default_text = "60000", .unit = "millis",
     .help = "longest delay, at least retry_backoff_millis"},
    {QUEUE(LQ_RETRY_JITTER_RATIO, retry_jitter_ratio),
     .name = "retry_jitter_ratio", .type = LQ_KEY_RATIO, .default_text = "0.0",
     .help = "how far a delay may be spread down and up, as a part of it"},
    {QUEUE(LQ_CONCURRENCY, concurrency), .name = "concurrency",
     .type = LQ_KEY_INTEGER, .runtime_only = true, .min = 1, .max = 1024,
     .default_text = "1", .help = "messages that a consumer handles at a time"},
    {QUEUE(LQ_PREFETCH_COUNT, prefetch_count), .name = "prefetch_count",
     .type = LQ_KEY_INTEGER, .runtime_only = true, .min = 1, .max = 4096,
     .default_text = "10", .unit = "messages",
     .help = "unacknowledged messages that a consumer takes from the broker"},
    {QUEUE(LQ_DELIVERY_BUFFER_CAPACITY, delivery_buffer_capacity),
     .name = "delivery_buffer_capacity", .type = LQ_KEY_INTEGER,
     .runtime_only = true, .min = 1, .max = 4096, .unit = "messages",
     .help = "messages that a consumer buffers, at most and by default "
             "prefetch_count"},
    {QUEUE(LQ_DELIVERY_EXECUTION_TIMEOUT_MILLIS,
           delivery_execution_timeout_millis),
     .name = "delivery_execution_timeout_millis", .type = LQ_KEY_INTEGER,
     .runtime_only = true, .min = 100, .max = 900000, .default_text = "30000",
     .unit = "millis", .help = "how long the handling of one message may take"},
    {QUEUE(LQ_SETTLEMENT_TIMEOUT_MILLIS, settlement_timeout_millis),
     .name = "settlement_timeout_millis", .type = LQ_KEY_INTEGER,
     .runtime_only = true, .min = 1, .max = 60000, .default_text = "5000",
     .unit = "millis",
     .help = "how long an acknowledgement or a hand-off may take"},
    {QUEUE(LQ_MAX_MESSAGE_SIZE_BYTES, max_message_size_bytes),
     .name = "max_message_size_bytes", .type = LQ_KEY_INTEGER,
     .runtime_only = true, .min = 1, .max = 16777216, .default_text = "1048576",
     .unit = "bytes", .help = "largest message body that a consumer takes"},
};

const size_t lq_key_count = sizeof(lq_keys) / sizeof(lq_keys[0]);

const struct lq_key *lq_key_find(enum lq_section section, const char *name)
{
    for (size_t i = 0; i < lq_key_count; ++i) {
        if (lq_keys[i].section == section &&
            lq_str_equal(lq_keys[i].name, name)) {
            return &lq_keys[i];
        }
    }
    return NULL;
}

const struct lq_key *lq_key_of(enum lq_field field)
{
    return &lq_keys[LQ_BROKER_KEY_COUNT + (size_t)field];
}

/* What the map holds: it takes no pointers to what is constant. */
struct row {
    const struct lq_key *key;
};

/* The name without the prefix, or NULL when it does not begin so. */
static const char *short_name(const struct lq_keys *keys,
                              const struct lq_key *key)
{
    const size_t skip = strlen(keys->prefix);

    return key->section == keys->section &&
                   strncmp(key->name, keys->prefix, skip) == 0
               ? key->name + skip
               : NULL;
}

enum lq_status lq_keys_init(struct lq_keys *keys, enum lq_section section,
                            const char *prefix, struct lq_arena *arena)
{
    struct row *const rows = lq_alloc_array(arena, lq_key_count, sizeof(*rows));

    keys->section = section;
    keys->prefix = prefix;
    lq_map_init(&keys->rows, arena);
    for (size_t i = 0; rows && i < lq_key_count; ++i) {
        const char *const name = short_name(keys, &lq_keys[i]);
        void *held = NULL;

        rows[i].key = &lq_keys[i];
        if (name && lq_map_add(&keys->rows, name, &rows[i], &held) != LQ_OK) {
            return LQ_NOMEM;
        }
    }
    return rows ? LQ_OK : LQ_NOMEM;
}

const struct lq_key *lq_keys_get(const struct lq_keys *keys, const char *name)
{
    const struct row *const row = lq_map_get(&keys->rows, name);

    return row ? row->key : NULL;
}

#define WORDS_MAX 64

const struct lq_key *lq_keys_suggest(const struct lq_keys *keys,
                                     const char *name)
{
    const char *words[WORDS_MAX];
    size_t count = 0;
    const char *word = NULL;

    for (size_t i = 0; i < lq_key_count && count + 1 < WORDS_MAX; ++i) {
        const char *const known = short_name(keys, &lq_keys[i]);

        if (known) {
            words[count++] = known;
        }
    }
    word = lq_suggest(name, words, count);
    return word ? lq_keys_get(keys, word) : NULL;
}
