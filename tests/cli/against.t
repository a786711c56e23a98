#!/bin/bash
#
# lilyq diff --against: what a change of the file leads to.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

cat >new.ini <<'INI'
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
retry_attempts = 2

[queue:billing]
exchange_name = billing
routing_key = billing
queue_type = quorum
INI

# old EXPRESSION [ARGUMENT...]: compares with the file as sed changes it.
old() {
    sed "$1" new.ini >old.ini
    run "$lilyq" diff --against old.ini "${@:2}" new.ini
}

# codes FILE: each finding of a JSON document as "code name field".
codes() {
    jq -r '.findings[] | [.code, .name // .destination, .field // empty]
        | join(" ")' "$1"
}

# valid NAME: the last document is as its schema says.
valid() {
    cp "$out_file" document.json
    run /usr/bin/python3 -m jsonschema -i document.json \
        "$root/man/lilyq-diff.schema.json"
    exits 0 "$1"
}

# The same plan.
"$lilyq" plan new.ini >new.json
"$lilyq" plan -i ini -o json - <new.ini >stdin.json
same new.json stdin.json 'a plan can be saved'
for file in new.ini new.json; do
    run "$lilyq" diff --against "$file" new.ini
    exits 0 "nothing changes from $file"
    is "$out" '' 'and there is nothing to print'
    is "$err" "lilyq: no change: $file plans the same" 'and it says so'
    run "$lilyq" diff --against - new.ini <"$file"
    exits 0 'nor from the same on standard input'
    is "$err" 'lilyq: no change: <stdin> plans the same' 'as it says'
done
cp new.json plan.txt
run "$lilyq" diff --against plan.txt new.ini
exits 0 'a saved plan is known by what it says, not by its name'
jq -c . new.json >compact.json
run "$lilyq" diff --against compact.json new.ini
exits 0 'nor by how it is laid out'
jq -S . new.json >sorted.json
run "$lilyq" diff --against sorted.json new.ini
exits 0 'nor by the order of its members'
cat >entries.json <<'JSON'
{"queues": [
  {"name": "orders.created", "exchange_name": "orders",
   "routing_key": "orders.created", "retry_attempts": 2, "concurrency": 9,
   "retention": {"main_max_messages": 1000, "main_max_bytes": 1000000,
     "retry_bucket_max_messages": 100, "retry_bucket_max_bytes": 100000,
     "dead_letter_max_messages": 500, "dead_letter_max_bytes": 500000}},
  {"name": "billing", "exchange_name": "billing", "routing_key": "billing",
   "queue_type": "quorum",
   "retention": {"main_max_messages": 1000, "main_max_bytes": 1000000,
     "retry_bucket_max_messages": 100, "retry_bucket_max_bytes": 100000,
     "dead_letter_max_messages": 500, "dead_letter_max_bytes": 500000}}]}
JSON
run "$lilyq" diff --against entries.json new.ini
exits 0 'entries in JSON are another form of the same'
run "$lilyq" diff --against - new.ini <entries.json
exits 0 'on standard input too'
run "$lilyq" diff --against new.ini entries.json
exits 0 'and the other way round'
old '/^retry_attempts/ a concurrency = 7\nsettlement_timeout_millis = 9'
exits 0 'what only the consumer uses is no change'

# Changes.
old 's/retry_attempts = 2/retry_attempts = 3/'
exits 3 'a change ends with 3'
is "$out" "orders.created
  - queue 'orders.created.retry.v2.4000ms': orphaned
  - binding from exchange 'orders.retry.v2' to queue 'orders.created.retry.v2.4000ms' with key 'orders.created.retry.4000ms': orphaned

What to do
  - 1: it stays, and messages in it still return when their delay is over; delete it once it is empty and no consumer of the old plan runs
  - 1: it stays, as apply never unbinds, until its queue is deleted" \
    'a bucket that is gone is an orphan, with what becomes of its messages'
is "$err" 'lilyq: a change: 2 left behind, from what old.ini plans' \
    'and the summary counts it'
