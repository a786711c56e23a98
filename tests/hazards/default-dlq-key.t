#!/bin/bash
#
# The dead-letter queue's key is the queue's name, not its routing key: who sends
# dead letters by the routing key gets them back, or loses them.

. "${BASH_SOURCE[0]%/*}/lib.sh"

new_vhost
deploy '[queue:billing]' 'routing_key = orders.created'
sends '0 acked, 0 nacked, 3 returned' 'by the routing key they reach no queue' \
    orders.dlx.v2 orders.created 3
holds 0 'the dead-letter queue has none' billing.dlq.v2
sends '3 acked, 0 nacked, 0 returned' "by the queue's name they reach it" \
    orders.dlx.v2 billing 3
evidence 'billing, routing key orders.created: of 3 dead letters by the routing' \
    "key and 3 by the name, billing.dlq.v2 holds $(ready billing.dlq.v2)"
done_testing
