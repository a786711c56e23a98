#!/bin/bash
#
# From 4.0 a quorum main queue gives a message 20 failed deliveries, then it is a
# dead letter: before any retry attempt was counted.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for how in reject nack connection; do
    new_vhost
    deploy 'queue_type = quorum' '[queue:q]' 'routing_key = q'
    messages publish orders q 1 >/dev/null
    seen=$(messages see q 30 $how)
    evidence "quorum main queue, $how: delivered $seen of 30 times;" \
        "it and its dead-letter queue hold $(ready q q.dlq.v2)"
    if ! at_least 4.0 || { at_least 4.3 && [[ $how == nack ]]; }; then
        is "$seen" 30 "$how: delivered 30 times, and still there"
        holds '1 0' "$how: it is no dead letter" q q.dlq.v2
    else
        is "$seen" 21 "$how: delivered 21 times"
        holds '0 1' "$how: then it is a dead letter" q q.dlq.v2
        is "$(messages take q.dlq.v2 1 | jq -r '.headers |
            ."x-first-death-reason", ."x-retry-count"' | paste -s -d ' ')" \
            'delivery_limit null' "$how: for the delivery limit, never retried"
    fi
done

new_vhost
deploy '[queue:q]' 'routing_key = q'
messages publish orders q 1 >/dev/null
is "$(messages see q 30 reject)" 30 'classic: there is no limit'
done_testing
