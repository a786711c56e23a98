#!/bin/bash
#
# Of an argument and a policy, the smaller is in force: a policy with a message
# TTL ends delays early, and one with a bound makes queues full.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for type in classic quorum; do
    new_vhost
    policy '\.retry\.' '{"message-ttl":500}'
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q' \
        'retry_backoff_millis = 60000'
    messages publish "$retry" q.retry.60000ms 3 >/dev/null
    took=$(messages await q 3 20)
    ok "$type: delays of a minute end early" test "${took%.*}" -lt 20
    evidence "$type: bucket of 60000 ms, policy message-ttl 500: back after $took s"

    for kind in policies operator-policies; do
        new_vhost
        policy '^q$' '{"max-length":2}' $kind
        deploy "queue_type = $type" '[queue:q]' 'routing_key = q'
        sent=$(messages publish orders q 9)
        like "$sent" '^[23] acked, [67] nacked' "$type, $kind: a bound of 1000 is 2"
        evidence "$type: main_max_messages 1000, $kind with max-length 2: $sent"
    done
done
done_testing
