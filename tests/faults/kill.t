#!/bin/bash
#
# A broker that is killed (SIGKILL) at many points of a run, and started again on
# what it has left: the report was true, and another run makes all as planned.

. "${BASH_SOURCE[0]%/*}/../broker/lib.sh"
# shellcheck source=tests/broker/faults.sh
. "$here/faults.sh"

rounds=${KILL_ROUNDS:-6} # among the queues, of each type
vhost_number=1000 # names of one length, as a broker's refusals have them

# plan TYPE: writes lilyq.ini and what it plans.
plan() {
    local i
    for ((i = 0; i < 5; i++)); do
        queue "q$i" "queue_type = $1" 'retry_attempts = 3'
    done >lilyq.ini
    planned want.json lilyq.ini
}

# Sets check_bytes and all_bytes: what a broker says in a run, up to the end of
# the checks and of all.
measure() {
    new_vhost
    proxy pass
    apply_to "$proxy_url" --dry-run lilyq.ini
    proxied
    check_bytes=$from_broker
    proxy pass
    apply_to "$proxy_url" lilyq.ini
    exits 0 'a run goes through a proxy'
    proxied
    all_bytes=$from_broker
    ok 'whose writes are answered too' test "$all_bytes" -gt $((check_bytes + 500))
}

restart() {
    node_end "$BROKER_DIR/server"
    node_boot "$BROKER_DIR"
    node_await "$BROKER_DIR"
}

# round NAME BYTES: the broker dies behind so many bytes of its own.
round() {
    local name=$1
    new_vhost
    proxy "kill:server:$2:$(<"$BROKER_DIR/server")"
    SECONDS=0
    apply_to "$proxy_url" -o json lilyq.ini
    ok "$name: ends in time" test "$SECONDS" -le "$patience"
    name+=", among the $(phase)"
    phases+=" $(phase)"
    restart || bail_out 'the broker did not start again'
    is_true "$name: told what is there"
    completes lilyq.ini "$name: another run completes it"
    api DELETE "vhosts/$vhost"
}

for type in classic quorum; do
    plan $type
    measure
    phases=''
    # 12 bytes answer an exchange, a binding and the goodbye each
    points=($((check_bytes / 3)) $((check_bytes * 4 / 5)) $((check_bytes - 6))
        $((check_bytes + 6)) $((all_bytes - 12 * 12)) $((all_bytes - 12 * 4)))
    for ((i = 1; i <= rounds; i++)); do
        points+=($((check_bytes + 24 +
            (all_bytes - 12 * 25 - check_bytes) * i / (rounds + 1))))
    done
    for at in "${points[@]}"; do
        round "$type, killed behind $at bytes" "$at"
    done
    for where in checks exchanges queues bindings; do
        has "$phases " " $where " "$type: killed among the $where"
    done
done

no_password_shown
done_testing
