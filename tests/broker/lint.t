#!/bin/bash
#
# lilyq lint with a broker to look at: its version, policies and bindings, through
# the management API and from what it exports. Nothing is written.

. "${BASH_SOURCE[0]%/*}/lib.sh"

management=http://127.0.0.1:$BROKER_API_PORT
version=$(cut -d . -f 1-2 <<<"$release")

# rule KIND NAME PATTERN JSON [PRIORITY]: sets a policy or operator policy.
rule() {
    api PUT "$1/$vhost/$2" "$(jq -cn --arg pattern "$3" --argjson definition "$4" \
        --argjson priority "${5:-1}" \
        '{$pattern, $definition, $priority, "apply-to": "queues"}')" ||
        bail_out "no policy $2"
}

managed() {
    run "$lilyq" lint -o json --management-url "$management" --url "$url" "$@"
}

exported() {
    api GET "definitions/$vhost" >exported.json
    run "$lilyq" lint -o json --definitions exported.json "$@"
}

# codes: of what was found last.
codes() {
    jq -r '[.findings[].code] | join(" ")' "$out_file"
}

# finds WANT NAME: from both sources; nothing is written
finds() {
    definitions before.json
    managed lilyq.ini
    is "$(codes)" "$1" "$2: through the management API"
    is "$(jq -r .broker_version "$out_file")" "$version" \
        "$2: the version is the broker's"
    exported lilyq.ini
    is "$(codes)" "$1" "$2: in what it exports"
    definitions after.json
    same after.json before.json "$2: nothing is written"
}

new_vhost
queue orders.created 'retry_attempts = 3' 'queue_type = quorum' \
    'max_message_size_bytes = 1000' >lilyq.ini
limits=''
! at_least 4.0 || limits='LQ016 '
finds "${limits}LQ002${limits:+ LQ015}" 'what is not declared yet'
apply -q lilyq.ini
exits 0 'the topology is declared'
finds "${limits}LQ002${limits:+ LQ015}" 'what has no policy'

"$lilyq" policies --vhost "$vhost" --broker-version "$version" lilyq.ini \
    2>/dev/null | jq -c '.policies[]' >policies.jsonl
while IFS= read -r policy; do
    rule policies "$(jq -r .name <<<"$policy")" "$(jq -r .pattern <<<"$policy")" \
        "$(jq -c .definition <<<"$policy")"
done <policies.jsonl
isnt "$(wc -l <policies.jsonl)" 0 'lilyq has policies for it'
finds "${limits:+LQ015 }LQ033 LQ039" 'what has those of lilyq'

rule policies stranger '^orders\.created$' '{"overflow":"drop-head"}' 2
finds "LQ034${limits:+ LQ015} LQ033" 'what a policy drops'
api DELETE "policies/$vhost/stranger"

rule operator-policies short '\.retry\.' '{"message-ttl":500}'
managed lilyq.ini
is "$(codes)" "LQ040${limits:+ LQ015} LQ033 LQ039" \
    'what an operator policy shortens: through the management API'
has "$(jq -r '.findings[0].text' "$out_file")" \
    "operator policy 'short' puts message-ttl = 500 in force for 'orders.created.retry.v2.1000ms' (planned: 1000) and 2 more of the entry: retries come back sooner than planned, and a classic bucket deletes those that the main queue has no room for" \
    'and it is told whose doing it is'
is "$(jq -r '.findings[0].severity' "$out_file")" error 'as an error'
api DELETE "operator-policies/$vhost/short"

declare_queue audit '{"durable":true}'
api POST "bindings/$vhost/e/orders/q/audit" '{"routing_key":"orders.created"}' \
    >/dev/null
finds "LQ036${limits:+ LQ015} LQ033 LQ039" 'what another queue gets'

run "$lilyq" lint --management-url "$management" --url "${url/@/:wrong@}" lilyq.ini
exits 1 'a password that is wrong is a failure'
is "$out" '' 'and nothing is printed'
no_password_shown
done_testing
