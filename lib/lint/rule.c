#include "lint/rule.h"

#include "base/text.h"

#define ROW(code_, slug_, severity_, when, happens_, advice_)                  \
    {                                                                          \
        .code = (code_), .slug = (slug_),                                      \
        .severity = LILYQ_SEVERITY_##severity_, .happens = (happens_),         \
        .advice = (advice_), when                                              \
    }

/* When a rule applies: the last members of its row. */
#define ALWAYS .needs = 0
#define BROKER .needs = LQ_LINT_NEEDS_BROKER
#define WINDOW .needs = LQ_LINT_NEEDS_WINDOW
#define DISK .needs = LQ_LINT_NEEDS_DISK
#define COMMON_BROKER BROKER, .common = true
#define MENDABLE .policy_mends = true
#define COMMON_MENDABLE MENDABLE, .common = true
#define MENDABLE_FROM_4_0 .policy_mends = true, .since = {true, 4, 0}
#define COMMON_MENDABLE_FROM_4_0 MENDABLE_FROM_4_0, .common = true
#define FROM_4_0 .since = {true, 4, 0}
#define BEFORE_3_10 .before = {true, 3, 10}

static const struct lq_lint_rule rules[LQ_LINT_CODE_COUNT] = {
    /* What becomes of messages. */
    [LQ_LINT_LOSS_FULL_MAIN] =
        ROW("LQ001", "loss-full-main", WARNING, ALWAYS,
            "a message whose delay ends while the classic main queue is full "
            "is lost: the broker dead-letters it at most once, and the queue "
            "refuses it",
            "use queue_type = quorum with the policies that 'lilyq policies' "
            "prints, or keep the main queue far from its bounds and say so in "
            "an ignore comment"),
    [LQ_LINT_QUORUM_OVERSHOOT] =
        ROW("LQ002", "quorum-overshoot", NOTE, COMMON_MENDABLE,
            "messages that return from a quorum bucket enter the main queue "
            "even beyond its bounds",
            "leave room for the main queue and its buckets together, or set "
            "at-least-once dead-lettering, as 'lilyq policies' prints it: a "
            "message that finds no room then waits in its bucket, and is "
            "offered again within two rounds of about three minutes each"),
    [LQ_LINT_SHARED_ROUTING_KEY] = ROW(
        "LQ003", "shared-routing-key", ERROR, ALWAYS,
        "two main queues share an exchange and a routing key: what one of them "
        "retries returns to both",
        "give each entry a routing key of its own, and publish once to each"),
    [LQ_LINT_SHARED_DEAD_LETTER_KEY] =
        ROW("LQ004", "shared-dead-letter-key", ERROR, ALWAYS,
            "two dead-letter queues share an exchange and a routing key: each "
            "gets the other's dead letters too",
            "leave dead_letter_routing_key out, or give each entry its own"),
    [LQ_LINT_DEAD_LETTER_LOOP] =
        ROW("LQ005", "dead-letter-loop", ERROR, ALWAYS,
            "dead letters go where the main queue gets its messages: each "
            "message published also lands in the dead-letter queue, and each "
            "dead letter comes back",
            "leave dead_letter_exchange out, or name an exchange that serves "
            "dead letters only"),
    [LQ_LINT_RETRY_EXCHANGE_LOOP] =
        ROW("LQ006", "retry-exchange-loop", ERROR, ALWAYS,
            "a main or dead-letter queue is bound to a retry exchange with the "
            "key of a bucket: it gets every message that is sent there to wait",
            "use the retry exchange for nothing but the buckets"),
    [LQ_LINT_DEAD_LETTER_CROSSING] =
        ROW("LQ007", "dead-letter-crossing", ERROR, ALWAYS,
            "dead letters go where another main queue gets its messages: that "
            "queue's consumer gets them, and the dead-letter queue gets all "
            "that is published there",
            "leave dead_letter_exchange out, or name an exchange that serves "
            "dead letters only"),
    [LQ_LINT_RETRY_REORDERS] =
        ROW("LQ008", "retry-reorders", NOTE, ALWAYS,
            "a single active consumer keeps messages in order, but a retried "
            "one comes back behind those that came after it",
            "set retry_attempts = 0 if the order matters, or leave "
            "single_active_consumer out if it does not"),
    [LQ_LINT_TTL_BELOW_WINDOW] =
        ROW("LQ009", "ttl-below-window", WARNING, ALWAYS,
            "message_ttl_ms is not above the retry window: in an outage that "
            "the retries are meant to bridge, a message that waits in the main "
            "queue becomes a dead letter without being tried",
            "raise message_ttl_ms well above the longest total wait, or leave "
            "it out"),
    [LQ_LINT_TTL_BELOW_HANDLER] =
        ROW("LQ010", "ttl-below-handler", WARNING, ALWAYS,
            "message_ttl_ms is not above the time that one delivery may take: "
            "behind a slow one, the backlog becomes dead letters unhandled",
            "raise message_ttl_ms to many times "
            "delivery_execution_timeout_millis, or leave it out"),
    [LQ_LINT_RETRY_WINDOW_LIMIT] =
        ROW("LQ011", "retry-window-limit", ERROR, WINDOW,
            "the retries take longer than the given limit",
            "lower retry_attempts, retry_backoff_millis or "
            "max_retry_backoff_millis"),
    [LQ_LINT_TRANSIENT_MAIN] =
        ROW("LQ012", "transient-main", ERROR, ALWAYS,
            "the main queue is gone after a restart of the broker, but its "
            "buckets are not: what returns from them is dropped",
            "set durable = true, or retry_attempts = 0"),
    [LQ_LINT_AUTO_DELETE_MAIN] =
        ROW("LQ013", "auto-delete-main", ERROR, ALWAYS,
            "the main queue is deleted with its last consumer, but its buckets "
            "are not: what returns from them meanwhile is dropped",
            "set auto_delete = false, or retry_attempts = 0"),
    [LQ_LINT_TRANSIENT_DEPRECATED] = ROW(
        "LQ014", "transient-deprecated", WARNING, FROM_4_0,
        "a queue that is neither durable nor exclusive is deprecated: the "
        "broker warns about it; a broker that is set to refuse it closes the "
        "connection with 541, and 4.3 then does not start while it has one",
        "set durable = true"),
    [LQ_LINT_DELIVERY_LIMIT_MAIN] = ROW(
        "LQ015", "delivery-limit-main", NOTE, COMMON_MENDABLE_FROM_4_0,
        "the broker itself dead-letters a message that is put back or left "
        "unsettled more than 20 times, without the framework's headers",
        "tell whoever handles dead letters, or set delivery-limit by policy"),
    [LQ_LINT_DELIVERY_LIMIT_DLQ] = ROW(
        "LQ016", "delivery-limit-dlq", WARNING, MENDABLE_FROM_4_0,
        "a dead-letter queue of type quorum deletes a message that is read and "
        "put back more than 20 times",
        "set a delivery-limit of -1, or a high one, for the dead-letter queue "
        "by policy, as 'lilyq policies --broker-version 4.0' prints it"),

    /* What is wrong with the input, or does not fit the broker. */
    [LQ_LINT_RESERVED_NAME] =
        ROW("LQ017", "reserved-name", ERROR, ALWAYS,
            "a name that begins with 'amq.' is reserved: the broker refuses to "
            "declare it",
            "choose another name, or set topology_ownership = external for "
            "what the broker has of its own"),
    [LQ_LINT_DEFAULT_DLQ_KEY] =
        ROW("LQ018", "default-dlq-key", NOTE, ALWAYS,
            "dead letters go to an exchange of your own with the queue's name "
            "as routing key, not with the entry's routing_key",
            "set dead_letter_routing_key to the key that is meant"),
    [LQ_LINT_NAME_NEAR_LIMIT] =
        ROW("LQ019", "name-near-limit", NOTE, ALWAYS,
            "a derived name is close to the limit of 200 bytes: a longer "
            "delay, or a later version of the topology, may not fit",
            "shorten name or exchange_name"),
    [LQ_LINT_CONSUMER_ENTRIES] =
        ROW("LQ020", "consumer-entries", NOTE, ALWAYS,
            "one consumer process takes at most 256 entries",
            "split the entries among several processes, with a file for each"),
    [LQ_LINT_BUCKETS_NEAR_LIMIT] =
        ROW("LQ021", "buckets-near-limit", NOTE, ALWAYS,
            "nearly all the buckets that an entry (32) or a topology (4096) "
            "may have are in use",
            "lower retry_attempts or retry_jitter_ratio, or plan the entries "
            "in several topologies"),
    [LQ_LINT_BYTES_BELOW_MESSAGE] = ROW(
        "LQ022", "bytes-below-message", WARNING, ALWAYS,
        "a queue's byte bound is below the largest message: a classic queue "
        "never takes that message, and a quorum queue is full with it",
        "raise the bound, or lower max_message_size_bytes"),
    [LQ_LINT_BYTES_BEFORE_MESSAGES] = ROW(
        "LQ023", "bytes-before-messages", NOTE, ALWAYS,
        "a queue's byte bound is so low that its message bound is out of reach",
        "raise the byte bound, or lower the message bound to what is meant"),
    [LQ_LINT_DLQ_BELOW_BUCKET] = ROW(
        "LQ024", "dlq-below-bucket", WARNING, ALWAYS,
        "the dead-letter queue holds less than one bucket: when a failure "
        "outlasts the retries it fills up, and consumers stop at the first "
        "message that they cannot hand to it; what a classic main queue then "
        "dead-letters itself is lost",
        "raise the bounds of the dead-letter queue above those of a bucket"),
    [LQ_LINT_DISK_BUDGET] =
        ROW("LQ025", "disk-budget", ERROR, DISK,
            "the bounds of all queues together exceed the given disk budget",
            "lower the byte bounds, or provide more disk"),
    [LQ_LINT_JITTER_WITHOUT_EFFECT] =
        ROW("LQ026", "jitter-without-effect", NOTE, ALWAYS,
            "retry_jitter_ratio changes no delay",
            "raise it, or give the backoff room below "
            "max_retry_backoff_millis; or leave it out"),
    [LQ_LINT_BACKOFF_WITHOUT_ATTEMPTS] =
        ROW("LQ027", "backoff-without-attempts", NOTE, ALWAYS,
            "the entry sets a backoff, but has no attempts to use it",
            "set retry_attempts, or leave the backoff out"),
    [LQ_LINT_QUORUM_TTL_VERSION] =
        ROW("LQ028", "quorum-ttl-version", ERROR, BEFORE_3_10,
            "quorum queues know no message TTL, which every bucket has",
            "use RabbitMQ 3.10 or later, or queue_type = classic"),
    [LQ_LINT_VERSION_NOT_SHOWN] =
        ROW("LQ029", "version-not-shown", NOTE, ALWAYS,
            "the findings were verified on RabbitMQ 3.10, 4.0 and 4.3 only",
            "read the findings with care"),
    [LQ_LINT_IGNORE_UNKNOWN_CODE] =
        ROW("LQ030", "ignore-unknown-code", WARNING, ALWAYS,
            "an ignore comment names a code that does not exist",
            "write it as '; lilyq:ignore LQ001 reason'"),
    [LQ_LINT_IGNORE_WITHOUT_REASON] = ROW(
        "LQ031", "ignore-without-reason", WARNING, ALWAYS,
        "an ignore comment gives no reason, and has no effect until it does",
        "write the reason after the codes"),
    [LQ_LINT_IGNORE_UNUSED] =
        ROW("LQ032", "ignore-unused", WARNING, ALWAYS,
            "an ignore comment matches no finding",
            "remove it, or put it on or above the line that it is about"),

    /* What the policies and bindings of a broker do, and later rules. */
    [LQ_LINT_AT_LEAST_ONCE_ROUNDS] =
        ROW("LQ033", "quorum-at-least-once-rounds", NOTE, COMMON_BROKER,
            "with at-least-once dead-lettering, a message that finds the main "
            "queue full stays in its bucket, counts towards the bucket's "
            "bounds, and is offered again within two rounds of about three "
            "minutes each, whatever its delay",
            "expect that after a full main queue; the broker's setting "
            "dead_letter_worker_publisher_confirm_timeout shortens the rounds"),
    [LQ_LINT_OVERFLOW_POLICY] = ROW(
        "LQ034", "overflow-policy", ERROR, BROKER,
        "a policy sets an overflow other than reject-publish: a full quorum "
        "queue then confirms every publish and drops its oldest messages, and "
        "at-least-once dead-lettering is off",
        "remove overflow from the policy, or keep the policy off this queue"),
    [LQ_LINT_POLICY_IN_FORCE] =
        ROW("LQ035", "policy-in-force", WARNING, BROKER,
            "a policy or operator policy overrides what the entry says, so "
            "that publishes are refused or deliveries delayed",
            "correct the policy or its pattern, or change the entry to match"),
    [LQ_LINT_FOREIGN_BINDING] =
        ROW("LQ036", "foreign-binding", WARNING, BROKER,
            "a binding that is not in the plan gives others a copy of each "
            "retry or dead letter, or mixes the messages of others with them",
            "remove the binding, or make the consumers on both sides expect "
            "what they get"),
    [LQ_LINT_LOSS_FULL_DLQ] =
        ROW("LQ037", "loss-full-dlq", WARNING, ALWAYS,
            "what expires in a classic main queue while the dead-letter queue "
            "is full is lost: the broker dead-letters it at most once, and the "
            "queue refuses it",
            "leave message_ttl_ms out, use queue_type = quorum with the "
            "policies that 'lilyq policies' prints, or keep the dead-letter "
            "queue far from its bounds"),
    [LQ_LINT_POLICY_NOT_APPLIED] =
        ROW("LQ038", "policy-not-applied", WARNING, BROKER,
            "a policy has a key that the queue's type does not support, so the "
            "broker applies none of it to the queue",
            "split the policy by queue type"),
    [LQ_LINT_AT_LEAST_ONCE_FULL] =
        ROW("LQ039", "quorum-at-least-once-full", NOTE, COMMON_BROKER,
            "with at-least-once dead-lettering, a message that finds the "
            "dead-letter queue full stays in the main queue, where it is not "
            "ready but counts towards the bounds: a queue that looks empty "
            "refuses publishers",
            "keep the dead-letter queue far from its bounds, and watch all "
            "messages of the main queue, not just those that are ready"),
    [LQ_LINT_POLICY_DELETES] = ROW(
        "LQ040", "policy-deletes", ERROR, BROKER,
        "a policy or operator policy has the broker delete the queue with its "
        "messages, or delete, drop or expire messages that the entry keeps",
        "correct the policy or its pattern, or change the entry to match"),
};

