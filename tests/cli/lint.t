#!/bin/bash
#
# lilyq lint: what it prints, ignore comments, forms and exit codes. What each
# code finds is in golden_lint.t.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

# codes FILE: of what counts, in order.
codes() {
    jq -r '[.findings[] | select(.ignored == null).code] | join(" ")' "$1"
}

# --- text --------------------------------------------------------------------------

base=$'retention.main_max_messages = 100000
retention.main_max_bytes = 1073741824
retention.retry_bucket_max_messages = 10000
retention.retry_bucket_max_bytes = 268435456
retention.dead_letter_max_messages = 10000
retention.dead_letter_max_bytes = 268435456'

cat >lilyq.ini <<END
[defaults]
$base
[queue:a]
exchange_name = orders
routing_key = k
retry_attempts = 3
[queue:b]
exchange_name = orders
routing_key = k
END
run "$lilyq" lint
exits 3 'an error ends with 3'
is "$out" "lilyq.ini:8: warning: LQ001 [queue:a] a message whose delay of 1000 to 4000 ms ends while the main queue is full (100000 messages or 1073741824 bytes) is lost: a classic bucket dead-letters it at most once, and the full queue refuses it
    use queue_type = quorum with the policies that 'lilyq policies' prints, or keep the main queue far from its bounds and say so in an ignore comment

lilyq.ini:14: error: LQ003 [queue:b] exchange 'orders' and routing key 'k' are also those of [queue:a] (lilyq.ini:8): a message that one of them retries, up to 0 and 3 times, returns to both; if both retry it, the copies double each time
    give each entry a routing key of its own, and publish once to each" \
    'each finding has its place, its numbers and its advice'
is "$err" 'lilyq: 1 error, 1 warning, 0 notes' 'and a summary follows'
run "$lilyq" lint -q
is "$err" '' 'but not when quiet'
sed '$s/.*/routing_key = l\nretry_attempts = 3/' lilyq.ini >twice.ini
run "$lilyq" lint twice.ini
is "$(grep -c LQ001 <<<"$out") $(grep -c '^    use queue_type' <<<"$out")" '2 1' \
    'the same advice is given once'
sed 's/routing_key = k/&\nqueue_type = quorum/; s/routing_key = l/&\nqueue_type = quorum/' \
    twice.ini >quorum.ini
run "$lilyq" lint --broker-version 3.10 quorum.ini
is "$(grep -oE 'LQ[0-9]+ [^ ]+|^    the same.*' <<<"$out")" \
    $'LQ002 [queue:a]\n    the same is so for 1 more entry' \
    'what all quorum queues have is told once'
is "$err" 'lilyq: 0 errors, 0 warnings, 2 notes' 'but counted'
run "$lilyq" lint --broker-version 3.10 --fail-on note quorum.ini
is "$(grep -oE 'LQ[0-9]+ [^ ]+|^    the same.*' <<<"$out")" \
    $'LQ002 [queue:a]\nLQ002 [queue:b]' 'unless it fails'
{
    cat quorum.ini
    sed -n '/^\[queue:b/,$s/\(queue:\|_key = \).*/\1c/p' quorum.ini | sed 's/:c/:c]/'
    echo 'queue_type = quorum'
    echo 'retry_attempts = 1'
    echo 'exchange_name = orders'
} >three.ini
run "$lilyq" lint --broker-version 3.10 three.ini
has "$out" $'\n    the same is so for 2 more entries' 'however many have it'
run "$lilyq" lint -o json twice.ini
is "$(jq '[.findings[].advice] | unique | length' "$out_file")" 1 \
    'but with each finding in JSON'

# --- what fails --------------------------------------------------------------------

sed -i '/^\[queue:b\]/,$d' lilyq.ini
while read -r severity want; do
    run "$lilyq" lint --fail-on "$severity"
    exits "$want" "with --fail-on $severity, a warning ends with $want"
