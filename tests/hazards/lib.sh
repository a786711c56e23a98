# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # the scripts use what is set here
#
# For the scripts here, on top of tests/broker/lib.sh: each shows what a broker
# does to the messages of a topology that the contract lets through, says what
# it measured, and knows which versions of RabbitMQ do so.
#
#   deploy [LINE...]      applies the entries of these lines to $vhost; what they
#                         leave out are small defaults: exchange "orders", one
#                         retry after 500 ms, bounds that are never reached
#   harden [LINE...]      the same with the policies of lilyq
#   messages VERB...      client.py in $vhost
#   sends WANT NAME EXCHANGE KEY COUNT...   what becomes of so many publishes
#   ready QUEUE...        prints how many messages are ready in each
#   holds WANT NAME QUEUE...   they hold that; waits for it for some seconds
#   empties QUEUE         waits until nothing is ready there
#   policy PATTERN JSON [KIND [APPLIES]]   sets a policy on the vhost's queues of
#                         such names; KIND may be "operator-policies", APPLIES a
#                         kind of queue; sets $refusal to what the broker says
#   evidence TEXT         prints what was measured, with the version
#   takes QUEUE COUNT     takes up to so many messages; prints how many it got
#   sum "N..."            prints the sum of what ready printed

. "${BASH_SOURCE[0]%/*}/../broker/lib.sh"

hazards=$root/tests/hazards
retry=orders.retry.v2

/usr/bin/python3 -c 'import pika' 2>/dev/null || skip_all 'python3-pika is missing'

evidence() {
    diag "$release: $*"
}

deploy() {
    entries "$@" >lilyq.ini
    apply -q lilyq.ini
    [[ $status == 0 ]] || bail_out "the topology was not applied: $err"
}

harden() {
    entries "$@" >lilyq.ini
    apply -q --policies --management-url "http://127.0.0.1:$BROKER_API_PORT" \
        lilyq.ini
    [[ $status == 0 ]] || bail_out "the topology was not hardened: $err"
}

entries() {
    cat <<'DEFAULTS'
[defaults]
exchange_name = orders
retry_attempts = 1
retry_backoff_millis = 500
retention.main_max_messages = 1000
retention.main_max_bytes = 1000000
retention.retry_bucket_max_messages = 1000
retention.retry_bucket_max_bytes = 1000000
retention.dead_letter_max_messages = 1000
retention.dead_letter_max_bytes = 1000000
DEFAULTS
    printf '%s\n' "$@"
}

messages() {
    /usr/bin/python3 "$hazards/client.py" \
        "amqp://$BROKER_USER:$BROKER_PASSWORD@127.0.0.1:$BROKER_PORT/$vhost" "$@"
}

sends() {
    local -r want=$1 name=$2
    shift 2
    is "$(messages publish "$@")" "$want" "$name"
}

ready() {
    messages count "$@"
}

holds() {
    local -r want=$1 name=$2
    local i got
    shift 2
    for ((i = 0; i < 25; i++)); do
        got=$(ready "$@")
        [[ $got != "$want" ]] || break
        sleep 0.2
    done
    is "$got" "$want" "$name"
}

empties() {
    local i
    for ((i = 0; i < 50; i++)); do
        [[ $(ready "$1") != 0 ]] || return 0
        sleep 0.2
    done
    return 1
}

policy_number=0

policy() {
    local answer code=0
    ((++policy_number))
    answer=$(curl -s --fail-with-body -m 30 -X PUT \
        -u "$BROKER_USER:$BROKER_PASSWORD" -H 'content-type: application/json' \
        -d "$(jq -n --arg pattern "$1" --argjson definition "$2" \
            --arg applies "${4:-queues}" \
            '{$pattern, $definition, priority: 1, "apply-to": $applies}')" \
        "http://127.0.0.1:$BROKER_API_PORT/api/${3:-policies}/$vhost/p$policy_number") ||
        code=$?
    refusal=$(jq -r '.reason | gsub("\n+"; " ") | rtrimstr(" ")' <<<"$answer")
    return $code
}

takes() {
    messages take "$@" | wc -l
}

sum() {
    local number all=0
    for number in $1; do
        all=$((all + number))
    done
    echo "$all"
}
