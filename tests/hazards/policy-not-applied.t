#!/bin/bash
#
# A policy that has one key which a queue's type does not know is not applied to
# that queue at all, and the next one that matches is; and 3.10 knows no policies
# for quorum queues only.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# limited TYPE JSON: sets $sent to what becomes of nine publishes to such a queue.
limited() {
    new_vhost
    policy '^q$' "$2" || bail_out "the policy is refused: $refusal"
    deploy "queue_type = $1" '[queue:q]' 'routing_key = q'
    sent=$(messages publish orders q 9)
    evidence "$1, $2: $sent"
}

limited classic '{"max-length":2}'
is "$sent" '2 acked, 7 nacked, 0 returned' 'a policy bounds a classic queue'
limited classic '{"max-length":2,"dead-letter-strategy":"at-least-once"}'
is "$sent" '9 acked, 0 nacked, 0 returned' 'with a key of quorum queues it does not'

new_vhost
policy '^q$' '{"max-length":2,"dead-letter-strategy":"at-least-once"}'
api PUT "policies/$vhost/next" '{"pattern":"^q$","priority":0,"apply-to":"queues",
    "definition":{"max-length":4}}' || bail_out 'no second policy'
deploy '[queue:q]' 'routing_key = q'
sent=$(messages publish orders q 9)
is "$sent" '4 acked, 5 nacked, 0 returned' 'a policy of lower priority does then'
evidence "classic, passed over for one of max-length 4: $sent"

limited quorum '{"max-length":2,"dead-letter-strategy":"at-least-once"}'
is "$sent" '3 acked, 6 nacked, 0 returned' 'though a quorum queue is'
limited classic '{"max-length":2,"delivery-limit":5}'
is "$sent" '9 acked, 0 nacked, 0 returned' 'with a limit of deliveries neither'
if at_least 4.0; then
    not_ok 'a key of mirrored queues is refused' \
        policy '^q$' '{"max-length":2,"ha-mode":"all"}'
else
    limited quorum '{"max-length":2,"ha-mode":"all"}'
    is "$sent" '9 acked, 0 nacked, 0 returned' \
        'nor is a quorum queue with a key of mirrored queues'
fi

if at_least 4.0; then
    ok 'a policy may be for quorum queues only' \
        policy '^q' '{"max-length":2}' policies quorum_queues
else
    not_ok 'no policy may be for quorum queues only' \
        policy '^q' '{"max-length":2}' policies quorum_queues
    has "$refusal" "'quorum_queues' unrecognised" 'and it is said so'
    evidence "apply-to quorum_queues: $refusal"
fi
done_testing
