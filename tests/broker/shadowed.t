#!/bin/bash
#
# What policies change of what is declared as planned: the broker really does
# it, and `lilyq diff` finds exactly that, and changes nothing.

. "${BASH_SOURCE[0]%/*}/lib.sh"

api_url=http://$BROKER_USER:$BROKER_PASSWORD@127.0.0.1:$BROKER_API_PORT
version=$(api GET overview | jq -r .rabbitmq_version)

# before MAJOR: whether the broker is older
before() {
    ((${version%%.*} < $1))
}

# policy NAME PATTERN DEFINITION [PRIORITY [KIND [APPLY-TO]]]
policy() {
    api PUT "${5:-policies}/$vhost/$(encoded "$1")" "$(jq -cn \
        --arg pattern "$2" --argjson definition "$3" --argjson priority "${4:-1}" \
        --arg apply "${6:-queues}" \
        '{$pattern, $definition, $priority, "apply-to": $apply}')"
}

operator_policy() {
    policy "$1" "$2" "$3" "${4:-1}" operator-policies
}

drop_policies() {
    local kind name
    for kind in policies operator-policies; do
        for name in $(api GET "$kind/$vhost" | jq -r '.[].name | @uri'); do
            api DELETE "$kind/$vhost/$name"
        done
    done
}

# send QUEUE TEXT...: through the default exchange. What a full queue refuses
# the API answers with an error.
send() {
    local text
    for text in "${@:2}"; do
        api POST "exchanges/$vhost/amq.default/publish" "$(jq -cn --arg key "$1" \
            --arg payload "$text" '{routing_key: $key, $payload,
            properties: {delivery_mode: 2}, payload_encoding: "string"}')" >sent.json 2>refused.txt
    done
}

# take QUEUE: takes all there is, and prints the texts in a line
take() {
    api POST "queues/$vhost/$(encoded "$1")/get" \
        '{"count":50,"ackmode":"ack_requeue_false","encoding":"auto"}' |
        jq -r '[.[].payload] | join(" ")'
}

# eventually WANTED COMMAND...: what it prints, once that is as wanted
eventually() {
    local -r until=$((SECONDS + patience)) wanted=$1
    local last
    shift
    while
        last=$("$@")
        [[ $last != "$wanted" ]] && ((SECONDS < until))
    do
        sleep 0.1
    done
    printf '%s\n' "$last"
}

# exists QUEUE: prints yes or no
exists() {
    if api GET "queues/$vhost/$(encoded "$1")?disable_stats=true" >queue.json 2>&1; then
        echo yes
    else
        echo no
    fi
}

# "CODE NAME KEY PLANNED IN-FORCE POLICY", an operator's with a "*"
lines() {
    jq -r '.findings[] | [.code, .name // .destination, .field // "-", .planned.value // "-",
        .actual.value // "-", (.policy | if . then .name +
        (if .operator then "*" else "" end) else "-" end)] |
        map(tostring) | join(" ")'
}

diff_with() {
    run "$lilyq" diff -o json lilyq.ini "$@"
    cat "$out_file" "$err_file" >>"$seen"
}

# All there is, in an order that never changes.
exported() {
    api GET "definitions/$vhost" |
        jq -S 'walk(if type == "array" then sort else . end)'
}

# finds NAME STATUS [LINE...]: exactly these, and changes nothing
finds() {
    local -r name=$1 wanted=$2
    shift 2
    exported >before.json
    diff_with --management-url "$api_url" --url "$url"
    exits "$wanted" "$name: ends with $wanted"
    is "$(lines <<<"$out")" "$(printf '%s\n' "$@")" "$name: is found"
    exported >after.json
    same after.json before.json "$name: nothing is changed"
}

new_vhost
{
    queue c 'retry_attempts = 1' 'retry_backoff_millis = 60000'
    queue k 'queue_type = quorum' 'retry_attempts = 1' 'retry_backoff_millis = 60000' |
        sed 's/= orders/= safe/'
} >lilyq.ini
apply lilyq.ini
exits 0 'all is declared'
bucket=.retry.v2.60000ms

# --- what only hardens -----------------------------------------------------------------

policy hard '^k' '{"dead-letter-strategy": "at-least-once"}'
policy long '^c\.' '{"message-ttl": 600000, "max-length": 100000}'
policy mode '^c$' '{"queue-mode": "lazy"}'
before 4 || policy limit '^k\.dlq' '{"delivery-limit": -1}' 5
before 4 || policy retry '^k$' '{"delivery-limit": 20}' 5
if before 4; then
    policy lilyq-dlq '\.dlq\.v2$' '{"message-ttl": 604800000}' 7
    finds "lilyq's own and what hardens" 0
