#!/bin/bash
#
# A retried message comes back behind those that came after it, with a single
# active consumer too; with priorities, it keeps its own.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for type in classic quorum; do
    new_vhost
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q' \
        'single_active_consumer = true'
    for size in 1 2 3; do
        messages publish orders q 1 $size >/dev/null
    done
    got=$(messages work q "$retry" q.retry.500ms 4)
    is "$got" '1 2 3 1' "$type: the first is retried, and then the last"
    evidence "$type, single active consumer: 1, 2 and 3 are published, 1 is" \
        "retried once; delivered are $got"
done

new_vhost
deploy '[queue:q]' 'routing_key = q' 'max_priority = 5'
messages publish orders q 2 1 0 >/dev/null
messages publish "$retry" q.retry.500ms 1 9 5 >/dev/null
messages await q 3 10 >/dev/null
got=$(messages take q 9 | jq .bytes | paste -s -d ' ')
is "$got" '9 1 1' 'a retry of a higher priority is the first'
evidence "max_priority 5: two of 1 byte with priority 0, a retry of 9 bytes with" \
    "priority 5; then there are $got"
done_testing