done <<'END'
error 0
warning 3
note 3
END
run "$lilyq" lint
exits 0 'a warning alone does not fail'
run "$lilyq" lint --broker-version 4.3
hasnt "$out" '(RabbitMQ' 'a version that is known is not told'

# What the starter file has is told, and does not fail.
"$lilyq" init >starter.ini
run "$lilyq" lint -o json starter.ini
exits 0 'the starter file does not fail'
is "$(codes "$out_file")" LQ001 'but is told what it may lose'

for value in soon '' 4. 4.x v4.3 -4.3; do
    run "$lilyq" lint --broker-version="$value"
    exits 2 "a version is no '$value'"
done
for value in 15 0s 1y 1.5h -1s 's' ' 1s' 366d; do
    run "$lilyq" lint --max-retry-window="$value"
    exits 2 "a time is no '$value'"
    is "$err" "lilyq: '--max-retry-window' must be a whole number of ms, s, m, h, d or w, such as 90s, 15m or 2h, up to 365d, not '$value'" \
        'and what it must be is told'
done
for value in 0 1X 1.5G -1 G 8388608T; do
    run "$lilyq" lint --disk="$value"
    exits 2 "disk is no '$value'"
    is "$err" "lilyq: '--disk' must be a number of bytes, or one with K, M, G or T such as 64K or 50G, not '$value'" \
        'and what it must be is told'
done
echo 'colour = red' >bad.ini
run "$lilyq" lint bad.ini
exits 2 'a wrong configuration is not judged'
is "$out" '' 'and nothing is printed'
run bash -c '"$1" lint >/dev/full' bash "$lilyq"
exits 1 'a full disk is a failure'

# --- ignore comments ----------------------------------------------------------------

# ignored BY NAME: reads an entry; LQ012 (its key is `durable`) must be ignored, by
# that reason, and nothing else be found.
ignored() {
    { cat; echo "$base"; } >entry.ini
    run "$lilyq" lint -o json --fail-on note entry.ini
    is "$(jq -c '[.findings[] | select(.code != "LQ001") | [.code, .ignored]]' \
        "$out_file")" "[[\"LQ012\",\"$1\"]]" "$2"
}
rest=$'exchange_name = orders\nrouting_key = k\nretry_attempts = 3'
ignored 'it is a test' 'a comment above the header ignores' <<END
; lilyq:ignore LQ012 it is a test
[queue:q]
durable = false
$rest
END
ignored 'it is a test' 'with a # too, blank lines and other comments' <<END
# lilyq:ignore LQ012 it is a test

# something else

[queue:q]
durable = false
$rest
END
ignored 'why not' 'behind the header' <<END
[queue:q] ;lilyq:ignore LQ012 why not
durable = false
$rest
END
ignored 'why; not' 'or behind it with a #' <<END
[queue:q]	## lilyq:ignore	LQ012	why; not
durable = false
$rest
END
ignored 'x = [y]' 'above the key' <<END
[queue:q]
  ;; lilyq:ignore LQ012 x = [y]
durable = false
$rest
END
ignored 'x' 'behind the key' <<END
[queue:q]
durable = false ; lilyq:ignore LQ012 x
$rest
END
ignored 'all of them' 'above [defaults], for the whole file' <<END
; lilyq:ignore LQ012 all of them
[defaults]
[queue:q]
durable = false
$rest
END
ignored 'two' 'several codes at once' <<END
; lilyq:ignore LQ001 , LQ012,LQ001 two
[queue:q]
durable = false
$rest
END
ignored 'in [defaults]' 'at a key that [defaults] hands down' <<END
[defaults]
durable = false ; lilyq:ignore LQ012 in [defaults]
[queue:q]
$rest
END

# remarks NAME WANT: reads an entry; WANT is what is said of comments.
remarks() {
    { cat; echo "$base"; } >entry.ini
    run "$lilyq" lint entry.ini
    is "$(grep -E 'LQ03[0-2]' "$out_file" | sed 's/^entry\.ini//')" "$2" "$1"
}
plain=$'exchange_name = orders\nrouting_key = k'
remarks 'an unknown code is told' \
    ":2: warning: LQ030 there is no code 'LQ1'" <<END
