#!/bin/bash
#
# Looking at a quorum dead-letter queue deletes what is looked at: from 4.0 the
# 21st look is the last, as a dead-letter queue has nowhere to send it.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# By HTTP, as the management interface's "get messages" does.
see_by_http() {
    local -r mode=$2
    local i got
    for ((i = 0; i < 30; i++)); do
        got=$(api POST "queues/$vhost/$1/get" "{\"count\":1,\"ackmode\":\"$mode\",
            \"encoding\":\"auto\"}" | jq length)
        [[ $got == 1 ]] || sleep 0.5
        [[ $got == 1 || $(ready "$1") != 0 ]] || break
    done
    echo "$i"
}

# The looks of this kind that are the 21st and last, by version.
deletes() {
    at_least 4.0 || return
    ! at_least 4.3 || [[ $1 =~ ^(reject|channel|connection|reject_requeue_true)$ ]]
}

look() {
    case $2 in
    *_true) see_by_http "$1" "$2" ;;
    *) messages see "$1" 30 "$2" ;;
    esac
}

hows=(reject nack recover channel connection ack_requeue_true reject_requeue_true)
looks=()
new_vhost
for how in "${hows[@]}"; do
    printf '%s\n' "[queue:$how]" "routing_key = $how"
done >entries
deploy 'queue_type = quorum' "$(<entries)"
for how in "${hows[@]}"; do
    messages publish orders.dlx.v2 "$how" 1 >/dev/null
    look "$how.dlq.v2" "$how" >"seen.$how" &
    looks+=($!)
done
wait "${looks[@]}"
for how in "${hows[@]}"; do
    seen=$(<"seen.$how")
    if deletes "$how"; then
        is "$seen" 21 "$how: seen 21 times"
        holds 0 "$how: then it is gone" "$how.dlq.v2"
    else
        is "$seen" 30 "$how: seen 30 times"
        holds 1 "$how: and still there" "$how.dlq.v2"
    fi
    evidence "quorum dead-letter queue, $how: seen $seen of 30 times, then it" \
        "holds $(ready "$how.dlq.v2")"
done

new_vhost
deploy '[queue:q]' 'routing_key = q'
messages publish orders.dlx.v2 q 1 >/dev/null
is "$(messages see q.dlq.v2 30 reject)" 30 'classic: there is no limit'
done_testing