else
    policy lilyq-c '^c\.dlq\.v2$' '{"message-ttl": 604800000}' 7
    finds "lilyq's own and what hardens" 0
fi
drop_policies

# --- a shorter message-ttl ---------------------------------------------------------------

policy short 'retry\.v2' '{"message-ttl": 300}'
finds 'a shorter message-ttl' 3 \
    "queue-shadowed c$bucket message-ttl 60000 300 short" \
    "queue-shadowed k$bucket message-ttl 60000 300 short"
for name in c k; do
    send "$name$bucket" early
    is "$(eventually early take "$name")" early \
        "and messages in $name's bucket return long before their time"
done
apply --dry-run lilyq.ini
exits 0 'while apply has nothing to do'
drop_policies

# --- expires ---------------------------------------------------------------------------------

send c.dlq.v2 lost
policy idle '^c\.dlq\.v2$' '{"expires": 86400000}'
finds 'expires' 3 'queue-shadowed c.dlq.v2 expires - 86400000 idle'
policy idle '^c\.dlq\.v2$' '{"expires": 500}'
is "$(eventually no exists c.dlq.v2)" no 'and the queue is deleted with its message'
finds 'expires of a queue that is gone' 3 \
    'queue-missing c.dlq.v2 - - - -' \
    'binding-missing c.dlq.v2 - - - -' \
    'queue-shadowed c.dlq.v2 expires - 500 idle'
drop_policies
apply lilyq.ini
exits 0 'which apply declares anew'

# --- a smaller bound, by a policy and an operator policy --------------------------------------

policy small '\.dlq\.v2$' '{"max-length": 4, "max-length-bytes": 900000}'
operator_policy smaller '^k' '{"max-length": 2, "max-length-bytes": 800000}'
finds 'smaller bounds' 3 \
    'queue-shadowed c.dlq.v2 max-length 500 4 small' \
    'queue-shadowed k max-length 1000 2 smaller*' \
    'queue-shadowed k max-length-bytes 1000000 800000 smaller*' \
    "queue-shadowed k$bucket max-length 100 2 smaller*" \
    'queue-shadowed k.dlq.v2 max-length 500 2 smaller*'
for name in c.dlq.v2 k.dlq.v2; do
    send "$name" 1 2 3 4 5 6 7 8
    case $name in
    c*) wanted='1 2 3 4' ;;
    k*) wanted='1 2 3' ;; # it lets one more in
    esac
    is "$(take "$name")" "$wanted" "and $name holds no more than that"
done
drop_policies

# --- overflow ---------------------------------------------------------------------------------

policy drop '\.dlq\.v2$' '{"overflow": "drop-head", "max-length": 3}'
finds 'overflow' 3 \
    'queue-shadowed c.dlq.v2 max-length 500 3 drop' \
    'queue-shadowed k.dlq.v2 max-length 500 3 drop' \
    'queue-shadowed k.dlq.v2 overflow reject-publish drop-head drop'
send c.dlq.v2 1 2 3 4 5 6
is "$(take c.dlq.v2)" '1 2 3' 'and a classic queue refuses as planned'
send k.dlq.v2 1 2 3 4 5 6
is "$(take k.dlq.v2)" '4 5 6' 'but a quorum queue drops its oldest messages'
if ! before 4; then
    policy drop '^k\.dlq' '{"overflow": "reject-publish"}'
    operator_policy harder '^k\.dlq' '{"overflow": "drop-head", "max-length": 2}'
    finds 'the overflow of an operator policy' 3 \
        'queue-shadowed k.dlq.v2 max-length 500 2 harder*' \
        'queue-shadowed k.dlq.v2 overflow reject-publish drop-head harder*'
    send k.dlq.v2 1 2 3 4
    is "$(take k.dlq.v2)" '3 4' 'comes before that of a policy'
    drop_policies
fi
policy drop '\.dlq\.v2$' '{"overflow": "reject-publish-dlx", "max-length": 3}'
finds 'an overflow that quorum queues do not know' 3 \
    'queue-shadowed c.dlq.v2 max-length 500 3 drop' \
    'queue-shadowed k.dlq.v2 max-length 500 3 drop' \
    'queue-shadowed k.dlq.v2 overflow reject-publish drop-head drop'
