#!/bin/bash
#
# Names that begin with "amq." are in the contract, and no broker's to give.

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
done_testing
