#!/bin/bash
#
# Bindings that are not planned: a queue at the retry or dead-letter exchange gets
# a copy at once; what others publish to an exchange that a bucket, a dead-letter
# queue or the retry exchange is bound to is retried, or a dead letter.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# bind SOURCE KIND DESTINATION KEY: KIND is q or e.
bind() {
    api POST "bindings/$vhost/e/$1/$2/$3" "{\"routing_key\":\"$4\"}" >/dev/null ||
        bail_out "no binding from $1 to $3"
}

for type in classic quorum; do
    new_vhost
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q' \
        'retry_backoff_millis = 2000'
    declare_queue audit '{"durable":true}'
    declare_exchange others '{"type":"direct","durable":true}'
    bind orders q audit q
    bind "$retry" q audit q.retry.2000ms
    messages publish "$retry" q.retry.2000ms 1 >/dev/null
    holds '0 1' "$type: one at the retry exchange has a retry at once" q audit
    holds '1 2' "$type: one with the main key has it when it returns" q audit

    bind orders.dlx.v2 q audit q
    is "$(messages see q 1 drop)" 1 "$type: the message is rejected"
    holds '0 1 3' "$type: one at the dead-letter exchange has it too" \
        q q.dlq.v2 audit
    evidence "$type: one message, one retry, one reject: another queue of these" \
        "exchanges and keys has $(ready audit) of it"

    bind others q q.retry.v2.2000ms direct
    bind others e "$retry" q.retry.2000ms
    bind others q q.dlq.v2 dead
    for key in direct q.retry.2000ms dead; do
        sends '1 acked, 0 nacked, 0 returned' "$type: others publish with $key" \
            others "$key" 1
    done
    holds '2 0 2' "$type: two are retried, one is a dead letter" \
        q q.retry.v2.2000ms q.dlq.v2
    evidence "$type: of three that others published, main queue and dead-letter" \
        "queue got $(ready q) and 1"
done
done_testing