[queue:q]
; lilyq:ignore LQ1 why
$plain
END
remarks 'so is a reason without a code' \
    ":2: warning: LQ030 there is no code 'because'" <<END
[queue:q]
; lilyq:ignore because I say so
$plain
END
remarks 'and nothing at all' \
    ":2: warning: LQ030 the comment names no code to ignore" <<END
[queue:q]
; lilyq:ignore
$plain
END
remarks 'a missing reason is told' \
    ":1: warning: LQ031 no reason is given, so nothing is ignored" <<END
; lilyq:ignore LQ012
[queue:q]
durable = false
retry_attempts = 3
$plain
END
remarks 'what is of no use is told, code by code' \
    ":1: warning: LQ032 LQ003 is ignored, but not found at the line that the comment is about" <<END
; lilyq:ignore LQ001,LQ003 why
[queue:q]
retry_attempts = 3
$plain
END
remarks 'a comment of another entry is of no use' \
    ":3: warning: LQ032 LQ012 is ignored, but not found at the line that the comment is about" <<END
[queue:q]
durable = false
; lilyq:ignore LQ012 why
retry_attempts = 3
$plain
END
{
    printf '[queue:q]\n%s\n%s\n' "$plain" "$base"
    echo 'retry_attempts = 1'
    echo '; lilyq:ignore LQ001 why'
} >entry.ini
run "$lilyq" lint entry.ini
has "$out" 'entry.ini:11: warning: LQ032 LQ001 is ignored, but no line follows' \
    'a comment at the end is about nothing'
has "$out" 'entry.ini:1: warning: LQ001' 'and ignores nothing'
remarks 'what this run does not look for is not told' '' <<END
; lilyq:ignore LQ025 disk is cheap
; lilyq:ignore LQ011,LQ028 whatever
[queue:q]
$plain
END
remarks 'what only begins like one is a comment' '' <<END
; lilyq:ignored
; lilyq: ignore LQ1
; see lilyq:ignore
[queue:q]
exchange_name = orders;lilyq:ignore
routing_key = x#lilyq:ignore
END
run "$lilyq" lint -o json - <<END
{"queues": [{"name": "q", "exchange_name": "orders", "routing_key": "k"}]}
END
exits 2 'JSON needs its option on standard input'

# --- places --------------------------------------------------------------------------

"$lilyq" plan -q starter.ini >/dev/null || bail_out 'the starter file does not plan'
cat >queues.json <<'END'
{"queues": [{"name": "q", "exchange_name": "orders", "routing_key": "k",
  "retry_attempts": 3, "durable": false, "retention": {
  "main_max_messages": 100000, "main_max_bytes": 1073741824,
  "retry_bucket_max_messages": 10000, "retry_bucket_max_bytes": 268435456,
  "dead_letter_max_messages": 10000, "dead_letter_max_bytes": 268435456}}]}
END
run "$lilyq" lint queues.json
like "$out" '^queues\.json: queues\[0\]\.durable: error: LQ012 \[queue:q\] ' \
    'a finding in JSON has its path'
mkdir -p 'a b'
cp queues.json 'a b/é:,%.json'
run "$lilyq" lint -o sarif "$PWD/a b/é:,%.json"
is "$(jq -r '.runs[0].results[0].locations[0].physicalLocation
    | .artifactLocation.uri, .region' "$out_file")" \
    "file://$PWD/a%20b/%C3%A9%3A%2C%25.json"$'\nnull' \
    'a file is named by a URI, without a line that is not known'

# --- the other forms -------------------------------------------------------------------

