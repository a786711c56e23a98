#!/bin/bash
#
# Characters that hide, or turn around what is shown: no output of any command
# has one as it is, be it in the name of an entry, of a file, or in what a
# broker holds. What is for people shows their bytes as \xNN; a parser, or
# the shell that runs a command, gets the very name.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

# All that an identity may hold: marks and overrides of direction, no width,
# separators, fillers, selectors, tags.
hiding=$(jq -nr '[1564, 8203, 8205, 8207, 8232, 8233, 8234, 8238, 8288, 8294,
    8297, 65279, 173, 12644, 65039, 65529, 65535, 917505, 917999] | implode')
# A broker's names may hold controls as well: this is what JSON has for them.
controls='\u0001\u001b\u007f\u0085\u009b'

# raw FILE...: whether one has any as it is. A newline ends a line.
raw() {
    LC_ALL=C.UTF-8 grep -aHnP '[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[\x{34f}]|'\
'[\x{115f}\x{1160}\x{3164}\x{ffa0}\x{180b}-\x{180f}\x{2060}-\x{206f}]|'\
'[\x{fe00}-\x{fe0f}\x{fff0}-\x{fffb}\x{fffe}\x{ffff}\x{e0000}-\x{e0fff}]' "$@"
}

retention='retention.main_max_messages = 1000
retention.main_max_bytes = 1000000
retention.retry_bucket_max_messages = 100
retention.retry_bucket_max_bytes = 100000
retention.dead_letter_max_messages = 500
retention.dead_letter_max_bytes = 500000'
queue="q${hiding}x"
exchange="e${hiding}'x"
key="k${hiding}\"x"
cat >odd.ini <<INI
[defaults]
$retention
retry_attempts = 2
[queue:$queue]
exchange_name = $exchange
routing_key = $key
queue_type = quorum
[queue:c$queue]
exchange_name = $exchange
routing_key = $key
dead_letter_exchange = d$exchange
dead_letter_routing_key = d$key
[queue:e$queue]
exchange_name = external$exchange
routing_key = $key
declaration = external
INI
sed '/^declaration/d' odd.ini >lilyq.ini

# shows WHAT ARGUMENT...: neither output has one as it is, and there is some.
shows() {
    local -r what=$1
    run "$lilyq" "${@:2}"
    ok "$what prints something" test -s "$out_file"
    [[ -s $out_file ]] || diag "$err"
    not_ok "$what shows no character that hides" raw "$out_file" "$err_file"
}

for format in json tree definitions dot mermaid; do
    shows "plan as $format" plan -o "$format"
done
shows 'plan with policies' plan -o definitions --policies --broker-version 4.0
for format in text json svg; do
    shows "explain as $format" explain -o "$format" --rate 50/s --outage 1h \
        "$queue"
done
for format in text json sarif junit github; do
    shows "lint as $format" lint -o "$format"
done
for format in json rabbitmqctl text; do
    shows "policies as $format" policies -o "$format" --broker-version 4.0 \
        --dlq-retention 7d --vhost "v${hiding}'x"
    shows "policies for native retries as $format" policies -o "$format" \
        --native-retry --broker-version 4.3
done
for format in json rabbitmqctl; do
    shows "permissions as $format" permissions -o "$format" \
        --role consumer --user "u${hiding}'x" --vhost "v${hiding}'x"
done

# What a broker holds: what is planned, what was, and what others put there.
sed -E 's/^(\[queue:|exchange_name = )/\1old/; s/max_messages = 1000$/&0/' \
    lilyq.ini >old.ini
"$lilyq" plan -q -o definitions lilyq.ini >now.json
"$lilyq" plan -q -o definitions old.ini >old.json
jq -s --arg queue "$queue" --arg odd "$(jq -nr "\"$controls\"")" '
    .[0].bindings as $planned
    | ($odd + $queue) as $stranger
    | {vhosts: [{name: "/"}], parameters: [],
       exchanges: ([.[].exchanges[]] | unique_by(.name)),
       queues: [.[].queues[]], bindings: [.[].bindings[]]}
    | .queues[0].arguments["x-max-length"] = $odd
    | .queues[1].arguments["x-" + $odd] = {($odd): [$odd]}
    | .queues += [{name: $stranger, vhost: "/", durable: true,
                   auto_delete: false, arguments: {}}]
    | .bindings += [$planned[] | .destination = $stranger
                    | .arguments = {("x-" + $odd): $odd}]
    | .policies = [{vhost: "/", name: ("p" + $odd), pattern: ($odd + "|^q"),
                    "apply-to": "all", priority: 1,
                    definition: {"max-length": 1, ($odd): $odd,
                                 "dead-letter-exchange": $odd}}]' \
    now.json old.json >live.json
for format in text json junit github; do
    shows "diff with definitions as $format" diff -o "$format" \
        --definitions live.json
    shows "diff with definitions in full as $format" diff -v -o "$format" \
        --definitions live.json
    shows "diff with old entries as $format" diff -o "$format" --against old.ini
    shows "diff from old entries as $format" diff -o "$format" \
        --against lilyq.ini old.ini
