#include "lint/rule_rows.h"

#define FIRST LQ_LINT_FIRST_INPUT

/* What is wrong with the input, or does not fit the broker. */
const struct lq_lint_rule lq_lint_input_rules[] = {
    [LQ_LINT_RESERVED_NAME - FIRST] =
        ROW("LQ017", "reserved-name", ERROR, ALWAYS,
            "a name that begins with 'amq.' is reserved: the broker refuses to "
            "declare it",
            "choose another name, or set topology_ownership = external for "
            "what the broker has of its own"),
    [LQ_LINT_DEFAULT_DLQ_KEY - FIRST] =
        ROW("LQ018", "default-dlq-key", NOTE, ALWAYS,
            "dead letters go to an exchange of your own with the queue's name "
            "as routing key, not with the entry's routing_key",
            "set dead_letter_routing_key to the key that is meant"),
    [LQ_LINT_NAME_NEAR_LIMIT - FIRST] =
        ROW("LQ019", "name-near-limit", NOTE, ALWAYS,
            "a derived name has nearly the 200 bytes that it may have: a "
            "longer delay, or a later version of the topology, may not fit",
            "shorten name or exchange_name"),
    [LQ_LINT_CONSUMER_ENTRIES - FIRST] =
        ROW("LQ020", "consumer-entries", NOTE, ALWAYS,
            "one consumer process takes at most 256 entries",
            "split the entries among several processes, with a file for each"),
    [LQ_LINT_BUCKETS_NEAR_LIMIT - FIRST] =
        ROW("LQ021", "buckets-near-limit", NOTE, ALWAYS,
            "nearly all buckets are used that an entry (32) or a topology "
            "(4096) may have",
            "lower retry_attempts or retry_jitter_ratio, or plan the entries "
            "in several topologies"),
    [LQ_LINT_BYTES_BELOW_MESSAGE - FIRST] = ROW(
        "LQ022", "bytes-below-message", WARNING, ALWAYS,
        "a queue's bound of bytes is below the largest message: a classic "
        "queue never takes that message, and a quorum queue is full with it",
        "raise the bound, or lower max_message_size_bytes"),
    [LQ_LINT_BYTES_BEFORE_MESSAGES - FIRST] =
        ROW("LQ023", "bytes-before-messages", NOTE, ALWAYS,
            "a queue's bound of bytes is so low that its bound of messages is "
            "out of reach",
            "raise the bound of bytes, or lower that of messages to one that "
            "says what is meant"),
    [LQ_LINT_DLQ_BELOW_BUCKET - FIRST] = ROW(
        "LQ024", "dlq-below-bucket", WARNING, ALWAYS,
        "the dead-letter queue holds less than one bucket: when a failure "
        "outlasts the retries it fills up, and consumers stop at the first "
        "message that they cannot hand to it; what a classic main queue itself "
        "dead-letters then is lost",
        "raise the bounds of the dead-letter queue above those of a bucket"),
    [LQ_LINT_DISK_BUDGET - FIRST] = ROW(
        "LQ025", "disk-budget", ERROR, DISK,
        "the bounds of all queues together are above the disk that was given",
        "lower the bounds of bytes, or have more disk"),
    [LQ_LINT_JITTER_WITHOUT_EFFECT - FIRST] =
        ROW("LQ026", "jitter-without-effect", NOTE, ALWAYS,
            "retry_jitter_ratio changes no delay",
            "raise it, or give the backoff room below "
            "max_retry_backoff_millis; or leave it out"),
    [LQ_LINT_BACKOFF_WITHOUT_ATTEMPTS - FIRST] =
        ROW("LQ027", "backoff-without-attempts", NOTE, ALWAYS,
            "the entry sets a backoff, but has no attempts to use it",
            "set retry_attempts, or leave the backoff out"),
    [LQ_LINT_QUORUM_TTL_VERSION - FIRST] =
        ROW("LQ028", "quorum-ttl-version", ERROR, BEFORE_3_10,
            "quorum queues know no message TTL, which every bucket has",
            "use RabbitMQ 3.10 or later, or queue_type = classic"),
    [LQ_LINT_VERSION_NOT_SHOWN - FIRST] =
        ROW("LQ029", "version-not-shown", NOTE, ALWAYS,
            "what is said here was shown on RabbitMQ 3.10, 4.0 and 4.3 only",
            "read the findings with care"),
    [LQ_LINT_IGNORE_UNKNOWN_CODE - FIRST] =
        ROW("LQ030", "ignore-unknown-code", WARNING, ALWAYS,
            "an ignore comment names a code that does not exist",
            "write it as '; lilyq:ignore LQ001 reason'"),
    [LQ_LINT_IGNORE_WITHOUT_REASON - FIRST] = ROW(
        "LQ031", "ignore-without-reason", WARNING, ALWAYS,
        "an ignore comment gives no reason, and has no effect until it does",
        "write the reason behind the codes"),
    [LQ_LINT_IGNORE_UNUSED - FIRST] =
        ROW("LQ032", "ignore-unused", WARNING, ALWAYS,
            "an ignore comment matches nothing that is found",
            "take it out, or put it on or above the line that it is about"),
};
