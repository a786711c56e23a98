#!/bin/bash
#
# The policies that `lilyq policies` prints, on a broker: it takes them by each
# way, they are in force for just the queues that they are for, and what was
# declared stays equivalent.

. "${BASH_SOURCE[0]%/*}/lib.sh"

input=$root/tests/data/plan/quorum/input.ini
release=$(node_version)
options=(--broker-version "$release" --dlq-retention 7d)
"$lilyq" plan -q "$input" >plan.json

# are_in_force NAME: each queue of $vhost has the policy that it should have. The
# API tells only some seconds later.
are_in_force() {
    jq -r '.queues[]
        | (.arguments["x-queue-type"] == "quorum") as $quorum
        | .name + "\t" + (if .role != "dead_letter" then
              if $quorum then "lilyq-at-least-once" else "" end
          elif $quorum then "lilyq-dlq"
          else "lilyq-dlq-classic" end)' plan.json | LC_ALL=C sort >want
    node_ctl list_queues -q -p "$vhost" --no-table-headers name policy \
        >listed 2>ctl.err
    # newer Erlangs write Latin-1 in the C locale
    iconv -f utf-8 -t utf-8 listed >utf8 2>iconv.err ||
        iconv -f latin1 -t utf-8 listed >utf8
    LC_ALL=C sort utf8 >got
    same got want "$1"
}

stays_equivalent() {
    apply "$input"
    exits 0 "$1: can be applied"
    has "$err" 'nothing to do' "$1: leaves nothing to do"
}

# --- commands ---------------------------------------------------------------------

new_vhost
apply "$input"
exits 0 'applies without policies'
"$lilyq" policies -q -o rabbitmqctl --vhost "$vhost" "${options[@]}" "$input" \
    >commands.sh
rabbitmqctl() {
    node_ctl "$@"
}
# shellcheck source=/dev/null
. ./commands.sh >ctl.out 2>&1
is "$(api GET "policies/$vhost" | jq -S .)" "$("$lilyq" policies -q \
    --vhost "$vhost" "${options[@]}" "$input" | jq -S .policies)" \
    'commands set what the JSON says'
are_in_force 'they are in force for just the queues that they are for'
stays_equivalent 'a policy set by a command'

# --- bodies for the API --------------------------------------------------------------

new_vhost
"$lilyq" policies -q --vhost "$vhost" "${options[@]}" "$input" >policies.json
while IFS= read -r policy; do
    ok "the API takes $(jq .name <<<"$policy")" api PUT \
        "policies/$vhost/$(encoded "$(jq -r .name <<<"$policy")")" \
        "$(jq 'del(.vhost, .name)' <<<"$policy")"
done < <(jq -c '.policies[]' policies.json)
apply "$input"
exits 0 'what is declared after its policies is declared as planned'
are_in_force 'and they are in force'
stays_equivalent 'a policy that was there first'

# --- definitions ---------------------------------------------------------------------

new_vhost
"$lilyq" plan -q -o definitions --policies --vhost "$vhost" "${options[@]}" \
    "$input" >definitions.json
ok 'definitions with policies are imported' \
    api POST definitions "$(<definitions.json)"
are_in_force 'and they are in force'
stays_equivalent 'a policy that was imported'

new_vhost
"$lilyq" policies -q --vhost "$vhost" "${options[@]}" "$input" >policies.json
ok 'the document itself is imported as well' \
    api POST definitions "$(<policies.json)"
is "$(api GET "policies/$vhost" | jq length)" "$(jq '.policies | length' \
    policies.json)" 'and has all policies'

# --- large ----------------------------------------------------------------------------

