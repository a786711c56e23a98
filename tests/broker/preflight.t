#!/bin/bash
#
# The look at a broker through its management API, and over AMQP beside it.

. "${BASH_SOURCE[0]%/*}/lib.sh"

{
    queue orders.created 'retry_attempts = 3'
    queue orders.paid 'retry_attempts = 2' 'queue_type = quorum'
} >lilyq.ini
management=http://127.0.0.1:$BROKER_API_PORT

managed() {
    apply --management-url "$management" "$@"
}

# unchanged NAME: $vhost is as before.json has it
unchanged() {
    definitions after.json
    same after.json before.json "$1"
}

# --- from nothing to all ------------------------------------------------------

new_vhost
planned want.json lilyq.ini
definitions before.json
managed --dry-run lilyq.ini
exits 3 'a dry run of an empty vhost: 3'
unchanged 'it writes nothing'
has "$err" 'would create 3 exchanges, 9 queues, 9 bindings' 'it counts all'

managed lilyq.ini
exits 0 'declares what the management API does not show'
definitions got.json
same got.json want.json 'all that is planned'
is "$(cat "$BROKER_DIR"/log/*.log | grep -cE "no (queue|exchange) '.*' in vhost '$vhost'")" 0 \
    "and leaves no error in the broker's log"

definitions before.json
managed -o json lilyq.ini
exits 0 'finds nothing to do'
unchanged 'which changes nothing'
is "$(jq -c '[.summary[].existing]' <<<"$out")" '[3,9,9]' \
    'it knows that bindings exist too'
is "$(jq -r '.management' <<<"$out")" "$management" 'it says where it looked'
is "$(jq '.broker' <<<"$out")" null 'and connected to no broker for that'
printf '%s\n' "$out" >report.json
ok 'the report is as its schema says' /usr/bin/python3 -m jsonschema \
    -i report.json "$root/man/lilyq-apply.schema.json"

node_free_ports 1
apply_to "amqp://$BROKER_USER@127.0.0.1:${node_ports[0]}/$vhost" \
    --management-url "$management" lilyq.ini
exits 0 'with nothing to do the broker need not be reached'

# --- what is missing ------------------------------------------------------------

api DELETE "bindings/$vhost/e/orders/q/orders.paid/orders.paid"
api DELETE "queues/$vhost/orders.created.dlq.v2"
definitions before.json
managed --dry-run lilyq.ini
exits 3 'a dry run sees a binding that is missing: 3'
unchanged 'it writes nothing'
is "$(grep '^+' "$out_file")" "+ queue 'orders.created.dlq.v2'
+ binding from exchange 'orders.dlx.v2' to queue 'orders.created.dlq.v2' with key 'orders.created'
+ binding from exchange 'orders' to queue 'orders.paid' with key 'orders.paid'" \
    'it lists what is missing, and nothing else'

apply_to "amqp://$BROKER_USER@127.0.0.1:${node_ports[0]}/$vhost" \
    --management-url "$management" lilyq.ini
exits 1 'with something to do the broker must be reached'
unchanged 'and nothing is written before'

# Whoever may configure only this shows that nothing else is declared again.
new_user mender '^orders\.created\.dlq\.v2$' '.*' '.*'
api PUT "users/$user" "{\"password\":\"$user_password\",\"tags\":\"management\"}"
export LILYQ_PASSWORD=$user_password
apply_to "$user_url" --management-url "$management" lilyq.ini
exits 0 'declares only what is missing'
has "$err" 'created 0 exchanges, 1 queue, 2 bindings' 'and counts that'
definitions got.json
same got.json want.json 'which makes it whole'
export LILYQ_PASSWORD=$BROKER_PASSWORD

# --- conflicts --------------------------------------------------------------------

new_vhost
declare_exchange orders '{"type":"topic","durable":true}'
declare_queue orders.created '{"durable":false,"arguments":{"x-max-length":7,
    "x-queue-type":"classic","x-zone":"a"}}'
declare_queue orders.paid.retry.v2.1000ms '{"durable":true,
    "arguments":{"x-message-ttl":999,"x-expires":100000}}'
definitions before.json
managed lilyq.ini
exits 4 'conflicts: 4'
unchanged 'the broker is as before, byte for byte'
has "$err" "exchange 'orders': type is 'topic' there, plan says 'direct'; an exchange cannot be changed in place" \
    'names an exchange of another type'
