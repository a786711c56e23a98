#!/bin/bash
#
# Two entries on one exchange with one routing key: what a bucket of the first
# returns, the second gets too.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for type in classic quorum; do
    new_vhost
    deploy "queue_type = $type" '[queue:a]' 'routing_key = created' \
        '[queue:b]' 'routing_key = created'
    sends '1 acked, 0 nacked, 0 returned' "$type: a retry of a is published" \
        "$retry" a.retry.500ms 1
    holds '1 1' "$type: both queues have it" a b
    evidence "$type: one retry of a, in the end in a and b: $(ready a b)"
done
done_testing
