#!/bin/bash
#
# A main queue that is deleted with its last consumer: what its buckets return
# then is dropped.

. "${BASH_SOURCE[0]%/*}/lib.sh"

new_vhost
deploy '[queue:q]' 'routing_key = q' 'auto_delete = true' \
    'retry_backoff_millis = 3000'
sends '5 acked, 0 nacked, 0 returned' 'five retries are published' \
    "$retry" q.retry.3000ms 5
messages visit q
holds 'gone' 'the main queue goes with its consumer' q
ok 'the retries leave the bucket' empties q.retry.v2.3000ms
apply -q lilyq.ini
exits 0 'the queue is declared again'
sleep 0.5
left=$(ready q q.retry.v2.3000ms q.dlq.v2)
is "$left" '0 0 0' 'nothing is in any queue'
evidence "$((5 - $(sum "$left"))) of 5 lost as they came back to a queue that" \
    'had gone with its consumer'
done_testing