old 's/retry_attempts = 2/retry_attempts = 1/'
exits 3 'a new bucket is a change'
is "$out" "orders.created
  + queue 'orders.created.retry.v2.2000ms': created
  + binding from exchange 'orders.retry.v2' to queue 'orders.created.retry.v2.2000ms' with key 'orders.created.retry.2000ms': created

What to do
  + 1: apply declares it
  + 1: apply binds it" 'and is told as created'
old 's/^queue_type.*/message_ttl_ms = 5/'
exits 3 'another argument is a change'
is "$(grep '~' <<<"$out")" "  ~ queue 'billing': x-queue-type was 'classic', becomes 'quorum'
  ~ queue 'billing.dlq.v2': x-queue-type was 'classic', becomes 'quorum'
  ~ queue 'billing': x-message-ttl was 5, is no longer set
  ~ 2: apply ends with a conflict, exit status 4, and writes nothing: keep the old value, or stop its consumers, move its messages away, delete it and apply
  ~ 1: apply ends with a conflict, exit status 4, and writes nothing: keep the old value, or save its dead letters, delete it and apply" \
    'and apply would refuse it'
old 's/^routing_key = billing/routing_key = bills/'
is "$(grep '^  [-+]' <<<"$out")" "  + binding from exchange 'billing' to queue 'billing' with key 'billing': created
  - binding from exchange 'billing' to queue 'billing' with key 'bills': left behind
  + 1: apply binds it
  - 1: it stays, as apply never unbinds: messages with its key still reach the queue; unbind it by hand" \
    'a binding that apply never takes away is told'
old 's/^exchange_name = orders/exchange_name = shop/' -o json
is "$(codes "$out_file" | sort | uniq -c | sed 's/^ *//')" \
    "1 binding-created orders.created
1 binding-created orders.created.dlq.v2
1 binding-created orders.created.retry.v2.1000ms
1 binding-created orders.created.retry.v2.2000ms
1 binding-left orders.created
1 binding-left orders.created.dlq.v2
1 binding-left orders.created.retry.v2.1000ms
1 binding-left orders.created.retry.v2.2000ms
1 exchange-created orders
1 exchange-created orders.dlx.v2
1 exchange-created orders.retry.v2
1 exchange-orphaned shop
1 exchange-orphaned shop.dlx.v2
1 exchange-orphaned shop.retry.v2
1 queue-argument-changed orders.created x-dead-letter-exchange
1 queue-argument-changed orders.created.retry.v2.1000ms x-dead-letter-exchange
1 queue-argument-changed orders.created.retry.v2.2000ms x-dead-letter-exchange" \
    'another exchange moves everything'
old '/^\[queue:billing/,$d' -o json
is "$(codes "$out_file")" 'exchange-created billing
exchange-created billing.dlx.v2
queue-created billing
queue-created billing.dlq.v2
binding-created billing
binding-created billing.dlq.v2' 'a new entry is created'
is "$(jq -c '.source, .summary, .drift' <<<"$out")" \
    '{"kind":"plan","name":"old.ini","vhost":null,"broker_version":null}
{"missing":6,"different":0,"unexpected":0,"shadowed":0,"unverified":0,"note":0}
true' 'which the document counts'
valid 'and it is as its schema says'
run "$lilyq" diff --against new.ini -o json - <old.ini
is "$(codes "$out_file")" 'exchange-orphaned billing
exchange-orphaned billing.dlx.v2
queue-orphaned billing
queue-orphaned billing.dlq.v2
binding-orphaned billing
binding-orphaned billing.dlq.v2' 'and one that is gone stays behind'
run "$lilyq" diff --against new.ini - <old.ini
like "$out" "^no longer planned
" 'under a heading of its own'
old '/^queue_type/ a topology_ownership = external\ndead_letter_exchange = dlx\ndead_letter_routing_key = k'
is "$(grep '^  ~' <<<"$out" | head -2)" "  ~ exchange 'billing': topology_ownership was 'external', becomes 'framework_managed'
  ~ queue 'billing': topology_ownership was 'external', becomes 'framework_managed'" \
    'a change of owner is told'
