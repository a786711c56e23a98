#!/bin/bash
#
# What the management API shows of a broker, against what was planned.

. "${BASH_SOURCE[0]%/*}/lib.sh"

api_url=http://$BROKER_USER:$BROKER_PASSWORD@127.0.0.1:$BROKER_API_PORT
[[ -x $build/tests/http/survey ]] || bail_out "$build/tests/http/survey is not built"

# survey [ARGUMENT...]: compares $vhost with lilyq.ini
survey() {
    run "$build/tests/http/survey" "$@" "$api_url" "$vhost" lilyq.ini
    cat "$out_file" "$err_file" >>"$seen"
}

# finds NAME [LINE...]: exactly these, and changes nothing
finds() {
    local -r name=$1
    shift
    definitions before.json
    survey
    exits 0 "$name: the survey works"
    is "$out" "$(printf '%s\n' "$@")" "$name: is found"
    definitions after.json
    same after.json before.json "$name: nothing is changed"
}

# --- from nothing to all ------------------------------------------------------------

new_vhost
cat >lilyq.ini <<'END'
[defaults]
retention.main_max_messages = 1000
retention.main_max_bytes = 9223372036854775807
retention.retry_bucket_max_messages = 100
retention.retry_bucket_max_bytes = 100000
retention.dead_letter_max_messages = 500
retention.dead_letter_max_bytes = 500000

[queue:q]
exchange_name = orders
routing_key = q
retry_attempts = 2

[queue:full of options]
exchange_name = orders
routing_key = a/b%2F é
retry_attempts = 1
max_priority = 5
message_ttl_ms = 4294967295
single_active_consumer = true
auto_delete = true

[queue:safe]
exchange_name = safe
routing_key = safe
queue_type = quorum
END
finds 'an empty virtual host' \
    exchange-missing\ {orders,orders.retry.v2,orders.dlx.v2,safe,safe.dlx.v2} \
    queue-missing\ q{,.retry.v2.1000ms,.retry.v2.2000ms,.dlq.v2} \
    'queue-missing full of options'{,.retry.v2.1000ms,.dlq.v2} \
    queue-missing\ safe{,.dlq.v2} \
    binding-missing\ q{,.retry.v2.1000ms,.retry.v2.2000ms,.dlq.v2} \
    'binding-missing full of options'{,.retry.v2.1000ms,.dlq.v2} \
    binding-missing\ safe{,.dlq.v2}
apply lilyq.ini
exits 0 'all is declared'
finds 'nothing after that'

# --- the same from elsewhere ------------------------------------------------------------

new_user monitor '^$' '^$' '^$'
api PUT "users/$user" "{\"password\":\"$user_password\",\"tags\":\"management\"}"
admin_url=$api_url
api_url=http://$user:$user_password@127.0.0.1:$BROKER_API_PORT
survey -p
exits 0 'a user who is no administrator sees the same'
is "$out" '' 'and finds nothing either'
run "$build/tests/http/survey" -p "$api_url" "$vhost"
has "$out" 'sees exchanges reserved queues bindings policies operator-policies' \
    'policies and operator policies too'
api PUT "users/$user" "{\"password\":\"$user_password\",\"tags\":\"\"}"
survey
exits 4 'a user who may not use the API is refused'
like "$err" "user '$user'\): access is refused: .* \(401\)" 'and told so'
api_url=$admin_url

api GET "definitions/$vhost" >vhost.json
survey -d vhost.json
is "$out" '' "nothing in the virtual host's exported definitions"
api GET definitions >cluster.json
survey -d cluster.json
is "$out" '' "nor in the cluster's"
run "$build/tests/http/survey" -d cluster.json - nowhere lilyq.ini
exits 1 'a virtual host that is not in an export is an error'
has "$err" "cluster.json: document must have the virtual host 'nowhere'" 'and told so'

# --- changed by hand --------------------------------------------------------------------------

bucket='q.retry.v2.1000ms'
planned_arguments() {
    jq -c --arg name "$1" '.queues[] | select(.name == $name).arguments' <plan.json
}
"$lilyq" plan -o definitions lilyq.ini >plan.json

# declares a bucket anew, with other arguments: a filter of jq
redeclare() {
    api DELETE "queues/$vhost/$bucket"
    declare_queue "$bucket" "{\"durable\":${2:-true},\"arguments\":$(
        planned_arguments "$bucket" | jq -c "$1")}" &&
        api POST "bindings/$vhost/e/orders.retry.v2/q/$bucket" \
            '{"routing_key":"q.retry.1000ms"}'
}

api DELETE "queues/$vhost/$bucket"
finds 'a queue that was deleted' "queue-missing $bucket" "binding-missing $bucket"
redeclare '.["x-message-ttl"] = 999'
finds 'another value' \
    "queue-argument-different $bucket: x-message-ttl is 999 (integer), planned 1000 (integer)"
redeclare '.["x-max-length"] = 1 | del(.["x-overflow"]) | .["x-dead-letter-exchange"] = ""'
finds 'all of several values' \
    "queue-argument-different $bucket: x-max-length is 1 (integer), planned 100 (integer)" \
    "queue-argument-different $bucket: x-overflow is not set, planned reject-publish (string)" \
    "queue-argument-different $bucket: x-dead-letter-exchange is  (string), planned orders (string)"
redeclare '.["x-team"] = [1, {"b": 2, "a": "x"}]'
finds 'an argument that brokers do not know' \
    "queue-argument-extra $bucket: x-team is [1,{\"a\":\"x\",\"b\":2}] (list), planned not set"