has "$err" "queue 'orders.created': durable is false there, plan says true; x-max-length is 7 there, plan says 1000; x-max-length-bytes is not set there, plan says 1000000; " \
    'names every difference of a queue'
has "$err" 'x-message-ttl is 999 there, plan says 1000' 'and of another one'
has "$err" 'x-expires is 100000 there, plan does not set it' \
    'and what is set, but not planned'
has "$err" 'let it run empty within its delay, delete it and apply' \
    'and says what can be done'
has "$err" "warning: queue 'orders.created': x-zone is 'a' there, plan does not set it" \
    'warns of what the broker does not compare'
has "$err" '3 conflicts, nothing written to' 'and counts the conflicts'

managed --dry-run -o json lilyq.ini
exits 4 'a dry run finds the same: 4'
unchanged 'and writes nothing'
is "$(jq -c '[.summary[] | [.conflicts, .pending]]' <<<"$out")" \
    '[[1,2],[2,7],[0,9]]' 'and what is missing'
printf '%s\n' "$out" >report.json
ok 'its report is as its schema says' /usr/bin/python3 -m jsonschema \
    -i report.json "$root/man/lilyq-apply.schema.json"

apply lilyq.ini
exits 4 'AMQP finds the same conflicts: 4'
unchanged 'and leaves the broker as it was'
is "$(grep -c ' there, plan ' "$err_file")" 3 'the first difference of each'

# --- external ---------------------------------------------------------------------

new_vhost
queue theirs 'topology_ownership = external' 'dead_letter_exchange = graveyard' \
    'dead_letter_routing_key = dead' |
    sed 's/^exchange_name = .*/exchange_name = outer/' >external.ini
definitions before.json
managed external.ini
exits 4 'external resources that are missing: 4'
unchanged 'and nothing is written'
has "$err" "exchange 'graveyard': is external, but does not exist" 'names one'
declare_exchange outer '{"type":"topic","durable":true}'
declare_exchange graveyard '{"type":"fanout","durable":true}'
declare_queue theirs '{"durable":true}'
declare_queue theirs.dlq.v2 '{"durable":true}'
managed external.ini
exits 0 'external bindings that are missing stop nothing'
has "$err" "warning: binding of queue 'theirs' to exchange 'outer' with key 'theirs': is external, but does not exist" \
    'but are told'
api POST "bindings/$vhost/e/outer/q/theirs" '{"routing_key":"theirs"}'
api POST "bindings/$vhost/e/graveyard/q/theirs.dlq.v2" '{"routing_key":"dead"}'
managed -o json external.ini
exits 0 'external bindings that are there are seen'
is "$(jq -c '[.summary[].verified]' <<<"$out")" '[2,2,2]' 'and verified'

# --- the API out of reach ------------------------------------------------------------

definitions before.json
management=http://127.0.0.1:${node_ports[0]} managed lilyq.ini
exits 1 'a management API that is not there: 1'
has "$err" 'management API http://127.0.0.1:' 'names it'
unchanged 'and nothing is written'
LILYQ_PASSWORD=wr0ng managed lilyq.ini
exits 1 'a password that the management API does not take: 1'
unchanged 'and nothing is written then'
hasnt "$err" wr0ng 'it is not shown'
(
    sleep 1
    exec python3 -m http.server --bind 127.0.0.1 "${node_ports[0]}"
) >web.log 2>&1 &
web=$!
at_exit "kill $web 2>/dev/null"
SECONDS=0
management=http://127.0.0.1:${node_ports[0]} managed --wait 20 lilyq.ini
exits 1 'waits for a management API, and finds that it is none: 1'
ok 'after a second, and no longer than it takes' test "$SECONDS" -ge 1 -a "$SECONDS" -le "$patience"

# --- where it is written ----------------------------------------------------------------

{
    printf '[broker]\nurl = %s\nmanagement_url = %s\n\n' "$url" "$management"
    cat lilyq.ini
} >broker.ini
run "$lilyq" apply --dry-run -v broker.ini
exits 3 '[broker] may name the management API'
has "$err" "management API from broker.ini:3: [broker] 'management_url': $management" \
    'and -v says so'
has "$err" 'the management API shows no exclusive queues' \
    'and what it does not show'
apply --dry-run -v broker.ini
exits 3 'it does not count for another URL'
hasnt "$err" 'management API' 'which is looked at over AMQP'
has "$err" 'AMQP shows no bindings or policies' 'and -v says what that does not show'

no_password_shown
done_testing
