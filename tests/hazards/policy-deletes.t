#!/bin/bash
#
# Policies by which a broker deletes what the plan keeps: one with expires deletes
# queues that have no consumer, and what is in them (buckets and dead-letter
# queues never have any); a message TTL deletes dead letters, and so does a bound
# of a quorum queue that drops its head. Each is an error of `lilyq lint`.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# Asking by AMQP is no use of a queue, but this is sure to be none.
gone() {
    local i
    for ((i = 0; i < 100; i++)); do
        [[ " $(api GET "queues/$vhost?columns=name" | jq -r '.[].name' |
            paste -s -d ' ') " == *" $1 "* ]] || return 0
        sleep 0.2
    done
    return 1
}

# warns TEXT NAME: lint finds this with an error.
warns() {
    run "$lilyq" lint --management-url "http://127.0.0.1:$BROKER_API_PORT" \
        --url "$url" lilyq.ini
    exits 3 "$2: lint fails"
    has "$(grep -A1 'error: LQ040' <<<"$out")" "$1" "$2: and says what becomes of it"
}

for type in classic quorum; do
    new_vhost
    policy '\.v2' '{"expires":1500}'
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q' \
        'retry_backoff_millis = 5000'
    sends '5 acked, 0 nacked, 0 returned' "$type: five retries are confirmed" \
        "$retry" q.retry.5000ms 5
    sends '5 acked, 0 nacked, 0 returned' "$type: and five dead letters" \
        orders.dlx.v2 q 5
    ok "$type: the idle bucket is deleted" gone q.retry.v2.5000ms
    ok "$type: the dead-letter queue too" gone q.dlq.v2
    sleep 4
    left=$(ready q q.retry.v2.5000ms q.dlq.v2)
    is "$left" '0 gone gone' "$type: no retry comes back"
    evidence "$type: policy expires 1500, 5 retries of 5000 ms and 5 dead letters:" \
        "main queue, bucket and dead-letter queue: $left"
    warns 'a bucket never has a consumer, so the broker deletes it with the retries that wait in it' \
        "$type: expires of a bucket"
    warns 'the broker deletes the queue with its dead letters' \
        "$type: expires of a dead-letter queue"

    new_vhost
    policy '^q$' '{"expires":1500}' operator-policies
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q'
    messages publish orders q 5 >/dev/null
    warns "operator policy 'p$policy_number' puts expires = 1500 in force for 'q' (planned: none): the broker deletes the queue with its messages" \
        "$type: expires of a main queue"
    ok "$type: a main queue without consumers is deleted with its messages" gone q

    new_vhost
    policy '\.dlq\.' '{"message-ttl":500}'
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q'
    messages publish orders.dlx.v2 q 5 >/dev/null
    ok "$type: a message TTL deletes dead letters" empties q.dlq.v2
    evidence "$type: policy message-ttl 500 on the dead-letter queue, 5 dead letters:" \
        "$(ready q.dlq.v2) left"
    warns 'the broker deletes dead letters that wait longer' \
        "$type: message-ttl of a dead-letter queue"
done

new_vhost
policy '\.dlq\.' '{"max-length":2,"overflow":"drop-head"}'
deploy 'queue_type = quorum' '[queue:q]' 'routing_key = q'
messages publish orders.dlx.v2 q 5 >/dev/null
holds '2' 'quorum: a lower bound deletes dead letters where the head is dropped' \
    q.dlq.v2
warns 'the broker deletes the oldest dead letters above that bound' \
    'quorum: max-length with drop-head'
done_testing
