#!/bin/bash
#
# lilyq diff with definitions that a broker exported.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

cat >lilyq.ini <<'INI'
[defaults]
retention.main_max_messages = 1000
retention.main_max_bytes = 1000000
retention.retry_bucket_max_messages = 100
retention.retry_bucket_max_bytes = 100000
retention.dead_letter_max_messages = 500
retention.dead_letter_max_bytes = 500000

[queue:orders.created]
exchange_name = orders
routing_key = orders.created
retry_attempts = 3

[queue:billing]
exchange_name = billing
routing_key = billing
queue_type = quorum
INI

# A broker's export has all lists.
"$lilyq" plan -o definitions | jq '. + {policies: [], parameters: []}' >all.json

# changed FILTER [ARGUMENT...]: the definitions with this change, compared.
changed() {
    jq "$1" all.json >changed.json || bail_out "no such change: $1"
    run "$lilyq" diff --definitions changed.json "${@:2}"
}

run "$lilyq" diff --definitions all.json
exits 0 'what is declared as planned is in sync'
is "$out" '' 'and there is nothing to print'
is "$err" "lilyq: in sync: all.json vhost '/' holds what is planned; its policies were not compared ('--policies')" \
    'and the summary says so'

changed 'del(.queues[1, 2]) | .queues[0].arguments["x-max-length"] = "1000"
    | .queues[0].arguments["x-single-active-consumer"] = true
    | del(.bindings[0:3])'
exits 3 'drift ends with 3'
is "$out" "orders.created
  ~ queue 'orders.created': x-max-length is '1000' (string), plan says 1000 (integer)
  ~ queue 'orders.created': x-single-active-consumer is true, plan does not set it
  + queue 'orders.created.retry.v2.1000ms'
  + queue 'orders.created.retry.v2.2000ms'
  + binding from exchange 'orders' to queue 'orders.created' with key 'orders.created'
  + binding from exchange 'orders.retry.v2' to queue 'orders.created.retry.v2.1000ms' with key 'orders.created.retry.1000ms'
  + binding from exchange 'orders.retry.v2' to queue 'orders.created.retry.v2.2000ms' with key 'orders.created.retry.2000ms'

What to do
  ~ 2: a queue cannot be changed in place: plan what is there, or stop its consumers, move its messages away, delete it and apply
  + 5: apply declares it" 'the text has every difference, by logical queue'
is "$err" "lilyq: drift: 5 missing, 2 different; looked at changed.json vhost '/'; its policies were not compared ('--policies')" \
    'and the summary counts them'

changed '.exchanges = [] | .queues = [] | .bindings = []'
has "$out" "
  + 5 queues 'orders.created', 'orders.created.retry.v2.1000ms' and 3 more
  + 5 bindings to 'orders.created', 'orders.created.retry.v2.1000ms' and 3 more
" 'many that are alike share a line'
changed '.exchanges = [] | .queues = [] | .bindings = []' -v
is "$(grep -c '^  + [eqb]' <<<"$out")" 19 '--verbose has a line for each'

changed 'del(.queues[0])' --fail-on different
exits 0 'what --fail-on does not name is no drift'
has "$out" "+ queue 'orders.created'" 'but it is printed'
is "$err" "lilyq: no drift that counts: 1 missing; looked at changed.json vhost '/'; its policies were not compared ('--policies')" \
    'and counted'
changed 'del(.queues[0])' --fail-on different,missing
exits 3 '--fail-on takes several kinds'
changed 'del(.queues[0].durable)'
exits 0 'what is not shown is no drift'
has "$out" "? queue 'orders.created': durable is not shown, plan says true" \
    'but is told'
is "$err" "lilyq: in sync as far as can be seen: 1 unverified; looked at changed.json vhost '/'; its policies were not compared ('--policies')" \
    'and counted'
changed 'del(.queues[0].durable)' --fail-on unverified
exits 3 'unless --fail-on says that it is'

changed 'del(.bindings)'
has "$out" "
out of sight
  ? 7 bindings to 'orders.created', 'orders.created.retry.v2.1000ms' and 5 more: not shown
" 'what is not shown of many is told once'
hasnt "$out" "
  ? binding" 'and nowhere else'
changed 'del(.bindings)' -v
is "$(grep -c '^  ? binding .*: not shown$' <<<"$out")" 7 \
    '--verbose tells each'
