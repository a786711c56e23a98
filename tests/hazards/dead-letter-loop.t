#!/bin/bash
#
# Dead letters by the main exchange with the main queue's key: every publish is
# in the dead-letter queue too, and every reject comes back.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for type in classic quorum; do
    new_vhost
    deploy "queue_type = $type" 'dead_letter_exchange = orders' \
        'dead_letter_routing_key = q' '[queue:q]' 'routing_key = q'
    sends '1 acked, 0 nacked, 0 returned' "$type: a message is published" orders q 1
    holds '1 1' "$type: the dead-letter queue has it at once" q q.dlq.v2
    seen=$(messages see q 10 drop)
    is "$seen" 10 "$type: rejected ten times, it comes back ten times"
    holds '1 11' "$type: and each time to the dead-letter queue too" q q.dlq.v2
    evidence "$type: one publish, $seen rejects: q and q.dlq.v2 hold" \
        "$(ready q q.dlq.v2)"

    new_vhost
    deploy "queue_type = $type" 'dead_letter_exchange = orders' \
        'dead_letter_routing_key = q' 'message_ttl_ms = 500' \
        '[queue:q]' 'routing_key = q'
    sends '1 acked, 0 nacked, 0 returned' "$type: one with a TTL is published" \
        orders q 1
    holds '0 2' "$type: expired, it is not let in again" q q.dlq.v2
    evidence "$type: one publish that expires in q: q and q.dlq.v2 hold" \
        "$(ready q q.dlq.v2)"
done
done_testing
