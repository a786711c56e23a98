#!/bin/bash
#
# lilyq policies: patterns match just the queues that they are for, and commands
# reach rabbitmqctl as they are. Patterns are for PCRE, which works byte by byte
# in the broker, as grep -P does here.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
. "$root/tests/lib/nearly.sh"

# wanted KIND <PLAN: the queues that policies of a kind are for, by type and role.
wanted() {
    jq -r --arg kind "$1" '.queues[]
        | select(.ownership == "framework_managed")
        | (.role == "dead_letter") as $dlq
        | .arguments["x-queue-type"] as $type
        | select({"at-least-once": ($type == "quorum" and ($dlq | not)),
                  "dlq": ($type == "quorum" and $dlq),
                  "dlq-classic": ($type == "classic" and $dlq)}[$kind])
        | .name'
}

# check TITLE FILE: each kind's patterns together match all that they should, no
# pattern matches what another does, and none anything else.
check() {
    local -r title=$1 input=$2
    local kind pattern
    "$lilyq" plan -q "$input" >plan.json
    "$lilyq" policies -q --broker-version 4.0 --dlq-retention 1d "$input" \
        >policies.json
    jq -r '.exchanges[].name, .queues[].name' plan.json | sort -u >all
    cat all <(nearly <all) | sort -u >candidates
    for kind in at-least-once dlq dlq-classic; do
        wanted "$kind" <plan.json | sort >want
        : >got.all
        while IFS= read -r pattern; do
            grep -P -- "$pattern" candidates >>got.all
        done < <(jq -r --arg kind "^lilyq-$kind(-[0-9]+)?\$" \
            '.policies[] | select(.name | test($kind)).pattern' policies.json)
        sort got.all >got
        same got want "$title: $kind matches each of its queues once, and nothing else"
    done
    is "$(jq '[.policies[].pattern | utf8bytelength] | max // 0 | . <= 1024' \
        policies.json)" true "no pattern of $title is longer than a broker takes"
}

for input in "$root"/tests/data/plan/*/input.ini; do
    folder=${input%/*}
    check "${folder##*/}" "$input"
done
for kind in ceiling plain; do
    "$root/tests/bench/generate" "$kind" >"$kind.ini"
    if [[ $kind == plain ]]; then
        sed -i '/^\[queue:service\.00801\./,$d' plain.ini
    fi
    # half of the queues are quorum
    sed '/^queue_type/d' "$kind.ini" |
        awk '{ print } /^\[queue:/ && ++n % 2 { print "queue_type = quorum" }' \
            >"half-$kind.ini"
    run "$lilyq" policies -q "half-$kind.ini"
    exits 0 "half of $kind can be quorum"
    check "$kind" "half-$kind.ini"
done
has "$(jq -r '.policies[].name' policies.json)" lilyq-at-least-once-2 \
    'a large topology has several policies of a kind'

# --- the command -----------------------------------------------------------------

{
    cat "$root/tests/data/plan/quorum/input.ini"
    cat <<'END'

[queue:legacy]
exchange_name = legacy
routing_key = legacy
queue_type = quorum
topology_ownership = external
dead_letter_exchange = legacy.dead
dead_letter_routing_key = legacy
END
} >lilyq.ini
run "$lilyq" policies
exits 0 'reads lilyq.ini by default'
is "$(jq -c '[.policies[] | [.name, .priority, .definition]]' "$out_file")" \
    '[["lilyq-at-least-once",0,{"dead-letter-strategy":"at-least-once"}]]' \
    'and prints as JSON what every version of the broker takes'
like "$err" '^lilyq: warning: no delivery-limit for quorum DLQs: RabbitMQ 4\.0 and later drop a message that was delivered more than 20 times without being acknowledged; .--broker-version. names the version
lilyq: a message whose dead-letter target is full is offered again in rounds of about three minutes, in the first or the second; the broker.s setting rabbit\.dead_letter_worker_publisher_confirm_timeout shortens them$' \
    'with a word on the rest'
cp "$out_file" json
run "$lilyq" policies - <lilyq.ini
same "$out_file" json 'reads standard input'
run env LC_ALL=de_DE.UTF-8 "$lilyq" policies -o json
same "$out_file" json 'prints the same again, whatever the locale'
run "$lilyq" policies -q
is "$err" '' 'says nothing when it is to be quiet'