changed 'del(.bindings)' -o json
exits 0 'a part that is not there is not shown'
is "$(jq -c '[.summary, .drift, .source]' <<<"$out")" \
    '[{"missing":0,"different":0,"unexpected":0,"shadowed":0,"unverified":8,"note":0},false,{"kind":"definitions","name":"changed.json","vhost":"/","broker_version":null}]' \
    'which the document counts'
changed '.queues[0].arguments["x-max-length"] = 5 | del(.queues[5])' -o json
is "$(jq -c '.findings[]' <<<"$out")" \
    '{"kind":"different","code":"queue-argument-different","resource":"queue","name":"orders.created","logical_queue":"orders.created","role":"main","file":"lilyq.ini","line":9,"field":"x-max-length","planned":{"type":"integer","value":1000},"actual":{"type":"integer","value":5},"in_place":false,"advice":"a queue cannot be changed in place: plan what is there, or stop its consumers, move its messages away, delete it and apply"}
{"kind":"missing","code":"queue-missing","resource":"queue","name":"billing","logical_queue":"billing","role":"main","file":"lilyq.ini","line":14,"in_place":true,"advice":"apply declares it"}' \
    'a finding has its place in the input'

cp "$out_file" document.json
while IFS='|' read -r edit name; do
    jq "$edit" document.json >"bad with $name.json"
done <<'CASES'
.extra = 1|an unknown member
del(.summary.note)|a kind less
.format_version = 2|another version
.source.kind = "guess"|an unknown source
.fail_on = ["nothing"]|an unknown kind
.findings[0].extra = 1|an unknown member of a finding
del(.findings[0].name)|a finding about nothing
.findings[0].source = "x"|a finding about two things
del(.findings[0].actual)|half a difference
.findings[0].actual.value = "5"|a number as text
.findings[0].code = "Bad code"|a code of another form
CASES
cat >valid.py <<'PYTHON'
import json
import sys
import jsonschema
with open(sys.argv[1], encoding="utf-8") as file:
    validator = jsonschema.Draft202012Validator(json.load(file))
validator.check_schema(validator.schema)
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        print(path, validator.is_valid(json.load(file)))
PYTHON
run /usr/bin/python3 valid.py "$root/man/lilyq-diff.schema.json" \
    document.json bad*.json
is "$(grep -c False <<<"$out")" 11 'the schema takes nothing else'
is "$(grep True <<<"$out")" 'document.json True' 'and what is printed is as it says'

# RabbitMQ 4.3 exports no internal exchange, and what is bound to it.
internal='del(.exchanges[] | select(.name == "orders"))'
changed "$internal | .rabbit_version = \"4.3.6\""
exits 3 'an exchange that is left out, but bound to, is drift'
has "$out" "~ exchange 'orders': internal is true, plan says false" \
    'since only internal ones are left out'
changed 'del(.exchanges[].internal) | .rabbit_version = "4.3.6"'
is "$err" "lilyq: in sync: changed.json vhost '/' holds what is planned; its policies were not compared ('--policies')" \
    'so that the others are not'
changed "$internal | .rabbit_version = \"4.0.5\""
has "$out" "+ exchange 'orders'" 'earlier versions leave none out'
changed "$internal | .rabbit_version = \"4.3.6\" | .bindings[].source = \"x\""
has "$out" "+ exchange 'orders'" 'and to what is missing nothing is bound'

# For other programs.
changed '.queues[0].arguments["x-max-length"] = "<&>\u0001\uffff\n"
    | del(.queues[5].durable)' -o junit
exits 3 'a JUnit report has the same exit status'
cat >junit.py <<'PYTHON'
import sys
import xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot()
print(suite.tag, suite.get("tests"), suite.get("failures"), suite.get("skipped"))
for case in suite:
    print(case.get("name"), case.get("file"), case.get("line"))
    for outcome in case:
        print(outcome.tag, outcome.get("type"), outcome.get("message"))
        print(outcome.text)
PYTHON
cp "$out_file" report.xml
run python3 junit.py report.xml
is "$out" "testsuite 2 1 1
orders.created lilyq.ini 9
failure queue-argument-different queue argument different
queue-argument-different: queue 'orders.created': x-max-length is '<&>\\x01\\xef\\xbf\\xbf\\x0a' (string), plan says 1000 (integer)
a queue cannot be changed in place: plan what is there, or stop its consumers, move its messages away, delete it and apply
billing lilyq.ini 14
skipped None property unverified
property-unverified: queue 'billing': durable is not shown, plan says true
look at it from a source that shows it, such as the management API" \
    'an XML parser reads it, whatever a broker holds'
