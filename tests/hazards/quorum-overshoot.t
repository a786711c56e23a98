#!/bin/bash
#
# What a quorum queue dead-letters without the strategy at-least-once is not
# bounded by its target: the main queue takes all that its buckets return.

. "${BASH_SOURCE[0]%/*}/lib.sh"

new_vhost
deploy '[queue:q]' 'routing_key = q' 'queue_type = quorum' \
    'retention.main_max_messages = 1' 'retention.dead_letter_max_messages = 1'
messages publish orders q 9 >filled
before=$(ready q)
like "$(<filled)" '[1-9] nacked' 'the main queue refuses publishes at its bound'
sends '5 acked, 0 nacked, 0 returned' 'five retries are confirmed' \
    "$retry" q.retry.500ms 5
holds "$((before + 5)) 0" 'all return to the full main queue' q q.retry.v2.500ms
evidence "a bound of 1: publishes stopped at $before, five returns made it" \
    "$(ready q)"

messages publish orders.dlx.v2 q 9 >filled
before=$(ready q.dlq.v2)
like "$(<filled)" '[1-9] nacked' 'the dead-letter queue refuses publishes so too'
is "$(messages see q 5 drop)" 5 'five messages are rejected'
holds "$((before + 5))" 'all are in the full dead-letter queue' q.dlq.v2
evidence "dead-letter queue with a bound of 1: publishes stopped at $before," \
    "five rejects made it $(ready q.dlq.v2)"
done_testing