cat >lilyq.ini <<END
; lilyq:ignore LQ001 it is drained & "quick" <enough>
[queue:a<b>%,:]
exchange_name = orders
routing_key = k
retry_attempts = 3
durable = false
$base
[queue:fine]
exchange_name = orders
routing_key = fine
$base
END
run "$lilyq" lint -o json
same "$out_file" <("$lilyq" lint -q -o json) 'prints the same again'
is "$(jq -c '.summary' "$out_file")" \
    '{"errors":1,"warnings":0,"notes":0,"ignored":1}' 'JSON counts'
is "$(jq -c '.findings[0] | [.code, .slug, .severity, .queue, .key, .file, .line]' \
    "$out_file")" \
    '["LQ012","transient-main","error","a<b>%,:","durable","lilyq.ini",6]' \
    'and has every part of a finding'
has "$err" '1 error, 0 warnings, 0 notes; 1 ignored' 'the summary too'

run "$lilyq" lint -o junit
exits 3 'JUnit ends alike'
is "$(/usr/bin/python3 - "$out_file" <<'END'
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot()
print(suite.tag, suite.get("tests"), suite.get("failures"))
for case in suite:
    print(case.get("name"), case.get("file"), case.get("line"),
          [(part.tag, part.get("type"), part.get("message")) for part in case])
END
)" "testsuite 3 1
a<b>%,: lilyq.ini 2 [('failure', 'LQ012', 'transient-main')]
fine lilyq.ini 13 []
the input None None []" 'and has a test for each entry'
run "$lilyq" lint -o github
like "$out" '^::error file=lilyq\.ini,line=6,title=a<b>%25%2C%3A%3A transient-main::\[queue:a<b>%25,:\] [^'$'\n'']*$' \
    'GitHub is told file and line'

run "$lilyq" lint -o sarif
exits 3 'SARIF ends alike'
is "$(jq -c '.runs[0].results[] | [.ruleId, .ruleIndex, .level,
    .locations[0].physicalLocation.region.startLine, .suppressions]' \
    "$out_file")" \
    '["LQ012",11,"error",6,null]
["LQ001",0,"warning",2,[{"kind":"inSource","justification":"it is drained & \"quick\" <enough>"}]]' \
    'and has what is ignored as suppressed'
cp "$out_file" log.sarif
run "$root/tests/lib/check_sarif" log.sarif
exits 0 'SARIF is valid'
for edit in 'del(.version)' '.runs[0].results[0].level = "fatal"' \
    '.runs[0].results[0].ruleIndex = 99' 'del(.runs[0].results[0].message)' \
    '.runs[0].results[0].locations[0].physicalLocation.region.startLine = 0' \
    '.runs[0].results[0].locations = []' \
    '.runs[0].tool.driver.rules[0].extra = 1'; do
    jq "$edit" log.sarif >bad.sarif
    run "$root/tests/lib/check_sarif" bad.sarif
    exits 1 "and would not be with $edit"
done

run "$lilyq" lint -o sarif --broker-version 5.1 lilyq.ini
cp "$out_file" far.sarif
is "$(jq -c '.runs[0].results[] | select(.ruleId == "LQ029") |
    .locations' far.sarif)" \
    '[{"physicalLocation":{"artifactLocation":{"uri":"lilyq.ini"}}}]' \
    'what is of no entry is at the first file'
run "$root/tests/lib/check_sarif" far.sarif
exits 0 'and valid too'
echo '; no entries' >none.ini
run "$lilyq" lint -o json --broker-version 5.1 none.ini
is "$(jq -c .findings "$out_file")" '[]' 'nothing is said of no entries'

# --- the examples of lilyq-lint(7) --------------------------------------------------------

page=$root/man/lilyq-lint.7
{
    sed -n '/^\.Bd -literal/,/^\.Ed/{/^\./d;p}' "$page"
    printf '%s\n' 'exchange_name = orders' 'routing_key = orders.created' \
        'retry_attempts = 3' "$base"
} >lilyq.ini
run "$lilyq" lint -o json --fail-on note
exits 0 'the comments of the manual ignore what they are about'
is "$(jq -c .summary "$out_file")" \
    '{"errors":0,"warnings":0,"notes":0,"ignored":2}' 'and nothing else is found'
