#!/bin/bash
#
# A policy with expires deletes queues that have no consumer, and what is in
# them: buckets and dead-letter queues never have any.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# Asking by AMQP is no use of a queue, but this is sure to be none.
gone() {
    local i
    for ((i = 0; i < 100; i++)); do
        [[ " $(api GET "queues/$vhost?columns=name" | jq -r '.[].name' |
            paste -s -d ' ') " == *" $1 "* ]] || return 0
        sleep 0.2
    done
    return 1
}

for type in classic quorum; do
    new_vhost
    policy '\.v2' '{"expires":1500}'
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q' \
        'retry_backoff_millis = 5000'
    sends '5 acked, 0 nacked, 0 returned' "$type: five retries are confirmed" \
        "$retry" q.retry.5000ms 5
    sends '5 acked, 0 nacked, 0 returned' "$type: and five dead letters" \
        orders.dlx.v2 q 5
    ok "$type: the idle bucket is deleted" gone q.retry.v2.5000ms
    ok "$type: the dead-letter queue too" gone q.dlq.v2
    sleep 4
    left=$(ready q q.retry.v2.5000ms q.dlq.v2)
    is "$left" '0 gone gone' "$type: no retry comes back"
    evidence "$type: policy expires 1500, 5 retries of 5000 ms and 5 dead letters:" \
        "main queue, bucket and dead-letter queue: $left"
done
done_testing
