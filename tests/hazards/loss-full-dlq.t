#!/bin/bash
#
# What the broker itself dead-letters from a classic main queue while the
# dead-letter queue is full is lost, rejected or expired. What the framework hands
# over is refused, and stays. (A quorum main queue passes the bound, or keeps it:
# quorum-overshoot.t, quorum-at-least-once-full.t.)

. "${BASH_SOURCE[0]%/*}/lib.sh"

new_vhost
deploy '[queue:q]' 'routing_key = q' 'retention.dead_letter_max_messages = 1'
messages publish orders.dlx.v2 q 1 >/dev/null
messages publish orders q 5 >/dev/null
is "$(messages retry q orders.dlx.v2 q)" nacked 'a hand-off is refused'
holds 5 'and the message stays' q
is "$(messages see q 5 drop)" 5 'five messages are rejected'
sleep 0.5
is "$(takes q.dlq.v2 9)" 1 'the dead-letter queue had its one message only'
sleep 1
left=$(ready q q.dlq.v2)
is "$left" '0 0' 'with room there again, none of the five comes'
evidence "$((5 - $(sum "$left"))) of 5 lost as they were rejected while the" \
    'dead-letter queue was full'

new_vhost
deploy '[queue:q]' 'routing_key = q' 'message_ttl_ms = 500' \
    'retention.dead_letter_max_messages = 1'
messages publish orders.dlx.v2 q 1 >/dev/null
messages publish orders q 5 >/dev/null
ok 'five messages expire in the main queue' empties q
sleep 0.5
is "$(takes q.dlq.v2 9)" 1 'again the dead-letter queue had its one only'
evidence '5 of 5 lost as they expired while the dead-letter queue was full'
done_testing
