#!/bin/bash
#
# Reaching a broker: what goes wrong, and how soon and clearly it says so.

. "${BASH_SOURCE[0]%/*}/lib.sh"

queue q 'retry_attempts = 2' >lilyq.ini
new_vhost

# fails URL TEXT NAME: it ends with 1, says so, and leaves stdout's report alone
fails() {
    local -r target=$1 text=$2 name=$3
    shift 3
    apply_to "$target" --connect-timeout 1 lilyq.ini "$@"
    exits 1 "$name: ends with 1"
    has "$err" "$text" "$name: says so"
}

at=127.0.0.1:$BROKER_PORT

# --- credentials and vhosts ---------------------------------------------------

LILYQ_PASSWORD=wr0ng-secret fails "$url" \
    "broker $at (vhost '$vhost', user '$BROKER_USER'): the broker does not know this user and password: ACCESS_REFUSED" \
    'a wrong password'
hasnt "$err$out" wr0ng-secret 'which is not shown'
fails "amqp://$BROKER_USER@$at/nowhere" \
    "broker $at (vhost 'nowhere', user '$BROKER_USER'): there is no such virtual host: NOT_ALLOWED - vhost nowhere not found" \
    'a vhost that does not exist'
new_user stranger '' '' ''
api DELETE "permissions/$vhost/$user"
LILYQ_PASSWORD=$user_password fails "$user_url" \
    "(vhost '$vhost', user '$user'): this user may not use the virtual host: " \
    'a vhost that the user may not use'

# --- no broker ------------------------------------------------------------------

node_free_ports 1
fails "amqp://127.0.0.1:${node_ports[0]}" \
    "broker 127.0.0.1:${node_ports[0]} (vhost '/', user 'guest'): cannot connect: Connection refused" \
    'a port that nobody listens on'
fails "amqp://[::1]:${node_ports[0]}" "broker [::1]:${node_ports[0]} (" \
    'an IPv6 address'
fails amqp://nowhere.invalid/v \
    "broker nowhere.invalid:5672 (vhost 'v', user 'guest'): the host name cannot be resolved" \
    'a host name that nobody knows'

# --- peers that are no brokers ----------------------------------------------------

for mode in http garbage version longframe; do
    peer $mode
    fails "amqp://127.0.0.1:$peer_port" \
        "broker 127.0.0.1:$peer_port (vhost '/', user 'guest'): the peer does not speak AMQP 0-9-1" \
        "a peer that is no broker ($mode)"
done
peer hangup
fails "amqp://127.0.0.1:$peer_port" 'the peer hung up before the login was done' \
    'a peer that hangs up'
for mode in silent dribble; do
    peer $mode
    SECONDS=0
    fails "amqp://127.0.0.1:$peer_port" \
        'connected, but no AMQP answer within 1 s' "a $mode peer"
    ok 'in time' test "$SECONDS" -le "$patience"
done
fails "amqp://127.0.0.1:$BROKER_TLS_PORT" \
    'the peer does not speak AMQP 0-9-1, but TLS (a TLS port wants amqps://)' \
    'a TLS port without TLS'

# --- brokers that break off ---------------------------------------------------------

# Three exchanges and four queues are looked for, then declared, then bound.
peer broker
apply_to "amqp://127.0.0.1:$peer_port" lilyq.ini
exits 0 'the peer can pass for a broker'

# How the last run ended, and how many resources became what.
tell() {
    local counts
    counts=$(jq -r '[.exchanges, .queues, .bindings | .[].result] as $all |
        [.ending] + (["created", "uncertain", "failed", "not_done"] |
            map(. as $result | $all | map(select(. == $result)) | length)) |
        @tsv' <<<"$out")
    read -r ending created uncertain failed not_done <<<"$counts"
}

for mode in hangup close wrong; do
    case $mode in
    hangup) words='(the peer hung up|the connection broke)' ;;
    close) words='the broker closed the connection: INTERNAL_ERROR - on purpose \(541\)' ;;
    wrong) words='the peer sent an answer that nobody asked for' ;;
    esac
    peer $mode 3
    apply_to "amqp://127.0.0.1:$peer_port" -o json lilyq.ini
    exits 1 "a broker that breaks off while it is looked at ($mode): 1"
    like "$err" "$words" "a broker that breaks off ($mode): says how"
    tell
    is "$ending $((failed + not_done))" 'untouched 11' \
        "a broker that breaks off ($mode): nothing was done"
    ok "a broker that breaks off ($mode): only one that says why may have refused" \
        test "$failed" -le "$([[ $mode == close ]] && echo 1 || echo 0)"
    for after in 7 8 10 13 17; do
        peer $mode $after
        apply_to "amqp://127.0.0.1:$peer_port" -o json lilyq.ini
        exits 5 "breaks off after $after requests ($mode): 5"
        like "$err" "$words" "breaks off after $after requests ($mode): says how"
        tell
        is "$((created + uncertain + failed + not_done))" 11 \
            "breaks off after $after requests ($mode): accounts for all"
        ok "breaks off after $after requests ($mode): only the answered are created" \
            test "$created" -le $((after - 7))
        ok "breaks off after $after requests ($mode): the unanswered are uncertain" \
            test "$((uncertain + failed))" -ge 1
        ok "breaks off after $after requests ($mode): only one that says why refuses" \
            test "$failed" -le "$([[ $mode == close ]] && echo 1 || echo 0)"
    done
done

peer mute 3
apply_to "amqp://127.0.0.1:$peer_port" --timeout 1 lilyq.ini
exits 1 'a broker that falls silent while it is looked at: 1'
has "$err" 'not done within 1 s, the time for the whole run' \
    'a broker that falls silent while it is looked at: says so'

peer mute 9
SECONDS=0
apply_to "amqp://127.0.0.1:$peer_port" --timeout 2 lilyq.ini
exits 5 'a broker that falls silent: 5'
has "$err" 'not done within 2 s, the time for the whole run' \
    'a broker that falls silent: says so'
ok 'a broker that falls silent: in time' test "$SECONDS" -le "$patience"

peer blocked 9
apply_to "amqp://127.0.0.1:$peer_port" --timeout 2 lilyq.ini
exits 5 'a broker that says it is blocked: 5'
has "$err" 'the whole run (it says that it is blocked by an alarm)' \
    'a broker that says it is blocked: says so'

peer mute 9
SECONDS=0
"$lilyq" apply --url "amqp://127.0.0.1:$peer_port" lilyq.ini >stopped.out 2>stopped.err &
sleep 1
kill -TERM $!
wait $!
is $? 5 'an interrupt of a run that waits: 5'
ok 'an interrupt of a run that waits: in time' test "$SECONDS" -le "$patience"

# --- a broker that is not there yet ------------------------------------------------

node_free_ports 1
later=${node_ports[0]}
"$lilyq" apply --url "amqp://127.0.0.1:$later" --wait 20 lilyq.ini \
    >report.txt 2>report.err &
pid=$!
sleep 1
PEER_PORT=$later peer broker
wait $pid
is $? 0 'waits for a broker that comes up later'

no_password_shown
done_testing