run "$lilyq" diff --definitions all.json -o junit
exits 0 'a JUnit report of what is in sync'
cp "$out_file" report.xml
run python3 junit.py report.xml
is "$out" 'testsuite 2 0 0
orders.created lilyq.ini 9
billing lilyq.ini 14' 'has a test for each logical queue'

changed '.queues[0].arguments["x-max-length"] = "100%\r\n::" | del(.queues[1:3])
    | del(.queues[3].durable)' -o github
exits 3 'annotations have the same exit status'
is "$out" "::error file=lilyq.ini,line=9,title=orders.created%3A queue argument different::queue 'orders.created': x-max-length is '100%25\\x0d\\x0a::' (string), plan says 1000 (integer)%0Aa queue cannot be changed in place: plan what is there, or stop its consumers, move its messages away, delete it and apply
::error file=lilyq.ini,line=9,title=orders.created%3A queue missing::queue 'orders.created.retry.v2.1000ms'%0Aqueue 'orders.created.retry.v2.2000ms'%0Aapply declares it
::notice file=lilyq.ini,line=14,title=billing%3A property unverified::queue 'billing': durable is not shown, plan says true%0Alook at it from a source that shows it, such as the management API" \
    'neighbours that are alike share one'
changed '.bindings += [{source: "orders", destination: "\u001b\r\n::\u202ex\u2028",
    destination_type: "queue", routing_key: "orders.created", arguments: {}}]'
has "$out" "to queue '\\x1b\\x0d\\x0a::\\xe2\\x80\\xaex\\xe2\\x80\\xa8' with key" \
    'a name shows nothing of what is around it in another way'
for format in github junit; do
    run "$lilyq" diff --definitions changed.json -o "$format"
    has "$out" "to queue '\\x1b\\x0d\\x0a::\\xe2\\x80\\xaex\\xe2\\x80\\xa8' with key" \
        "nor does it with -o $format"
done

changed 'del(.queues[0])' -o github --fail-on different
has "$out" '::warning file=lilyq.ini,line=9,' 'what does not count is a warning'
printf '{"queues":[{"name":"q","exchange_name":"x","routing_key":"k","retention":
    {"main_max_messages":1,"main_max_bytes":1,"retry_bucket_max_messages":1,
    "retry_bucket_max_bytes":1,"dead_letter_max_messages":1,
    "dead_letter_max_bytes":1}}]}' >'a:b,c.json'
run "$lilyq" diff --definitions all.json -o github 'a:b,c.json'
like "$out" '^::error file=a%3Ab%2Cc\.json,title=q%3A exchange missing::' \
    'a place without a line has a file'
# An entry that is gone: its main queue still fills, and dead-letters.
sed '/billing/,$d' lilyq.ini >fewer.ini
run "$lilyq" diff --definitions all.json fewer.ini
exits 3 'an entry that is gone is drift'
is "$(sed '/^$/,$d' <<<"$out")" "virtual host '/'
  - exchange 'billing': orphaned
  - exchange 'billing.dlx.v2': orphaned
  - queue 'billing': no entry has it, and it still fills
  - queue 'billing.dlq.v2': no entry has it
  - binding from exchange 'billing' to queue 'billing' with key 'billing': no entry has it
  - binding from exchange 'billing.dlx.v2' to queue 'billing.dlq.v2' with key 'billing': no entry has it" \
    'the text names all that it had'
like "$out" 'stop its publishers.*delete it, before its buckets and DLQ.*last and once its main queue is deleted' \
    'and says in which order to delete it'
run "$lilyq" diff --definitions all.json -o json fewer.ini
is "$(jq -r '.findings[] | select(.resource == "queue")
    | "\(.kind) \(.code) \(.name)"' <<<"$out")" \
    'unexpected queue-of-gone-entry billing
unexpected queue-of-gone-entry billing.dlq.v2' 'so does JSON'
run "$lilyq" diff --definitions all.json -o junit fewer.ini
has "$out" "queue 'billing': no entry has it, and it still fills" \
    'and a JUnit report'
run "$lilyq" diff --definitions all.json -o github fewer.ini
has "$out" "queue 'billing': no entry has it, and it still fills%0Ano entry has it: give" \
    'and annotations, each with what to do'
jq 'del(.queues[] | select(.name == "billing"))
    | del(.bindings[] | select(.destination == "billing"))' all.json >part.json
