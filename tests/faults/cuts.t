#!/bin/bash
#
# Runs that are cut off, or silenced, behind many numbers of bytes of either side.

. "${BASH_SOURCE[0]%/*}/../broker/lib.sh"
# shellcheck source=tests/broker/faults.sh
. "$here/faults.sh"

cuts=${CUTS:-20}   # of each kind
mutes=$((cuts / 4)) # which take a second each
vhost_number=1000 # names of one length, as a broker's refusals have them

for ((i = 0; i < 4; i++)); do
    queue "q$i" 'retry_attempts = 4'
done >lilyq.ini
planned want.json lilyq.ini

# measure SETTING...: sets `bytes`, what each side says in a run.
declare -A bytes=()
measure() {
    proxy pass
    apply_to "$proxy_url" "$@" lilyq.ini
    like "$status" '^[03]$' "a run goes through a proxy${1:+ ($1)}"
    proxied
    bytes=([client]=$from_client [server]=$from_broker)
}

new_vhost
measure --dry-run
# less what is said at the end
checks_client=$((bytes[client] - 19)) checks_server=$((bytes[server] - 12))
measure

# cut SPEC OPTION...: a run that meets it tells the truth, and another one
# completes it.
cut() {
    new_vhost
    proxy "$1"
    SECONDS=0
    apply_to "$proxy_url" -o json "${@:2}" lilyq.ini
    ok "$*: ends in time" test "$SECONDS" -le "$patience"
    phases+=" $(phase)"
    is_true "$*: tells what is there"
    completes lilyq.ini "$*: another run completes it"
    api DELETE "vhosts/$vhost"
}

phases=''
for side in client server; do
    for ((i = 0; i < cuts; i++)); do
        cut "cut:$side:$((bytes[$side] * i / cuts))"
    done
    for ((i = 0; i < mutes; i++)); do
        cut "mute:$side:$((bytes[$side] * i / mutes + 7))" --timeout 1
    done
    # a third of the bytes is enough without checks
    for ((i = 0; i < cuts / 2; i++)); do
        cut "cut:$side:$((bytes[$side] * (i + 1) * 2 / cuts / 3))" --no-preflight
    done
done
# There are three exchanges, and an answer of 12 bytes for each.
for more in 1 6 12 18 24 30; do
    cut "cut:server:$((checks_server + more))"
    cut "cut:client:$((checks_client + 5 * more))"
done
for where in checks exchanges queues bindings; do
    has "$phases " " $where " "some are cut off among the $where"
done

# Over TLS a cut falls into the middle of a record.
tls=amqps://$BROKER_USER@localhost
proxy_tls() {
    run_peer proxy.py "$BROKER_TLS_PORT" "$1"
    proxy_url=$tls:$peer_port/$vhost
}
trust=(--tls-ca-cert-file "$BROKER_CERTS/ca.pem")
new_vhost
proxy_tls pass
apply_to "$proxy_url" "${trust[@]}" lilyq.ini
exits 0 'a run goes through a proxy with TLS'
proxied
bytes=([client]=$from_client [server]=$from_broker)
for side in client server; do
    for ((i = 0; i < cuts / 2; i++)); do
        new_vhost
        proxy_tls "cut:$side:$((bytes[$side] * i * 2 / cuts))"
        apply_to "$proxy_url" "${trust[@]}" -o json lilyq.ini
        is_true "TLS, $side, $i: tells what is there"
        completes lilyq.ini "TLS, $side, $i: another run completes it"
        api DELETE "vhosts/$vhost"
    done
done

no_password_shown
done_testing
