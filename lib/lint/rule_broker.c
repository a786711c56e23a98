#include "lint/rule_rows.h"

#define FIRST LQ_LINT_FIRST_BROKER

/* What the policies and bindings of a broker do; and what came later. */
const struct lq_lint_rule lq_lint_broker_rules[] = {
    [LQ_LINT_AT_LEAST_ONCE_ROUNDS - FIRST] =
        ROW("LQ033", "quorum-at-least-once-rounds", NOTE, COMMON_BROKER,
            "with at-least-once dead-lettering, what finds the main queue full "
            "stays in its bucket, counts for the bucket's bound, and is "
            "offered again in rounds of about three minutes, in the first or "
            "the second, whatever its delay",
            "expect that after a full main queue; the broker's setting "
            "dead_letter_worker_publisher_confirm_timeout shortens the rounds"),
    [LQ_LINT_OVERFLOW_POLICY - FIRST] = ROW(
        "LQ034", "overflow-policy", ERROR, BROKER,
        "a policy sets an overflow other than reject-publish: a full quorum "
        "queue then confirms all and drops its oldest messages, and "
        "at-least-once dead-lettering is void",
        "take overflow out of the policy, or keep the policy off this queue"),
    [LQ_LINT_POLICY_IN_FORCE - FIRST] =
        ROW("LQ035", "policy-in-force", WARNING, BROKER,
            "a policy or operator policy puts something else in force than "
            "what the entry says, and publishes are refused or deliveries "
            "delayed by it",
            "mend the policy or its pattern, or change the entry to match"),
    [LQ_LINT_FOREIGN_BINDING - FIRST] =
        ROW("LQ036", "foreign-binding", WARNING, BROKER,
            "a binding that is not in the plan gives others a copy of each "
            "retry or dead letter, or puts the messages of others among them",
            "take the binding away, or have the consumers of both expect what "
            "they get"),
    [LQ_LINT_LOSS_FULL_DLQ - FIRST] =
        ROW("LQ037", "loss-full-dlq", WARNING, ALWAYS,
            "what expires in a classic main queue while the dead-letter queue "
            "is full is lost: the broker dead-letters it at most once, and the "
            "queue refuses it",
            "leave message_ttl_ms out, use queue_type = quorum with the "
            "policies that 'lilyq policies' prints, or keep the dead-letter "
            "queue far from its bounds"),
    [LQ_LINT_POLICY_NOT_APPLIED - FIRST] =
        ROW("LQ038", "policy-not-applied", WARNING, BROKER,
            "a policy has a key that the queue's type does not know, so the "
            "broker applies none of it to the queue",
            "split the policy by type of queue"),
    [LQ_LINT_AT_LEAST_ONCE_FULL - FIRST] =
        ROW("LQ039", "quorum-at-least-once-full", NOTE, COMMON_BROKER,
            "with at-least-once dead-lettering, what finds the dead-letter "
            "queue full stays in the main queue, where it is not ready, and "
            "yet counts for the bounds: publishers are refused by a queue that "
            "looks empty",
            "keep the dead-letter queue far from its bounds, and watch all "
            "messages of the main queue, not just those that are ready"),
    [LQ_LINT_POLICY_DELETES - FIRST] =
        ROW("LQ040", "policy-deletes", ERROR, BROKER,
            "a policy or operator policy has the broker delete the queue with "
            "its messages, or delete, drop or expire messages that the entry "
            "keeps",
            "mend the policy or its pattern, or change the entry to match"),
};
