#!/bin/bash
#
# What is on a broker beyond the plan, made by hand in every way that there is:
# `lilyq diff` finds exactly that, and changes nothing.

. "${BASH_SOURCE[0]%/*}/lib.sh"

api_url=http://$BROKER_USER:$BROKER_PASSWORD@127.0.0.1:$BROKER_API_PORT

# diff_live: compares $vhost with lilyq.ini
diff_live() {
    run "$lilyq" diff --management-url "$api_url" --url "$url" -o json lilyq.ini
    cat "$out_file" "$err_file" >>"$seen"
}

# "CODE NAME" for each finding, and "CODE SOURCE KEY -> NAME" for a binding
lines() {
    jq -r '.findings[] | .code + " " + (if .resource == "binding" then
        .source + " " + .routing_key +
        (if .destination_type == "exchange" then " => " else " -> " end) +
        .destination else .name end)'
}

# finds NAME STATUS [LINE...]: exactly these, and changes nothing
finds() {
    local -r name=$1 wanted=$2
    shift 2
    definitions before.json
    diff_live
    exits "$wanted" "$name: ends with $wanted"
    is "$(lines <<<"$out")" "$(printf '%s\n' "$@")" "$name: is found"
    definitions after.json
    same after.json before.json "$name: nothing is changed"
}

# bind SOURCE KEY QUEUE, bind SOURCE KEY -e EXCHANGE
bind() {
    local kind=q destination=$3
    if [[ $3 == -e ]]; then
        kind=e
        destination=$4
    fi
    api POST "bindings/$vhost/e/$(encoded "$1")/$kind/$(encoded "$destination")" \
        "$(jq -n --arg key "$2" '{routing_key: $key}')"
}

delete() {
    local name
    for name; do
        api DELETE "$name"
    done
}

new_vhost
{
    queue q 'retry_attempts = 2'
    queue plain
    queue own 'dead_letter_exchange = chosen'
} >lilyq.ini
apply lilyq.ini
exits 0 'all is declared'
finds 'nothing beyond the plan' 0

# --- what the plan left ---------------------------------------------------------------

declare_queue q.retry.v2.4000ms '{"durable":true,"arguments":{
    "x-dead-letter-exchange":"orders","x-message-ttl":4000}}'
bind orders.retry.v2 q.retry.4000ms q.retry.v2.4000ms
finds 'a bucket that is no longer planned' 3 \
    'queue-orphaned q.retry.v2.4000ms' \
    'binding-orphaned orders.retry.v2 q.retry.4000ms -> q.retry.v2.4000ms'
delete "queues/$vhost/q.retry.v2.4000ms"

declare_queue old.retry.v2.1000ms '{"durable":true,"arguments":{
    "x-dead-letter-exchange":"orders"}}'
bind orders.retry.v2 old.retry.1000ms old.retry.v2.1000ms
declare_queue old.dlq.v2 '{"durable":true}'
bind orders.dlx.v2 old old.dlq.v2
finds 'what an entry that is gone had' 3 \
    'queue-of-gone-entry old.dlq.v2' \
    'queue-of-gone-entry old.retry.v2.1000ms' \
    'binding-of-gone-entry orders.dlx.v2 old -> old.dlq.v2' \
    'binding-of-gone-entry orders.retry.v2 old.retry.1000ms -> old.retry.v2.1000ms'
delete "queues/$vhost/old.retry.v2.1000ms" "queues/$vhost/old.dlq.v2"

declare_queue q.retry.v1 '{"durable":true}'
declare_queue q.dlq.v1 '{"durable":true}'
declare_exchange orders.retry.v1 '{"type":"direct","durable":true}'
declare_exchange orders.dlx.v1 '{"type":"direct","durable":true}'
bind orders.retry.v1 q q.retry.v1
finds 'what topology v1 left' 3 \
    'exchange-of-v1 orders.dlx.v1' 'exchange-of-v1 orders.retry.v1' \
    'queue-of-v1 q.dlq.v1' 'queue-of-v1 q.retry.v1'
delete "queues/$vhost/q.retry.v1" "queues/$vhost/q.dlq.v1" \
    "exchanges/$vhost/orders.retry.v1" "exchanges/$vhost/orders.dlx.v1"

# --- what others bound -----------------------------------------------------------------

declare_queue spy '{"durable":true}'
bind orders.retry.v2 q.retry.1000ms spy
bind orders.retry.v2 any spy
bind orders.retry.v2 q.retry.1000ms -e chosen
finds 'others on the retry exchange' 3 \
    'retry-shared orders.retry.v2 q.retry.1000ms => chosen' \
    'retry-shared orders.retry.v2 any -> spy' \
    'retry-shared orders.retry.v2 q.retry.1000ms -> spy'
delete "queues/$vhost/spy" \
    "bindings/$vhost/e/orders.retry.v2/e/chosen/q.retry.1000ms"

declare_queue spy '{"durable":true}'
bind orders.dlx.v2 any spy
bind chosen own spy
bind chosen theirs spy
finds 'others on the dead-letter exchanges' 3 \
    'dead-letters-shared orders.dlx.v2 any -> spy' \
    'dead-letters-shared chosen own -> spy'
delete "queues/$vhost/spy"

declare_queue spy '{"durable":true}'
bind orders q spy
bind orders theirs spy
finds "another queue with a main queue's key" 3 'main-key-shared orders q -> spy'
delete "queues/$vhost/spy"

bind orders other q.retry.v2.1000ms
bind amq.topic '#' plain.dlq.v2
bind amq.topic '#' -e orders.retry.v2
finds 'what others bring into buckets and DLQs' 3 \
    'retry-fed amq.topic # => orders.retry.v2' \
    'retry-fed orders other -> q.retry.v2.1000ms' \
    'dead-letters-fed amq.topic # -> plain.dlq.v2'