mkdir bin
ln -s "$lilyq" bin/lilyq
sed -n '/^\.Sh EXAMPLES/,$s/^\.Dl //p' "$page" >examples.sh
is "$(grep -c '^lilyq lint' examples.sh)" 3 'the manual has three examples'
run env PATH="$PWD/bin:$PATH" bash -eo pipefail examples.sh
exits 0 'which run'
is "$(jq '.runs[0].results | length' lilyq.sarif)" 2 'and leave a log'

# --- what depends on the type of queue, or the version ------------------------------------

stops='when a failure outlasts the retries it fills up, and consumers stop at the first message that they cannot hand to it'
for type in 'classic:; what expires or is rejected then is lost' quorum:; do
    cat >small.ini <<END
[queue:q]
queue_type = ${type%%:*}
exchange_name = orders
routing_key = k
retry_attempts = 1
${base/dead_letter_max_messages = 10000/dead_letter_max_messages = 9999}
END
    run "$lilyq" lint small.ini
    is "$(grep -oE 'LQ024.*' <<<"$out")" \
        "LQ024 [queue:q] the dead-letter queue, of retention.dead_letter_max_messages = 9999, cannot hold what one bucket, of retention.retry_bucket_max_messages = 10000, may: $stops${type#*:}" \
        "a small dead-letter queue, ${type%%:*}"
done
cat >transient.ini <<END
[queue:q]
exchange_name = orders
routing_key = k
durable = false
$base
END
for version in 4.0 4.3; do
    run "$lilyq" lint --broker-version $version transient.ini
    has "$out" 'a broker that is set to refuse it closes the connection with 541, and 4.3 then does not start while it has one' \
        "a transient queue on $version"
done
run "$lilyq" lint --broker-version 3.10 transient.ini
is "$out" '' 'and on 3.10, which says nothing of it'

# --- what a broker holds ------------------------------------------------------------------

cat >lilyq.ini <<END
[queue:orders.created]
queue_type = quorum
exchange_name = orders
routing_key = orders.created
retry_attempts = 3
$base
END
"$lilyq" plan -o definitions --policies --broker-version 4.0 >hard.json 2>/dev/null
run "$lilyq" lint -o json --definitions hard.json
exits 0 'reads definitions'
is "$(codes "$out_file")" 'LQ015 LQ033 LQ039' 'and knows the policies that lilyq prints'
is "$err" "lilyq: warning: hard.json shows no operator policies: their effects are not judged
lilyq: 0 errors, 0 warnings, 3 notes" 'and tells what a file does not show'
run "$lilyq" lint -q -o json --definitions - <hard.json
is "$(codes "$out_file")" 'LQ015 LQ033 LQ039' 'from standard input too'
run "$lilyq" lint -o json
is "$(codes "$out_file")" 'LQ016 LQ002 LQ015' 'without a broker, it tells of all'

jq 'del(.policies, .bindings)' hard.json >now.json
run "$lilyq" lint -o json --definitions now.json
is "$(grep -c 'warning: now.json shows no .*: their effects are not judged' <<<"$err")" \
    3 'or has not at all'

# policy NAME PATTERN JSON: adds one to the definitions.
policy() {
    jq --arg name "$1" --arg pattern "$2" --argjson definition "$3" '.policies +=
        [{vhost: "/", name: $name, pattern: $pattern, "apply-to": "queues",
          priority: 1, definition: $definition}]' hard.json >now.json
}
policy one '1000ms$' '{"dead-letter-strategy": "at-most-once"}'
run "$lilyq" lint -o json --definitions now.json
is "$(codes "$out_file")" 'LQ002 LQ015 LQ039' \
    'one bucket without at-least-once is enough to pass the bounds'
