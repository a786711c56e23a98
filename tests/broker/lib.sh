# shellcheck shell=bash
# shellcheck disable=SC2034 # the scripts use what is set here
#
# For the scripts here, instead of tests/lib/tap.sh, which it reads. They share
# the broker that `setup` started for the whole run; one that is run by itself
# starts its own, and one that sets cluster_size first a cluster of so many
# nodes, in $nodes/1 and so on. Each works in vhosts of its own.
#
#   new_vhost             makes an empty one; sets $vhost and $url
#   new_user NAME CONFIGURE WRITE READ
#                         makes a user with the password $user_password and
#                         these rights in $vhost; sets $user and $user_url
#   allow USER CONFIGURE WRITE READ
#                         gives a user these rights in $vhost instead
#   api METHOD PATH [JSON]
#   declare_queue NAME JSON, declare_exchange NAME JSON
#   definitions FILE      what $vhost holds, in an order that never changes
#   planned FILE CONFIG   the same, as `lilyq plan` has it
#   queue NAME [LINE...]  prints an entry of lilyq.ini
#   apply [ARGUMENT...]   runs lilyq apply --url $url
#   at_least VERSION      whether the broker, a $release, is that one or newer
#   peer MODE             starts peer.py; sets $peer_port
#   rude STEP:FAULT...    starts rude.py; sets $peer_port
#   no_password_shown     the last test: nothing that ran showed one

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
here=$root/tests/broker
. "$here/node.sh"

user_password=u5er-secret

node_installed || skip_all 'rabbitmq-server is not installed'
if [[ -n ${cluster_size:-} ]]; then
    nodes=$tap_scratch/nodes
    at_exit "node_stop '$nodes'"
    node_cluster "$nodes" "$cluster_size" ||
        bail_out 'the cluster did not start'
elif [[ -z ${BROKER_PORT:-} ]]; then
    at_exit "node_stop '$tap_scratch/node'"
    node_start "$tap_scratch/node" || bail_out 'the broker did not start'
fi

release=$(node_version)

at_least() {
    [[ $(printf '%s\n' "$1" "$release" | sort -V | head -n 1) == "$1" ]]
}

api() {
    curl -sSf -m "$patience" -u "$BROKER_USER:$BROKER_PASSWORD" -X "$1" \
        -H 'content-type: application/json' ${3+-d "$3"} \
        "http://127.0.0.1:$BROKER_API_PORT/api/$2"
}

encoded() {
    [[ $1 == *[!a-z0-9._-]* ]] || { printf '%s' "$1" && return; }
    jq -rn --arg text "$1" '$text | @uri'
}

vhost_number=0

# Whether a vhost runs on every node that does.
vhost_runs() {
    local -r nodes=$(api GET nodes | jq 'map(select(.running)) | length')
    [[ $(api GET "vhosts/$1" |
        jq '[.cluster_state[] | select(. == "running")] | length') == "$nodes" ]]
}

# Makes a vhost, which takes some time to start on the nodes of a cluster: more
# than one request may be needed when the machine has much else to do.
make_vhost() {
    local -r deadline=$((SECONDS + patience))
    until api PUT "vhosts/$1" '{}' && vhost_runs "$1"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.2
    done
}

new_vhost() {
    ((++vhost_number))
    vhost=test-$$-$vhost_number
    url=amqp://$BROKER_USER@127.0.0.1:$BROKER_PORT/$vhost
    export LILYQ_PASSWORD=$BROKER_PASSWORD
    make_vhost "$vhost" || bail_out "no vhost $vhost"
    allow "$BROKER_USER" '.*' '.*' '.*'
    # a cluster ends with its vhosts, and may not be able to delete any
    [[ -n ${cluster_size:-} ]] || at_exit "api DELETE vhosts/$vhost"
}

allow() {
    api PUT "permissions/$vhost/$1" "$(jq -n --arg configure "$2" \
        --arg write "$3" --arg read "$4" '$ARGS.named')" ||
        bail_out "no rights in $vhost for $1"
}

new_user() {
    local -r name=$1-$$
    user=$name
    user_url=amqp://$name@127.0.0.1:$BROKER_PORT/$vhost
    api PUT "users/$name" "{\"password\":\"$user_password\",\"tags\":\"\"}" ||
        bail_out "no user $name"
    allow "$name" "$2" "$3" "$4"
    at_exit "api DELETE users/$name"
}

declare_queue() {
    api PUT "queues/$vhost/$(encoded "$1")" "$2"
}

declare_exchange() {
    api PUT "exchanges/$vhost/$(encoded "$1")" "$2"
}

# 4.3 exports no "internal" that is false, and the type of a queue twice.
in_order() {
    jq -S 'def by(f): sort_by(f) | map(del(.vhost));
        {exchanges: .exchanges | by(.name) | map(.internal //= false),
         queues: .queues | by(.name) | map(del(.type)),
         bindings: .bindings | by([.source, .destination, .routing_key])}'
}

definitions() {
    api GET "definitions/$vhost" | in_order >"$1"
}

planned() {
    "$lilyq" plan -o definitions "$2" | in_order >"$1"
}

queue() {
    local name=$1
    shift
    cat <<END
[queue:$name]
exchange_name = orders
routing_key = $name
retention.main_max_messages = 1000
retention.main_max_bytes = 1000000
retention.retry_bucket_max_messages = 100
retention.retry_bucket_max_bytes = 100000
retention.dead_letter_max_messages = 500
retention.dead_letter_max_bytes = 500000
END
    (($# == 0)) || printf '%s\n' "$@"
    echo
}

# All that the runs wrote, for the last test.
seen=$tap_scratch/seen
: >"$seen"

apply_to() {
    run "$lilyq" apply --url "$@"
    cat "$out_file" "$err_file" >>"$seen"
}

apply() {
    apply_to "$url" "$@"
}

peer() {
    run_peer peer.py "$@"
}

rude() {
    run_peer rude.py "$@"
}

run_peer() {
    local pid tries
    rm -f port
    python3 "$here/$1" "${@:2}" >port 2>peer.err &
    pid=$!
    at_exit "kill $pid 2>/dev/null"
    for ((tries = 0; tries < 6000; tries++)); do
        if [[ -s port ]]; then
            peer_port=$(<port)
            return
        fi
        sleep 0.05
    done
    bail_out "$1 did not start: $(<peer.err)"
}

no_password_shown() {
    isnt "$(<"$seen")" '' 'there is output to look through'
    hasnt "$(<"$seen")" "$BROKER_PASSWORD" "no output shows the administrator's password"
    hasnt "$(<"$seen")" "$user_password" "no output shows a user's password"
}
