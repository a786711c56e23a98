#!/bin/bash
#
# A policy's overflow is in force on quorum queues, whatever they were declared
# with. With drop-head a full queue confirms all: a main queue makes its oldest
# messages dead letters, a bucket returns its oldest at once, a dead-letter queue
# loses them.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# overflows PATTERN EXCHANGE KEY: publishes ten messages, to queues of three.
overflows() {
    new_vhost
    policy "$1" '{"overflow":"drop-head"}'
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q' \
        'retry_backoff_millis = 60000' 'retention.main_max_messages = 3' \
        'retention.retry_bucket_max_messages = 3' \
        'retention.dead_letter_max_messages = 3'
    sent=$(messages publish "$2" "$3" 10)
    evidence "$type, a policy of drop-head on $1, 10 publishes: $sent"
}

# leaves WANT NAME
leaves() {
    holds "$1" "$2" q q.retry.v2.60000ms q.dlq.v2
    evidence "main queue, bucket and dead-letter queue, each bound to 3, hold" \
        "$(ready q q.retry.v2.60000ms q.dlq.v2)"
}

type=quorum
overflows '^q$' orders q
is "$sent" '10 acked, 0 nacked, 0 returned' 'a full main queue confirms all'
leaves '3 0 7' 'its oldest are dead letters, never tried'
overflows '\.retry\.' "$retry" q.retry.60000ms
is "$sent" '10 acked, 0 nacked, 0 returned' 'a full bucket confirms all'
leaves '7 3 0' 'its oldest are back at once, a minute early'
overflows '\.dlq\.' orders.dlx.v2 q
is "$sent" '10 acked, 0 nacked, 0 returned' 'a full dead-letter queue confirms all'
leaves '0 0 3' 'its oldest are lost'

type=classic
overflows '.*' orders q
is "$sent" '3 acked, 7 nacked, 0 returned' 'on classic queues the argument wins'
leaves '3 0 0' 'and nothing is dropped'
done_testing