run "$lilyq" diff --definitions part.json -o json fewer.ini
is "$(jq -r '.findings[] | select(.resource == "queue").name' <<<"$out")" \
    billing.dlq.v2 'what is left of it is still named once that is deleted'
cat >>fewer.ini <<'INI'
[queue:billing.new]
exchange_name = billing
routing_key = billing
queue_type = quorum
INI
run "$lilyq" diff --definitions all.json -o json fewer.ini
is "$(jq -r '.findings[] | select(.kind == "unexpected")
    | "\(.logical_queue) \(.role) \(.code) \(.name // .destination)"' \
    <<<"$out")" \
    'billing.new main queue-of-gone-entry billing
billing.new dead_letter queue-of-gone-entry billing.dlq.v2
billing.new main binding-of-gone-entry billing
billing.new dead_letter binding-of-gone-entry billing.dlq.v2' \
    'an entry that was renamed leaves all but its exchanges'

# Policies.
policy() {
    jq -cn --arg name "$1" --arg pattern "$2" --argjson definition "$3" \
        '{vhost: "/", $name, $pattern, $definition, priority: 1, "apply-to": "queues"}'
}
operator_policy() {
    policy "$@" | jq -c '{vhost, name, component: "operator_policy",
        value: del(.vhost, .name)}'
}
changed ".policies += [$(policy short 'retry\.v2\.[0-9]+ms$' '{"message-ttl": 1500, "queue-mode": "lazy"}'),
        $(policy drop '^billing$' '{"overflow": "drop-head"}')]
    | .parameters += [{component: \"shovel\", name: \"s\", value: {}},
        $(operator_policy "it's" '\.dlq' '{"expires": 60000}')]"
exits 3 'what policies change is drift'
is "$out" "orders.created
  ! queue 'orders.created.retry.v2.2000ms': message-ttl is 1500 by policy 'short', plan says 2000
  ! queue 'orders.created.retry.v2.4000ms': message-ttl is 1500 by policy 'short', plan says 4000
  ! queue 'orders.created.dlq.v2': expires is 60000 by operator policy 'it's', plan does not set it

billing
  ! queue 'billing': overflow is 'drop-head' by policy 'drop', plan says 'reject-publish'
  ! queue 'billing.dlq.v2': expires is 60000 by operator policy 'it's', plan does not set it

What to do
  ! 2: retries come back sooner than planned, and a classic bucket deletes those that the main queue has no room for: keep the policy off the queue
  ! 2: the broker deletes the queue with its dead letters once nobody has looked for so long: keep the policy off the queue
  ! 1: a full queue drops its oldest messages, which become dead letters untried, in place of refusing new ones, and at-least-once dead-lettering is off: keep the policy off the queue, or have it say reject-publish" \
    'and each change is printed, with whose doing it is'
is "$err" "lilyq: drift: 5 shadowed; looked at changed.json vhost '/'; its policies were not compared ('--policies')" 'and counted'
changed "del(.exchanges, .queues, .bindings | .[].vhost)
    | .parameters += [$(operator_policy op '^billing$' '{"expires": 60000}') | .vhost = \"shop\"]"
exits 3 'a virtual host that only an operator policy names is that of the file'
is "$err" "lilyq: drift: 1 shadowed; looked at changed.json vhost 'shop'; its policies were not compared ('--policies')" \
    'and is told'
changed ".policies += [$(policy half '^billing$' '{"max-length": 1}' | jq -c '.priority = 1.5')]" -o json
is "$(jq -c '.findings[] | [.code, .field, .planned, .actual, .policy, .in_place]' <<<"$out")" \
    '["queue-shadowed","max-length",{"type":"integer","value":1000},{"type":"integer","value":1},{"name":"half","operator":false,"pattern":"^billing$","priority":"1.5"},true]' \
    'the document has the policy'
changed ".policies += [$(policy a '(' '{"max-length": 1}'), $(policy b '^billing$' '{"max-length": 1}' | jq -c '.priority = 2'),
    $(policy c 'billing' '{"max-length": 2, "x": 1}' | jq -c '.priority = 2'), $(policy d 'dlq' '{"federation-upstream-set": "all"}' | jq -c '.priority = 3')]"
has "$out" "? queue 'orders.created': policy 'a' may be in force" 'a pattern that is not valid is told'
has "$out" "? queue 'billing': policy 'c' is as good as the one in force" 'and one of two equals'
has "$out" "? queue 'orders.created.dlq.v2': federation-upstream-set is 'all' by policy 'd'" \
    'and a key that is not known'
changed 'del(.policies)'
exits 0 'policies that are not shown are no drift'
has "$out" "virtual host '/'
  ? policies are not shown" 'but are told'
changed 'del(.parameters)' --fail-on unverified
exits 3 'nor are operator policies'
has "$out" "? operator policies are not shown" 'which are told'

# Where to look.
run "$lilyq" diff --definitions - <all.json
exits 0 'definitions may come from standard input'
run "$lilyq" diff --definitions all.json - <lilyq.ini
exits 0 'and so may entries'
run "$lilyq" diff --definitions - - <all.json
exits 2 'but not both'
is "$err" "lilyq: '-', standard input, can be named only once" 'and it says so'
jq '.exchanges[].vhost = "a/b%2F c" | .queues[].vhost = "a/b%2F c"
    | .bindings[].vhost = "a/b%2F c"' all.json >one.json
run "$lilyq" diff --definitions one.json
exits 0 'the only virtual host of a file need not be named'
has "$err" "one.json vhost 'a/b%2F c' holds" 'and is told'
run "$lilyq" diff --definitions one.json --vhost /
exits 2 'a virtual host that the file does not have is refused'
is "$err" "one.json: document must have the virtual host '/', but is about others, such as 'a/b%2F c'
lilyq: nothing compared" 'with one that it has'
jq -s '{vhosts: [{name: "/"}, {name: "shop"}, {name: "a/b%2F c"}],
    exchanges: map(.exchanges[]), queues: map(.queues[]),
    bindings: map(.bindings[]), policies: [], parameters: []}' all.json one.json >two.json