send k.dlq.v2 1 2 3 4 5 6
is "$(take k.dlq.v2)" '4 5 6' 'drops them too'
drop_policies

# --- a dead-letter exchange ---------------------------------------------------------------------

declare_queue elsewhere '{"durable":true}'
policy away '' '{"dead-letter-exchange": "", "dead-letter-routing-key": "elsewhere",
    "message-ttl": 120000}'
finds 'a dead-letter exchange' 3 \
    'queue-shadowed c message-ttl - 120000 away' \
    'queue-shadowed c.dlq.v2 message-ttl - 120000 away' \
    'queue-shadowed c.dlq.v2 dead-letter-exchange -  away' \
    'queue-shadowed c.dlq.v2 dead-letter-routing-key - elsewhere away' \
    'queue-shadowed k message-ttl - 120000 away' \
    'queue-shadowed k.dlq.v2 message-ttl - 120000 away' \
    'queue-shadowed k.dlq.v2 dead-letter-exchange -  away' \
    'queue-shadowed k.dlq.v2 dead-letter-routing-key - elsewhere away'
for name in c.dlq.v2 k.dlq.v2; do
    send "$name" letter
    api POST "queues/$vhost/$name/get" \
        '{"count":1,"ackmode":"reject_requeue_false","encoding":"auto"}' >got.json
    is "$(eventually letter take elsewhere)" letter "and a rejected letter leaves $name"
done
send c message
api POST "queues/$vhost/c/get" \
    '{"count":1,"ackmode":"reject_requeue_false","encoding":"auto"}' >got.json
is "$(eventually message take c.dlq.v2)" message \
    'while the argument of the main queue holds'
drop_policies

# --- a key that a type does not support ------------------------------------------------------------

policy both '\.dlq' '{"dead-letter-strategy": "at-least-once", "max-length": 2}' 9
policy plain '\.dlq' '{"max-length": 4}' 1
policy strict '^c\.retry' '{"dead-letter-strategy": "at-least-once", "message-ttl": 5}'
operator_policy tight '\.dlq' '{"max-length": 3}' 9
operator_policy tighter '\.dlq' '{"max-length": 1, "delivery-limit": 50}' 10
lower=("queue-shadowed k.dlq.v2 max-length 500 1 tighter*")
! before 4 || lower+=('queue-shadowed k.dlq.v2 delivery-limit - 50 tighter*')
finds 'a policy that is not for classic queues' 3 \
    'queue-shadowed c.dlq.v2 max-length 500 3 tight*' "${lower[@]}"
send c.dlq.v2 1 2 3 4 5 6
is "$(take c.dlq.v2)" '1 2 3' 'is not applied to them at all, and the next one is'
drop_policies

# --- delivery-limit -------------------------------------------------------------------------------

policy impatient '^k$' '{"delivery-limit": 2}'
before 4 || operator_policy patient '^k$' '{"delivery-limit": -1}'
finds 'delivery-limit' 3 'queue-shadowed k delivery-limit - 2 impatient'
send k tired
dead() {
    api POST "queues/$vhost/k/get" \
        '{"count":1,"ackmode":"reject_requeue_true","encoding":"auto"}' >got.json
    take k.dlq.v2
}
is "$(eventually tired dead)" tired 'and a message that returns twice is a dead letter'
drop_policies

# --- an alternate exchange ---------------------------------------------------------------------------

api POST "bindings/$vhost/e/amq.fanout/q/elsewhere" '{}'
stray() {
    api POST "exchanges/$vhost/orders/publish" '{"routing_key": "stray", "payload":
        "stray", "payload_encoding": "string", "properties": {}}'
}
is "$(stray)" '{"routed":false}' 'what no queue is bound for is returned'
policy other '^orders$|^c$' '{"alternate-exchange": "amq.fanout"}' 1 policies all
finds 'an alternate exchange' 3 \
    'exchange-shadowed orders alternate-exchange - amq.fanout other'
is "$(eventually '{"routed":true}' stray)" '{"routed":true}' \
    'and its publisher is told that all is well'
like "$(take elsewhere)" stray 'while it went elsewhere'
drop_policies

# --- patterns and priorities --------------------------------------------------------------------------

