#!/bin/bash
#
# What the broker refuses: conflicts, what is missing, rights, limits.

. "${BASH_SOURCE[0]%/*}/lib.sh"

queue q 'retry_attempts = 2' >lilyq.ini

# --- conflicts -----------------------------------------------------------------

new_vhost
declare_exchange orders '{"type":"topic","durable":true}'
declare_queue q '{"durable":true,"arguments":{"x-max-length":7}}'
declare_queue q.dlq.v2 '{"durable":false}'
declare_queue q.retry.v2.1000ms '{"durable":true,"arguments":{
    "x-queue-type":"classic","x-max-length":100,"x-max-length-bytes":100000,
    "x-overflow":"reject-publish","x-dead-letter-exchange":"orders",
    "x-dead-letter-routing-key":"q","x-message-ttl":999}}'
definitions before.json
apply lilyq.ini
exits 4 'conflicts end with 4'
definitions after.json
same after.json before.json 'and leave the broker as it was, to the byte'
has "$err" "exchange 'orders': type is 'topic' there, plan says 'direct'" \
    'names the exchange of another type'
like "$err" "queue 'q': x-[a-z-]+ is [^;]* there, plan says [^;]*; a queue cannot be changed in place: plan what is there, or " \
    'names a queue with other arguments'
has "$err" "queue 'q.dlq.v2': durable is false there, plan says true" \
    'names a queue with other flags'
has "$err" "queue 'q.retry.v2.1000ms': x-message-ttl is 999 there, plan says 1000; a queue cannot be changed in place: plan what is there, or stop its consumers, let it run empty within its delay, delete it and apply" \
    'gives both values'
has "$err" 'nothing written' 'says that nothing was written'

apply -o json lilyq.ini
exits 4 'the same with a JSON report'
is "$(jq -c '[.exchanges, .queues | .[] | select(.result == "conflict") | .name]' \
    <<<"$out")" '["orders","q","q.retry.v2.1000ms","q.dlq.v2"]' \
    'the report lists every conflict'

# --- an exchange with an alternate ---------------------------------------------

new_vhost
declare_exchange orders '{"type":"direct","durable":true,
    "arguments":{"alternate-exchange":"ae"}}'
apply lilyq.ini
exits 4 'an exchange with an argument is a conflict'
has "$err" "exchange 'orders': alternate-exchange is 'ae' there, plan does not set it" \
    'and it says which'

# --- a name so long that the broker cuts its own words -----------------------

new_vhost
long=$(printf 'l%.0s' {1..180})
queue "$long" >long.ini
declare_queue "$long" '{"durable":true,"arguments":{"x-queue-type":"classic",
    "x-max-length":7}}'
apply long.ini
exits 4 'a conflict of a long name ends with 4'
like "$err" "queue '$long': x-[a-z-]+ (differs|is not set|is 7) there, plan " \
    'and names the queue and the argument'

# --- external ------------------------------------------------------------------

{
    queue theirs 'topology_ownership = external' \
        'dead_letter_exchange = graveyard' 'dead_letter_routing_key = dead' |
        sed 's/^exchange_name = .*/exchange_name = theirs/'
    queue ours 'retry_attempts = 1'
} >external.ini

new_vhost
declare_exchange theirs '{"type":"fanout","durable":true}'
definitions before.json
apply external.ini
exits 4 'an external queue that is missing ends with 4'
definitions after.json
same after.json before.json 'and nothing is written'
has "$err" "exchange 'graveyard': is external, but does not exist" \
    'names the missing exchange'
has "$err" "queue 'theirs': is external, but does not exist" \
    'names the missing queue'
has "$err" '3 problems, nothing written to' 'and counts what is missing'

declare_exchange graveyard '{"type":"direct","durable":true}'
declare_queue theirs '{"durable":true}'
declare_queue theirs.dlq.v2 '{"durable":true}'
apply -o json external.ini
exits 0 'external resources that exist are enough'
is "$(jq -c '[.exchanges, .queues | .[] | select(.result == "verified") | .name]' \
    <<<"$out")" '["theirs","graveyard","theirs","theirs.dlq.v2"]' \
    'they are reported as verified'
is "$(jq -c '[.bindings[] | select(.result == "unverified")] | length' <<<"$out")" \
    2 'and their bindings as unverified'
definitions after.json
is "$(jq -c '[.queues[].name]' after.json)" \
    '["ours","ours.dlq.v2","ours.retry.v2.1000ms","theirs","theirs.dlq.v2"]' \
    'what is ours was declared'

# --- rights ----------------------------------------------------------------------

new_vhost
new_user limited '^(?!q\.dlq\.v2$).*' '.*' '.*'
export LILYQ_PASSWORD=$user_password
apply_to "$user_url" -o json lilyq.ini
exits 5 'a queue that may not be configured ends with 5 after the others'
has "$err" "queue 'q.dlq.v2': user '$user' needs permission to configure queue 'q.dlq.v2' in vhost '$vhost'" \
    'says who needs which right'
is "$(jq -r '.queues[] | select(.name == "q.dlq.v2") | .result' <<<"$out")" \
    failed 'the report has it as failed'
is "$(jq -r .cause <<<"$out")" refused 'and a refusal as the cause'
definitions got.json
is "$(jq -c '[.queues[], .exchanges[] | select(.result == "created") | .name] | sort' <<<"$out")" \
    "$(jq -c '[.queues[], .exchanges[] | .name] | sort' got.json)" \
    'and counts as created exactly what is there'
is "$(jq -c '.bindings' got.json)" '[]' 'no binding was made'
has "$err" '; fix what the broker refused, then run it again' \
    'it does not promise that another run alone will do'

