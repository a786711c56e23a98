#!/bin/bash
#
# The broker's own delayed retry, from 4.3 and by policy: delays grow by the same
# amount with each reject, up to the delivery limit. With a nack they neither
# grow nor end.

. "${BASH_SOURCE[0]%/*}/lib.sh"

pids=()
new_vhost
definition='{"delayed-retry-type":"all","delayed-retry-min":1000,
    "delayed-retry-max":3000,"delivery-limit":4}'
if at_least 4.3; then
    ok 'the policy is accepted' policy '^q' "$definition"
    deploy 'queue_type = quorum' '[queue:q.reject]' 'routing_key = reject' \
        '[queue:q.nack]' 'routing_key = nack'
    for how in reject nack; do
        messages publish orders "$how" 1 >/dev/null
        messages gaps "q.$how" 6 "$how" >"gaps.$how" &
        pids+=($!)
    done
    wait "${pids[@]}"
    is "$(<gaps.reject)" '1 2 3 3' 'rejected, it comes after 1, 2, 3 and 3 seconds'
    holds '0 1' 'and is then a dead letter' q.reject q.reject.dlq.v2
    is "$(<gaps.nack)" '1 1 1 1 1 1' 'nacked, it comes after a second, for ever'
    evidence "policy of 1000 to 3000 ms and 4 deliveries more: rejects are back" \
        "after $(<gaps.reject) s, nacks after $(<gaps.nack) s"
else
    not_ok 'the policy is refused' policy '^q' "$definition"
    has "$refusal" 'not recognised policy settings' 'and it is said why'
    evidence "a policy of delayed retry: ${refusal##*] }"
fi
done_testing