{
    for name in é e 'a b' ab; do
        queue "$name"
    done
} >>lilyq.ini
apply lilyq.ini
policy two '^..$' '{"max-length": 11}' 3.5
policy escaped '^a\sb\.dlq' '{"max-length": 12}' 2
policy lower '(?i)^E$' '{"max-length": 13}' 3
policy lowest 'b|é' '{"max-length": 14}' -4
policy exchange '' '{"max-length": 15}' 99 policies exchanges
before 4 || policy classic '^k|^c$' '{"max-length": 16}' 9 policies classic_queues
before 4 || policy quorum '^k$|^c' '{"max-length": 17}' 9 policies quorum_queues
# What the broker applies. In another root rabbitmqctl writes Latin-1.
applied() {
    node_ctl -q list_queues -p "$vhost" --no-table-headers name policy |
        LC_ALL=C sed 's/^\xe9/é/; /^elsewhere/d; /\t$/d' | LC_ALL=C sort
}
diff_with --management-url "$api_url" --url "$url"
theirs=$(applied)
is "$(jq -r '.findings[] | [.name, .policy.name] | @tsv' <<<"$out" | LC_ALL=C sort)" "$theirs" \
    'patterns and priorities are those that the broker applies'
like "$theirs" $'a b\tlow' 'which are some'
drop_policies

for number in 7 3 9 1 8; do
    policy "tie-$number$RANDOM" '^c$' "{\"max-length\": $number}" 5
done
diff_with --management-url "$api_url" --url "$url"
is "$(jq -r '.findings[] | select(.kind == "shadowed") | [.name, .policy.name] | @tsv' \
    <<<"$out")" "$(applied)" 'of equals it is the one that the broker applies'
is "$(jq -r '[.findings[].code] | join(" ")' <<<"$out")" \
    'policy-tie-unverified queue-shadowed' 'and that it is one of several is told'
drop_policies

policy bytes '\w\w\.dlq' '{"max-length": 1}'
diff_with --management-url "$api_url" --url "$url"
is "$(lines <<<"$out")" 'queue-shadowed ab.dlq.v2 max-length 500 1 bytes' \
    'a class that no byte of a name is in is no doubt'
policy bytes '^\w' '{"max-length": 1}'
diff_with --management-url "$api_url" --url "$url"
like "$(lines <<<"$out")" 'policy-unverified é - - - bytes' \
    'of what class other bytes are depends on the broker'
endless=$(printf 'ab%.0s' {1..20})
queue "$endless" >>lilyq.ini
policy bytes '^(a|b|a?)+$' '{"max-length": 1}'
diff_with --management-url "$api_url" --url "$url"
like "$(lines <<<"$out")" "policy-unverified $endless\.dlq\.v2 - - - bytes" \
    'a pattern that takes too long is told'
drop_policies

# --- from elsewhere ----------------------------------------------------------------------------------------

sed -i '/^\[queue:abab/,$d' lilyq.ini
policy one '^c$' '{"max-length": 3}'
operator_policy two '^k$' '{"max-length": 4}'
both="queue-shadowed c max-length 1000 3 one
queue-shadowed k max-length 1000 4 two*"
finds 'a policy and an operator policy' 3 "${both%%$'\n'*}" "${both#*$'\n'}"
seen_in() {
    diff_with --definitions "$1" --vhost "$vhost"
    is "$(lines <<<"$out")" "$both" "both are in $1"
}
api GET "definitions/$vhost" >virtual-host.json
seen_in virtual-host.json
diff_with --definitions virtual-host.json
is "$(lines <<<"$out")" "$both" "without its name too"
api GET definitions >cluster.json
seen_in cluster.json
exported=$BROKER_DIR/$vhost.json
at_exit "rm -f '$exported'"
node_ctl -q export_definitions "$exported" && cp "$exported" rabbitmqctl.json
# before 4.3 this one does not say whether exchanges are internal
diff_with --definitions rabbitmqctl.json --vhost "$vhost"
is "$(lines <<<"$out" | grep -v '^property-unverified [a-z0-9.]* internal ')" \
    "$both" 'both are in rabbitmqctl.json'

new_user monitor '^$' '^$' '^$'
api PUT "users/$user" "{\"password\":\"$user_password\",\"tags\":\"management\"}"
diff_with --url "$user_url" --password-file <(printf %s "$user_password") \
    --management-url "http://127.0.0.1:$BROKER_API_PORT"
is "$(lines <<<"$out")" "$both" 'a user who is no administrator sees them too'

no_password_shown
done_testing
