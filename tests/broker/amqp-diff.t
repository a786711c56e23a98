#!/bin/bash
#
# lilyq diff over AMQP alone: what it can see, and that it writes nothing.

. "${BASH_SOURCE[0]%/*}/lib.sh"

queue q 'retry_attempts = 2' >lilyq.ini
things=(exchanges/orders exchanges/orders.retry.v2 exchanges/orders.dlx.v2
    queues/q queues/q.retry.v2.1000ms queues/q.retry.v2.2000ms queues/q.dlq.v2)

# diff_at URL [ARGUMENT...]: compares.
diff_at() {
    run "$lilyq" diff --url "$@"
    cat "$out_file" "$err_file" >>"$seen"
}

# The same at $url; definitions are before.json and after.json.
diff_amqp() {
    definitions before.json
    diff_at "$url" "$@"
    definitions after.json
}

# Each finding that is not "unverified", as "code name field planned actual".
found() {
    jq -r '.findings[] | select(.kind != "unverified")
        | [.code, .name // .destination, .field // empty,
            (.planned, .actual | objects | "\(.type) \(.value)")]
        | join(" ")' "$out_file"
}

# valid NAME: the last document is as its schema says.
valid() {
    cp "$out_file" document.json
    run /usr/bin/python3 -m jsonschema -i document.json \
        "$root/man/lilyq-diff.schema.json"
    exits 0 "$1"
}

limits='lilyq: AMQP shows no bindings or policies, nothing that is not planned, no arguments that the broker does not compare, and only the first difference of a resource'

# --- nothing there ---------------------------------------------------------------

new_vhost
diff_amqp -o json lilyq.ini
exits 3 'what is missing is drift'
same before.json after.json 'and nothing is written'
is "$(found)" 'exchange-missing orders
exchange-missing orders.retry.v2
exchange-missing orders.dlx.v2
queue-missing q
queue-missing q.retry.v2.1000ms
queue-missing q.retry.v2.2000ms
queue-missing q.dlq.v2
binding-missing q
binding-missing q.retry.v2.1000ms
binding-missing q.retry.v2.2000ms
binding-missing q.dlq.v2' 'each of it is found, bindings too'
is "$(jq -r '.source | .kind, .vhost' <<<"$out")" "amqp
$vhost" 'and the document says where it looked'
valid 'as its schema has it'

# --- as planned ----------------------------------------------------------------------

apply -q lilyq.ini
diff_amqp lilyq.ini
exits 0 'what is as planned is no drift'
same before.json after.json 'and nothing is written'
has "$out" '  ? 4 bindings to ' 'bindings are not shown, in one line'
like "$err" "^lilyq: in sync as far as can be seen: [0-9]+ unverified; looked at 127.0.0.1:$BROKER_PORT vhost '$vhost'
" 'it does not say more than it knows'
is "${err##*$'\n'}" "$limits" 'and tells what it cannot see'
diff_amqp -o json lilyq.ini
is "$(jq -c '[.findings[] | select(.code == "binding-unverified")
    | .destination]' <<<"$out")" \
    '["q","q.retry.v2.1000ms","q.retry.v2.2000ms","q.dlq.v2"]' \
    'the document accounts for each binding'
is "$(jq -c '[.findings[].kind] | unique' <<<"$out")" '["unverified"]' \
    'and has nothing else to say'
has "$(jq -r '.findings[].code' <<<"$out")" 'extras-unverified' \
    'but what is there beyond the plan is unverified'
diff_amqp --fail-on unverified lilyq.ini
exits 3 'which may count as drift'
diff_amqp -q lilyq.ini
is "$err" '' '--quiet is quiet'

# --- an empty plan ------------------------------------------------------------------

: >empty.ini
diff_amqp empty.ini
exits 0 'an empty plan is no drift'
has "$err" 'in sync as far as can be seen' 'as far as can be seen'

# --- each difference ----------------------------------------------------------------

good='"x-queue-type":"classic","x-max-length":1000,"x-max-length-bytes":1000000,
    "x-overflow":"reject-publish","x-dead-letter-exchange":"orders.dlx.v2",
    "x-dead-letter-routing-key":"q"'

