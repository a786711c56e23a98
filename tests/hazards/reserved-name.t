#!/bin/bash
#
# Names that begin with "amq." are in the contract, and the broker gives none of
# them; its own amq.direct is of use, but not what is derived from that name.

. "${BASH_SOURCE[0]%/*}/lib.sh"

refused() {
    new_vhost
    apply -q lilyq.ini
    isnt "$status" 0 "$1: not applied"
    has "$err" ACCESS_REFUSED "$1: refused"
    evidence "$1: exit $status, $(grep -m 1 ACCESS_REFUSED <<<"$err")"
}

queue amq.orders >lilyq.ini
refused 'a queue'
queue orders.created | sed 's/^exchange_name = .*/exchange_name = amq.orders/' \
    >lilyq.ini
refused 'an exchange'
queue orders.created 'dead_letter_exchange = amq.dead' >lilyq.ini
refused 'a dead-letter exchange'

# The broker's own exchange is there, and as planned.
on_amq_direct() {
    queue orders.created 'dead_letter_exchange = dead' "$@" |
        sed 's/^exchange_name = .*/exchange_name = amq.direct/' >lilyq.ini
}

new_vhost
on_amq_direct
apply -q lilyq.ini
exits 0 'amq.direct may be a main exchange'
sends '1 acked, 0 nacked, 0 returned' 'and routes to its queue' \
    amq.direct orders.created 1
on_amq_direct 'retry_attempts = 1'
refused 'amq.direct, with retries'
done_testing
