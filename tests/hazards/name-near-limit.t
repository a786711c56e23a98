#!/bin/bash
#
# The names of a virtual host and of a queue together may have far more than 255
# bytes, with quorum queues too: each has a limit of its own.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# long TEXT BYTES: the text, made so long.
long() {
    printf "%-$2s" "$1" | tr ' ' x
}

at_exit 'api DELETE "vhosts/$vhost"'
for type in classic quorum; do
    vhost=$(long "test-$$-$type" 200)
    url=amqp://$BROKER_USER@127.0.0.1:$BROKER_PORT/$vhost
    export LILYQ_PASSWORD=$BROKER_PASSWORD
    make_vhost "$vhost" || bail_out 'no vhost of a long name'
    allow "$BROKER_USER" '.*' '.*' '.*'
    name=$(long q 180)
    deploy "queue_type = $type" "[queue:$name]" 'routing_key = k'
    sends '1 acked, 0 nacked, 0 returned' "$type: a retry is published" \
        "$retry" "$name.retry.500ms" 1
    holds '1 0' "$type: and returns" "$name" "$name.retry.v2.500ms"
    evidence "$type: a queue of ${#name} bytes and its bucket of $((${#name} + 15))" \
        "in a virtual host of ${#vhost} work"
    [[ $type == quorum ]] || api DELETE "vhosts/$vhost"
done
done_testing
