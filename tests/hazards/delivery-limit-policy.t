#!/bin/bash
#
# A policy of delivery-limit -1 keeps what is looked at from 4.0; 3.10 refuses
# it, and as an argument there it deletes at the first look.

. "${BASH_SOURCE[0]%/*}/lib.sh"

new_vhost
if at_least 4.0; then
    ok 'a policy of -1 is accepted' policy dlq '{"delivery-limit":-1}'
    deploy 'queue_type = quorum' '[queue:q]' 'routing_key = q'
    messages publish orders.dlx.v2 q 1 >/dev/null
    seen=$(messages see q.dlq.v2 40 reject)
    is "$seen" 40 'there is no limit'
    evidence "policy delivery-limit -1: seen $seen of 40 times"

    new_vhost
    harden 'queue_type = quorum' '[queue:q]' 'routing_key = q'
    messages publish orders.dlx.v2 q 1 >/dev/null
    seen=$(messages see q.dlq.v2 40 reject)
    is "$seen" 40 'nor with the policies of lilyq'
    evidence "policies of lilyq: seen $seen of 40 times"
else
    not_ok 'a policy of -1 is refused' policy dlq '{"delivery-limit":-1}'
    has "$refusal" 'not a valid delivery limit' 'and it is said why'
    evidence "policy delivery-limit -1: $refusal"
    deploy 'queue_type = quorum' '[queue:q]' 'routing_key = q'
fi

# No argument that lilyq declares.
declare_queue limited '{"durable":true,"arguments":{"x-queue-type":"quorum",
    "x-delivery-limit":-1}}'
messages publish '' limited 1 >/dev/null
seen=$(messages see limited 30 reject)
is "$seen" "$(at_least 4.0 && echo 30 || echo 1)" 'as an argument'
evidence "argument x-delivery-limit -1: seen $seen of 30 times"
done_testing
