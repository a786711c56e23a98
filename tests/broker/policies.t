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

# --- apply --policies -------------------------------------------------------------------

management=http://127.0.0.1:$BROKER_API_PORT
harden() {
    apply --policies --management-url "$management" "$@"
}
# results: the ending, and what became of each policy, in the last JSON report.
results() {
    jq -c '[.ending] + [.policies[] | .result]' "$out_file"
}
valid() {
    cp "$out_file" report.json
    run /usr/bin/python3 -m jsonschema -i report.json \
        "$root/man/lilyq-apply.schema.json"
    exits 0 "$1"
}
# is_as_before NAME: what the broker holds is what it held at `before`.
is_as_before() {
    api GET "definitions/$vhost" | jq -S 'del(.rabbit_version)' >now.json
    same now.json before.json "$1"
}
before() {
    api GET "definitions/$vhost" | jq -S 'del(.rabbit_version)' >before.json
}
new_vhost
before
harden --dry-run --dlq-retention 7d "$input" -o json
exits 3 'a dry run says that policies are to be set'
is "$(results)" '["dry_run","pending","pending","pending"]' 'as pending'
valid 'in a report as its schema says'
is_as_before 'and sets none'
harden --dlq-retention 7d "$input" -o json
exits 0 'they are set with all else'
is "$(results)" '["applied","created","created","created"]' 'as created'
has "$err" 'created 4 exchanges, 25 queues, 25 bindings, set 3 policies on ' \
    'which is summed up'
valid 'in a report as its schema says'
is "$(api GET "policies/$vhost" | jq -S .)" "$("$lilyq" policies -q \
    --vhost "$vhost" "${options[@]}" "$input" | jq -S .policies)" \
    'just those that are printed, for the version learnt from the broker'
are_in_force 'and they are in force'
before
harden --dlq-retention 7d "$input"
exits 0 'a second run'
has "$err" 'nothing to do: 4 exchanges, 25 queues, 25 bindings, 3 policies in place on ' \
    'finds nothing to do'
hasnt "$out" updated 'and updates nothing'
is_as_before 'nor does it change anything'
run "$lilyq" diff --management-url "$management" --url "$url" "$input"
exits 0 'diff takes none of it for drift'
is "$out" '' 'and has nothing to say of them'

harden --dlq-retention 7d --priority 4 --dry-run "$input"
exits 3 'another priority is to be set'
has "$out" "+ policy 'lilyq-dlq': another priority is there" 'which a dry run tells'
is_as_before 'and does not set'
harden --dlq-retention 7d --priority 4 "$input" -o json
is "$(results)" '["applied","updated","updated","updated"]' 'what differs is updated'
valid 'in a report as its schema says'
is "$(api GET "policies/$vhost" | jq -c '[.[].priority]')" '[4,4,4]' \
    'to what was asked for'
harden "$input" --priority 4
exits 0 'what is no longer wanted stays'
has "$err" "policy 'lilyq-dlq-classic' is there, but no longer wanted: it stays in force until you delete it" \
    'with a warning'
is "$(api GET "policies/$vhost" | jq length)" 3 'and is not deleted'
harden --priority 4 --dlq-retention 7d --dlq-delivery-limit 7 "$input"
run "$lilyq" diff --management-url "$management" --url "$url" "$input"
exits 0 'diff takes no limit of deliveries for drift that was asked for'


# Another policy in the way.
ok 'a policy of somebody else' api PUT "policies/$vhost/strict" \
    '{"pattern":"dlq","priority":5,"apply-to":"queues","definition":{"max-length":9}}'
before
harden --dlq-retention 7d --priority 4 "$input" -o json
exits 4 'of a higher priority is a conflict'
is "$(jq -c '.ending' "$out_file")" '"conflict"' 'by the report'
has "$err" "the policy 'strict' of priority 5 would be in force for queue " \
    'it is told which'
valid 'in a report as its schema says'
is_as_before 'and nothing is written'
harden --dlq-retention 7d --priority 5 "$input"
exits 4 'one of the same priority is a conflict'
is_as_before 'and nothing is written'
harden --dlq-retention 7d --priority 5 --dry-run "$input"
exits 4 'which a dry run finds as well'
harden --dlq-retention 7d --priority 6 "$input"
exits 0 'but none of a lower priority'

# Two topologies in a virtual host.
sed 's/^\[queue:/&other./; /^\[queue:K/,$d' "$input" >other.ini
before
harden --priority 6 other.ini
exits 4 'the policies of another topology are not taken over'
has "$err" "too, which the plan does not have; give ours another name if that is of another topology" \
    'which is told'
is_as_before 'and nothing is written'
harden --priority 6 --policy-name other other.ini
exits 0 'but they can have names of their own'
harden --priority 6 --dlq-retention 7d "$input"
has "$err" 'nothing to do' 'and both stay'

# Who may not set them.
new_vhost
new_user deployer '.*' '.*' '.*'
for tags in management policymaker; do
    api PUT "users/$user" "{\"password\":\"$user_password\",\"tags\":\"$tags\"}" ||
        bail_out "no tag $tags"
    LILYQ_PASSWORD=$user_password apply_to "$user_url" --policies \
        --management-url "$management" "$input"
    if [[ $tags == management ]]; then
        exits 1 'a user without the tag may not'
        has "$err" 'access is refused: User not authorised to access object (401); the user needs the tag policymaker' \
            'which is told'
        is "$(api GET "policies/$vhost" | jq length),$(api GET \
            "queues/$vhost" | jq length)" 0,0 'and nothing is written'
    else
        exits 0 'a policymaker may'
        isnt "$(api GET "policies/$vhost" | jq length)" 0 'and they are there'
    fi
done

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
deadline=$((last + patience * 1000))
while (($(millis) < deadline && ${#gaps[@]} < 4)); do
    if [[ -n $(get orders.created.native reject_requeue_true) ]]; then
        now=$(millis)
        gaps+=($((now - last)))
        last=$now
    fi
done
is "${#gaps[@]}" 4 'it is given out once and again for each attempt'
diag "after ${gaps[*]} ms"
mapfile -t wanted < <(echo 0
    jq '.native_retry[0].attempts[].native_millis' policies.json)
is "${wanted[*]}" '0 200 400 500' 'the delays printed are these'
for attempt in 1 2 3; do
    ok "attempt $attempt comes no sooner than printed" \
        test "${gaps[attempt]}" -ge "$((wanted[attempt] - 20))"
done
for ((tries = 0; tries < 3000; tries++)); do
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
