#!/bin/bash
#
# A message TTL that is not above the time of one delivery: what waits behind it
# is dead before its turn. What is being delivered is not.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for type in classic quorum; do
    new_vhost
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q' \
        'message_ttl_ms = 1000'
    messages publish orders q 5 >/dev/null
    is "$(messages hold q 3)" acked "$type: one message is handled for 3 s"
    holds '0 4' "$type: the four behind it are dead letters" q q.dlq.v2
    evidence "$type: TTL 1000 ms, a handler of 3 s, 5 messages: 1 handled;" \
        "q and q.dlq.v2 hold $(ready q q.dlq.v2)"
done
done_testing
