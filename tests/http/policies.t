#!/bin/bash
#
# Policies on their way to a management API that takes one, and then goes wrong:
# what was written is told, and running it again would go on.

. "${BASH_SOURCE[0]%/*}/lib.sh"

cat >lilyq.ini <<'END'
[defaults]
exchange_name = orders
retention.main_max_messages = 1000
retention.main_max_bytes = 1000000
retention.retry_bucket_max_messages = 100
retention.retry_bucket_max_bytes = 100000
retention.dead_letter_max_messages = 500
retention.dead_letter_max_bytes = 500000

[queue:a]
routing_key = a
queue_type = quorum

[queue:b]
routing_key = b
END

export LILYQ_PASSWORD=$password

# Nothing listens for AMQP.
apply() {
    run "$lilyq" apply --policies --dlq-retention 1d -o json \
        --url amqp://someone@127.0.0.1:1/a%2Fb --management-url "http://127.0.0.1:$port" "$@"
    hasnt "$out$err" "$password" 'the password is not shown'
}
results() {
    jq -c '[.ending, (.policies[] | .result)]' "$out_file"
}

peer good
apply
exits 5 'without a broker for the rest, it is partly applied'
is "$(results)" '["partly","created","created","created"]' 'the policies are set'
is "$(sed -n 's/^PUT \(.*\) HTTP.*/\1/p' requests)" \
    '/api/policies/a%2Fb/lilyq-at-least-once
/api/policies/a%2Fb/lilyq-dlq
/api/policies/a%2Fb/lilyq-dlq-classic' 'each once, at a path that is encoded'
is "$(grep -ci '^content-type: application/json' requests)" 3 'as JSON'
is "$(grep -ci '^expect:' requests)" 0 'without waiting for leave'
is "$(awk '/^\{/ { on = 1 } on; /^\}/ { on = 0 }' requests | jq -cs '.[]')" \
    '{"pattern":"^(a)\\z","apply-to":"queues","priority":0,"definition":{"dead-letter-strategy":"at-least-once"}}
{"pattern":"^(a\\.dlq\\.v2)\\z","apply-to":"queues","priority":0,"definition":{"message-ttl":86400000}}
{"pattern":"^(b\\.dlq\\.v2)\\z","apply-to":"queues","priority":0,"definition":{"message-ttl":86400000}}' \
    'with what the API takes'
is "$(jq -c '[.exchanges[], .queues[], .bindings[] | .result] | unique' \
    "$out_file")" '["not_done"]' 'and nothing else is done'
like "$err" 'partly applied: created 0 exchanges, 0 queues, 0 bindings, set 3 policies' \
    'which is told'
end_peer

rm requests
peer good
apply --dry-run
exits 3 'a dry run'
is "$(results)" '["dry_run","pending","pending","pending"]' \
    'says what it would set'
hasnt "$(<requests)" 'PUT ' 'and sets nothing'
end_peer

# fails MODE STATUS RESULT MESSAGE
fails() {
    peer "$1"
    apply
    exits "$2" "$1: exit status"
    is "$(results)" "[\"partly\",\"created\",\"$3\",\"not_done\"]" \
        "$1: the second is $3, the third not tried"
    has "$err" "$4" "$1: says why"
    has "$err" 'partly applied: created 0 exchanges, 0 queues, 0 bindings, set 1 policy' \
        "$1: and what is done"
    end_peer
}
fails put400 5 failed "policy 'lilyq-dlq': management API "
has "$err" 'it refuses: Validation failed\x0a\x0apattern is odd\x0a (400)' \
    'in words of the API'
is "$(jq -c '.policies[1].code' "$out_file")" 400 'with the status of HTTP'
fails put401 5 failed \
    'access is refused: User not authorised to access policies (401); the user needs the tag policymaker'
fails put500 5 uncertain 'it failed: it broke (500)'
fails puthangup 5 uncertain 'the peer hung up without an answer'
fails putcut 5 uncertain 'the answer broke off'
fails put302 5 failed 'it redirects'

# --- before anything is set -------------------------------------------------------

rm -f requests
peer blind
apply
exits 1 'policies that are not shown are a failure'
like "$err" 'the management API does not show policies to this user, who needs the tag policymaker' \
    'which is told'
hasnt "$(<requests)" 'PUT ' 'and nothing is set'
end_peer

run "$lilyq" apply --policies --url amqp://h
exits 2 'policies need a management API'
is "$err" 'lilyq: setting policies needs the URL of the management API, and a preflight' \
    'and that is told'

done_testing
