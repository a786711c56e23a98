#!/bin/bash
#
# lilyq plan: where input comes from, where output goes.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

# entry NAME: a queue entry of its own, in INI.
entry() {
    cat <<END
[queue:$1]
exchange_name = $1.exchange
routing_key = $1.key
retention.main_max_messages = 1000
retention.main_max_bytes = 1000000
retention.retry_bucket_max_messages = 100
retention.retry_bucket_max_bytes = 100000
retention.dead_letter_max_messages = 100
retention.dead_letter_max_bytes = 100000
END
}

# tree NAME: what it expands to.
tree() {
    printf '%s\n' "$1" "  -> $1.exchange.dlx.v2" "     -> $1.dlq.v2"
}

entry a >a.ini
entry b >b.ini
a=$(tree a) b=$(tree b)

run "$lilyq" plan
exits 2 'needs an input'
is "$out" '' 'prints nothing without one'
is "$err" "lilyq: no lilyq.ini here: name a file, or start with 'lilyq init > lilyq.ini'" \
    'and says how to get one'

cp a.ini lilyq.ini
run "$lilyq" plan -o tree
exits 0 'reads lilyq.ini by default'
is "$out" "$a" 'and plans it'
is "$err" '' 'without a message'

run "$lilyq" plan -o tree b.ini
is "$out" "$b" 'reads the file that is named instead'
run "$lilyq" plan b.ini -o tree
is "$out" "$b" 'takes options behind the file'
run "$lilyq" plan b.ini --output=tree a.ini
has "$out" "$b" 'takes options between files'
has "$out" "$a" 'and all the files around them'
run "$lilyq" plan -otree -- b.ini
is "$out" "$b" 'takes files behind --'
cp b.ini ./-o
run "$lilyq" plan -o tree -- -o
is "$out" "$b" 'takes a file that looks like an option behind --'
run "$lilyq" plan -o json -o tree b.ini
is "$out" "$b" 'lets the last of two equal options win'
run "$lilyq" --verbose plan -o tree b.ini
is "$err" 'lilyq: planned 1 logical queue: 2 exchanges, 2 queues, 2 bindings' \
    'tells what was planned when verbose'
run "$lilyq" plan -vo tree b.ini a.ini
is "$err" 'lilyq: planned 2 logical queues: 4 exchanges, 4 queues, 4 bindings' \
    'counts over all files'

run "$lilyq" plan -o tree - <b.ini
is "$out" "$b" 'reads standard input for -'
run "$lilyq" plan -o tree a.ini - <b.ini
has "$out" "$a" 'reads a file'
has "$out" "$b" 'and standard input'
run "$lilyq" plan -o tree - < <(cat b.ini)
is "$out" "$b" 'reads a pipe'
run "$lilyq" plan -o tree <(cat b.ini)
is "$out" "$b" 'reads a named pipe'

json='{"queues":[{"name":"j","exchange_name":"j.exchange","routing_key":"k",
  "retention":{"main_max_messages":1,"main_max_bytes":1,
  "retry_bucket_max_messages":1,"retry_bucket_max_bytes":1,
  "dead_letter_max_messages":1,"dead_letter_max_bytes":1}}]}'
echo "$json" >j.json
echo "$json" >j.txt
run "$lilyq" plan -o tree j.json
is "$out" "$(tree j)" 'reads JSON by its name'
run "$lilyq" plan -o tree -i json j.txt
is "$out" "$(tree j)" 'reads JSON when told to'
run "$lilyq" plan -o tree -i json - <j.txt
is "$out" "$(tree j)" 'reads JSON from standard input when told to'
run "$lilyq" plan j.txt
exits 2 'takes JSON under another name for INI'
cp a.ini ini.json
run "$lilyq" plan -o tree -i ini ini.json
is "$out" "$a" 'reads INI when told to'
run "$lilyq" plan -o tree a.ini j.json
has "$out" "$a" 'plans INI'
has "$out" "$(tree j)" 'and JSON together'

# Many entries on standard input, more than one buffer of them.
for ((i = 0; i < 400; i++)); do entry "q$i"; done >many.ini
run "$lilyq" plan -o tree - <many.ini
exits 0 'reads a large standard input'
is "$(grep -c '^q' "$out_file")" 400 'whole'

run "$lilyq" plan a.ini
is "$(jq -r '.format, .summary.queues' "$out_file" | paste -sd ' ')" \
    'lilyq-plan 2' 'prints JSON by default'