done
for format in text json sarif junit github; do
    shows "lint with definitions as $format" lint -o "$format" \
        --definitions live.json
done

# Files of such names, and vhosts.
cp lilyq.ini "l${hiding}x.ini"
jq --arg vhost "v$(jq -nr "\"$controls\"")" '
    (.. | objects | select(has("vhost"))).vhost = $vhost
    | .vhosts = [{name: $vhost}]' live.json >"d${hiding}x.json"
for format in text json junit github; do
    shows "diff of odd files as $format" diff -o "$format" \
        --definitions "d${hiding}x.json" "l${hiding}x.ini"
    shows "diff against odd files as $format" diff -o "$format" \
        --against "l${hiding}x.ini" old.ini
done
for format in text json sarif junit github; do
    shows "lint of odd files as $format" lint -o "$format" "l${hiding}x.ini"
done

# What is shown is the bytes.
run "$lilyq" plan -q -o tree
has "$out" 'q\xd8\x9c\xe2\x80\x8b\xe2\x80\x8d' 'a tree shows the bytes'
run "$lilyq" plan -q -o dot
has "$out" '"queue q&#92;xd8&#92;x9c' \
    'an ID of a graph has them apart from what a name spells'
has "$out" 'label="q\\xd8\\x9c' 'a label shows them'
cp "$out_file" odd.dot
run dot -Tsvg odd.dot
not_ok 'what Graphviz draws from it shows no character that hides' \
    raw "$out_file"
hasnt "$out" '&#8238;' 'not even as an entity'
has "$out" '>q\xd8\x9c\xe2\x80\x8b' 'but the bytes'
cat >twins.ini <<INI
[defaults]
$retention
[queue:a$(printf '\xe2\x80\xae')]
exchange_name = e
routing_key = a
[queue:a\\xe2\\x80\\xae]
exchange_name = e
routing_key = b
INI
"$lilyq" plan -q -o dot twins.ini >twins.dot
is "$(grep -c '^    "queue' twins.dot)" \
    "$(grep '^    "queue' twins.dot | sed 's/ \[.*//' | sort -u | wc -l)" \
    'and two names that look alike are two nodes'

# What programs read is the very name.
run "$lilyq" plan -q
is "$(jq -r '.logical_queues[0] | .name, .exchange, .routing_key' \
    "$out_file")" "$queue"$'\n'"$exchange"$'\n'"$key" \
    'a parser reads names as they are'
run "$lilyq" plan -q -o definitions
is "$(jq -r '.queues[0].name' "$out_file")" "$queue" \
    'and so it does from definitions'
jq '. + {policies: [], parameters: []}' "$out_file" >same.json
run "$lilyq" diff --definitions same.json
exits 0 'which are what is planned'
run "$lilyq" plan -q
cp "$out_file" plan.json
run "$lilyq" diff --against plan.json
exits 0 'and so is a plan that was saved'
run "$lilyq" lint -q -o json
is "$(jq -r '[.findings[].queue // empty] | unique[]' "$out_file" |
    grep -cxF -- "$queue")" 1 'findings have names as they are'
run "$lilyq" diff -q -o json --definitions live.json
is "$(jq --arg name "$(jq -nr "\"$controls\"")$queue" '[.findings[]
    | select(.destination == $name)] | length > 0' "$out_file")" true \
    'and so have those about a broker'

# rabbitmqctl SHELL COMMAND...: what it runs, an argument a line.
mkdir bin
cat >bin/rabbitmqctl <<'SH'
#!/bin/sh
printf '%s\n' "$@"
SH
chmod +x bin/rabbitmqctl
for shell in sh bash; do
    run "$lilyq" permissions -q -o rabbitmqctl --role consumer \
        --user "u${hiding}'x" --vhost "v${hiding}'x"
    is "$(PATH=$PWD/bin:$PATH "$shell" "$out_file" | sed -n '3p;4p')" \
        "v${hiding}'x"$'\n'"u${hiding}'x" \
        "$shell hands rabbitmqctl the very vhost and user"
    "$lilyq" permissions -q --role consumer |
        jq -r '.. | .configure? // empty' >want.pattern
    is "$(PATH=$PWD/bin:$PATH "$shell" "$out_file" | sed -n '5p')" \
        "$(cat want.pattern)" "$shell hands it the very pattern"
    run "$lilyq" policies -q -o rabbitmqctl --native-retry --broker-version 4.3
    PATH=$PWD/bin:$PATH "$shell" "$out_file" | grep '^{' | jq -cS . >got
    "$lilyq" policies -q --native-retry --broker-version 4.3 |
        jq -cS '.policies[].definition' >want
    has "$(jq -r '."dead-letter-exchange"' want)" "$exchange" \
        'a policy names an exchange'
    same got want "$shell hands it the very policies"
done

done_testing
