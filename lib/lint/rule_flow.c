#include "lint/rule_rows.h"

#define FIRST LQ_LINT_FIRST_FLOW

/* What becomes of messages. */
const struct lq_lint_rule lq_lint_flow_rules[] = {
    [LQ_LINT_LOSS_FULL_MAIN - FIRST] =
        ROW("LQ001", "loss-full-main", WARNING, ALWAYS,
            "a message whose delay ends while the classic main queue is full "
            "is lost: the broker dead-letters it at most once, and the queue "
            "refuses it",
            "use queue_type = quorum with the policies that 'lilyq policies' "
            "prints, or keep the main queue far from its bounds and say so in "
            "an ignore comment"),
    [LQ_LINT_QUORUM_OVERSHOOT - FIRST] = ROW(
        "LQ002", "quorum-overshoot", NOTE, COMMON_MENDABLE,
        "what returns from a quorum bucket is let into the main queue beyond "
        "its bounds",
        "have room for main queue and buckets together, or set at-least-once "
        "dead-lettering, as 'lilyq policies' prints it: what finds no room "
        "then waits in its bucket, and is offered again in rounds of about "
        "three minutes, in the first or the second"),
    [LQ_LINT_SHARED_ROUTING_KEY - FIRST] = ROW(
        "LQ003", "shared-routing-key", ERROR, ALWAYS,
        "two main queues have one exchange and one routing key: what one of "
        "them retries returns to both",
        "give each entry a routing key of its own, and publish once to each"),
    [LQ_LINT_SHARED_DEAD_LETTER_KEY - FIRST] =
        ROW("LQ004", "shared-dead-letter-key", ERROR, ALWAYS,
            "two dead-letter queues have one exchange and one routing key: "
            "each gets the other's dead letters too",
            "leave dead_letter_routing_key out, or give each entry its own"),
    [LQ_LINT_DEAD_LETTER_LOOP - FIRST] =
        ROW("LQ005", "dead-letter-loop", ERROR, ALWAYS,
            "dead letters go where the main queue gets its messages: each "
            "message published also lands in the dead-letter queue, and each "
            "dead letter comes back",
            "leave dead_letter_exchange out, or name an exchange that serves "
            "dead letters only"),
    [LQ_LINT_RETRY_EXCHANGE_LOOP - FIRST] =
        ROW("LQ006", "retry-exchange-loop", ERROR, ALWAYS,
            "a main or dead-letter queue is bound to a retry exchange with the "
            "key of a bucket: it gets every message that is sent there to wait",
            "use the retry exchange for nothing but the buckets"),
    [LQ_LINT_DEAD_LETTER_CROSSING - FIRST] =
        ROW("LQ007", "dead-letter-crossing", ERROR, ALWAYS,
            "dead letters go where another main queue gets its messages: that "
            "queue's consumer gets them, and the dead-letter queue gets all "
            "that is published there",
            "leave dead_letter_exchange out, or name an exchange that serves "
            "dead letters only"),
    [LQ_LINT_RETRY_REORDERS - FIRST] =
        ROW("LQ008", "retry-reorders", NOTE, ALWAYS,
            "a single active consumer keeps messages in order, but a retried "
            "one comes back behind those that came after it",
            "set retry_attempts = 0 if the order matters, or leave "
            "single_active_consumer out if it does not"),
    [LQ_LINT_TTL_BELOW_WINDOW - FIRST] =
        ROW("LQ009", "ttl-below-window", WARNING, ALWAYS,
            "message_ttl_ms is not above the retry window: in an outage that "
            "the retries are to bridge, what waits in the main queue becomes a "
            "dead letter without being tried",
            "raise message_ttl_ms well above the longest total wait, or leave "
            "it out"),
    [LQ_LINT_TTL_BELOW_HANDLER - FIRST] =
        ROW("LQ010", "ttl-below-handler", WARNING, ALWAYS,
            "message_ttl_ms is not above the time that one delivery may take: "
            "behind a slow one, the backlog becomes dead letters unhandled",
            "raise message_ttl_ms to many times "
            "delivery_execution_timeout_millis, or leave it out"),
    [LQ_LINT_RETRY_WINDOW_LIMIT - FIRST] =
        ROW("LQ011", "retry-window-limit", ERROR, WINDOW,
            "the retries take longer than the limit that was given",
            "lower retry_attempts, retry_backoff_millis or "
            "max_retry_backoff_millis"),
    [LQ_LINT_TRANSIENT_MAIN - FIRST] =
        ROW("LQ012", "transient-main", ERROR, ALWAYS,
            "the main queue is gone after a restart of the broker, but its "
            "buckets are not: what returns from them is dropped",
            "set durable = true, or retry_attempts = 0"),
    [LQ_LINT_AUTO_DELETE_MAIN - FIRST] =
        ROW("LQ013", "auto-delete-main", ERROR, ALWAYS,
            "the main queue is deleted with its last consumer, but its buckets "
            "are not: what returns from them meanwhile is dropped",
            "set auto_delete = false, or retry_attempts = 0"),
    [LQ_LINT_TRANSIENT_DEPRECATED - FIRST] =
        ROW("LQ014", "transient-deprecated", WARNING, FROM_4_0,
            "a queue that is neither durable nor exclusive is deprecated: the "
            "broker warns of it; set to refuse it, it closes the connection "
            "with 541, and 4.3 does not start while it has one",
            "set durable = true"),
    [LQ_LINT_DELIVERY_LIMIT_MAIN - FIRST] =
        ROW("LQ015", "delivery-limit-main", NOTE, COMMON_MENDABLE_FROM_4_0,
            "the broker itself dead-letters a message that is put back or left "
            "unsettled more than 20 times, without the framework's headers",
            "let whoever works on dead letters know, or set delivery-limit by "
            "policy"),
    [LQ_LINT_DELIVERY_LIMIT_DLQ - FIRST] = ROW(
        "LQ016", "delivery-limit-dlq", WARNING, MENDABLE_FROM_4_0,
        "a dead-letter queue of type quorum deletes a message that was "
        "looked at and put back more than 20 times",
        "set a delivery-limit of -1, or a high one, for the dead-letter queue "
        "by policy, as 'lilyq policies --broker-version 4.0' prints it"),
};