apply lilyq.ini
exits 0 'which is no reason to refuse'
redeclare 'del(.["x-queue-type"])'
finds 'no type of queue'
redeclare '.["x-queue-type"] = "quorum"'
finds 'another type of queue' \
    "queue-argument-different $bucket: x-queue-type is quorum (string), planned classic (string)"
redeclare . false
finds 'another durability' \
    "queue-property-different $bucket: durable is false (boolean), planned true (boolean)"
redeclare .
finds 'nothing, with all as it was'

api DELETE "bindings/$vhost/e/orders/q/q/q"
finds 'a binding that was removed' 'binding-missing q'
api POST "bindings/$vhost/e/orders/q/q" '{"routing_key":"q","arguments":{"a":1}}'
finds 'a binding with arguments' 'binding-missing q'
api POST "bindings/$vhost/e/orders/q/q" '{"routing_key":"q"}'

# exchange JSON: declares one of that name anew
exchange() {
    api DELETE "exchanges/$vhost/orders.dlx.v2"
    declare_exchange orders.dlx.v2 "$1"
}
exchange '{"type":"topic","durable":false,"auto_delete":true,"internal":true,
    "arguments":{"alternate-exchange":"safe","x-team":7}}'
finds 'another exchange' \
    'exchange-property-different orders.dlx.v2: type is topic (string), planned direct (string)' \
    'exchange-property-different orders.dlx.v2: durable is false (boolean), planned true (boolean)' \
    'exchange-property-different orders.dlx.v2: auto_delete is true (boolean), planned false (boolean)' \
    'exchange-property-different orders.dlx.v2: internal is true (boolean), planned false (boolean)' \
    'exchange-argument-different orders.dlx.v2: alternate-exchange is safe (string), planned not set' \
    'exchange-argument-extra orders.dlx.v2: x-team is 7 (integer), planned not set' \
    'binding-missing '{q,'full of options'}.dlq.v2
apply lilyq.ini
exits 4 'which the broker refuses too'
exchange '{"type":"direct","durable":true,"arguments":{"x-team":7}}'
apply lilyq.ini
exits 0 'all is mended again'
finds 'but for what nobody compares' \
    'exchange-argument-extra orders.dlx.v2: x-team is 7 (integer), planned not set'

# --- what brokers compare ---------------------------------------------------------------------

# Declares a queue of a type with one argument more than planned, and has both
# the survey and the broker judge it.
judges() {
    local -r type=$1 key=$2 value=$3
    local -r name=$type.dlq.v2
    local judged refused
    api DELETE "queues/$vhost/$name"
    declare_queue "$name" "{\"durable\":true,\"arguments\":$(planned_arguments "$name" |
        jq -c --arg key "$key" --argjson value "$value" '.[$key] = $value')}" ||
        return # no such queue can be there
    judged=$("$build/tests/http/survey" "$api_url" "$vhost" lilyq.ini |
        grep -c "^queue-argument-different $name: $key is ")
    apply lilyq.ini
    refused=$((status == 4))
    is "$judged" "$refused" "$key on a $type queue matters as much as the broker says ($refused)"
    api DELETE "queues/$vhost/$name"
    ((++judged_count))
}

judged_count=0
new_vhost
{ queue classic; queue quorum 'queue_type = quorum'; } >lilyq.ini
"$lilyq" plan -o definitions lilyq.ini >plan.json
apply lilyq.ini
exits 0 'a queue of each type is declared'
while read -r key value; do
    for type in classic quorum; do
        judges "$type" "$key" "$value"
    done
done <<'END'
x-expires 600000
x-message-ttl 600000
x-dead-letter-exchange "somewhere"
x-dead-letter-strategy "at-most-once"
x-delivery-limit 50
x-max-in-memory-length 10
x-max-in-memory-bytes 10000
x-max-priority 4
x-queue-mode "default"
x-queue-version 2
x-queue-master-locator "min-masters"
x-queue-leader-locator "balanced"
x-quorum-initial-group-size 1
x-single-active-consumer true
x-consumer-timeout 600000
x-consumer-disconnected-timeout 600000
x-delayed-retry-type "disabled"
x-delayed-retry-min 1000
x-delayed-retry-max 2000
x-initial-cluster-size 1
x-max-age "1h"
x-team "blue"
END

ok 'most of these could be declared' test "$judged_count" -gt 20

# --- names that URLs do not like ----------------------------------------------------------------

new_vhost
plain=$vhost
vhost="a/b%2F é?#-$$"
api PUT "vhosts/$(encoded "$vhost")" '{}'
at_exit "api DELETE vhosts/$(encoded "$vhost")"
run "$build/tests/http/survey" "$api_url" "$vhost"
exits 0 'any virtual host can be asked for'
vhost=nowhere-$$
survey
exits 4 'one that is not there cannot'
like "$err" 'there is no such virtual host(, or this user may not use it)?: ' 'and is told so'
vhost=$plain
declare_queue 'a/b%2F "c" é' '{"durable":true,"arguments":{"x-a":1.0,"x-b":9223372036854775807,
    "x-c":true,"x-d":{"b":1,"a":[]}}}'
run "$build/tests/http/survey" -p -f "$api_url" "$vhost"
exits 0 'any queue can be read'
has "$out" $'\nqueues 1\n' 'and is'
api_url=http://$BROKER_USER:wrong@127.0.0.1:$BROKER_API_PORT
survey
exits 4 'a wrong password is refused'
like "$err" "user '$BROKER_USER'\): access is refused: .* \(401\)" 'and told so'

no_password_shown
done_testing
