#!/bin/bash
#
# lilyq diff, through the management API and with what the broker exports.

. "${BASH_SOURCE[0]%/*}/lib.sh"

management=http://127.0.0.1:$BROKER_API_PORT
{
    queue orders.created 'retry_attempts = 3'
    queue orders.paid 'retry_attempts = 1' 'queue_type = quorum'
} >lilyq.ini

# compare ARGUMENT...: runs lilyq diff
compare() {
    run "$lilyq" diff "$@"
    cat "$out_file" "$err_file" >>"$seen"
}

managed() {
    compare --url "$url" --management-url "$management" "$@"
}

# listed: a line for each finding of the last document, less what a source
# cannot show
listed() {
    jq -r '.findings[] | select(.kind != "unverified") | [.code,
        .name // .destination, .field // empty,
        (.planned, .actual | values | .value)] | join(" ")' <<<"$out"
}

# finds NAME [LINE...]: exactly these from every source, and nothing is written
finds() {
    local -r name=$1 want=$(printf '%s\n' "${@:2}")
    local -r code=$(($# > 1 ? 3 : 0))
    definitions before.json
    managed -o json lilyq.ini
    exits "$code" "$name: the exit status is $code"
    is "$(listed)" "$want" "$name: through the management API"
    definitions after.json
    same after.json before.json "$name: nothing is written"
    api GET "definitions/$(encoded "$vhost")" >one.json
    compare -o json --definitions one.json lilyq.ini
    is "$(listed)" "$want" "$name: in the definitions of the virtual host"
}

# deploy: an empty vhost in which all is declared
deploy() {
    new_vhost
    apply --management-url "$management" -q lilyq.ini
    exits 0 'all is declared'
}

# --- from nothing to all ------------------------------------------------------

new_vhost
managed lilyq.ini
exits 3 'all is missing in an empty virtual host: 3'
is "$err" "lilyq: drift: 19 missing; looked at $management vhost '$vhost'; its policies were not compared ('--policies')" \
    'and counted'
apply -q lilyq.ini
exits 0 'apply declares it'
finds 'what apply declared'
managed lilyq.ini
is "$out" '' 'then there is nothing to print'
is "$err" "lilyq: in sync: $management vhost '$vhost' holds what is planned; its policies were not compared ('--policies')" \
    'and it says so'
managed -o json lilyq.ini
is "$(jq -c '.source | [.kind, .name, .vhost]' <<<"$out")" \
    "[\"management\",\"$management\",\"$vhost\"]" 'the document says where it looked'
like "$(jq -r .source.broker_version <<<"$out")" '^[34]\.[0-9]+\.[0-9]+' \
    'and which version it met'
printf '%s\n' "$out" >document.json
ok 'the document is as its schema says' /usr/bin/python3 -m jsonschema \
    -i document.json "$root/man/lilyq-diff.schema.json"

{
    printf '[broker]\nurl = %s\nmanagement_url = %s\n\n' "$url" "$management"
    cat lilyq.ini
} >whole.ini
compare whole.ini
exits 0 '[broker] says where to look'
is "$err" "lilyq: in sync: $management vhost '$vhost' holds what is planned; its policies were not compared ('--policies')" \
    'and it looks there'
LILYQ_URL=$url compare --management-url "$management" -v lilyq.ini
exits 0 'and so does the environment'
has "$err" "management API from --management-url: $management" \
    'and --verbose tells from where it knows'

# --- what is missing ------------------------------------------------------------

api DELETE "queues/$vhost/orders.created.dlq.v2"
api DELETE "bindings/$vhost/e/orders/q/orders.paid/orders.paid"
finds 'a queue and a binding that are missing' \
    'queue-missing orders.created.dlq.v2' \
    'binding-missing orders.created.dlq.v2' \
    'binding-missing orders.paid'
api GET definitions >all.json
compare -o json --definitions all.json --vhost "$vhost" lilyq.ini
is "$(listed)" 'queue-missing orders.created.dlq.v2
binding-missing orders.created.dlq.v2
binding-missing orders.paid' 'the definitions of the whole cluster show them too'
is "$(jq -r .source.vhost <<<"$out")" "$vhost" 'and the document names the vhost'
compare --definitions all.json lilyq.ini
exits 2 'in which a virtual host must be chosen'
has "$err" 'all.json: document has several virtual hosts' 'as it says'
apply -q lilyq.ini
exits 0 'apply declares what is missing'
finds 'what apply completed'

# --- what is different ------------------------------------------------------------

# replaced QUEUE FILTER: declares it anew with this change
replaced() {
    local definition
    definition=$("$lilyq" plan -o definitions lilyq.ini |
        jq -c --arg name "$1" ".queues[] | select(.name == \$name) | $2
            | del(.name, .vhost)")
    api DELETE "queues/$vhost/$(encoded "$1")"
    declare_queue "$1" "$definition" || bail_out "$1 is not replaced"
}

# The bindings of a queue go with it, and are found missing.
while IFS='|' read -r name change finding; do
    deploy
    replaced "$name" "$change"
    finds "$name with $change" "$finding" "binding-missing $name"
done <<'CASES'
orders.created|.arguments["x-max-length"] = 5|queue-argument-different orders.created x-max-length 1000 5
orders.created|.arguments["x-max-length-bytes"] = 5|queue-argument-different orders.created x-max-length-bytes 1000000 5
orders.created|del(.arguments["x-overflow"])|queue-argument-different orders.created x-overflow reject-publish
orders.created|.arguments["x-dead-letter-exchange"] = "other"|queue-argument-different orders.created x-dead-letter-exchange orders.dlx.v2 other
orders.created|.arguments["x-single-active-consumer"] = true|queue-argument-different orders.created x-single-active-consumer true
orders.created|.arguments["x-unheard-of"] = 1|queue-argument-extra orders.created x-unheard-of 1
orders.created|.auto_delete = true|queue-property-different orders.created auto_delete false true
orders.created.retry.v2.1000ms|.arguments["x-message-ttl"] = 500|queue-argument-different orders.created.retry.v2.1000ms x-message-ttl 1000 500
orders.created.dlq.v2|.arguments["x-max-priority"] = 3|queue-argument-different orders.created.dlq.v2 x-max-priority 3
orders.paid|.arguments["x-queue-type"] = "classic"|queue-argument-different orders.paid x-queue-type quorum classic
CASES

deploy
api DELETE "exchanges/$vhost/orders.dlx.v2"
declare_exchange orders.dlx.v2 '{"type": "fanout", "durable": true}'
finds 'an exchange of another type' \
    'exchange-property-different orders.dlx.v2 type direct fanout' \
    'binding-missing orders.created.dlq.v2' \
    'binding-missing orders.paid.dlq.v2'

deploy
api DELETE "exchanges/$vhost/orders.dlx.v2"
declare_exchange orders.dlx.v2 \
    '{"type": "direct", "durable": true, "internal": true}'
for name in orders.created orders.paid; do
    api POST "bindings/$vhost/e/orders.dlx.v2/q/$name.dlq.v2" \
        "{\"routing_key\": \"$name\"}"
done
finds 'an exchange that is internal, which 4.3 does not export' \
    'exchange-property-different orders.dlx.v2 internal false true'

# --- what is beyond the plan --------------------------------------------------------

deploy
{
    queue orders.created 'retry_attempts = 2'
    queue orders.paid 'retry_attempts = 1' 'queue_type = quorum'
} >lilyq.ini
finds 'a bucket that is no longer planned' \
    'queue-orphaned orders.created.retry.v2.4000ms' \
    'binding-orphaned orders.created.retry.v2.4000ms'
declare_queue 'a stranger' '{"durable": true}'
api POST "bindings/$vhost/e/orders/q/a%20stranger" \
    '{"routing_key": "orders.created"}'
finds "a stranger's queue bound with an entry's key" \
    'queue-orphaned orders.created.retry.v2.4000ms' \
    'main-key-shared a stranger' \
    'binding-orphaned orders.created.retry.v2.4000ms'

# --- names -----------------------------------------------------------------------------

vhost="a/b%2F c é $$"
api PUT "vhosts/$(encoded "$vhost")" '{}' || bail_out "no vhost $vhost"
at_exit 'api DELETE "vhosts/$(encoded "a/b%2F c é '$$'")"'
api PUT "permissions/$(encoded "$vhost")/$BROKER_USER" \
    '{"configure": ".*", "write": ".*", "read": ".*"}'
url=amqp://$BROKER_USER@127.0.0.1:$BROKER_PORT/$(encoded "$vhost")
queue 'a/b%2F c é' 'retry_attempts = 1' >lilyq.ini
apply -q lilyq.ini
exits 0 'names with blanks, slashes and more are declared'
managed lilyq.ini
exits 0 'and compared'
is "$err" "lilyq: in sync: $management vhost '$vhost' holds what is planned" \
    'and shown'
api DELETE "queues/$(encoded "$vhost")/$(encoded 'a/b%2F c é.dlq.v2')"
managed -o json lilyq.ini
is "$(listed)" 'queue-missing a/b%2F c é.dlq.v2
binding-missing a/b%2F c é.dlq.v2' 'and found missing'
url=amqp://$BROKER_USER@127.0.0.1:$BROKER_PORT
managed lilyq.ini
exits 3 'the virtual host / is compared'
has "$err" "vhost '/'" 'and shown'

# --- who may not look ------------------------------------------------------------------

new_vhost
new_user limited '.*' '.*' '.*'
run env LILYQ_PASSWORD="$user_password" "$lilyq" diff --url "$user_url" \
    --management-url "$management" lilyq.ini
cat "$out_file" "$err_file" >>"$seen"
exits 1 'a user without the tag management: 1'
is "$out" '' 'nothing is printed'
like "$err" "^lilyq: management API $management \(vhost '$vhost', user '$user'\): .*
lilyq: nothing compared\$" 'it says who was refused, and where'
api PUT "users/$user" "{\"password\":\"$user_password\",\"tags\":\"management\"}"
run env LILYQ_PASSWORD="$user_password" "$lilyq" diff --url "$user_url" \
    --management-url "$management" -o json lilyq.ini
exits 3 'a user with it may look, without being an administrator'
is "$(jq -c '.summary | [.missing, .different, .unexpected]' <<<"$out")" \
    '[9,0,0]' 'and sees all that there is'
compare --url "amqp://nobody-$$@127.0.0.1:$BROKER_PORT/$vhost" \
    --management-url "$management" lilyq.ini
exits 1 'a user who does not exist: 1'
compare --url "amqp://$BROKER_USER@127.0.0.1:$BROKER_PORT/none-$$" \
    --management-url "$management" lilyq.ini
exits 1 'a virtual host that does not exist: 1'
node_free_ports 1
compare --url "$url" --management-url "http://127.0.0.1:${node_ports[0]}" lilyq.ini
exits 1 'nobody there: 1'
like "$err" 'cannot connect: Connection refused
lilyq: nothing compared$' 'and it says so'

no_password_shown

done_testing