for format in json tree definitions dot mermaid; do
    run "$lilyq" plan -o "$format" many.ini
    cp "$out_file" first
    exits 0 "prints $format"
    is "$err" '' "prints $format without a message"
    run "$lilyq" plan -o "$format" many.ini
    same "$out_file" first "prints the same $format again"
    is "$(tail -c 1 first | od -An -c | tr -d ' ')" '\n' \
        "$format ends with a newline"
done

run "$lilyq" plan -o definitions a.ini
is "$(jq -r '.queues[0].vhost' "$out_file")" / \
    'a definitions file is for the default virtual host'
run "$lilyq" plan -o definitions --vhost /shop a.ini
is "$(jq -r '[.. | .vhost? | strings] | unique[]' "$out_file")" /shop \
    'or for the one that is named'
run "$lilyq" plan -o definitions --vhost $'\xff' a.ini
exits 2 'but not for one that no broker has'
is "$out" '' 'and prints nothing then'
like "$err" '^lilyq: .*UTF-8' 'but says why'

# A warning: the worst case does not fit in a number.
entry w | sed 's/^\(retention.main_max_messages = \).*/\19223372036854775807/' \
    >warn.ini
run "$lilyq" plan warn.ini
exits 0 'a warning is no failure'
like "$err" '^warn.ini:1: warning: ' 'shows warnings'
is "$(jq '.warnings | length' "$out_file")" "$(wc -l <"$err_file")" \
    'the plan has them too'
run "$lilyq" plan --quiet warn.ini
is "$err" '' 'shows no warnings when quiet'
is "$(jq '.warnings | length > 0' "$out_file")" true 'the plan still has them'

: >empty.ini
run "$lilyq" plan empty.ini
exits 0 'plans an empty file'
is "$err" 'lilyq: warning: the input has no queue entry' 'and warns'
is "$(jq -c '.queues' "$out_file")" '[]' 'and prints an empty plan'
run "$lilyq" plan -q empty.ini
is "$err" '' 'does not warn when quiet'

echo 'colour = red' >bad.ini
run "$lilyq" plan --quiet bad.ini
exits 2 'fails when quiet'
isnt "$err" '' 'and says why when quiet'

# Output that cannot be written.
cannot='lilyq: cannot write to standard output:'
run bash -c '"$1" plan many.ini >/dev/full' bash "$lilyq"
exits 1 'a full disk is a failure'
is "$err" "$cannot No space left on device" 'and is told'
run bash -c '"$1" plan -o tree a.ini >/dev/full' bash "$lilyq"
exits 1 'a full disk is a failure for one line too'
run bash -c '"$1" plan a.ini >&-' bash "$lilyq"
exits 1 'a closed standard output is a failure'
is "$err" "$cannot Bad file descriptor" 'and is told'
run bash -c '"$1" plan a.ini <&- >&-' bash "$lilyq"
exits 1 'closed input and output are a failure'
run bash -c '"$1" plan many.ini | true; exit "${PIPESTATUS[0]}"' bash "$lilyq"
exits 1 'a closed pipe is a failure'
is "$err" "$cannot Broken pipe" 'and is told'
run bash -c '"$1" plan many.ini | head -c 100 >/dev/null
    exit "${PIPESTATUS[0]}"' bash "$lilyq"
exits 1 'a pipe that closes early is a failure'
run bash -c '"$1" plan - <&-' bash "$lilyq"
exits 1 'a closed standard input is a failure'
is "${err%%$'\n'*}" 'lilyq: cannot read standard input: Bad file descriptor' \
    'and is told'
run bash -c '"$1" plan bad.ini 2>&-' bash "$lilyq"
exits 2 'a closed standard error changes no exit code'
for command in 'help' 'help plan' init keys 'completion bash' --version; do
    # shellcheck disable=SC2086 # words
    run bash -c '"$@" >/dev/full' bash "$lilyq" $command
    exits 1 "$command fails on a full disk"
done

# What a definitions file cannot hold.
{
    entry theirs
    printf '%s\n' 'topology_ownership = external' \
        'dead_letter_exchange = dead' 'dead_letter_routing_key = dead'
} >theirs.ini
run "$lilyq" plan -o definitions a.ini theirs.ini
exits 0 'makes definitions of what is not external'
is "$err" 'lilyq: warning: 1 external entry not in the definitions: others declare what is external' \
    'and says what it leaves out'
run "$lilyq" plan -q -o definitions a.ini theirs.ini
is "$err" '' 'not when quiet'
run "$lilyq" plan -o tree a.ini theirs.ini
is "$err" '' 'nor in other formats'

done_testing