# limits VERSION: the DLQ's definition there.
limits() {
    run "$lilyq" policies --broker-version "$@"
    jq -c '[.policies[] | select(.name == "lilyq-dlq").definition]' "$out_file"
}
for version in 4 4.0 4.0.5 4.3.6 5.1; do
    is "$(limits "$version")" '[{"delivery-limit":-1}]' \
        "$version: a DLQ has no delivery limit"
done
for version in 3 3.10 3.10.8 3.13.7-rc.1; do
    is "$(limits "$version")" '[]' "$version: a DLQ needs nothing"
done
is "$(limits 4.0 --dlq-delivery-limit 500)" '[{"delivery-limit":500}]' \
    'or the limit that it is given'
is "$(limits 3.10 --dlq-delivery-limit 500)" '[]' 'but none before 4.0'
run "$lilyq" policies --broker-version 3.10 --dlq-delivery-limit 500
has "$err" 'no delivery-limit for quorum DLQs: RabbitMQ 3.10 has none by default' \
    'which is told'
for retention in 604800s 10080m 168h 7d 1w; do
    is "$(limits 4.0 --dlq-retention "$retention")" \
        '[{"delivery-limit":-1,"message-ttl":604800000}]' \
        "letters are kept for $retention"
done
run "$lilyq" policies --broker-version new
exits 2 'a version has numbers'
is "$out" '' 'and nothing is printed'
has "$err" "'--broker-version' must be a version such as 4.3 or 3.10.8, not 'new'" 'but why'

run "$lilyq" policies -q --priority 7 --policy-name shop --vhost 'a "b"'
is "$(jq -c '[.policies[] | [.vhost, .name, .priority]]' "$out_file")" \
    '[["a \"b\"","lilyq-shop-at-least-once",7]]' \
    'takes a virtual host, a name and a priority'
run "$lilyq" policies --policy-name "it's"
exits 2 'but not any name'
has "$err" "the name of policies must be 1 to 100 letters, digits, '.', '_' and '-', not 'it's'" \
    'and says which'
run "$lilyq" policies --vhost $'\xff'
exits 2 'nor any virtual host'

run "$lilyq" policies -q -o text
has "$out" $'lilyq-at-least-once (priority 0): keeps a message until its dead-letter target has it\n  dead-letter-strategy = at-least-once\n' \
    'tells people what is in a policy'
has "$out" $'\n    orders.created.retry.v2.4800ms\n' 'and for which queues'
hasnt "$out" legacy 'what others declare is left to them'

# Whatever the names, a shell hands rabbitmqctl what the JSON says.
odd=$root/tests/data/plan/quorum/input.ini
for kind in '--broker-version=4.0 --dlq-retention=7d' --native-retry; do
    read -ra options <<<"$kind"
    options+=(--vhost "-it's \$x" --priority 3)
    "$lilyq" policies -q "${options[@]}" "$odd" >policies.json
    jq -j '.policies[] | "set_policy\u0000--vhost=\(.vhost)\u0000" +
        "--apply-to\u0000\(.["apply-to"])\u0000--priority\u0000\(.priority)" +
        "\u0000\(.name)\u0000\(.pattern)\u0000\(.definition)\u0000"' \
        policies.json >want
    run "$lilyq" policies -q -o rabbitmqctl "${options[@]}" "$odd"
    exits 0 "prints commands with ${kind%%=*}"
    {
        cat <<'END'
rabbitmqctl() {
    for argument; do
        case $argument in
        {*) printf '%s' "$argument" | jq -cj . ;;
        *) printf '%s' "$argument" ;;
        esac
        printf '\0'
    done >>got
}
END
        cat "$out_file"
    } >commands.sh
    for shell in bash dash; do
        rm -f got
        run "$shell" commands.sh
        exits 0 "$shell runs the commands"
        same got want "and $shell hands on every byte"
    done
done

# --- in definitions ----------------------------------------------------------------

run "$lilyq" plan -q -o definitions --policies --broker-version 4.0 --vhost v
exits 0 'definitions may have the policies in them'
jq .policies "$out_file" >got
"$lilyq" policies -q --broker-version 4.0 --vhost v | jq .policies >want
same got want 'the same that are printed by themselves'
jq 'del(.policies)' "$out_file" >got
"$lilyq" plan -q -o definitions --vhost v | jq . >want
same got want 'and nothing else changes'