policy drop '' '{"dead-letter-strategy": "at-least-once", "overflow": "drop-head"}'
run "$lilyq" lint --definitions now.json
exits 3 'an overflow that undoes it is an error'
is "$(grep -oE 'LQ034.*' <<<"$out")" \
    "LQ034 [queue:orders.created] policy 'drop' puts overflow = drop-head in force for 'orders.created': when full, it still confirms what is published, and drops its oldest messages, which become dead letters untried
LQ034 [queue:orders.created] policy 'drop' puts overflow = drop-head in force for 'orders.created.retry.v2.1000ms' and 2 more of the entry: when full, it still confirms what is published, and drops its oldest messages, which return at once
LQ034 [queue:orders.created] policy 'drop' puts overflow = drop-head in force for 'orders.created.dlq.v2': when full, it still confirms what is published, and deletes its oldest messages" \
    'told once for all queues of the entry that fare alike'
has "$out" LQ002 'and at-least-once is void'
hasnt "$out" LQ039 'for the main queue too'
policy main '^orders\.created$' '{"dead-letter-strategy": "at-least-once"}'
jq '.policies |= map(select(.name == "main"))' now.json >main.json
run "$lilyq" lint --definitions main.json
is "$(grep -oE 'LQ039.*' <<<"$out")" \
    "LQ039 [queue:orders.created] policy 'main' keeps a message that finds 'orders.created.dlq.v2' full in the main queue (at-least-once), where it is not ready but counts towards the bounds (100000 messages or 1073741824 bytes): enough of them close the queue to publishers, though it looks empty" \
    'a main queue that keeps what its dead-letter queue refuses'
has "$out" LQ002 'of which its buckets know nothing'
for limit in 20:LQ016 100: -1:; do
    policy limits '' "{\"delivery-limit\": ${limit%:*}}"
    run "$lilyq" lint -o json --definitions now.json
    is "$(codes "$out_file" | grep -oE 'LQ01[56]' | paste -sd ' ')" \
        "${limit#*:}$([[ ${limit#*:} ]] && echo ' LQ015')" \
        "a delivery limit of ${limit%:*} for all queues"
done
policy limits '' '{"delivery-limit": 3}'
run "$lilyq" lint --definitions now.json
is "$(grep -oE 'LQ01[56].*' <<<"$out")" \
    "LQ016 [queue:orders.created] a dead letter that is read and put back more than 3 times (delivery-limit of policy 'limits') is deleted: 'orders.created.dlq.v2' is a quorum queue, and has no dead-letter exchange of its own (RabbitMQ 4.0 and later)
LQ015 [queue:orders.created] a message that is put back or left unsettled more than 3 times (delivery-limit of policy 'limits') is sent to exchange 'orders.dlx.v2' by the broker itself, without the framework's headers (RabbitMQ 4.0 and later)" \
    'a lower limit than that of the broker is told, and whose it is'
policy short '\.retry\.' '{"message-ttl": 500, "expires": 60000}'
run "$lilyq" lint --definitions now.json
exits 3 'a policy that takes messages away is an error'
is "$(grep -oE 'error: LQ040.*' <<<"$out")" \
    "error: LQ040 [queue:orders.created] policy 'short' puts message-ttl = 500 in force for 'orders.created.retry.v2.1000ms' (planned: 1000) and 2 more of the entry: retries come back sooner than planned, and a classic bucket deletes those that the main queue has no room for
error: LQ040 [queue:orders.created] policy 'short' puts expires = 60000 in force for 'orders.created.retry.v2.1000ms' (planned: none) and 2 more of the entry: a bucket never has a consumer, so the broker deletes it with the retries that wait in it" \
    'each key of a policy is told once for the entry'
