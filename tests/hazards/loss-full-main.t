#!/bin/bash
#
# A classic bucket's messages expire while the classic main queue is full: all
# of them are lost, and who published them was told that they are safe.

. "${BASH_SOURCE[0]%/*}/lib.sh"

new_vhost
deploy '[queue:q]' 'routing_key = q' 'retention.main_max_messages = 1'
sends '1 acked, 0 nacked, 0 returned' 'a message fills the main queue' orders q 1
sends '0 acked, 1 nacked, 0 returned' 'which refuses any other then' orders q 1
sends '5 acked, 0 nacked, 0 returned' 'five retries are confirmed' \
    "$retry" q.retry.500ms 5
ok 'they leave the bucket' empties q.retry.v2.500ms
is "$(takes q 10)" 1 'the main queue had its one message only'
sleep 1
left=$(ready q q.retry.v2.500ms q.dlq.v2)
is "$left" '0 0 0' 'with room there again, none of the five comes, to no queue'
evidence "$((5 - $(sum "$left"))) of 5 lost as the bucket's TTL ended" \
    'while the main queue was full, all confirmed to their publisher'

sends '1 acked, 0 nacked, 0 returned' 'a retry is published while there is room' \
    "$retry" q.retry.500ms 1
holds '1 0 0' 'and comes back' q q.retry.v2.500ms q.dlq.v2
done_testing
