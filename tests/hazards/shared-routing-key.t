#!/bin/bash
#
# Two entries on one exchange with one routing key: what a bucket of the first
# returns, the second gets too; and if both retry it, it doubles each time.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for type in classic quorum; do
    new_vhost
    deploy "queue_type = $type" '[queue:a]' 'routing_key = created' \
        '[queue:b]' 'routing_key = created'
    sends '1 acked, 0 nacked, 0 returned' "$type: a retry of a is published" \
        "$retry" a.retry.500ms 1
    holds '1 1' "$type: both queues have it" a b
    evidence "$type: one retry of a, in the end in a and b: $(ready a b)"
    for attempt in 2 3; do
        held=$(ready a b)
        for _ in $(seq "${held%% *}"); do
            messages retry a "$retry" a.retry.500ms >/dev/null
            messages retry b "$retry" b.retry.500ms >/dev/null
        done
        each=$((2 ** (attempt - 1)))
        holds "$each $each" "$type: and $each of it after both retry" a b
        evidence "$type: after attempt $attempt of both: $(ready a b)"
    done
done
done_testing
