#!/bin/bash
#
# The names of a virtual host and of a queue may have 255 bytes each, with quorum
# queues too; 256 are refused.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# long TEXT BYTES: the text, made so long.
long() {
    printf "%-$2s" "$1" | tr ' ' x
}

at_exit 'api DELETE "vhosts/$vhost"'
for type in classic quorum; do
    vhost=$(long "test-$$-$type" 255)
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

    for bytes in 255 256; do
        name=$(long "$bytes" $bytes)
        code=$(curl -s -m 30 -u "$BROKER_USER:$BROKER_PASSWORD" -X PUT \
            -H 'content-type: application/json' -o answer -w '%{http_code}' \
            -d "{\"durable\":true,\"arguments\":{\"x-queue-type\":\"$type\"}}" \
            "http://127.0.0.1:$BROKER_API_PORT/api/queues/$vhost/$name")
        evidence "$type: a queue of $bytes bytes there: $code $(<answer)"
        is "$code" "$([[ $bytes == 255 ]] && echo 201 || echo 400)" \
            "$type: a queue of $bytes bytes"
    done
    sends '1 acked, 0 nacked, 0 returned' "$type: a message of the longest name" \
        '' "$(long 255 255)" 1
    is "$(takes "$(long 255 255)" 9)" 1 "$type: is there"
    [[ $type == quorum ]] || api DELETE "vhosts/$vhost"
done
done_testing
