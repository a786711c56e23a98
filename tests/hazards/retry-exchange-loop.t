#!/bin/bash
#
# Dead letters by the retry exchange with a bucket's key: every reject is a retry
# that nothing counts, and every retry is in the dead-letter queue too. A main
# queue that is bound there gets every retry before its time.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for type in classic quorum; do
    new_vhost
    deploy "queue_type = $type" 'dead_letter_exchange = orders.retry.v2' \
        'dead_letter_routing_key = q.retry.500ms' '[queue:q]' 'routing_key = q'
    sends '1 acked, 0 nacked, 0 returned' "$type: a message is published" orders q 1
    seen=$(messages see q 4 drop)
    is "$seen" 4 "$type: rejected four times, it comes back four times"
    holds '1 0 4' "$type: and is in the dead-letter queue each time" \
        q q.retry.v2.500ms q.dlq.v2
    sends '1 acked, 0 nacked, 0 returned' "$type: a retry is published" \
        "$retry" q.retry.500ms 1
    holds '2 0 5' "$type: it is in the dead-letter queue too" \
        q q.retry.v2.500ms q.dlq.v2
    evidence "$type: one publish, $seen rejects, one retry: q and q.dlq.v2 hold" \
        "$(ready q q.dlq.v2)"

    new_vhost
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q' \
        '[queue:p]' 'exchange_name = orders.retry.v2' \
        'routing_key = q.retry.500ms'
    sends '1 acked, 0 nacked, 0 returned' "$type: a retry of q is published" \
        "$retry" q.retry.500ms 1
    holds '1 1' "$type: another main queue of that exchange and key has it" p q
    evidence "$type: one retry of q: p, bound to its bucket's key, and q hold" \
        "$(ready p q)"
done
done_testing
