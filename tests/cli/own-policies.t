#!/bin/bash
#
# lilyq's own policies as a part of the plan: what diff --policies finds of them
# in definitions and between plans, what lint --policies takes for set, and
# [broker] policies. What a broker does with them is in tests/broker/policies.t.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

cat >lilyq.ini <<'INI'
[defaults]
queue_type = quorum
retry_attempts = 2
retention.main_max_messages = 1000
retention.main_max_bytes = 1073741824
retention.retry_bucket_max_messages = 1000
retention.retry_bucket_max_bytes = 268435456
retention.dead_letter_max_messages = 1000
retention.dead_letter_max_bytes = 268435456

[queue:a]
exchange_name = orders
routing_key = a

[queue:b]
exchange_name = orders
routing_key = b
INI
options=(--priority 3 --dlq-retention 7d --policy-name shop)
"$lilyq" plan -q -o definitions --policies --broker-version 4.0 "${options[@]}" \
    lilyq.ini | jq '{rabbit_version: "4.0.5", parameters: []} + .' >all.json

# changed FILTER [ARGUMENT...]: these definitions with a change, compared with
# policies.
changed() {
    jq "$1" all.json >changed.json || bail_out "no such change: $1"
    run "$lilyq" diff --definitions changed.json --policies "${options[@]}" "${@:2}"
}

# findings: "kind code name field planned actual", of the JSON printed last
findings() {
    jq -r '.findings[] | [.kind, .code, .name, .field // "-",
        .planned.value // "-", .actual.value // "-"] | join(" ")' "$out_file"
}

valid() {
    cp "$out_file" document.json
    run /usr/bin/python3 -m jsonschema -i document.json "$root/man/lilyq-diff.schema.json"
    exits 0 "$1"
}

# --- diff --policies ------------------------------------------------------------------

changed .
exits 0 'policies that are there as planned are in sync'
is "$err" "lilyq: in sync: changed.json vhost '/' holds what is planned" \
    'by the summary'
run "$lilyq" diff --definitions changed.json
is "$err" "lilyq: in sync: changed.json vhost '/' holds what is planned; its policies were not compared ('--policies')" \
    'which tells when nobody looked for them'
run "$lilyq" diff --definitions changed.json -o json
is "$(jq .policies "$out_file")" false 'and so does the document'
sed 's/= quorum/= classic/' lilyq.ini >classic.ini
"$lilyq" plan -q -o definitions classic.ini | jq '. + {policies: []}' >classic.json
run "$lilyq" diff --definitions classic.json classic.ini
hasnt "$err" 'not looked for' 'but not of a plan that has none'

changed '.policies = []'
exits 3 'policies that are gone are drift'
is "$out" "policies
  + policy 'lilyq-shop-at-least-once'
  + policy 'lilyq-shop-dlq'

What to do
  + 2: 'lilyq apply --policies' sets it" 'each of them is told'
is "$err" "lilyq: drift: 2 missing; looked at changed.json vhost '/'" 'and counted'
changed '.policies[1] |= (.pattern = "^x$" | ."apply-to" = "all" | .priority = 0
    | .definition = {"delivery-limit": 7, "max-length": 9})'
exits 3 'a policy that is otherwise is drift'
is "$out" "policies
  ~ policy 'lilyq-shop-dlq': pattern is '^x\$', plan says '^([ab]\\.dlq\\.v2)\\z'
  ~ policy 'lilyq-shop-dlq': apply-to is 'all', plan says 'queues'
  ~ policy 'lilyq-shop-dlq': priority is 0, plan says 3
  ~ policy 'lilyq-shop-dlq': delivery-limit is 7, plan says -1
  ~ policy 'lilyq-shop-dlq': message-ttl is not set, plan says 604800000
  ~ policy 'lilyq-shop-dlq': max-length is 9, plan does not set it

What to do
  ~ 6: 'lilyq apply --policies' sets it as planned" 'in each field and key'
changed '.policies[1].definition["delivery-limit"] = 7' -o json
is "$(findings)" 'different own-policy-different lilyq-shop-dlq delivery-limit -1 7' \
    'which the document has as well'
is "$(jq -c '[.policies, .drift, .findings[0].in_place, .findings[0].resource]' \
    "$out_file")" '[true,true,true,"policy"]' 'as one that can be mended in place'
valid 'by its schema'
long=$(printf 'queue-%03d|' {1..99})
changed ".policies[1].pattern = \"^(${long}x)\$\""
like "$(grep 'pattern is' <<<"$out")" "^.{1,300}\$" 'a long pattern is cut'
has "$out" "pattern is '^(queue-001|" 'at where it differs'
has "$out" "...', plan says '^([ab]\\.dlq\\.v2)\\z'" 'and says that it was'