# --- retries by the broker -----------------------------------------------------------

run "$lilyq" policies --native-retry
exits 0 'prints policies for native retry'
is "$err" 'lilyq: native retry needs RabbitMQ 4.3 or later, and queues of its own: it cannot share a queue with v2' \
    'with a word on where they may be used'
is "$(jq -r '.policies[].name' "$out_file")" \
    'lilyq-native-orders.created
lilyq-native-orders.created.v2
lilyq-native-Käse + "Brot" (it'\''s)
lilyq-native-audit' 'one for each entry that is ours'
"$lilyq" plan -q | jq -r '.queues[].name' >v2
: >got
while IFS= read -r pattern; do
    cat v2 <(nearly <v2) | grep -P -- "$pattern" >>got
done < <(jq -r '.policies[].pattern' "$out_file")
is "$(<got)" '' 'no policy matches a queue of v2'
is "$(jq -r '.policies[].pattern' "$out_file" | while IFS= read -r pattern; do
    jq -r '.native_retry[].queue' "$out_file" | grep -cP -- "$pattern"
done | sort -u)" 1 'each matches just the queue that it is for'
is "$(jq -c '.policies[1].definition' "$out_file")" \
    '{"delayed-retry-type":"all","delayed-retry-min":1000,"delayed-retry-max":60000,"delivery-limit":3,"dead-letter-exchange":"orders.dlx.v2","dead-letter-routing-key":"orders.created.v2","dead-letter-strategy":"at-least-once","overflow":"reject-publish","max-length":1000,"max-length-bytes":1000000,"message-ttl":86400000}' \
    'with all that the entry says'
is "$(jq -c '.native_retry[0] | [.attempts[] | [.v2_millis, .native_millis]],
    .v2_max_wait_millis, .native_wait_millis' "$out_file")" \
    '[[[1000,1200],1000],[[1600,2000,2400],2000],[[3200,4000,4800],3000]]
8400
6000' 'and both curves side by side'
run "$lilyq" policies -q --native-retry -o text
has "$out" $'  3         3200 to 4800         3000\n  all       5800 to 8400         6000\n' \
    'as a table for people'
like "$out" $'\nlost: .*\ngained: .*\nhow: ' 'with what is lost and gained'
sed '/^\[queue:audit\]/a single_active_consumer = true' lilyq.ini >single.ini
run "$lilyq" policies -q --native-retry single.ini
is "$(jq -c '.native_retry[].arguments' "$out_file" | sort -u)" \
    '{"x-queue-type":"quorum","x-single-active-consumer":true}
{"x-queue-type":"quorum"}' 'a single active consumer stays single'
cp "$out_file" single.json
run "$root/tests/lib/check_plans" "$lilyq" \
    "$root/man/lilyq-policies.schema.json" single.json
exits 0 'which the schema knows'
run "$lilyq" policies --native-retry --broker-version 4.2
exits 2 'an older broker has no such thing'
is "$err" 'lilyq: native retry needs RabbitMQ 4.3 or later, not 4.2' 'which is told'
sed 's/^\[queue:audit\]/[queue:orders.created.native]/' lilyq.ini >taken.ini
run "$lilyq" policies --native-retry taken.ini
exits 2 'a queue of v2 may not have its name'
has "$err" "taken.ini:13: [queue:orders.created] native retry needs the name 'orders.created.native', which a v2 queue has" \
    'and it is told whose it is'

# --- nothing to print ------------------------------------------------------------------

sed '/queue_type/d' "$odd" >classic.ini
run "$lilyq" policies --broker-version 4.0 classic.ini
exits 0 'classic queues have no such policies'
is "$(jq -c .policies "$out_file")" '[]' 'so the list is empty'
is "$err" 'lilyq: warning: no queue is both quorum and framework_managed: only those have policies for dead letters' \
    'and it is said why'
run "$lilyq" policies -q -o rabbitmqctl classic.ini
is "$out" '' 'nor are there commands'
echo 'colour = red' >bad.ini
run "$lilyq" policies bad.ini
exits 2 'a wrong configuration has no policies'
is "$out" '' 'and nothing is printed'
run bash -c '"$1" policies -q >/dev/full' bash "$lilyq"
exits 1 'a full disk is a failure'
is "$err" 'lilyq: cannot write to standard output: No space left on device' \
    'and is told'

done_testing