# grade DEFINITION CODES: what lint makes of a policy for all queues, without
# what it says of every plan
grade() {
    policy graded '' "$1"
    run "$lilyq" lint -o json --definitions now.json
    is "$(codes "$out_file" | grep -oE 'LQ03[45]|LQ040' | paste -sd ' ')" "$2" \
        "a policy of $1 is graded by what it does"
    exits "$([[ $2 == *LQ034* || $2 == *LQ040* ]] && echo 3 || echo 0)" \
        'and ends accordingly'
}
grade '{"expires": 1000}' 'LQ040 LQ040 LQ040'
grade '{"message-ttl": 500}' 'LQ040 LQ040 LQ040'
grade '{"max-length": 2}' LQ035
grade '{"max-length-bytes": 2}' LQ035
grade '{"max-length": 2, "overflow": "drop-head"}' \
    'LQ034 LQ034 LQ034 LQ040 LQ040 LQ040'
grade '{"max-length-bytes": 2, "overflow": "reject-publish-dlx"}' \
    'LQ034 LQ034 LQ034 LQ040 LQ040 LQ040'
grade '{"max-length": 2, "overflow": "reject-publish"}' LQ035
grade '{"delivery-limit": 3}' 'LQ040 LQ035'
grade '{"consumer-timeout": 1000}' LQ035
grade '{"dead-letter-exchange": ""}' LQ035
sed 's/= quorum/= classic/' lilyq.ini >classic.ini
policy graded '' '{"max-length": 2, "overflow": "drop-head"}'
run "$lilyq" lint -o json --definitions now.json classic.ini
is "$(codes "$out_file" | grep -oE 'LQ03[45]|LQ040' | paste -sd ' ')" LQ035 \
    'classic queues refuse what is too much, whatever a policy says'
policy graded '' '{"expires": 1000}'
run "$lilyq" lint --definitions now.json classic.ini
is "$(grep -oE "error: LQ040.*(deletes .*)" <<<"$out" | sed 's/.*: //')" \
    'the broker deletes the queue with its messages once it has had no consumer for so long
a bucket never has a consumer, so the broker deletes it with the retries that wait in it
the broker deletes the queue with its dead letters once nobody has looked for so long' \
    'each kind of queue is told what it loses'
jq '.policies = [{vhost: "/", name: "all", pattern: "^orders", priority: 0,
    "apply-to": "all", definition: {"dead-letter-strategy": "at-least-once"}},
    {vhost: "/", name: "ha", pattern: "dlq", priority: 0, "apply-to": "queues",
    definition: {"ha-mode": "all"}}]' hard.json >now.json
sed 's/= quorum/= classic/' lilyq.ini >classic.ini
run "$lilyq" lint --definitions now.json classic.ini
is "$(grep -oE 'LQ038.*' <<<"$out")" \
    "LQ038 [queue:orders.created] policy 'all' matches 'orders.created', but is not applied to it: classic queues do not support dead-letter-strategy, so none of its keys is in force" \
    'a policy for quorum queues is not applied to classic ones'
run "$lilyq" lint --definitions now.json
is "$(grep -oE 'LQ038.*' <<<"$out")" \
    "LQ038 [queue:orders.created] policy 'ha' matches 'orders.created.dlq.v2', but is not applied to it: quorum queues do not support ha-mode, so none of its keys is in force" \
    'nor the other way round'
for version in 3.10.8:LQ002 4.3.6:'LQ016 LQ002 LQ015'; do
    jq --arg version "${version%%:*}" '.policies = [] |
        .rabbit_version = $version' hard.json >now.json
    run "$lilyq" lint -o json --definitions now.json
    is "$(codes "$out_file")" "${version#*:}" "the broker's version counts: ${version%%:*}"
    is "$(jq -r .broker_version "$out_file")" "$(cut -d . -f 1-2 <<<"${version%%:*}")" \
        'and is in the document'
done
run "$lilyq" lint -o json --definitions now.json --broker-version 3.10
is "$(codes "$out_file")" LQ002 'unless another is given'

