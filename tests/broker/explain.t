#!/bin/bash
#
# What lilyq explain tells is what becomes of a message on a broker, when a
# consumer that always fails hands it on as told.

. "${BASH_SOURCE[0]%/*}/lib.sh"

event=0b5c3f52-7d3e-4f0a-9c1d-5a2b6c7d8e9f

# entry TYPE
entry() {
    cat <<END
[queue:life]
exchange_name = shop
routing_key = key.of.life
queue_type = $1
retry_attempts = 4
retry_backoff_millis = 200
max_retry_backoff_millis = 900
retry_jitter_ratio = 0.25
retention.main_max_messages = 100
retention.main_max_bytes = 1000000
retention.retry_bucket_max_messages = 100
retention.retry_bucket_max_bytes = 1000000
retention.dead_letter_max_messages = 100
retention.dead_letter_max_bytes = 1000000
END
}

# publish EXCHANGE KEY HEADERS: prints true when it is routed to a queue.
publish() {
    api POST "exchanges/$vhost/$1/publish" "$(jq -nc --arg key "$2" \
        --argjson headers "$3" '{routing_key: $key, payload: "p",
            payload_encoding: "string",
            properties: {delivery_mode: 2, headers: $headers}}')" |
        jq -r .routed
}

# take QUEUE: takes a message, once there is one, into message.json.
take() {
    local tries
    for ((tries = 0; tries < 6000; ++tries)); do
        api POST "queues/$vhost/$1/get" \
            '{"count":1,"ackmode":"ack_requeue_false","encoding":"auto"}' \
            >message.json
        [[ $(<message.json) == '[]' ]] || return 0
        sleep 0.05
    done
    return 1
}

# own HEADERS: those that the consumer sets, with the values of its own filled in
own() {
    jq -c '."x-lily-rejection-code" = "handler_failed" |
        ."x-lily-schema-version" = "1" | ."x-lily-content-kind" = "json" |
        .traceparent = "00-a-b-01" | .tracestate = "a=b"' <<<"$1"
}

# The headers that a message came with, less those of the broker.
came_with() {
    jq -c --argjson told "$1" '.[0].properties.headers | with_entries(
        select(.key as $key | $told | has($key)))' message.json
}

# The queues that hold something.
left() {
    local queue
    while read -r queue; do
        [[ $(api POST "queues/$vhost/$queue/get" \
            '{"count":1,"ackmode":"ack_requeue_false","encoding":"auto"}') \
            == '[]' ]] || echo "$queue"
    done < <("$lilyq" plan life.ini | jq -r '.queues[].name')
}

sorted() {
    jq -cS . <<<"$1"
}

for type in classic quorum; do
    new_vhost
    entry "$type" >life.ini
    apply life.ini
    exits 0 "$type: applies"
    "$lilyq" explain -o json --event-id "$event" life life.ini >life.json
    is "$(jq '.retries | length' life.json)" 4 "$type: has four retries"
    is "$(publish shop key.of.life "{\"x-lily-event-id\": \"$event\"}")" true \
        "$type: is published"
    ok "$type: is delivered" take life
    for n in 1 2 3 4; do
        retry=$(jq -c ".retries[$n - 1]" life.json)
        bucket=$(jq -c '.buckets[] | select(.possible)' <<<"$retry")
        key=$(jq -r .routing_key <<<"$bucket")
        headers=$(own "$(jq -c .headers <<<"$retry")")
        start=${EPOCHREALTIME/./}
        is "$(publish "$(jq -r .retry_exchange life.json)" "$key" \
            "$headers")" true "$type: retry $n is routed"
        ok "$type: and delivered again" take life
        waited=$(((${EPOCHREALTIME/./} - start) / 1000))
        ok "$type: after its delay, not before" \
            test "$waited" -ge "$(jq .delay_millis <<<"$bucket")"
        is "$(jq -c '.[0].properties.headers."x-death"[0] |
            [.queue, .exchange, ."routing-keys", .reason]' message.json)" \
            "$(jq -c --arg exchange "$(jq -r .retry_exchange life.json)" \
                '[.queue, $exchange, [.routing_key], "expired"]' \
                <<<"$bucket")" "$type: it was in the bucket that was told"
        is "$(sorted "$(came_with "$headers")")" "$(sorted "$headers")" \
            "$type: and has the headers that were told"
        is "$(jq -r '.[0] | "\(.exchange) \(.routing_key)"' message.json)" \
            'shop key.of.life' "$type: by the entry's exchange and key"
    done
    letter=$(jq -c .dead_letter life.json)
    headers=$(own "$(jq -c .headers <<<"$letter")")
    is "$(publish "$(jq -r .exchange <<<"$letter")" \
        "$(jq -r .routing_key <<<"$letter")" "$headers")" true \
        "$type: a dead letter is routed"
    ok "$type: to the queue that was told" take "$(jq -r .queue <<<"$letter")"
    is "$(sorted "$(came_with "$headers")")" "$(sorted "$headers")" \
        "$type: with the headers that were told"
    is "$(left)" '' "$type: and nothing is left anywhere"
done

done_testing
