#!/bin/bash
#
# Runs that look and write nothing, write without a look, send little at a
# time, or meet an alarm.

. "${BASH_SOURCE[0]%/*}/lib.sh"

{
    queue orders.created 'retry_attempts = 3'
    queue orders.paid 'retry_attempts = 2'
} >lilyq.ini

# How often the broker's log says that something is not there.
misses() {
    cat "$BROKER_DIR"/log/*.log | grep -cE "no (queue|exchange) '.*' in vhost '$vhost'"
}

# --- dry runs ---------------------------------------------------------------

new_vhost
definitions before.json
apply --dry-run lilyq.ini
exits 3 'a dry run of an empty vhost: 3'
definitions after.json
same after.json before.json 'it writes nothing'
# The log is written a little later.
for ((i = 0; i < 600; i++)); do
    (($(misses) < 12)) || break
    sleep 0.1
done
sleep 1
is "$(misses)" 12 'it asks once for each exchange and queue'
is "$(grep -c '^+ exchange ' "$out_file")" 3 'it names every exchange'
is "$(grep -c '^+ queue ' "$out_file")" 9 'and every queue'
is "$(grep -c '^+ binding ' "$out_file")" 9 'and every binding'
has "$err" 'would create 3 exchanges, 9 queues, 9 bindings' 'and counts them'

apply -q lilyq.ini
exits 0 'what it shows is declared'
definitions before.json
apply --dry-run lilyq.ini
exits 0 'a dry run with nothing to do: 0'
definitions after.json
same after.json before.json 'it changes nothing'
has "$err" 'nothing to do' 'and says that there is nothing to do'
has "$err" 'AMQP cannot verify 9 bindings' 'and what it cannot see'

api DELETE "bindings/$vhost/e/orders/q/orders.paid/orders.paid"
apply --dry-run lilyq.ini
exits 0 'over AMQP a binding that is missing is not seen'

api DELETE "queues/$vhost/orders.paid.dlq.v2"
api DELETE "exchanges/$vhost/orders.retry.v2"
definitions before.json
apply --dry-run -o json lilyq.ini
exits 3 'a dry run where a part is missing: 3'
definitions after.json
same after.json before.json 'it writes nothing'
is "$(jq -r .ending <<<"$out")" dry_run 'the report says that it was one'
is "$(jq -c '[.exchanges, .queues | .[] | select(.result == "pending").name]' <<<"$out")" \
    '["orders.retry.v2","orders.paid.dlq.v2"]' 'it names what is missing'
is "$(jq -c '[.bindings[] | select(.result == "pending").destination]' <<<"$out")" \
    '["orders.created.retry.v2.1000ms","orders.created.retry.v2.2000ms","orders.created.retry.v2.4000ms","orders.paid.retry.v2.1000ms","orders.paid.retry.v2.2000ms","orders.paid.dlq.v2"]' \
    'and the bindings that cannot be there'
printf '%s\n' "$out" >report.json
ok 'the report is as its schema says' /usr/bin/python3 -m jsonschema \
    -i report.json "$root/man/lilyq-apply.schema.json"

api DELETE "queues/$vhost/orders.paid"
declare_queue orders.paid '{"durable":true,"arguments":{"x-max-length":7}}'
definitions before.json
apply --dry-run lilyq.ini
exits 4 'a dry run with a conflict: 4'
definitions after.json
same after.json before.json 'it writes nothing'
has "$err" "queue 'orders.paid': x-" 'it names the conflict'
has "$out" "+ queue 'orders.paid.dlq.v2'" 'and still what is missing'

new_vhost
apply -q lilyq.ini
run_peer gate.py "$BROKER_PORT" x-stream-max-segment-size-bytes curl -sf \
    -u "$BROKER_USER:$BROKER_PASSWORD" -X DELETE \
    "http://127.0.0.1:$BROKER_API_PORT/api/queues/$vhost/orders.paid"
apply_to "amqp://$BROKER_USER@127.0.0.1:$peer_port/$vhost" --dry-run lilyq.ini
exits 3 'a dry run during which a queue is deleted: 3'
has "$out" "+ queue 'orders.paid'" 'it is missing'
definitions after.json
is "$(jq -c '[.queues[] | select(.name == "orders.paid")]' after.json)" '[]' \
    'and not declared anew'

# --- without a preflight ---------------------------------------------------------

new_vhost
planned want.json lilyq.ini
apply --no-preflight lilyq.ini
exits 0 'declares without a look'
definitions got.json
same got.json want.json 'all that is planned'
is "$(misses)" 0 "which leaves no error in the broker's log"
has "$err" 'declared 3 exchanges, 9 queues, 9 bindings' 'and says so'
apply --no-preflight -o json lilyq.ini
exits 0 'declares it again'
is "$(jq -c '[.summary[] | .declared]' <<<"$out")" '[3,9,9]' \
    'and counts all as declared'
definitions got.json
same got.json want.json 'which changes nothing'

api DELETE "queues/$vhost/orders.paid"
declare_queue orders.paid '{"durable":true,"arguments":{"x-max-length":7}}'
apply --no-preflight lilyq.ini
exits 5 'a conflict is then found in the middle: 5'
has "$err" '; resolve the conflicts, then run it again' \
    'and it says what to do'

# --- little at a time ---------------------------------------------------------------

for ((i = 0; i < 40; i++)); do
    queue "q$i" 'retry_attempts = 6'
done >large.ini

for number in 3 100 512; do
    peer window
    apply_to "amqp://127.0.0.1:$peer_port" --no-preflight \
        --max-in-flight $number large.ini
    exits 0 "sends $number at a time"
    is "$(tail -n 1 peer.err)" "$((number < 320 ? number : 320))" \
        "and no more than $number"
done
peer window
apply_to "amqp://127.0.0.1:$peer_port" --max-in-flight 1 lilyq.ini
exits 0 'sends one at a time'
is "$(tail -n 1 peer.err)" 1 'and no more than one'

new_vhost
apply --max-in-flight 1 lilyq.ini
exits 0 'a broker takes one at a time'
definitions got.json
same got.json want.json 'and gets them all'

# --- alarms ------------------------------------------------------------------------

peer alarm 9
apply_to "amqp://127.0.0.1:$peer_port" --no-preflight --max-in-flight 1 lilyq.ini
exits 0 'goes on after an alarm'
is "$(head -n 2 <<<"$err")" \
    'lilyq: warning: the broker is blocked by an alarm (low on memory): waiting for its end
lilyq: warning: the broker is no longer blocked: going on' 'and says what it waits for'

peer alarm 9
apply_to "amqp://127.0.0.1:$peer_port" --no-preflight --max-in-flight 1 \
    --pause-when-blocked -q lilyq.ini
exits 0 'may be told to do so'
is "$err" '' 'in silence'

peer alarm 9
apply_to "amqp://127.0.0.1:$peer_port" --no-preflight --max-in-flight 1 \
    --fail-when-blocked -o json lilyq.ini
exits 5 'may be told to end there'
has "$err" 'lilyq: the broker is blocked by an alarm (low on memory)' 'and says why'
is "$(jq -c '.summary | map_values([.declared, .not_done])' <<<"$out")" \
    '{"exchanges":[3,0],"queues":[7,2],"bindings":[0,9]}' \
    'and what is declared by then'

new_vhost
node_ctl set_vm_memory_high_watermark 0.00001 >ctl.out 2>&1
apply --timeout 20 lilyq.ini
exits 0 'a real broker takes declarations during a memory alarm'
node_ctl set_vm_memory_high_watermark 0.4 >ctl.out 2>&1
definitions got.json
same got.json want.json 'all of them'

no_password_shown
done_testing
