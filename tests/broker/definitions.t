#!/bin/bash
#
# A planned definitions file leaves a broker equal to an apply, by whatever way
# it is imported, and reports are as their schema says.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# valid NAME: the last output is an apply report.
valid() {
    printf '%s\n' "$out" >report.json
    run /usr/bin/python3 -m jsonschema -i report.json \
        "$root/man/lilyq-apply.schema.json"
    exits 0 "$1"
}

# imports_equal NAME CONFIG IMPORT: IMPORT, given a file, imports it into $vhost.
imports_equal() {
    local -r name=$1 config=$2 import=$3
    new_vhost
    apply "$config"
    exits 0 "$name: applies"
    definitions applied.json
    new_vhost
    "$lilyq" plan -q -o definitions --vhost "$vhost" "$config" >planned.json
    ok "$name: is imported" "$import" planned.json
    definitions imported.json
    same imported.json applied.json "$name: leaves the same as an apply"
    apply -o json "$config"
    exits 0 "$name: can be applied"
    has "$err" 'nothing to do' "$name: leaves nothing to do"
    valid "$name: is reported as the schema says"
}

into_broker() {
    api POST definitions "$(<"$1")"
}

into_vhost() {
    api POST "definitions/$vhost" "$(<"$1")"
}

by_rabbitmqctl() {
    node_ctl import_definitions "$PWD/$1" >ctl.out 2>&1 &&
        await_import "$(jq '.queues | length' "$1")"
}

# rabbitmqctl does not wait for the end of an import.
await_import() {
    local tries
    for ((tries = 0; tries < 3000; tries++)); do
        definitions now.json
        [[ $(jq '.bindings | length' now.json) != "$1" ]] || return 0
        sleep 0.1
    done
    return 1
}

for folder in "$root"/tests/data/plan/*; do
    case=${folder##*/}
    [[ $case != external ]] || continue # there is nothing to check it against
    imports_equal "$case, whole broker" "$folder/input.ini" into_broker
done
imports_equal 'one vhost' "$root/tests/data/plan/shared/input.ini" into_vhost
imports_equal 'rabbitmqctl' "$root/tests/data/plan/shared/input.ini" \
    by_rabbitmqctl

# --- reports of other endings ---------------------------------------------------

new_vhost
apply -o json "$root/tests/data/plan/external/input.ini"
isnt "$status" 0 'what is external and missing is a failure'
isnt "$(jq -r .ending <<<"$out")" applied 'and the report says so'
valid 'and is reported as the schema says'

new_vhost
declare_queue orders.created '{"durable":true}'
apply -o json "$root/tests/data/plan/documented/input.ini"
exits 4 'what is there otherwise is a conflict'
is "$(jq -c '[.queues[] | select(.result == "conflict") | [.name, .code]]' <<<"$out")" \
    '[["orders.created",406]]' 'the report names it with the code of the broker'
valid 'and is reported as the schema says'

no_password_shown
done_testing