const struct lq_lint_rule *lq_lint_rule(enum lq_lint_code code)
{
    return &rules[code];
}

enum lq_lint_code lq_lint_code_of(const char *text)
{
    unsigned code = 0;

    while (code < LQ_LINT_CODE_COUNT &&
           !lq_str_equal(lq_lint_rule(code)->code, text)) {
        ++code;
    }
    return (enum lq_lint_code)code;
}

const char *lq_lint_severity_word(enum lilyq_severity severity)
{
    static const char *const words[LQ_LINT_SEVERITY_COUNT] = {
        [LILYQ_SEVERITY_NOTE] = "note",
        [LILYQ_SEVERITY_WARNING] = "warning",
        [LILYQ_SEVERITY_ERROR] = "error",
    };

    return words[severity];
}

bool lq_lint_rule_holds(const struct lq_lint_rule *rule,
                        struct lq_version version)
{
    static const struct lq_version oldest = {true, 3, 10};
    const struct lq_version *const since = &rule->since;
    const struct lq_version *const before = &rule->before;

    return !lq_version_is_before(version, since->major, since->minor) &&
           (!before->known ||
            lq_version_is_before(version.known ? version : oldest,
                                 before->major, before->minor));
}

const char *lq_lint_rule_versions(const struct lq_lint_rule *rule,
                                  struct lq_arena *arena)
{
    if (rule->since.known) {
        return lq_format(arena, "RabbitMQ %u.%u and later", rule->since.major,
                         rule->since.minor);
    }
    if (rule->before.known) {
        return lq_format(arena, "RabbitMQ before %u.%u", rule->before.major,
                         rule->before.minor);
    }
    return "";
}
