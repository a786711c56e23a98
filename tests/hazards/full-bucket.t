#!/bin/bash
#
# A full bucket refuses a retry, whose message the framework then puts back, and
# stops: nothing is lost, and nothing goes on.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for type in classic quorum; do
    new_vhost
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q' \
        'retry_backoff_millis = 60000' 'retention.retry_bucket_max_messages = 1'
    sends '3 acked, 0 nacked, 0 returned' "$type: there are messages" orders q 3
    for _ in 1 2 3; do
        messages retry q "$retry" q.retry.60000ms
    done >results
    left=$(ready q q.retry.v2.60000ms)
    is "$(tail -n 1 results)" nacked "$type: a full bucket refuses"
    is "$(sum "$left")" 3 "$type: no message is lost"
    evidence "$type: a bucket bound to 1, three hand-offs:" \
        "$(paste -s -d ' ' results); the queue and it hold $left"
done
done_testing
