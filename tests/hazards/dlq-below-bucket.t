#!/bin/bash
#
# A dead-letter queue that holds less than a bucket: when the retries of what a
# bucket held come to nothing, it refuses the hand-off of the next one, which the
# framework then puts back, and stops. Nothing is lost, and nothing goes on.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for type in classic quorum; do
    new_vhost
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q' \
        'retention.retry_bucket_max_messages = 6' \
        'retention.dead_letter_max_messages = 2'
    sends '6 acked, 0 nacked, 0 returned' "$type: a bucket is filled" \
        "$retry" q.retry.500ms 6
    holds 6 "$type: all return" q
    for _ in 1 2 3 4 5 6; do
        messages retry q orders.dlx.v2 q
    done >results
    left=$(ready q q.dlq.v2)
    is "$(tail -n 1 results)" nacked "$type: a full dead-letter queue refuses"
    is "$(sum "$left")" 6 "$type: no message is lost"
    evidence "$type: a dead-letter queue bound to 2, six hand-offs:" \
        "$(paste -s -d ' ' results); main queue and it hold $left"
done
done_testing
