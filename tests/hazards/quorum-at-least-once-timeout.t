#!/bin/bash
#
# The three minutes are dead_letter_worker_publisher_confirm_timeout, as a node
# shows where that is eight seconds: it is the pause between two rounds, and a
# round offers only what was refused that long before. The second has the rest.
# All of it needs an overflow of reject-publish in force.

unset BROKER_PORT # a node of its own
. "${BASH_SOURCE[0]%/*}/lib.sh"

node_ctl eval 'application:set_env(rabbit,
    dead_letter_worker_publisher_confirm_timeout, 8000).' >/dev/null ||
    bail_out 'the node cannot be set'

# full COMMAND: a full main queue, deployed by COMMAND, and five retries.
full() {
    new_vhost
    "$1" 'queue_type = quorum' '[queue:q]' 'routing_key = q' \
        'retention.main_max_messages = 5'
    messages publish orders q 9 >/dev/null
    before=$(ready q)
    messages publish "$retry" q.retry.500ms 5 >/dev/null
    sleep 2
    after=$(ready q)
}

full harden
is "$after" "$before" 'the main queue keeps to its bound'
is "$(takes q 9)" "$before" 'it has room again'
took=$(messages await q 1 30)
first=$(ready q)
isnt "$took" never 'retries come'
ok 'in the first round' test "${took%.*}" -le 12
rest=$(messages await q 5 30)
isnt "$rest" never 'and all of them: nothing is lost'
ok 'in the second' test "${rest%.*}" -le 12
evidence "a timeout of 8 s: $first of 5 came $took s after there was room, all 5" \
    "$rest s later"

by_drop_head() {
    policy '\.retry\.v2\.' \
        '{"dead-letter-strategy":"at-least-once","overflow":"drop-head"}'
    deploy "$@"
}
full by_drop_head
is "$after" "$((before + 5))" \
    'with a policy of drop-head too, the bound is passed: at-most-once'
evidence "at-least-once with a policy of drop-head: a bound of 5, filled with" \
    "$before, came to $after"
done_testing
