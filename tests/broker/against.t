#!/bin/bash
#
# lilyq diff --against says what apply then does: it creates what was to be
# created, refuses what was to be refused, and leaves the rest behind.

. "${BASH_SOURCE[0]%/*}/lib.sh"

management=http://127.0.0.1:$BROKER_API_PORT

{
    queue a 'retry_attempts = 2'
    queue b 'max_priority = 3' | sed 's/^exchange_name = .*/exchange_name = bills/'
} >base.ini

# listed CONDITION: "kind name" or "binding source key destination" of each
# object of standard input, in order.
listed() {
    jq -r ".[] | select($1) | if .source
        then \"binding \(.source) \(.routing_key) \(.destination)\"
        else \"\(.resource) \(.name)\" end" | sort -u
}

findings() {
    jq .findings foretold.json | listed "$1"
}

# parts FILE CONDITION: of an apply report or definitions.
parts() {
    jq '[(.exchanges[] | .resource = "exchange"),
        (.queues[] | .resource = "queue"), .bindings[]]' "$1" | listed "$2"
}

# How a dry run has to end.
ending() {
    if [[ -n $(parts report.json '.result == "conflict"') ]]; then
        echo 4
    elif [[ -n $(parts report.json '.result == "pending"') ]]; then
        echo 3
    else
        echo 0
    fi
}

# change NAME OLD NEW: each file is base.ini as sed changes it.
change() {
    local code
    sed "$2" base.ini >old.ini
    sed "$3" base.ini >new.ini
    new_vhost
    apply -q old.ini
    run "$lilyq" diff --against old.ini -o json new.ini
    code=$status
    cp "$out_file" foretold.json
    apply --dry-run --management-url "$management" -o json new.ini
    cp "$out_file" report.json
    is "$(parts report.json '.result == "pending"')" \
        "$(findings '.kind == "missing" and (.code | endswith("created"))')" \
        "$1: what is created is foretold"
    is "$(parts report.json '.result == "conflict"')" \
        "$(findings '.kind == "different" and (.code | startswith("owner") | not)')" \
        "$1: so is what is refused"
    is "$status" "$(ending)" "$1: and how apply ends"
    apply -q --management-url "$management" new.ini
    definitions there.json
    if ((status == 0)); then
        planned wanted.json new.ini
        is "$(comm -23 <(parts there.json true) <(parts wanted.json true))" \
            "$(findings '.kind == "unexpected"')" \
            "$1: and what stays behind"
    else
        is "$status" 4 "$1: nothing can be done"
    fi
    diag "$1: exit status $code, $(jq -c .summary foretold.json)"
}

change 'no change' '' ''
change 'more retries' '' 's/= 2$/= 4/'
change 'fewer retries' 's/= 2$/= 4/' ''
change 'no retries' '' 's/= 2$/= 0/'
change 'another delay' '' '/^retry_attempts/ a retry_backoff_millis = 300'
change 'a new entry' '/queue:b/,$ d' ''
change 'an entry that is gone' '' '/queue:b/,$ d'
change 'another name' '' 's/queue:b]/queue:c]/'
change 'another routing key, without retries' '' 's/^routing_key = b/routing_key = bb/'
change 'another routing key, with retries' '' 's/^routing_key = a/routing_key = aa/'
change 'another exchange' '' 's/^exchange_name = bills/exchange_name = orders/'
change 'another bound' '' 's/main_max_messages = 1000/main_max_messages = 9/'
change 'no priorities' '' '/^max_priority/ d'
change 'another type' '' 's/^max_priority.*/queue_type = quorum/'
change 'a TTL' '' '/^max_priority/ a message_ttl_ms = 5000'
change 'another dead-letter exchange' '' '/^max_priority/ a dead_letter_exchange = dlx'

no_password_shown
done_testing