cp old.ini external.ini
run "$lilyq" diff --against new.ini -o json external.ini
is "$(codes "$out_file" | grep -v orphaned)" 'owner-leaves billing topology_ownership
owner-leaves billing topology_ownership
external-exchange-wanted dlx
external-binding-wanted billing.dlq.v2
binding-left billing.dlq.v2' 'in both directions'
valid 'and is in the document as the schema says'

old 's/retry_attempts = 2/retry_attempts = 3/' --fail-on missing,different
exits 0 'what --fail-on leaves out ends with 0'
is "$err" 'lilyq: no change that counts: 2 left behind, from what old.ini plans' \
    'and is counted'
old 's/retry_attempts = 2/retry_attempts = 3/' -q
is "$err" '' '--quiet has no summary'

old '/^\[queue:billing/,$d' -o github
is "$(head -1 <<<"$out")" "::error file=new.ini,line=14,title=billing%3A exchange created::exchange 'billing': created%0Aexchange 'billing.dlx.v2': created%0Aapply declares it" \
    'annotations stand at the entry'
run "$lilyq" diff --against new.ini -o junit - <old.ini
has "$out" 'no longer planned' 'a JUnit report has a test for what is gone'

# What cannot be read.
printf '[queue:a]\nretry_attempts = many\n' >wrong.ini
run "$lilyq" diff --against wrong.ini new.ini
exits 2 'a file with errors is refused'
has "$err" "wrong.ini:2: [queue:a] 'retry_attempts' must be" 'with their places'
has "$err" 'lilyq: nothing compared' 'and nothing is compared'
while IFS='|' read -r filter error; do
    jq "$filter" new.json >wrong.json
    run "$lilyq" diff --against wrong.json new.ini
    exits 2 "a saved plan with $filter is refused"
    is "$err" "wrong.json: $error
lilyq: nothing compared" 'and it says where'
    is "$out" '' 'and nothing is printed'
done <<'CASES'
.format_version = 2|format_version: must be 1, the only version known here, not 2
del(.format_version)|document must have 'format_version'
.topology_version = "v3"|topology_version: must be 'v2', not 'v3'
.queues[1].arguments["x-message-ttl"] = "1000"|queues[1].arguments.x-message-ttl: must be an x-argument of the type that plans have, not '1000'
.queues[1].name = "other"|logical_queues[0]: queue 'orders.created.retry.v2.1000ms' must be in the plan
del(.bindings[1])|document must have 6 queues and bindings, as its logical queues have
.summary.queues = 7|summary.queues: must be 6, not 7
.queues[0].lazy = true|queues[0].lazy: is not a field of a plan
.queues = 1|queues: must be an array, not 1
CASES
"$lilyq" plan -q -o definitions new.ini >definitions.json
run "$lilyq" diff --against definitions.json new.ini
exits 2 'what a broker exported is no plan'
is "$err" "definitions.json: document is a broker's definitions, not queue entries or a plan
lilyq: nothing compared" 'as it says'
run "$lilyq" diff --definitions new.json new.ini
exits 2 'and a plan is not what a broker exported'
is "$err" "new.json: format: must be missing from a broker's definitions, not 'lilyq-plan'
lilyq: nothing compared" 'as it says too'
head -c 700 new.json >wrong.json
run "$lilyq" diff --against wrong.json new.ini
exits 2 'half a saved plan is refused'
like "$err" '^wrong.json:[0-9]+:[0-9]+: ' 'with line and column'
run "$lilyq" diff --against none.ini new.ini
exits 1 'a file that is not there is a failure'
has "$err" "cannot read 'none.ini': No such file or directory" 'and it says why'
run "$lilyq" diff --against - - <new.ini
exits 2 'standard input is named once'
for option in definitions=new.json url=amqp://h management-url=http://h \
    vhost=v passive-only username=u timeout=3; do
    run "$lilyq" diff --against new.ini "--$option" new.ini
    exits 2 "--${option%%=*} does not go with it"
done

done_testing
