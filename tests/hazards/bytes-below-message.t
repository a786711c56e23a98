#!/bin/bash
#
# A bound in bytes below one message: a classic queue refuses every such message,
# though it is empty, and a quorum queue all but one at a time. What a classic
# main queue rejects into such a dead-letter queue is lost.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# tight KEY: deploys a queue with that bound.
tight() {
    new_vhost
    deploy "queue_type = $type" '[queue:q]' 'routing_key = q' "$1 = 1000"
}

refuses() {
    is "$(messages publish "$2" "$3" 5 2000)" "$taken acked, $((5 - taken)) nacked, 0 returned" \
        "$type: $1 takes $taken of five messages of 2000 bytes"
}

for type in classic quorum; do
    taken=0
    [[ $type == classic ]] || taken=1
    tight retention.main_max_bytes
    refuses main_max_bytes orders q
    is "$(takes q 9)" "$taken" "$type: the queue is emptied"
    refuses 'main_max_bytes, empty again,' orders q
    evidence "$type: an empty queue of main_max_bytes 1000 took $(ready q) of 5" \
        'messages of 2000 bytes'

    tight retention.retry_bucket_max_bytes
    refuses retry_bucket_max_bytes "$retry" q.retry.500ms

    tight retention.dead_letter_max_bytes
    messages publish orders q 5 2000 >/dev/null
    is "$(messages see q 5 drop)" 5 "$type: five such messages are rejected"
    holds "$((taken * 5))" "$type: dead_letter_max_bytes lets so many in" q.dlq.v2
    evidence "$type: of 5 messages of 2000 bytes, rejected, a dead-letter queue of" \
        "dead_letter_max_bytes 1000 holds $(ready q.dlq.v2)"
done
done_testing
