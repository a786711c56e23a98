#!/bin/bash
#
# Runs that are cut off, or refused, in the middle: what they report is what the
# broker holds, and another run completes it.

. "${BASH_SOURCE[0]%/*}/lib.sh"
. "$here/faults.sh"

{
    queue a 'retry_attempts = 3'
    queue b 'retry_attempts = 2' 'queue_type = quorum'
    queue c 'exchange_name = other' | sed '/^exchange_name = orders/d'
} >lilyq.ini
planned want.json lilyq.ini

# How many bytes a whole run takes. A broker's refusals have the vhost's name, so
# that all names are of one length.
vhost_number=100
new_vhost
proxy pass
apply_to "$proxy_url" lilyq.ini
exits 0 'a run goes through a proxy'
proxied
client_bytes=$from_client server_bytes=$from_broker
ok 'which counts its bytes' test "$client_bytes" -gt 2000 -a "$server_bytes" -gt 1000

# meets SPEC OPTION...: a run that is cut off tells the truth, in time, and
# another one completes it.
meets() {
    local -r spec=$1
    new_vhost
    proxy "$spec"
    SECONDS=0
    apply_to "$proxy_url" -o json "${@:2}" lilyq.ini
    ok "$spec: ends in time" test "$SECONDS" -le "$patience"
    phases+=" $(phase)"
    is_true "$spec: tells what is there"
    completes lilyq.ini "$spec: another run completes it"
}

phases=''
for percent in 3 20 45 60 75 90; do
    meets cut:client:$((client_bytes * percent / 100))
    meets cut:server:$((server_bytes * percent / 100))
done
meets cut:client:$((client_bytes * 60 / 100)) --no-preflight
meets cut:server:$((server_bytes * 70 / 100 / 2)) --no-preflight
meets mute:client:$((client_bytes * 70 / 100)) --timeout 1
meets mute:server:$((server_bytes * 80 / 100)) --timeout 1
for phase in checks queues bindings; do
    has "$phases " " $phase " "some are cut off among the $phase"
done

# --- refused in the middle --------------------------------------------------------

new_vhost
new_user limited '^(?!b\.retry\.v2\.2000ms$).*' '.*' '.*'
LILYQ_PASSWORD=$user_password apply_to "$user_url" -o json lilyq.ini
exits 5 'a queue that may not be declared: 5'
out=$(jq '.queues |= map(if .result == "failed" then .result = "not_done" else . end)' \
    <<<"$out")
is_true 'a queue that may not be declared: tells what is there'
completes lilyq.ini 'a queue that may not be declared: one who may completes it'

# --- alarms ----------------------------------------------------------------------------

# A broker blocks those who publish; to declare is allowed.
new_vhost
alarm='{{resource_limit, memory, node()}, []}'
node_ctl eval "rabbit_alarm:set_alarm($alarm)." >alarm.out 2>&1
isnt "$(node_ctl eval 'rabbit_alarm:get_alarms().')" '[]' 'there is an alarm'
apply --timeout 20 lilyq.ini
exits 0 'an alarm is no reason to end'
definitions got.json
same got.json want.json 'nor not to declare'
node_ctl eval 'rabbit_alarm:clear_alarm({resource_limit, memory, node()}).' >alarm.out 2>&1

no_password_shown
done_testing
