#!/bin/bash
#
# Two entries whose dead letters share exchange and key: each dead-letter queue
# gets the other's.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for type in classic quorum; do
    new_vhost
    deploy "queue_type = $type" 'dead_letter_exchange = graveyard' \
        'dead_letter_routing_key = dead' \
        '[queue:a]' 'routing_key = a' '[queue:b]' 'routing_key = b'
    sends '1 acked, 0 nacked, 0 returned' "$type: a has a message" orders a 1
    is "$(messages see a 1 drop)" 1 "$type: which is rejected"
    holds '1 1' "$type: both dead-letter queues have it" a.dlq.v2 b.dlq.v2
    evidence "$type: one reject in a, a.dlq.v2 and b.dlq.v2 hold" \
        "$(ready a.dlq.v2 b.dlq.v2)"
done
done_testing
