#!/bin/bash
#
# A bound of bytes counts the bodies of messages only: their headers may be many
# times as large. Quorum queues of 4.3 count both.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for type in classic quorum; do
    new_vhost
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q' \
        'retention.main_max_bytes = 1000'
    sent=$(messages publish orders q 5 10 0 2000)
    if [[ $type == quorum ]] && at_least 4.3; then
        is "$sent" '1 acked, 4 nacked, 0 returned' "$type: headers count"
    else
        is "$sent" '5 acked, 0 nacked, 0 returned' "$type: headers do not count"
    fi
    evidence "$type: a bound of 1000 bytes, 5 messages of 10 bytes with a header" \
        "of 2000: $sent"
    like "$(messages publish orders q 5 900)" ' [345] nacked' "$type: bodies do"
done
done_testing