changed '.policies += [.policies[1] | .name = "lilyq-shop-dlq-2" | .pattern = "^z$"]'
exits 3 'one that is no longer planned is drift'
has "$out" "  - policy 'lilyq-shop-dlq-2': no longer planned" 'by its name'
has "$out" 'give the options that it was set with, or delete it by hand' \
    'with what to do'
changed '.policies += [.policies[1] | .name = "lilyq-other-dlq" | .pattern = "^z$"]'
exits 0 'one of another name is none of ours'

other='{vhost: "/", name: "strict", pattern: "dlq", priority: 9, "apply-to": "queues"}'
changed ".policies += [$other + {definition: {\"message-ttl\": 99999999999}}]" -o json
exits 3 'another policy in force in its place is drift'
is "$(jq -c '.findings[] | select(.code == "own-policy-shadowed")
    | [.kind, .name, .queue, .queues, .policy.name, .policy.priority]' "$out_file")" \
    '["shadowed","lilyq-shop-dlq","a.dlq.v2",2,"strict",9]' \
    'with the queues that it takes'
valid 'by the schema'
changed ".policies += [$other + {definition: {\"message-ttl\": 99999999999}}]"
has "$out" "  ! policy 'lilyq-shop-dlq': policy 'strict' of priority 9 is in force in its place for queue 'a.dlq.v2' and 1 other" \
    'and in words'
changed ".policies += [$other + {pattern: \"(\", definition: {\"message-ttl\": 9}}]"
has "$out" "  ? policy 'lilyq-shop-dlq': policy 'strict' of priority 9 may be in force in its place for queue 'a.dlq.v2' and 1 other" \
    'and so is one of which that cannot be told'
changed '.policies[1].pattern = "^c" | .queues += [.queues[0] | .name = "c.dlq.v2"]'
has "$out" "  ~ policy 'lilyq-shop-dlq': it is not as planned, and in force for queue 'c.dlq.v2', which the plan does not have" \
    'one that may be of another topology is not to be mended'
hasnt "$out" 'sets it as planned' 'as apply would not'

changed 'del(.rabbit_version, .policies[1])'
exits 3 'what any broker should have is drift where its version is not known'
run "$lilyq" diff --definitions changed.json --policies --policy-name shop --priority 3
exits 0 'what an old broker need not have is not drift where its version is not known'
has "$out" "  ? policy 'lilyq-shop-dlq': delivery-limit is not shown, plan says -1" \
    'but unverified'
run "$lilyq" diff --definitions all.json --policies --priority 3 --policy-name shop
exits 3 'options that it was not set with are drift'
is "$(grep '^  ~ policy' <<<"$out")" \
    "  ~ policy 'lilyq-shop-dlq': message-ttl is 604800000, plan does not set it" 'as it says'
changed 'del(.policies)'
exits 0 'what is not listed is not drift'
is "$(grep "^  ? policy 'lilyq" <<<"$out")" "  ? policy 'lilyq-shop-at-least-once': not shown
  ? policy 'lilyq-shop-dlq': not shown" 'but unverified'
has "$err" 'in sync as far as can be seen: 3 unverified' 'by the summary'

changed 'del(.policies[0])' -o junit
is "$(grep -c '<testcase.* name="policies"' <<<"$out") $(grep -c '<failure' <<<"$out")" \
    '1 1' 'JUnit has a test for policies'
changed . -o junit
is "$(grep -c '<testcase.* name="policies"' <<<"$out") $(grep -c '<failure' <<<"$out")" \
    '1 0' 'which passes when they are as planned'
changed 'del(.policies[0])' -o github
is "$out" "::error title=policies%3A own policy missing::policy 'lilyq-shop-at-least-once'%0A'lilyq apply --policies' sets it" \
    'GitHub has an annotation'
changed 'del(.policies[0])' --fail-on different
exits 0 'what --fail-on leaves out ends with 0'

# --- between plans ---------------------------------------------------------------------

sed '/^\[queue:b/,$d' lilyq.ini >old.ini
run "$lilyq" diff --against old.ini --policies
exits 3 'a change of plans changes policies'
has "$out" "policies
  ~ policy 'lilyq-at-least-once': pattern was '" 'of which each is told'
has "$out" "'lilyq apply --policies' sets it anew, and queues that are no longer planned lose it" \
    'and what that means'
run "$lilyq" diff --against old.ini
has "$err" "; its policies were not compared ('--policies')" \
    'the summary tells when nobody asked'
