#!/bin/bash
#
# message_ttl_ms counts for every message in the main queue: a backlog of its
# length dies into the dead-letter queue, and no consumer ever saw it. What a
# bucket returns starts anew: the TTL does not end the retries.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for type in classic quorum; do
    new_vhost
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q' \
        'message_ttl_ms = 1000'
    sends '10 acked, 0 nacked, 0 returned' "$type: ten messages are published" \
        orders q 10
    holds '0 10' "$type: with no consumer for a second, all are dead letters" \
        q q.dlq.v2
    letter=$(messages take q.dlq.v2 1)
    is "$(jq -r '.headers | ."x-first-death-reason", ."x-retry-count"' <<<"$letter" |
        paste -s -d ' ')" 'expired null' "$type: expired, and never tried"
    evidence "$type: 10 of 10 dead after a second of message_ttl_ms, unhandled"

    new_vhost
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q' \
        'message_ttl_ms = 4000' 'retry_backoff_millis = 2500'
    messages publish orders q 1 >/dev/null
    is "$(messages retry q "$retry" q.retry.2500ms)" acked "$type: a retry"
    sleep 4.5
    left=$(ready q q.dlq.v2)
    is "$left" '1 0' "$type: 2 s after its return it is older than its TTL, and there"
    holds '0 1' "$type: it dies of a TTL of its own" q q.dlq.v2
    evidence "$type: TTL 4000, bucket 2500: after 4500 ms q and q.dlq.v2 hold $left"
done
done_testing