run "$lilyq" diff --definitions two.json
exits 2 'with several virtual hosts one must be chosen'
is "$err" "two.json: document has several virtual hosts, such as '/' and 'shop': one must be chosen
lilyq: nothing compared" 'as it says'
run "$lilyq" diff --definitions two.json --vhost 'a/b%2F c'
exits 0 'a virtual host can be chosen'
run "$lilyq" diff --definitions two.json --vhost shop
exits 3 'and one that has nothing is compared too'
run "$lilyq" diff --definitions two.json --vhost 'none'
exits 2 'but not one that is not in the list'
changed 'map_values(map(del(.vhost)))' --vhost shop
exits 0 'what has no virtual host is of any'

# Plenty of everything.
{
    sed '/^\[queue/,$d' lilyq.ini
    for ((i = 0; i < 300; ++i)); do
        printf '[queue:q%d]\nexchange_name = x\nrouting_key = k%d\n' "$i" "$i"
        printf 'retry_attempts = 8\n'
    done
} >many.ini
run "$lilyq" diff --definitions all.json many.ini
exits 3 'thousands of findings are printed'
is "$(grep -c '^  + 9 queues' <<<"$out")" 300 'in a line or two for each logical queue'
is "$(grep '^  +.*: apply declares it' <<<"$out")" \
    '  + 5403: apply declares it' 'with the advice once'
"$lilyq" plan -q -o definitions many.ini |
    jq '.policies = [] | .parameters = []' >many.json
run "$lilyq" diff --definitions many.json many.ini
exits 0 'large definitions are read'
jq '.queues |= map(.arguments["x-max-length"] += 1)' many.json >more.json
run "$lilyq" diff --definitions more.json many.ini
is "$(tail -n 3 <<<"$out" | cut -d : -f 1)" '  ~ 300
  ~ 2100
  ~ 300' 'and differences in all of them are advised by role'

# What is no file of definitions.
while IFS='|' read -r text error name; do
    printf '%s' "$text" >wrong.json
    run "$lilyq" diff --definitions wrong.json
    exits 2 "$name is refused"
    is "$err" "wrong.json$error
lilyq: nothing compared" 'with its place'
    is "$out" '' 'and nothing is printed'
