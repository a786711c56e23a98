#!/bin/bash
#
# A run that is ended, or waits, for reasons of its own.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for ((i = 0; i < 40; i++)); do
    queue "q$i" 'retry_attempts = 100' 'retry_backoff_millis = 100' \
        'max_retry_backoff_millis = 900000' 'retry_jitter_ratio = 0.0001'
done >large.ini

# --- ended in the middle -------------------------------------------------------

new_vhost
planned want.json large.ini
"$lilyq" apply --url "$url" -o json large.ini >report.json 2>report.err &
pid=$!
until [[ $(api GET "queues/$vhost?page=1&page_size=1&disable_stats=true" |
    jq .total_count) != 0 ]] || ! kill -0 $pid; do
    sleep 0.1
done
kill -TERM $pid
SECONDS=0
wait $pid
is $? 5 'a run that is ended among its declarations: 5'
ok 'it ends soon' test "$SECONDS" -le 3
cat report.json report.err >>"$seen"
has "$(<report.err)" 'stopped before all was declared' 'says so'
definitions got.json
is "$(jq -c '[.exchanges, .queues | .[] | select(.result == "created") | .name] | sort' report.json)" \
    "$(jq -c '[.exchanges, .queues | .[].name] | sort' got.json)" \
    'what it reports as created is what is there'
isnt "$(jq '.summary.queues.not_done' report.json)" 0 'and something was not'
apply large.ini
exits 0 'another run completes it'
definitions got.json
same got.json want.json 'and then all is there'

# --- a broker that is not there yet ------------------------------------------------

queue q >small.ini
node_free_ports 1
later=${node_ports[0]}
"$lilyq" apply --url "amqp://127.0.0.1:$later" --wait 20 small.ini \
    >report.txt 2>report.err &
pid=$!
sleep 1
PEER_PORT=$later peer broker
wait $pid
is $? 0 'waits for a broker that comes up later'

no_password_shown
done_testing
