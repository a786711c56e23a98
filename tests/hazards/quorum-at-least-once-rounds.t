#!/bin/bash
#
# With at-least-once dead-lettering, by the policies of lilyq, a quorum queue keeps
# what its full target refuses, and offers it again after three minutes: at first
# only what was refused that long ago, the rest in the round after (which is shown
# by quorum-at-least-once-timeout.t).

. "${BASH_SOURCE[0]%/*}/lib.sh"

# at_least_once LINE...: deploys a queue with that strategy.
at_least_once() {
    new_vhost
    harden 'queue_type = quorum' '[queue:q]' 'routing_key = q' "$@"
}

# three_minutes SECONDS
three_minutes() {
    [[ $1 != never ]] && awk -v t="$1" 'BEGIN { exit !(t >= 120 && t <= 220) }'
}

at_least_once 'retention.main_max_messages = 5'
vhost_of_main=$vhost
messages publish orders q 9 >/dev/null
full=$(ready q)
messages publish "$retry" q.retry.500ms 5 >/dev/null

at_least_once 'retention.dead_letter_max_messages = 5'
messages publish orders.dlx.v2 q 9 >/dev/null
full_dlq=$(ready q.dlq.v2)
messages publish orders q 5 >/dev/null
is "$(messages see q 5 drop)" 5 'five messages are rejected'

sleep 3
is "$(ready q.dlq.v2)" "$full_dlq" 'the dead-letter queue keeps to its bound'
is "$(takes q.dlq.v2 9)" "$full_dlq" 'and has room again'
messages await q.dlq.v2 1 240 >dlq.took &
pids=($!)
vhost_of_dlq=$vhost vhost=$vhost_of_main
is "$(ready q)" "$full" 'the main queue keeps to its bound'
is "$(takes q 9)" "$full" 'and has room again'
messages await q 1 240 >main.took &
pids+=($!)
wait "${pids[@]}"

ok 'a retry comes about three minutes later' three_minutes "$(<main.took)"
evidence "bucket to main queue: $(ready q) of 5 came $(<main.took) s after there" \
    'was room'
vhost=$vhost_of_dlq
ok 'and so does a dead letter' three_minutes "$(<dlq.took)"
evidence "main queue to dead-letter queue: $(ready q.dlq.v2) of 5 came" \
    "$(<dlq.took) s after there was room"
done_testing
