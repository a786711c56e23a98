#!/bin/bash
#
# Several URLs: which broker is used, when the next one is, and what is said.

. "${BASH_SOURCE[0]%/*}/lib.sh"

queue q 'retry_attempts = 2' >lilyq.ini
new_vhost
at=127.0.0.1:$BROKER_PORT
node_free_ports 2
down=amqp://$BROKER_USER@127.0.0.1:${node_ports[0]}/$vhost
down_too=amqp://$BROKER_USER@127.0.0.1:${node_ports[1]}/$vhost
whom="vhost '$vhost' as $BROKER_USER"

# --- the first that is reached -------------------------------------------------

apply_to "$url,$down" lilyq.ini
exits 0 'the first broker is used when it is there'
is "$err" "lilyq: created 3 exchanges, 4 queues, 4 bindings on $at $whom" \
    'and the second is not even looked at'

apply_to "$down" --url "$url" lilyq.ini
exits 0 'the second broker is used when the first is not there'
is "$err" "lilyq: warning: broker 127.0.0.1:${node_ports[0]} (vhost '$vhost', user '$BROKER_USER'): cannot connect: Connection refused
lilyq: nothing to do: 3 exchanges, 4 queues, 4 bindings in place on $at $whom" \
    'a warning says what is wrong with the first, the summary which one was used'
apply_to "$down,$url" -o json lilyq.ini
is "$(jq -r '.broker, .vhost' <<<"$out")" "$at"$'\n'"$vhost" \
    'and the report in JSON says so too'
apply_to "$down,$url" -q lilyq.ini
is "$err" '' 'a quiet run does not say it'

apply_to "amqp://$BROKER_USER@nowhere.invalid/$vhost,$url" lilyq.ini
exits 0 'a name that cannot be resolved is passed over'
LILYQ_URL="$down, $url" run "$lilyq" apply lilyq.ini
exits 0 'the environment may name several'
{
    printf '[broker]\nurl = %s, %s\n' "$down" "$url"
    cat lilyq.ini
} >several.ini
run "$lilyq" apply several.ini
exits 0 'a file may name several'

# --- peers that are in the way --------------------------------------------------

# passes NAME MODE: the peer is passed over, within the time to connect.
passes() {
    local start
    peer "$2"
    start=${EPOCHREALTIME/./}
    apply_to "amqp://$BROKER_USER@127.0.0.1:$peer_port/$vhost,$url" \
        --connect-timeout 1 lilyq.ini
    exits 0 "$1 is passed over"
    ok "$1 costs no more than the time to connect" \
        test $(((${EPOCHREALTIME/./} - start) / 1000)) -lt 1900
}

passes 'a peer that hangs up' hangup
passes 'a peer that says nothing' silent
passes 'a peer that speaks too slowly' dribble

# --- a broker that is lost while it is looked at ----------------------------------

for mode in mute hangup; do
    peer $mode 2
    apply_to "amqp://$BROKER_USER@127.0.0.1:$peer_port/$vhost,$url" \
        --answer-timeout 1 lilyq.ini
    exits 0 "a look that one does not answer goes on by the next ($mode)"
    like "$err" "warning: broker 127.0.0.1:$peer_port .*: (no answer within 1 s about|the peer hung up|the connection broke)" \
        "with a warning ($mode)"
    has "$err" " on $at $whom" "which the summary names ($mode)"
    run "$lilyq" diff --url "amqp://$BROKER_USER@127.0.0.1:$peer_port/$vhost,$url" \
        --answer-timeout 1 lilyq.ini
    exits 0 "so does a comparison ($mode)"
    has "$err" "looked at $at" "which names it too ($mode)"
done
peer mute 9
apply_to "amqp://$BROKER_USER@127.0.0.1:$peer_port/$vhost,$url" \
    --answer-timeout 1 -o json lilyq.ini
exits 5 'once something was written, no other is asked'
has "$err" 'no answer within 1 s about' 'it is said why'
has "$err" 'a node of the cluster may be down; --answer-timeout waits longer' \
    'and what may help'
has "$err" '; running it again completes it' 'and that another run will do'
is "$(jq -r '.ending, .cause, .broker' <<<"$out")" \
    $'partly\nlost\n127.0.0.1:'"$peer_port" 'and reported'

# --- a broker that says no --------------------------------------------------------

LILYQ_PASSWORD=wr0ng-secret apply_to "$url,$url" lilyq.ini
exits 1 'a password that is refused is not tried on the next one'
is "$(grep -c 'does not know this user' <<<"$err")" 1 'and said once'
apply_to "$down,amqp://$BROKER_USER@$at/nowhere" --vhost nowhere lilyq.ini
exits 1 'a vhost that is missing on the one that is there fails'
has "$err" "127.0.0.1:${node_ports[0]} (vhost 'nowhere', user '$BROKER_USER'): cannot connect: Connection refused
lilyq: broker $at (vhost 'nowhere', user '$BROKER_USER'): there is no such virtual host" \
    'and the reason of the first is told as well'
peer http
apply_to "amqp://$BROKER_USER@127.0.0.1:$peer_port/$vhost,$url" lilyq.ini
exits 1 'a peer that is no broker is a mistake to be mended'
has "$err" 'the peer does not speak AMQP 0-9-1' 'which is said'

# --- none --------------------------------------------------------------------------

apply_to "$down,$down_too" lilyq.ini
exits 1 'no broker at all is a failure'
is "$err" "lilyq: broker 127.0.0.1:${node_ports[0]} (vhost '$vhost', user '$BROKER_USER'): cannot connect: Connection refused
lilyq: broker 127.0.0.1:${node_ports[1]} (vhost '$vhost', user '$BROKER_USER'): cannot connect: Connection refused
lilyq: nothing written to 127.0.0.1:${node_ports[0]}, 127.0.0.1:${node_ports[1]} $whom" \
    'with the reason of each'
apply_to "$down,$down_too" -o json lilyq.ini
is "$(jq -c '[.ending, .broker, .vhost]' <<<"$out")" '["untouched",null,null]' \
    'and a report without a broker'

# --- TLS -----------------------------------------------------------------------------

tls=amqps://$BROKER_USER@localhost:$BROKER_TLS_PORT/$vhost
ca=(--tls-ca-cert-file "$BROKER_CERTS/ca.pem")
apply_to "${down/amqp:/amqps:},$tls" "${ca[@]}" lilyq.ini
exits 0 'with TLS too, the second is used when the first is not there'
apply_to "$tls,$tls" lilyq.ini
exits 1 'a certificate that is not trusted is a reason to stop'
is "$(grep -c 'signed by no authority' <<<"$err")" 1 'and said once'
apply_to "${down/amqp:/amqps:},$url" "${ca[@]}" lilyq.ini
exits 2 'what fails with TLS is not tried without'

no_password_shown
done_testing
