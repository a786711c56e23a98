#!/bin/bash
#
# The plans, permissions, policies and findings of all test data are as their
# schemas in man/ say.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

/usr/bin/python3 -c 'import jsonschema' 2>"$err_file" ||
    bail_out "python3-jsonschema is missing: $(<"$err_file")"

# refuses SUBJECT SCHEMA DOCUMENT: "EDIT|NAME" lines on standard input say what
# makes the document a wrong one. A schema that takes anything would prove
# nothing.
refuses() {
    local edit name names=()
    while IFS='|' read -r edit name; do
        jq "$edit" "$3" >"bad-${#names[@]}.json"
        names+=("$name")
    done
    run "$root/tests/lib/check_plans" "$lilyq" "$root/man/lilyq-$2.schema.json" \
        bad-*.json
    for edit in "${!names[@]}"; do
        has "$err" "bad-$edit.json: " "$1 not valid with ${names[edit]}"
    done
    rm bad-*.json
}

run_timeout=3000 # it is long under valgrind; tests/run has its own limit
run "$root/tests/lib/check_plans" "$lilyq" \
    "$root/man/lilyq-plan.schema.json" \
    "$root"/tests/data/plan/*/plan.json "$root"/tests/data/vectors/*.jsonl
exits 0 'every plan of the test data is valid'
like "$out" '^[1-9][0-9]* plans' 'and there are some'
diag "$out"

plan=$root/tests/data/plan/documented/plan.json
refuses 'a plan is' plan "$plan" <<'END'
.extra = 1|an unknown member
del(.warnings)|a member less
.format_version = 2|another version
.queues[0].extra = 1|an unknown member of a queue
del(.queues[0].role)|a queue without a role
.queues[0].arguments["x-max-length"] = "1"|a number as text
.queues[1].arguments["x-message-ttl"] = 1000.5|a fraction of a millisecond
.queues[1].arguments["x-unknown"] = 1|an unknown argument
del(.queues[0].arguments["x-dead-letter-routing-key"])|half a dead-letter target
.exchanges[0].type = "fanout"|another type of exchange
.bindings[0].arguments.a = 1|an argument of a binding
.logical_queues[0].delays_millis[0] = []|an attempt without a delay
.logical_queues[0].ownership = "mine"|an unknown ownership
END

run "$root/tests/lib/check_plans" "$lilyq" \
    "$root/man/lilyq-permissions.schema.json" \
    "$root"/tests/data/plan/*/permissions.json
exits 0 'all permissions of the test data are valid'
is "$out" "$(find "$root/tests/data/plan" -name input.ini | wc -l) plans" \
    'those of every plan'

permissions=$root/tests/data/plan/documented/permissions.json
refuses 'permissions are' permissions "$permissions" <<'END'
.extra = 1|an unknown member
del(.topology_version)|a member less
.format_version = 2|another version
.format = "lilyq-plan"|another format
.permissions[0].extra = 1|an unknown member of an account
del(.permissions[0].read)|a permission less
.permissions[0].role = "admin"|an unknown role
.permissions[0].user = ""|a user without a name
.permissions[0].write = ".*"|a pattern that is not anchored
END

for input in "$root"/tests/data/plan/*/input.ini; do
    folder=${input%/*}
    "$lilyq" policies -q --native-retry "$input" >"native-${folder##*/}.json"
done
run "$root/tests/lib/check_plans" "$lilyq" \
    "$root/man/lilyq-policies.schema.json" \
    "$root"/tests/data/plan/*/policies.json native-*.json
exits 0 'all policies of the test data are valid'
like "$out" '^1[0-9] plans' 'both kinds of every plan'

policies=$root/tests/data/plan/quorum/policies.json
refuses 'policies are' policies "$policies" <<'END'
.extra = 1|an unknown member
del(.topology_version)|a member less
.format_version = 2|another version
.format = "lilyq-plan"|another format
.policies[0].extra = 1|an unknown member of a policy
del(.policies[0].pattern)|no pattern
.policies[0].name = "other"|a name that is not ours
.policies[0].pattern = ".*"|a pattern that is not anchored
.policies[0]["apply-to"] = "all"|another scope
.policies[0].priority = -1|a negative priority
.policies[0].definition = {}|an empty definition
.policies[0].definition.unknown = 1|an unknown key
.policies[1].definition["delivery-limit"] = "20"|a number as text
.native_retry = [{}]|an empty comparison
END

for input in "$root"/tests/data/lint/LQ*/bad.ini; do
    folder=${input%/*}
    "$lilyq" lint -q -o json --broker-version 4.3 --disk 1 "$input" \
        >"${folder##*/}.findings.json"
done
"$lilyq" lint -q -o json "$root/tests/data/plan/punctuation/input.ini" \
    >punctuation.findings.json
run "$root/tests/lib/check_plans" "$lilyq" "$root/man/lilyq-lint.schema.json" \
    ./*.findings.json
exits 0 'all findings of the test data are valid'

refuses 'findings are' lint LQ001.findings.json <<'END'
.extra = 1|an unknown member
del(.summary)|a member less
.format_version = 2|another version
.broker_version = 4.3|a version as a number
.findings[0].extra = 1|an unknown member of a finding
del(.findings[0].advice)|a finding without advice
.findings[0].severity = "fatal"|an unknown severity
.findings[0].line = 0|a line before the first
.findings[0].code = "1"|a code that is none
END

done_testing
