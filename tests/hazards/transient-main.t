#!/bin/bash
#
# A main queue that is not durable is not there after a restart of the broker, and
# what its durable buckets return then is dropped. From 4.0 a broker can be set to
# refuse such queues: the connection then ends, and one that has such a queue
# does not even start (4.3).

unset BROKER_PORT # a node of its own, to be restarted
. "${BASH_SOURCE[0]%/*}/lib.sh"

setting=deprecated_features.permit.transient_nonexcl_queues

is_warned() {
    local i
    for ((i = 0; i < 50; i++)); do
        # shellcheck disable=SC2016 # the quotes of the log
        ! grep -qs '`transient_nonexcl_queues` is deprecated' \
            "$BROKER_DIR"/log/*.log || return 0
        sleep 0.1
    done
    return 1
}

restart() {
    node_end "$BROKER_DIR/server"
    node_boot "$BROKER_DIR"
    node_await "$BROKER_DIR" 2>>boot
}

new_vhost
deploy '[queue:q]' 'routing_key = q' 'durable = false' \
    'retry_backoff_millis = 40000' \
    '[queue:kept]' 'routing_key = kept' 'retry_backoff_millis = 40000'
warned=no
! at_least 4.0 || ! is_warned || warned=yes
is "$warned" "$(at_least 4.0 && echo yes || echo no)" 'the log warns of it from 4.0'
for name in q kept; do
    sends '5 acked, 0 nacked, 0 returned' "five retries of $name are confirmed" \
        "$retry" "$name.retry.40000ms" 5
done
ok 'the broker starts again' restart
is "$(ready q kept)" 'gone 0' 'the queue is gone'
isnt "$(messages await kept 5 120)" never 'the retries of the durable queue come'
ok 'the others leave their bucket' empties q.retry.v2.40000ms
apply -q lilyq.ini
exits 0 'the queue is declared again'
sleep 0.5
left=$(ready q q.retry.v2.40000ms q.dlq.v2)
is "$left" '0 0 0' 'and nothing is in any of its queues'
evidence "$((5 - $(sum "$left"))) of 5 retries lost after a restart; of those of a" \
    "durable queue $((5 - $(ready kept))); a warning in the log: $warned"

if at_least 4.0; then
    echo "$setting = false" >>"$BROKER_DIR/rabbitmq.conf"
    if at_least 4.3; then
        not_ok 'set to permit none, a broker that has one does not start' restart
        like "$(<boot)" 'failed_to_deny_deprecated_features' 'and says why'
        evidence "$(grep -ho 'failed_to_deny.*transient_nonexcl_queues' boot)"
        sed -i '$d' "$BROKER_DIR/rabbitmq.conf"
        ok 'set back, it does' restart
        echo "$setting = false" >>"$BROKER_DIR/rabbitmq.conf"
    fi
    # 4.0 still has the one that was declared
    ok 'set to permit none, it starts' restart
    is "$(ready q)" gone 'and has none'
    apply -q lilyq.ini
    isnt "$status" 0 'the queue is refused'
    like "$err" 'closed the connection.*\(541\)' 'and the connection closed'
    evidence "$setting = false: exit $status," \
        "$(grep -o 'the broker closed.*' <<<"$err")"
fi
done_testing