# differs JSON FINDING: declares q so, and expects the finding.
differs() {
    api DELETE "queues/$vhost/q" || bail_out 'q is not deleted'
    declare_queue q "$1" || bail_out "q is not declared: $1"
    diff_at "$url" -o json lilyq.ini
    exits 3 "a difference is drift: $2"
    is "$(found)" "$2" 'it is found, and nothing else'
}

while IFS='|' read -r change finding; do
    differs "{\"durable\":true,\"arguments\":$(jq -c "$change" <<<"{$good}")}" \
        "$finding"
done <<'CASES'
.["x-max-length"] = 7|queue-argument-different q x-max-length integer 1000 integer 7
del(.["x-max-length"])|queue-argument-different q x-max-length integer 1000
.["x-max-length-bytes"] = 5000000000|queue-argument-different q x-max-length-bytes integer 1000000 integer 5000000000
.["x-overflow"] = "drop-head"|queue-argument-different q x-overflow string reject-publish string drop-head
del(.["x-overflow"])|queue-argument-different q x-overflow string reject-publish
.["x-dead-letter-exchange"] = "12"|queue-argument-different q x-dead-letter-exchange string orders.dlx.v2 string 12
.["x-dead-letter-routing-key"] = "true"|queue-argument-different q x-dead-letter-routing-key string q string true
.["x-message-ttl"] = 5|queue-argument-different q x-message-ttl integer 5
.["x-max-priority"] = 3|queue-argument-different q x-max-priority integer 3
.["x-single-active-consumer"] = true|queue-argument-different q x-single-active-consumer boolean true
.["x-expires"] = 3600000|queue-argument-different q x-expires integer 3600000
.["x-queue-type"] = "quorum"|queue-argument-different q x-queue-type string classic string quorum
{"x-queue-type": "stream", "x-max-length-bytes": 1000000}|queue-argument-different q x-queue-type string classic string stream
CASES
differs "{\"durable\":true,\"auto_delete\":true,\"arguments\":{$good}}" \
    'queue-property-different q auto_delete boolean false boolean true'
diff_amqp lilyq.ini
same before.json after.json 'and nothing is written'

