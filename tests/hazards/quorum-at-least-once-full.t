#!/bin/bash
#
# What a quorum queue keeps for its full target, with at-least-once dead-lettering,
# is not ready, and yet counts for its own bound: a full dead-letter queue closes
# an empty main queue to publishers, and a full main queue its buckets to retries.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# bounded STRATEGY: deploys a topology whose queues are all bound to five; it is
# the policies of lilyq that make dead letters at-least-once.
bounded() {
    local by=deploy
    new_vhost
    [[ $1 == at-most-once ]] || by=harden
    "$by" 'queue_type = quorum' '[queue:q]' 'routing_key = q' \
        'retention.main_max_messages = 5' \
        'retention.retry_bucket_max_messages = 5' \
        'retention.dead_letter_max_messages = 5'
}

for strategy in at-least-once at-most-once; do
    bounded $strategy
    messages publish orders.dlx.v2 q 9 >/dev/null
    messages publish orders q 5 >/dev/null
    is "$(messages see q 5 drop)" 5 "$strategy: five messages are rejected"
    holds 0 "$strategy: none is ready" q
    sent=$(messages publish orders q 5)
    evidence "$strategy: five rejected into a full dead-letter queue, five more" \
        "published to the main queue, bound to 5: $sent"
    if [[ $strategy == at-least-once ]]; then
        like "$sent" '^[01] acked' "$strategy: the main queue is full"
    else
        like "$sent" '^5 acked' "$strategy: the main queue has room"
    fi

    bounded $strategy
    messages publish orders q 9 >/dev/null
    messages publish "$retry" q.retry.500ms 5 >/dev/null
    ok "$strategy: five retries leave the bucket" empties q.retry.v2.500ms
    sent=$(messages publish "$retry" q.retry.500ms 5)
    evidence "$strategy: five retries for a full main queue, five more published" \
        "to the bucket, bound to 5: $sent"
    if [[ $strategy == at-least-once ]]; then
        like "$sent" '^[01] acked' "$strategy: the bucket is full"
    else
        like "$sent" '^5 acked' "$strategy: the bucket has room"
    fi
done
done_testing