delete "bindings/$vhost/e/orders/q/q.retry.v2.1000ms/other" \
    "bindings/$vhost/e/amq.topic/q/plain.dlq.v2/%23" \
    "bindings/$vhost/e/amq.topic/e/orders.retry.v2/%23"
finds 'nothing, with all of it gone' 0

# --- what is nobody's here ------------------------------------------------------------------

for name in old.retry.v2.1000ms old.dlq.v2 q.retry.v2.01000ms q.retry.v3.1000ms other.dlq.v1; do
    declare_queue "$name" '{"durable":true}'
done
declare_exchange other.retry.v2 '{"type":"direct","durable":true}'
bind other.retry.v2 old.retry.1000ms old.retry.v2.1000ms
bind orders theirs old.dlq.v2
bind amq.direct q q
finds "strangers' queues with names like ours" 0

# --- what a change of the plan leaves ---------------------------------------------------------

new_vhost
{
    queue q 'retry_attempts = 2'
    queue gone 'retry_attempts = 1'
} >lilyq.ini
apply lilyq.ini
exits 0 'all is declared before the change'
queue q >lilyq.ini
apply lilyq.ini
exits 0 'and after it'
finds 'what a plan without retries and without an entry leaves' 3 \
    'exchange-orphaned orders.retry.v2' \
    'queue-of-gone-entry gone' \
    'queue-of-gone-entry gone.dlq.v2' \
    'queue-of-gone-entry gone.retry.v2.1000ms' \
    'queue-orphaned q.retry.v2.1000ms' \
    'queue-orphaned q.retry.v2.2000ms' \
    'binding-of-gone-entry orders gone -> gone' \
    'binding-of-gone-entry orders.dlx.v2 gone -> gone.dlq.v2' \
    'binding-of-gone-entry orders.retry.v2 gone.retry.1000ms -> gone.retry.v2.1000ms' \
    'binding-orphaned orders.retry.v2 q.retry.1000ms -> q.retry.v2.1000ms' \
    'binding-orphaned orders.retry.v2 q.retry.2000ms -> q.retry.v2.2000ms'

# --- what the source cannot show ---------------------------------------------------------------

api GET "definitions/$vhost" | jq 'del(.bindings)' >part.json
run "$lilyq" diff --definitions part.json -o json lilyq.ini
exits 3 'what an incomplete file shows is found'
is "$(jq -r '.findings[] | select(.kind == "unexpected") | .name' <<<"$out")" \
    $'orders.retry.v2\nq.retry.v2.1000ms\nq.retry.v2.2000ms' \
    'by its name alone, where bindings are not shown'
is "$(jq -r '.findings[] | select(.resource == "vhost").code' <<<"$out")" \
    extras-unverified 'and it is said that there may be more'

# --- live figures ------------------------------------------------------------------------------

# shows FILTER VALUE NAME: once the broker has counted, which takes seconds
shows() {
    local tries
    for ((tries = 0; tries < 600; tries++)); do
        diff_live
        [[ $(jq -c "$1" <<<"$out") != "$2" ]] || break
        sleep 0.5
    done
    is "$(jq -c "$1" <<<"$out")" "$2" "$3"
}

# publish QUEUE COUNT
publish() {
    local i
    for ((i = 0; i < $2; i++)); do
        amqp-publish --url "$url_with_password" -r "$1" -b x
    done
}

new_vhost
url_with_password=amqp://$BROKER_USER:$BROKER_PASSWORD@127.0.0.1:$BROKER_PORT/$vhost
queue q 'retry_attempts = 1' 'retry_backoff_millis = 300000' \
    'max_retry_backoff_millis = 300000' |
    sed 's/^\(retention.main_max_messages\) = .*/\1 = 10/' >lilyq.ini
apply lilyq.ini
exits 0 'one entry is declared'
declare_queue q.retry.v2.4000ms '{"durable":true}'
declare_queue q.dlq.v1 '{"durable":true}'
publish q.retry.v2.4000ms 2
publish q.dlq.v1 1
publish q 8
bucket=q.retry.v2.300000ms
amqp-consume --url "$url_with_password" -q $bucket cat >/dev/null 2>&1 &
consumer=$!
at_exit "kill $consumer 2>/dev/null"
shows '[.findings[] | select(.kind == "unexpected") | [.name, .messages]]' \
    '[["q.dlq.v1",1],["q.retry.v2.4000ms",2]]' 'an orphan has its messages told'
shows '[.findings[] | select(.kind == "note") | [.code, .name, .messages, .consumers]]' \
    "[[\"queue-near-bound\",\"q\",8,0],[\"bucket-consumed\",\"$bucket\",0,1]]" \
    'consumers of a bucket and a queue that is nearly full are noted'
delete "queues/$vhost/q.retry.v2.4000ms" "queues/$vhost/q.dlq.v1"
diff_live
exits 0 'notes are no drift'
kill "$consumer"

# --- queues of a connection, which definitions leave out ---------------------------------

amqp-consume --url "$url_with_password" -x -e orders.retry.v2 \
    -r q.retry.300000ms cat >/dev/null 2>&1 &
consumer=$!
at_exit "kill $consumer 2>/dev/null"
shows '[.findings[] | select(.kind == "unexpected")
    | [.code, .source, .routing_key, (.destination | startswith("amq.gen-"))]]' \
    '[["retry-shared","orders.retry.v2","q.retry.300000ms",true]]' \
    'an exclusive queue that gets retries is found'
kill "$consumer"
shows '[.findings[] | select(.kind == "unexpected")]' '[]' 'until it is gone'

no_password_shown
done_testing
