#!/bin/bash
#
# Whichever allocation fails, lilyq says so and exits with 1: it neither crashes
# nor hangs nor passes off a part of its output as the whole.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

shim=$build/fail_alloc.so
[[ -e $shim ]] || bail_out "$shim is not built"

cat >small.ini <<'END'
[broker]
url = amqp://guest@localhost

[defaults]
retention.main_max_messages = 1000
retention.main_max_bytes = 1000000
retention.retry_bucket_max_messages = 1000
retention.retry_bucket_max_bytes = 1000000
retention.dead_letter_max_messages = 9223372036854775807
retention.dead_letter_max_bytes = 1000000

[queue:orders.created]
exchange_name = orders
routing_key = orders.created
retry_attempts = 2
retry_jitter_ratio = 0.2

[queue:orders.audit]
exchange_name = audit
routing_key = orders.#
topology_ownership = external
dead_letter_exchange = dead
dead_letter_routing_key = audit
END

cat >small.json <<'END'
{"queues": [{"name": "a", "exchange_name": "x", "routing_key": "k",
  "retry_attempts": 2, "queue_type": "quorum", "transactional_inbox": {},
  "retention": {"main_max_messages": 1, "main_max_bytes": 2,
    "retry_bucket_max_messages": 3, "retry_bucket_max_bytes": 4,
    "dead_letter_max_messages": 5, "dead_letter_max_bytes": 6}}]}
END

# Enough for the blocks of memory to run out several times.
{
    sed '/^\[queue/,$d' small.ini
    for ((i = 0; i < 120; ++i)); do
        printf '[queue:q%d]\nexchange_name = x\nrouting_key = k%d\n' "$i" "$i"
        echo 'retry_attempts = 10'
    done
} >large.ini

printf '[queue:a]\nretry_attempts = many\nname = b\ncolour = red\n' >wrong.ini

for file in small.ini small.json large.ini; do
    run "$lilyq" plan "$file"
    exits 0 "$file plans when there is memory"
done

# with_failure N REST COMMAND...: the shim reports by making the file `reached`.
with_failure() {
    local -r at=$1 rest=$2
    shift 2
    rm -f reached
    LD_PRELOAD=$shim FAIL_ALLOC_AT=$at FAIL_ALLOC_REST=$rest \
        FAIL_ALLOC_REPORT=reached "$@" >now.out 2>now.err </dev/null
}

# Whether an ending with status $1, after a failure, is as it must be: a clean
# refusal, or no difference at all.
is_clean() {
    local lines=()
    if [[ $1 == "$want" ]] && cmp -s now.out all.out && cmp -s now.err all.err
    then
        return
    fi
    mapfile -t lines <now.err
    [[ $1 == 1 && ${#lines[@]} -gt 0 && ${lines[-1]} == 'lilyq: out of memory' ]]
}

# sweep NAME REST COMMAND...
sweep() {
    local -r name=$1 rest=$2
    local n code problem=''
    shift 2
    want=0
    "$@" >all.out 2>all.err || want=$?
    for ((n = 1; n <= 5000; ++n)); do
        code=0
        with_failure "$n" "$rest" "$@" || code=$?
        [[ -e reached ]] || break
        is_clean "$code" && continue
        problem="allocation $n: exit status $code: $(<now.err)"
        break
    done
    is "$problem" '' "$name"
    ok "$name, and the sweep saw them all" test "$n" -gt 1 -a "$n" -le 5000
    diag "$((n - 1)) allocations"
}

for format in json tree definitions dot mermaid; do
    for input in ini json; do
        sweep "$input to $format survives any failed allocation" '' \
            "$lilyq" plan -o "$format" "small.$input"
    done
done
for format in json definitions dot; do
    sweep "many queues to $format survive any failed allocation" '' \
        "$lilyq" plan -o "$format" large.ini
done
for format in json rabbitmqctl; do
    sweep "permissions as $format survive any failed allocation" '' \
        "$lilyq" permissions -o "$format" --vhost "it's" small.ini
done
for options in '-o json' '-o rabbitmqctl' '-o text' '--native-retry' \
    '--native-retry -o text' '--policy-name a~'; do
    # shellcheck disable=SC2086 # words
    sweep "policies $options survive any failed allocation" '' \
        "$lilyq" policies --vhost "it's" $options small.json
done
sweep 'definitions with policies survive any failed allocation' '' \
    "$lilyq" plan -o definitions --policies small.json
sweep 'the permissions of many queues survive any failed allocation' '' \
    "$lilyq" permissions large.ini
{
    echo '; lilyq:ignore LQ001,LQ032 small'
    cat small.ini
} >ignoring.ini
"$lilyq" plan -q -o definitions small.ini | jq '.policies = [{vhost: "/", name: "p",
    pattern: "", "apply-to": "queues", priority: 0,
    definition: {"max-length": 1, overflow: "drop-head"}}]' >ruled.json
sweep 'what policies do survives any failed allocation' '' \
    "$lilyq" lint --definitions ruled.json ignoring.ini
for format in text json sarif junit github; do
    sweep "findings as $format survive any failed allocation" '' \
        "$lilyq" lint -o "$format" --broker-version 4.0 --max-retry-window 1s \
        ignoring.ini
done
for format in text json svg; do
    sweep "an explanation as $format survives any failed allocation" '' \
        "$lilyq" explain -o "$format" --rate 1/s --outage 1m orders.created \
        small.ini
done
sweep 'an unknown queue survives any failed allocation' '' \
    "$lilyq" explain order.created small.ini
"$lilyq" plan -q -o definitions small.ini |
    jq '.queues |= .[1:] | .queues[0].arguments["x-max-length"] = "a\u0001"' \
        >definitions.json
for format in text json junit github; do
    sweep "a comparison as $format survives any failed allocation" '' \
        "$lilyq" diff -o "$format" --definitions definitions.json small.ini
done
sed 's/orders\.created/créées/' small.ini >accents.ini
"$lilyq" plan -q -o definitions accents.ini | jq '.parameters = [{
        component: "operator_policy", name: "o", value: {pattern: "(a|b|.)*1.*$",
        definition: [["max-length", 9]]}}]
    | .policies = [("(?i)\\wÉES$", "x|^\\w+é", "(", "é")
        | {name: ., pattern: ., priority: 1, definition: {"x": ., "expires": 1}}]' \
    >policies.json
