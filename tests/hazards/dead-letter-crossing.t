#!/bin/bash
#
# Dead letters of one entry that go where another's main queue gets its messages:
# its consumer gets them, and the dead-letter queue all that is published there.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for type in classic quorum; do
    new_vhost
    deploy "queue_type = $type" '[queue:a]' 'routing_key = a' \
        'dead_letter_exchange = orders' 'dead_letter_routing_key = b' \
        '[queue:b]' 'routing_key = b'
    messages publish orders a 1 >/dev/null
    is "$(messages see a 1 drop)" 1 "$type: a message of a is rejected"
    holds '1 1' "$type: it is in b as well as a's dead-letter queue" b a.dlq.v2
    sends '3 acked, 0 nacked, 0 returned' "$type: three are published to b" \
        orders b 3
    holds '4 4' "$type: they are in a's dead-letter queue too" b a.dlq.v2
    evidence "$type: one reject in a, 3 publishes to b: b and a.dlq.v2 hold" \
        "$(ready b a.dlq.v2)"
done
done_testing