api DELETE "queues/$vhost/q"
apply -q lilyq.ini
for change in 'type=fanout exchange-property-different orders type string direct string fanout' \
    'durable=false exchange-property-different orders durable boolean true boolean false' \
    'internal=true exchange-property-different orders internal boolean false boolean true' \
    'auto_delete=true exchange-property-different orders auto_delete boolean false boolean true' \
    'arguments={"alternate-exchange":"amq.fanout"} exchange-argument-different orders alternate-exchange string amq.fanout'; do
    set -- "${change%% *}" "${change#* }"
    api DELETE "exchanges/$vhost/orders"
    declare_exchange orders "$(jq -n --arg key "${1%%=*}" \
        --arg value "${1#*=}" '{type: "direct", durable: true}
        + {($key): ($value | fromjson? // $value)}')" ||
        bail_out "orders is not declared: $1"
    diff_at "$url" -o json lilyq.ini
    exits 3 "an exchange with another ${1%%=*} is drift"
    is "$(found)" "$2" 'it is found, and nothing else'
done
definitions before.json
diff_at "$url" lilyq.ini
definitions after.json
same before.json after.json 'and nothing is written'

# --- a name so long that the broker cuts its own words -----------------------------

new_vhost
long=$(printf 'l%.0s' {1..180})
queue "$long" >long.ini
declare_queue "$long" '{"durable":true,"arguments":{"x-queue-type":"classic",
    "x-max-length":7}}'
diff_amqp -o json long.ini
exits 3 'a difference of a long name is drift'
like "$(found)" "queue-argument-different $long x-[a-z-]+ " 'and is found'
valid 'in a document that is as its schema says'

# --- what is deleted between the two looks -----------------------------------------

new_vhost
apply -q lilyq.ini
{
    echo '#!/bin/bash'
    for thing in "${things[@]}"; do
        printf 'curl -sf -u "%s:%s" -X DELETE %s || exit 1\n' "$BROKER_USER" \
            "$BROKER_PASSWORD" \
            "http://127.0.0.1:$BROKER_API_PORT/api/${thing/\//\/$vhost\/}"
    done
} >delete-all
chmod +x delete-all
run_peer gate.py "$BROKER_PORT" alternate-exchange ./delete-all
diff_at "amqp://$BROKER_USER@127.0.0.1:$peer_port/$vhost" -o json lilyq.ini
definitions after.json
exits 3 'what is deleted between two looks is drift'
is "$(found | grep -c missing)" 11 'it is missing, every part of it'
is "$(jq -c '[.exchanges, .queues]' after.json)" '[[],[]]' \
    'and nothing of it is declared anew'
apply -q lilyq.ini
run_peer gate.py "$BROKER_PORT" x-stream-max-segment-size-bytes ./delete-all
diff_at "amqp://$BROKER_USER@127.0.0.1:$peer_port/$vhost" -o json lilyq.ini
definitions after.json
is "$(found | grep -c queue-missing)" 4 'the same for queues alone'
is "$(jq -c '[.exchanges, .queues]' after.json)" '[[],[]]' \
    'which are not declared anew either'

# --- external ------------------------------------------------------------------------

new_vhost
queue theirs 'topology_ownership = external' \
    'dead_letter_exchange = graveyard' 'dead_letter_routing_key = dead' |
    sed 's/^exchange_name = .*/exchange_name = outer/' >external.ini
declare_exchange outer '{"type":"fanout","durable":true}'
declare_queue theirs '{"durable":false,"arguments":{"x-max-length":1}}'
diff_amqp -o json external.ini
exits 3 'what is external and missing is drift'
is "$(found)" 'external-exchange-missing graveyard
external-queue-missing theirs.dlq.v2
external-binding-missing theirs.dlq.v2' 'but how the rest was declared is not'
same before.json after.json 'and nothing is written'

# --- rights --------------------------------------------------------------------------

new_vhost
apply -q lilyq.ini
# from 4.2.6 on something must be allowed to look at all
new_user looker '^$' '^$' '.*'
definitions before.json
export LILYQ_PASSWORD=$user_password
diff_at "$user_url" lilyq.ini
exits 1 'without the right to configure nothing can be compared'
like "$err" "queue 'q': user '$user' needs permission to configure queue 'q' in vhost '$vhost'
" 'which is told'
has "$err" 'lilyq: nothing compared' 'and nothing is said of the rest'
is "$out" '' 'nor printed'
diff_at "$user_url" --passive-only lilyq.ini
exits 0 '--passive-only needs no such right, as it declares nothing'
has "$out" '  ? 4 queues ' 'but knows of no arguments'
has "$err" 'only existence was checked' 'as it says'
definitions after.json
same before.json after.json 'and writes nothing'
diff_at "$user_url" --passive-only -o json lilyq.ini
is "$(jq -c '[.findings[] | select(.code == "property-unverified")] | length' \
    <<<"$out")" 7 'the document accounts for all that exists'
valid 'as its schema has it'
LILYQ_PASSWORD=$BROKER_PASSWORD api DELETE "queues/$vhost/q.dlq.v2"
diff_at "$user_url" --passive-only -o json lilyq.ini
exits 3 'it finds what is missing'
is "$(found)" 'queue-missing q.dlq.v2
binding-missing q.dlq.v2' 'and that alone'

# --- a broker that goes away ---------------------------------------------------------

export LILYQ_PASSWORD=$BROKER_PASSWORD
for step in start:hangup check:hangup check:reset check:garbage; do
    rude "$step"
    diff_at "amqp://guest@127.0.0.1:$peer_port/" lilyq.ini
    exits 1 "a broker that goes away is a failure ($step)"
    has "$err" 'lilyq: nothing compared' 'and is told'
    is "$out" '' 'and nothing is printed'
done

no_password_shown
done_testing
