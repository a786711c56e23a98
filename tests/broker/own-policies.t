#!/bin/bash
#
# What becomes of the policies that `lilyq apply --policies` sets: diff --policies
# finds what is gone, changed or in vain, apply --policies mends it, and lint
# --policies says beforehand what a broker is like then.

. "${BASH_SOURCE[0]%/*}/lib.sh"

management=http://127.0.0.1:$BROKER_API_PORT
queue k 'retry_attempts = 2' 'queue_type = quorum' \
    'max_message_size_bytes = 1000' >lilyq.ini
queue c | sed 's/= orders/= classic/' >>lilyq.ini
options=(--policies --dlq-retention 7d)

harden() {
    apply --management-url "$management" "$@"
}

# look [ARGUMENT...]: compares through the management API.
look() {
    run "$lilyq" diff -o json --management-url "$management" --url "$url" "$@"
}

# findings: "code name field" of each in the JSON printed last
findings() {
    jq -r '.findings[] | [.code, .name, .field // "-"] | join(" ")' "$out_file"
}

# finds WANT NAME: from the management API and from what the broker exports.
finds() {
    look "${options[@]}" lilyq.ini
    exits "$([[ $1 ]] && echo 3 || echo 0)" "$2"
    is "$(findings)" "$1" "$2: through the management API"
    cp "$out_file" document.json
    run /usr/bin/python3 -m jsonschema -i document.json \
        "$root/man/lilyq-diff.schema.json"
    exits 0 "$2: in a document as its schema says"
    api GET definitions >exported.json
    run "$lilyq" diff -o json --definitions exported.json --vhost "$vhost" \
        "${options[@]}" lilyq.ini
    is "$(findings)" "$1" "$2: in what it exports"
}

# mends NAME
mends() {
    harden "${options[@]}" lilyq.ini
    exits 0 "$1: apply --policies mends it"
    finds '' "$1: then it is in sync"
}

rule() {
    api PUT "policies/$vhost/$1" "$2" || bail_out "no policy $1"
}

# rewrite NAME FILTER: changes a policy.
rewrite() {
    rule "$1" "$(api GET "policies/$vhost/$1" |
        jq -c "{pattern, priority, definition, \"apply-to\": .[\"apply-to\"]} | $2")"
}

new_vhost
harden lilyq.ini
exits 0 'the topology is declared without policies'
look lilyq.ini
exits 0 'which is as planned as long as nobody asks for policies'
has "$err" "; its policies were not compared ('--policies')" 'which is told'
finds 'own-policy-missing lilyq-at-least-once -
own-policy-missing lilyq-dlq -
own-policy-missing lilyq-dlq-classic -' 'policies that were never set'
mends 'what was never set'

api DELETE "policies/$vhost/lilyq-dlq"
finds 'own-policy-missing lilyq-dlq -' 'one that was deleted'
mends 'what was deleted'
rewrite lilyq-at-least-once '.pattern = "^k$"'
rewrite lilyq-dlq '.definition["message-ttl"] = 5000'
rewrite lilyq-dlq-classic '.priority = 4 | ."apply-to" = "all"'
finds 'own-policy-different lilyq-at-least-once pattern
own-policy-different lilyq-dlq message-ttl
own-policy-different lilyq-dlq-classic apply-to
own-policy-different lilyq-dlq-classic priority' 'those that were changed'
run "$lilyq" diff --management-url "$management" --url "$url" "${options[@]}" lilyq.ini
has "$out" "  ~ policy 'lilyq-dlq': message-ttl is 5000, plan says 604800000
  ~ policy 'lilyq-dlq-classic': apply-to is 'all', plan says 'queues'" 'in words'
has "$out" "'lilyq apply --policies' sets it as planned" 'with what to do'
mends 'what was changed'

look --policies lilyq.ini
is "$(findings)" "$(at_least 4.0 && echo 'own-policy-different lilyq-dlq message-ttl' ||
    echo 'own-policy-orphaned lilyq-dlq -')
own-policy-orphaned lilyq-dlq-classic -" 'options that they were not set with are drift'

rule strict '{"pattern":"dlq","priority":5,"apply-to":"queues","definition":{"max-length":100000000}}'
finds 'own-policy-shadowed lilyq-dlq -
own-policy-shadowed lilyq-dlq-classic -' 'another policy in their place'
harden "${options[@]}" lilyq.ini
exits 4 'which is a conflict for apply'
options+=(--priority 6)
mends 'by a greater priority'
api DELETE "policies/$vhost/strict"

# As lint sees it.
lint() {
    run "$lilyq" lint -o json --management-url "$management" --url "$url" "$@" lilyq.ini
    jq -r '[.findings[] | select(.queue == "k") | .code] | join(" ")' "$out_file"
}
limit=''
! at_least 4.0 || limit='LQ015 '
is "$(lint)" "${limit}LQ033 LQ039" 'lint looks at those in force'
for name in lilyq-at-least-once lilyq-dlq lilyq-dlq-classic; do
    api DELETE "policies/$vhost/$name"
done
bare=$(at_least 4.0 && echo 'LQ016 LQ002 LQ015' || echo LQ002)
is "$(lint)" "$bare" 'not at those that are planned'
is "$(lint --policies)" "${limit}LQ033 LQ039" \
    'with --policies at those that there would be'

# [broker] policies
{ cat lilyq.ini; printf '[broker]\npolicies = yes\n'; } >wanted.ini
look wanted.ini
exits 3 'a file may ask for them'
harden wanted.ini
exits 0 'so that apply sets them'
is "$(api GET "policies/$vhost" | jq length)" "$(at_least 4.0 && echo 2 || echo 1)" \
    'all of them'
look wanted.ini
exits 0 'which is in sync'
is "$(jq .policies "$out_file")" true 'policies included'
look --no-policies wanted.ini
is "$(jq .policies "$out_file")" false 'unless told not to look'

# Where they cannot be seen.
run "$lilyq" diff -o json --policies --url "$url" lilyq.ini
is "$(findings | grep own-policy)" 'own-policy-unverified lilyq-at-least-once -
own-policy-unverified lilyq-dlq -' 'over AMQP they are unverified'

no_password_shown
done_testing