# What one run sees, another may not.
sed -i '1i ; lilyq:ignore LQ002,LQ015,LQ016,LQ033,LQ039 known' lilyq.ini
for source in '' '--definitions hard.json' '--definitions now.json'; do
    # shellcheck disable=SC2086 # words
    run "$lilyq" lint -o json $source
    is "$(codes "$out_file")" '' "nothing that is ignored is of no use ${source:-offline}"
done

# shape NAME JQ: adds a binding that is not planned.
foreign() {
    jq "$2" hard.json >now.json
    run "$lilyq" lint --definitions now.json
    is "$(grep -oE 'LQ036.*' <<<"$out")" "LQ036 [queue:orders.created] $3" "$1"
}
mine='.queues += [{vhost: "/", name: "audit", durable: true, auto_delete: false,
    arguments: {}}] | .bindings += [{vhost: "/", destination: "audit",
    destination_type: "queue", arguments: {}, '
foreign 'another queue of the main key' \
    "$mine source: \"orders\", routing_key: \"orders.created\"}]" \
    "queue 'audit' is bound to exchange 'orders' with key 'orders.created', which is not planned: it gets a copy of each retry"
foreign 'another queue at the retry exchange' \
    "$mine source: \"orders.retry.v2\", routing_key: \"x\"}]" \
    "queue 'audit' is bound to exchange 'orders.retry.v2' with key 'x', which is not planned: it may get what is to wait for a retry"
foreign 'another queue at the dead-letter exchange' \
    "$mine source: \"orders.dlx.v2\", routing_key: \"x\"}]" \
    "queue 'audit' is bound to exchange 'orders.dlx.v2' with key 'x', which is not planned: it may get dead letters"
foreign 'another way into a bucket' '.bindings += [{vhost: "/", source: "orders",
    destination: "orders.created.retry.v2.1000ms", destination_type: "queue",
    routing_key: "x", arguments: {}}]' \
    "queue 'orders.created.retry.v2.1000ms' is bound to exchange 'orders' with key 'x', which is not planned: what others publish there is retried"
foreign 'another way into a dead-letter queue' '.bindings += [{vhost: "/",
    source: "orders", destination: "orders.created.dlq.v2",
    destination_type: "queue", routing_key: "x", arguments: {}}]' \
    "queue 'orders.created.dlq.v2' is bound to exchange 'orders' with key 'x', which is not planned: what others publish there is a dead letter"

run "$lilyq" lint --definitions missing.json
exits 1 'definitions that cannot be read are a failure'
is "$err" "lilyq: cannot read 'missing.json': No such file or directory
lilyq: nothing judged" 'and it is said why'
echo '{' >broken.json
run "$lilyq" lint --definitions broken.json
exits 2 'broken ones are wrong input'
is "$out" '' 'and nothing is printed'
run "$lilyq" lint --management-url http://127.0.0.1:1
exits 1 'a broker that is not reached is a failure'
like "$err" 'nothing judged$' 'and it is said so'
{
    printf '[broker]\nmanagement_url = http://127.0.0.1:1\n'
    cat lilyq.ini
} >there.ini
run "$lilyq" lint there.ini
exits 0 'no broker is asked that only [broker] names'

# --- the example of the README ---------------------------------------------------------

# The Nth block of the README in fences of that language.
block() {
    awk -v fence="\`\`\`$1" -v n="$2" '
        on && /^```$/ { exit }
        on { print }
        $0 == fence { on = (++seen == n) }' "$root/README.md"
}
block ini 1 >lilyq.ini
{ "$lilyq" lint 2>&1; } >shown
sed -n '/^\$ lilyq lint$/,/^```$/{/^[`$]/d;p}' "$root/README.md" >want
same shown want 'the README shows what is found in its example'

# --- size --------------------------------------------------------------------------------

"$root/tests/bench/generate" plain >plain.ini
run "$lilyq" lint -q -o json plain.ini
is "$(jq '.findings | length > 0' "$out_file")" true 'ten thousand entries are judged'

done_testing
