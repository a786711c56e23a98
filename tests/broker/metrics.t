#!/bin/bash
#
# lilyq diff with a broker that collects no metrics, whose management API shows
# neither messages nor consumers.

# shellcheck disable=SC2034 # read by node.sh
node_settings='management_agent.disable_metrics_collector = true'
unset BROKER_PORT # a broker of its own
. "${BASH_SOURCE[0]%/*}/lib.sh"

management=http://127.0.0.1:$BROKER_API_PORT
{
    queue orders.created 'retry_attempts = 1'
    queue orders.paid 'queue_type = quorum'
} >lilyq.ini

compare() {
    run "$lilyq" diff --url "$url" --management-url "$management" "$@" lilyq.ini
    cat "$out_file" "$err_file" >>"$seen"
}

new_vhost
apply --management-url "$management" -q lilyq.ini
exits 0 'all is declared'
is "$(api GET "queues/$vhost" | jq -c 'map(select(has("messages"))) | length')" \
    0 'the broker shows no messages'
compare
exits 0 'what is as planned is in sync'
is "$out" '' 'with nothing that is unverified'

api DELETE "queues/$vhost/orders.paid.dlq.v2"
declare_queue orders.created.retry.v2.4000ms '{"durable": true}'
api PUT "policies/$vhost/short" '{"pattern": "^orders[.]created$",
    "definition": {"message-ttl": 5}, "apply-to": "queues"}'
compare -o json
exits 3 'what is not as planned is drift'
is "$(jq -r '.findings[] | [.code, .name // .destination, .messages // "-"] | join(" ")' <<<"$out" |
    LC_ALL=C sort)" 'binding-missing orders.paid.dlq.v2 -
queue-missing orders.paid.dlq.v2 -
queue-orphaned orders.created.retry.v2.4000ms -
queue-shadowed orders.created -' 'all of it is found, without figures'
printf '%s\n' "$out" >document.json
ok 'the document is as its schema says' /usr/bin/python3 -m jsonschema \
    -i document.json "$root/man/lilyq-diff.schema.json"

no_password_shown
done_testing
