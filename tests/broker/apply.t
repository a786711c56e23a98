#!/bin/bash
#
# What apply leaves on a broker, and what it reports.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# --- a fresh broker, then again ---------------------------------------------

{
    queue orders.created 'retry_attempts = 3'
    queue orders.paid 'retry_attempts = 4' 'max_retry_backoff_millis = 5000' \
        'retry_jitter_ratio = 0.2'
    queue plain 'exchange_name = other'
} | sed '/^\[queue:plain/,$ { /exchange_name = orders/d }' >lilyq.ini

new_vhost
planned want.json lilyq.ini
apply lilyq.ini
exits 0 'applies to an empty vhost'
definitions first.json
same first.json want.json 'what is there then is exactly what was planned'
has "$err" 'created 5 exchanges, 18 queues, 18 bindings' 'says what it created'

apply -o json lilyq.ini
exits 0 'applies a second time'
definitions second.json
same second.json first.json 'which changes nothing'
has "$err" 'nothing to do' 'and says so'
is "$(jq -c '[.summary[].created] | add' <<<"$out")" 0 \
    'the report counts nothing as created'
is "$(jq -r '.ending' <<<"$out")" applied 'and says how the run ended'

# --- resumed -----------------------------------------------------------------

api DELETE "queues/$vhost/orders.paid.dlq.v2"
api DELETE "exchanges/$vhost/orders.retry.v2"
apply lilyq.ini
exits 0 'applies where a part is missing'
definitions third.json
same third.json want.json 'which makes it whole again'
has "$err" 'created 1 exchange, 1 queue, 13 bindings' \
    'and counts what was missing, the bindings of it included'

# --- every kind of entry ------------------------------------------------------

name200=$(printf 'n%.0s' {1..170})é$(printf 'n%.0s' {1..3})
{
    queue quorum 'queue_type = quorum' 'retry_attempts = 2' \
        'single_active_consumer = true' 'message_ttl_ms = 4294967295'
    queue flags 'durable = false' 'auto_delete = true' \
        'single_active_consumer = true' 'max_priority = 16' \
        'message_ttl_ms = 1' 'retry_attempts = 1'
    # shellcheck disable=SC2016 # that is its name
    queue 'größe/50%:"x" ${env:A}' 'retry_attempts = 1'
    queue "$name200" 'retry_attempts = 1'
} >kinds.ini

new_vhost
planned want.json kinds.ini
apply kinds.ini
exits 0 'applies quorum queues, all flags, and names of any kind'
definitions got.json
same got.json want.json 'and they are there as planned'
apply kinds.ini
exits 0 'applies them a second time'
has "$err" 'nothing to do' 'with nothing to do'

# --- a definitions file is as good as an apply -------------------------------

new_vhost
"$lilyq" plan -o definitions --vhost "$vhost" lilyq.ini >definitions.json
ok 'the broker imports the planned definitions' \
    api POST "definitions/$vhost" "$(<definitions.json)"
apply lilyq.ini
exits 0 'apply agrees with imported definitions'
has "$err" 'nothing to do' 'and has nothing to do'

# --- nothing planned ----------------------------------------------------------

new_vhost
: >empty.ini
definitions before.json
apply empty.ini
definitions after.json
same after.json before.json 'an empty plan changes nothing'

no_password_shown
done_testing