run "$lilyq" diff --against classic.ini --policies -o json
is "$(findings | grep own-policy)" 'missing own-policy-created lilyq-at-least-once - - -
missing own-policy-created lilyq-dlq - - -' 'some are created'
valid 'by the schema'
run "$lilyq" diff --against lilyq.ini --policies -o json classic.ini
is "$(findings | grep own-policy)" 'unexpected own-policy-orphaned lilyq-at-least-once - - -
unexpected own-policy-orphaned lilyq-dlq - - -' 'some are left'
run "$lilyq" diff --against lilyq.ini --policies
exits 0 'the same plan has the same ones'
sed 's/^routing_key = b/&\nprefetch_count = 7/' lilyq.ini >same.ini
run "$lilyq" diff --against same.ini
hasnt "$err" 'not looked for' 'and then nothing needs to be said of them'

# --- lint --policies -------------------------------------------------------------------

# codes [ARGUMENT...]: of what lint finds
codes() {
    run "$lilyq" lint -o json "$@"
    jq -r '[.findings[].code] | unique | join(" ")' "$out_file"
}

is "$(codes lilyq.ini)" 'LQ002 LQ015 LQ016' 'without policies there are hazards'
is "$(codes --policies lilyq.ini)" 'LQ015 LQ033 LQ039' 'of which policies mend some'
is "$(codes --policies --broker-version 3.10 lilyq.ini)" 'LQ033 LQ039' \
    'whatever the version'
is "$(codes --policies classic.ini)" "$(codes classic.ini)" 'classic queues have none'
is "$(codes --policies --dlq-delivery-limit 3 lilyq.ini)" 'LQ015 LQ016 LQ033 LQ039' \
    'a delivery limit that is asked for is a hazard still'
jq '.policies = []' all.json >bare.json
is "$(codes --definitions bare.json lilyq.ini)" 'LQ002 LQ015 LQ016' \
    'a broker without them has them too'
is "$(codes --definitions bare.json --policies lilyq.ini)" 'LQ015 LQ033 LQ039' \
    'and is judged as they would leave it'
jq ".policies = [$other + {definition: {\"max-length\": 9, \"overflow\": \"drop-head\"}}]" \
    all.json >strict.json
is "$(codes --definitions strict.json --policies lilyq.ini)" \
    'LQ015 LQ016 LQ033 LQ034 LQ039 LQ040' 'where another one wins, it counts'
is "$(codes --definitions strict.json --policies --priority 10 lilyq.ini)" \
    'LQ015 LQ033 LQ039' 'unless ours does'

# --- [broker] policies -------------------------------------------------------------------

for answer in yes true; do
    { cat lilyq.ini; printf '[broker]\npolicies = %s\n' "$answer"; } >wanted.ini
    run "$lilyq" diff --definitions bare.json wanted.ini
    exits 3 "[broker] policies = $answer makes diff look for them"
    is "$(codes wanted.ini)" 'LQ015 LQ033 LQ039' 'and lint take them for set'
    run "$lilyq" diff --definitions bare.json --no-policies wanted.ini
    exits 0 '--no-policies wins over it'
    is "$(codes --no-policies wanted.ini)" 'LQ002 LQ015 LQ016' 'for lint too'
done
run "$lilyq" diff --definitions all.json "${options[@]}" wanted.ini
exits 0 'the other options then need no --policies'
run "$lilyq" diff --definitions all.json --no-policies --priority 3 wanted.ini
exits 2 'but are of no use with --no-policies'
run "$lilyq" apply --no-preflight wanted.ini
exits 2 'apply cannot do without a look then'
is "$err" "lilyq: '--no-preflight' needs '--no-policies', as the file has [broker] policies" \
    'and says so'
run "$lilyq" apply --url amqp://127.0.0.1:1 wanted.ini
exits 2 'nor without a management API'
has "$err" 'setting policies needs the URL of the management API, and a preflight' \
    'and says so'
run "$lilyq" apply --no-policies --url amqp://127.0.0.1:1 wanted.ini
exits 1 'but with --no-policies'
run "$lilyq" plan wanted.ini
same "$out_file" <("$lilyq" plan lilyq.ini) 'the plan is the same'
for answer in no false; do
    sed "s/^policies = .*/policies = $answer/" wanted.ini >unwanted.ini
    run "$lilyq" diff --definitions bare.json unwanted.ini
    exits 0 "[broker] policies = $answer is the default"
done
sed 's/^policies = .*/policies = maybe/' wanted.ini >bad.ini
run "$lilyq" plan bad.ini
exits 2 'anything else is an error'
has "$err" "[broker] 'policies' must be 'no' or 'yes' or 'false' or 'true', not 'maybe'" 'with its place'

done_testing