done <<'CASES'
|: document must not be empty|an empty file
{"queues":[|:1:12: ']' expected near end of file|JSON that ends early
[]|: document must be an object, not an array|another kind of JSON
{}|: document must be a broker's definitions, with 'exchanges', 'queues' and 'bindings'|an object of something else
{"queues":[{"name":1}]}|: queues[0].name: must be a string, not 1|a queue whose name is a number
CASES
printf '[%.0s' {1..3000} >deep.json
run "$lilyq" diff --definitions deep.json
exits 2 'JSON that is too deep is refused'
has "$err" 'deep.json:1:2048: maximum parsing depth reached' 'with its place'
run "$lilyq" diff --definitions none.json
exits 1 'a file that is not there is a failure'
is "$err" "lilyq: cannot read 'none.json': No such file or directory
lilyq: nothing compared" 'and it says why'
run "$lilyq" diff --definitions .
exits 1 'so is a directory'
truncate -s 257M sparse.json
run "$lilyq" diff --definitions sparse.json
exits 2 'a file that is too large is not read'
has "$err" "lilyq: 'sparse.json' must be at most 256 MiB" 'and it says so'
rm sparse.json
mkfifo fifo
for command in diff lint; do
    "$lilyq" "$command" --definitions fifo >interrupted.out 2>&1 &
    pid=$!
    exec 3>fifo # waits until it is open
    kill -TERM "$pid"
    wait "$pid"
    is "$? $(<interrupted.out)" '143 ' "SIGTERM ends lilyq $command at once"
    exec 3>&-
done
run "$lilyq" diff --definitions - </dev/zero
exits 2 'nor is standard input without an end'
has "$err" 'lilyq: standard input must be at most 256 MiB' 'as it says'

for option in url=amqp://h management-url=http://h username=u password-file=f \
    tls-ca-cert-file=f tls-cert-file=f tls-key-file=f insecure \
    connect-timeout=1 answer-timeout=1 timeout=1 wait=1; do
    run "$lilyq" diff --definitions all.json "--$option"
    exits 2 "--definitions does not go with --${option%%=*}"
    is "$err" "lilyq: '--definitions' and '--${option%%=*}' cannot be used together" \
        'and it says so'
done
run "$lilyq" diff --url amqp://localhost:1
exits 1 'without any of these it looks over AMQP'
has "$err" "lilyq: broker localhost:1 (vhost '/', user 'guest'): cannot connect" \
    'and says so when it cannot'
run "$lilyq" diff --definitions all.json --fail-on missing,
exits 2 'an empty kind is refused'
run "$lilyq" diff --definitions all.json --fail-on mising
is "$err" "lilyq: '--fail-on' must be missing, different, unexpected, shadowed or unverified, not 'mising'; did you mean 'missing'?" \
    'and so is one that there is not'

# Two files of one virtual host, whose entries share an exchange.
sed '/queue:/,$d' lilyq.ini >one.ini
cp one.ini two.ini
printf '%s\n' '[queue:one]' 'exchange_name = shared' 'routing_key = one' \
    >>one.ini
printf '%s\n' '[queue:two]' 'exchange_name = shared' 'routing_key = two' \
    'retry_attempts = 1' 'dead_letter_routing_key = two.dead' >>two.ini
"$lilyq" plan -o definitions one.ini two.ini |
    jq '. + {policies: [], parameters: []}' >shared.json
run "$lilyq" diff --definitions shared.json one.ini two.ini
exits 0 'all files of a virtual host together are in sync with it'
run "$lilyq" diff --definitions shared.json one.ini
exits 3 'one file alone takes what the other has for left behind'
is "$(grep -c '^  - [0-9]' <<<"$out")" 7 'in seven ways'
is "$(grep '^  - [0-9]' <<<"$out" |
    grep -vcE 'unless another file has it|give the file that does as well')" 0 \
    'and all advice on it thinks of another file'

# --- the example of the README ---------------------------------------------------------

mkdir readme && cd readme || exit
awk '/^```ini$/ { on = !seen++; next } /^```/ { on = 0 } on' "$root/README.md" \
    >lilyq.ini
"$lilyq" plan -o definitions | jq '. + {policies: [], parameters: []}
    | (.queues[] | select(.name == "orders.created")).arguments["x-max-length"] = 5000
    | del(.queues[] | select(.name | endswith(".4000ms")))
    | del(.bindings[] | select(.destination | endswith(".4000ms")))' >definitions.json
sed -n '/^\$ lilyq diff --definitions/,/^```$/{/^[`$]/d;p}' "$root/README.md" >want
run "$lilyq" diff --definitions definitions.json
exits 3 'what the README shows is drift'
is "$out
$err" "$(<want)" 'and is shown as it says'
cp lilyq.ini before.ini
sed -i 's/^retry_attempts = 3/retry_attempts = 2/' lilyq.ini
run "$lilyq" diff --against - <before.ini
exits 3 'a change shows what it leaves behind, as the README says'
has "$out" "  - queue 'orders.created.retry.v2.4000ms': orphaned" 'with its name'

done_testing