allow "$user" '.*' '.*' '.*'
apply_to "$user_url" lilyq.ini
exits 0 'with the right, another run completes it'
planned want.json lilyq.ini
definitions got.json
same got.json want.json 'and then all is as planned'

new_vhost
new_user nobody '' '' ''
export LILYQ_PASSWORD=$user_password
definitions before.json
apply_to "$user_url" lilyq.ini
exits 1 'without any right it ends with 1'
definitions after.json
same after.json before.json 'and nothing is written'
has "$err" "user '$user' needs permission to configure exchange 'orders'" \
    'says which right is needed'

# --- limits ---------------------------------------------------------------------

new_vhost
api PUT "vhost-limits/$vhost/max-queues" '{"value":2}'
apply -o json lilyq.ini
exits 5 'a limit of the vhost ends with 5'
like "$err" "queue '[^']*': the broker refuses: PRECONDITION_FAILED - .*limit" \
    "gives the broker's own words"
definitions got.json
is "$(jq -c '[.queues[] | select(.result == "created") | .name] | sort' <<<"$out")" \
    "$(jq -c '[.queues[] | .name] | sort' got.json)" \
    'and counts as created exactly what is there'
has "$err" '; fix what the broker refused, then run it again' \
    'it says what comes first'
api DELETE "vhost-limits/$vhost/max-queues"
apply lilyq.ini
exits 0 'without the limit, another run completes it'
planned want.json lilyq.ini
definitions got.json
same got.json want.json 'and then all is as planned'

api PUT "vhost-limits/$vhost/max-connections" '{"value":0}'
apply lilyq.ini
exits 1 'a limit of connections ends with 1'
has "$err" 'the broker takes no more connections: NOT_ALLOWED - ' 'and is told'

# Channels of one user: fewer are used, and none at all is told.
user_limits() {
    node_ctl -q set_user_limits "$user" "$1" || bail_out "no limits for $user"
}

for ((i = 1; i <= 40; i++)); do
    queue "many$i" 'retry_attempts = 3'
done >many.ini
planned want.json many.ini
for most in 3 1; do
    new_vhost
    new_user "few$most" '.*' '.*' '.*'
    user_limits "{\"max-channels\": $most}"
    LILYQ_PASSWORD=$user_password run "$lilyq" diff --url "$user_url" many.ini
    exits 3 "a user of $most channels may look at many queues"
    LILYQ_PASSWORD=$user_password apply_to "$user_url" many.ini
    exits 0 "a user of $most channels may declare many queues"
    hasnt "$err" 'number of channels' 'and is not told of that limit'
    definitions got.json
    same got.json want.json 'and then all is as planned'
done
export LILYQ_PASSWORD=$user_password
user_limits '{"max-channels": 0}'
apply_to "$user_url" -o json lilyq.ini
exits 1 'a user without a channel can do nothing'
has "$err" 'the broker closed the connection: NOT_ALLOWED - number of channels opened' \
    'which is said'
has "$err" 'it takes no more channels until others are closed, or the limit is raised' \
    'with what can be done about it'
is "$(jq -r '.ending, .cause' <<<"$out")" $'untouched\nrefused' 'and reported'
user_limits '{"max-channels": -1, "max-connections": 0}'
apply_to "$user_url" lilyq.ini
exits 1 'a user without a connection can do nothing'
has "$err" 'the broker takes no more connections: NOT_ALLOWED - ' 'which is said'
hasnt "$err" 'running it again' 'and no other run is said to help'
user_limits '{}'
export LILYQ_PASSWORD=$BROKER_PASSWORD

# --- names that meet on disk -------------------------------------------------------

# A quorum queue is kept under the names of its vhost and itself, with '_'
# between: that of another vhost may be in the way.
new_vhost
queue bar_baz 'queue_type = quorum' >one.ini
queue baz 'queue_type = quorum' 'retry_attempts = 1' >other.ini
apply one.ini
exits 0 'a quorum queue is declared'
make_vhost "${vhost}_bar" || bail_out "no vhost ${vhost}_bar"
vhost=${vhost}_bar url=${url}_bar
at_exit "api DELETE vhosts/$vhost"
allow "$BROKER_USER" '.*' '.*' '.*'
apply -o json other.ini
exits 5 'one whose name on disk is the same in another vhost is refused'
has "$err" "queue 'baz': the broker refuses: INTERNAL_ERROR - Cannot declare quorum queue 'baz'" \
    'it is said which'
has "$err" "a quorum queue of another virtual host may have the same name on disk, where '_' joins virtual host and queue" \
    'and why'
has "$err" '; fix what the broker refused, then run it again' 'and what comes first'
hasnt "$err" 'completes it' 'no other run is said to complete it'
is "$(jq -r '.ending, .cause' <<<"$out")" $'partly\nrefused' 'and reported'
is "$(jq -c '[.queues[] | [.name, .result]] | map(select(.[0] == "baz"))' <<<"$out")" \
    '[["baz","failed"]]' 'as failed'
definitions got.json
is "$(jq -c '[.queues[] | select(.result == "created") | .name] | sort' <<<"$out")" \
    "$(jq -c '[.queues[] | .name] | sort' got.json)" \
    'and counts as created exactly what is there'
is "$(jq -c '[.queues[] | select(.result == "not_done") | .name] | length' <<<"$out")" 2 \
    'what was asked behind it never happened'
apply -o json other.ini
exits 1 'another run, which has nothing to write before it, ends with 1'
is "$(jq -r '.ending, .cause' <<<"$out")" $'untouched\nrefused' 'as untouched'

no_password_shown
done_testing