for format in text json; do
    sweep "what policies change as $format survives any failed allocation" '' \
        "$lilyq" diff -o "$format" --definitions policies.json accents.ini
done
jq '.policies = [{vhost: "/", name: "lilyq-dlq", pattern: "^b$", priority: 2,
    "apply-to": "all", definition: {"message-ttl": 9}}, {vhost: "/", name: "p",
    pattern: "^a$", priority: 9, "apply-to": "queues", definition: {}},
    {vhost: "/", name: "lilyq-dlq-2", pattern: "x", definition: {}}]' \
    <("$lilyq" plan -q -o definitions small.json) >own.json
for format in text json junit github; do
    sweep "what became of own policies as $format survives any failed allocation" \
        '' "$lilyq" diff --policies -o "$format" --definitions own.json small.json
done
sweep 'judging with own policies survives any failed allocation' '' \
    "$lilyq" lint --policies --definitions own.json small.json
sed 's/a", "exchange/b", "exchange/' small.json >other.json
sweep 'a change of own policies survives any failed allocation' '' \
    "$lilyq" diff --policies --against other.json small.json
"$lilyq" plan -q large.ini >saved.json
sed 's/retry_attempts = 2/retry_attempts = 1/' small.ini >before.ini
"$lilyq" plan -q before.ini >before.json
for file in before.ini before.json wrong.ini; do
    sweep "a comparison with $file survives any failed allocation" '' \
        "$lilyq" diff --against "$file" small.ini
done
for format in json junit github; do
    sweep "a change as $format survives any failed allocation" '' \
        "$lilyq" diff -o "$format" --against before.json small.ini
done
sweep 'a comparison with a saved plan of many survives any failed allocation' \
    '' "$lilyq" diff -o json --against saved.json small.ini
sweep 'a comparison of many queues survives any failed allocation' '' \
    "$lilyq" diff --definitions definitions.json large.ini
sweep 'a plan survives memory that runs out for good' 1 "$lilyq" plan large.ini
sweep 'a wrong file survives any failed allocation' '' "$lilyq" plan wrong.ini

for command in help 'help apply' keys init --version nonsense 'plan --nonsense' \
    'plan -o xml' 'completion bash' 'completion zsh' 'completion fish'; do
    # shellcheck disable=SC2086 # words
    sweep "$command survives any failed allocation" '' "$lilyq" $command
done

# Nothing listens there.
export LILYQ_PASSWORD=secret
for url in amqp://deployer@127.0.0.1:1/shop nonsense; do
    sweep "apply to $url survives any failed allocation" '' \
        "$lilyq" apply -v -o json --url "$url" small.ini
    sweep "a comparison with $url survives any failed allocation" '' \
        "$lilyq" diff --url "$url" small.ini
done

done_testing