# Names that have little in common make patterns long.
{
    sed -n '/^\[defaults\]/,/^$/p' "$input"
    awk 'BEGIN {
        srand(2)
        for (i = 0; i < 120; ++i) {
            name = ""
            while (length(name) < 100)
                name = name sprintf("%c", 97 + int(rand() * 26))
            printf "[queue:%s]\nrouting_key = k\nqueue_type = quorum\n", name
        }
    }'
} >large.ini
new_vhost
"$lilyq" policies -q --vhost "$vhost" "${options[@]}" large.ini >policies.json
ok 'a large topology needs several policies of a kind' \
    test "$(jq '.policies | length' policies.json)" -gt 10
ok 'and the broker takes all of them' \
    api POST definitions "$(<policies.json)"
is "$(api GET "policies/$vhost" | jq length)" "$(jq '.policies | length' \
    policies.json)" 'one for each'

# --- retries by the broker itself -------------------------------------------------------

new_vhost
"$lilyq" policies -q --native-retry --vhost "$vhost" "$input" >policies.json
if [[ $(printf '%s\n' 4.3 "$release" | sort -V | head -n 1) != 4.3 ]]; then
    not_ok 'a broker before 4.3 does not take native retry' \
        api POST definitions "$(<policies.json)"
    run "$lilyq" policies --native-retry --broker-version "$release" "$input"
    exits 2 'nor does lilyq print it'
    no_password_shown
    done_testing
    exit
fi

# A short one, to see it at work.
sed 's/^retry_attempts = .*/&\nretry_backoff_millis = 200\nmax_retry_backoff_millis = 500/
    /^\[queue:orders.created.v2\]/,$d' "$input" >quick.ini
apply quick.ini
exits 0 'applies what dead letters go to'
"$lilyq" policies -q --native-retry --vhost "$vhost" quick.ini >policies.json
ok 'takes native retry' api POST definitions "$(<policies.json)"
ok 'and the queue for it' declare_queue orders.created.native \
    '{"durable":true,"arguments":{"x-queue-type":"quorum"}}'

# get QUEUE MODE: a message's headers, or nothing.
get() {
    api POST "queues/$vhost/$(encoded "$1")/get" \
        "{\"count\":1,\"ackmode\":\"$2\",\"encoding\":\"auto\"}" | jq -c '.[]'
}
millis() {
    local -r now=$EPOCHREALTIME
    echo $((${now/[.,]/} / 1000))
}

api POST "exchanges/$vhost/amq.default/publish" '{"properties":{"delivery_mode":2},
    "routing_key":"orders.created.native","payload":"x","payload_encoding":"string"}' \
    >published.json
is "$(<published.json)" '{"routed":true}' 'a message comes in'
gaps=()
last=$(millis)
deadline=$((last + 15000))
while (($(millis) < deadline && ${#gaps[@]} < 4)); do
    if [[ -n $(get orders.created.native reject_requeue_true) ]]; then
        now=$(millis)
        gaps+=($((now - last)))
        last=$now
    fi
done
is "${#gaps[@]}" 4 'it is given out once and again for each attempt'
diag "after ${gaps[*]} ms"
wanted=(0 $(jq '.native_retry[0].attempts[].native_millis' policies.json))
is "${wanted[*]}" '0 200 400 500' 'the delays printed are these'
for attempt in 1 2 3; do
    ok "attempt $attempt comes no sooner than printed" \
        test "${gaps[attempt]}" -ge "$((wanted[attempt] - 20))"
done
for ((tries = 0; tries < 50; tries++)); do
    letter=$(get orders.created.dlq.v2 ack_requeue_false)
    [[ -z $letter ]] || break
    sleep 0.1
done
is "$(jq -r '.properties.headers | .["x-first-death-reason"],
    .["x-first-death-queue"]' <<<"$letter")" \
    $'delivery_limit\norders.created.native' \
    'then it goes to the DLQ, for want of attempts'
hasnt "$(api GET "queues/$vhost?columns=name,policy" |
    jq -r '.[] | select(.policy) | .name')" orders.created.retry \
    'no queue of v2 has such a policy'

no_password_shown
done_testing
