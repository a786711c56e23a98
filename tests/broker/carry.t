#!/bin/bash
#
# Messages that are taken, put back and published: carry.c does it.

. "${BASH_SOURCE[0]%/*}/lib.sh"

lost=5 # the exit status when the connection is gone

# carry [OPTION...] VERB ARGUMENT... on $url
carry() {
    local options=()
    while [[ $1 == -* ]]; do
        options+=("$1" "$2")
        shift 2
    done
    run "$build/tests/broker/carry" "${options[@]}" "$url" "$@"
    cat "$out_file" "$err_file" >>"$seen"
}

# in_background FILE [OPTION...] VERB ARGUMENT...: on $url; sets $pid.
in_background() {
    local -r file=$1
    local options=()
    shift
    while [[ $1 == -* ]]; do
        options+=("$1" "$2")
        shift 2
    done
    : >"$file" # what an earlier one said must not be taken for this one's
    "$build/tests/broker/carry" "${options[@]}" "$url" "$@" >"$file" 2>"$file.err" &
    pid=$!
    at_exit "kill -9 $pid 2>/dev/null"
}

# says FILE TEXT: waits until the file has it.
says() {
    local tries
    for ((tries = 0; tries < patience * 20; tries++)); do
        [[ $(<"$1") != *"$2"* ]] || return 0
        sleep 0.05
    done
    return 1
}

# ends: waits for the one in the background.
ends() {
    status=0
    wait "$pid" || status=$?
    out=$(<"$1") err=$(<"$1.err")
    cat "$1" "$1.err" >>"$seen"
}

make_queue() {
    declare_queue "$1" "{\"durable\":true,\"arguments\":$2}"
}

all_same='confirmed 14 nacked 0 returned 0 doubtful 0'
for size in 0 1 4088 131063 131064 131065 131072 262127 262128 262129 262136 \
    262144 5242880 2; do
    all_same+=$'\n'"$size same"
done

new_vhost
for type in classic quorum; do
    make_queue "$type" "{\"x-queue-type\":\"$type\"}"
    carry bodies "$type"
    exits 0 "$type: bodies of all sizes go and come"
    is "$out" "$all_same"$'\nsettled' "$type: and stay the same"

    carry fields "$type"
    exits 0 "$type: fields of all types go and come"
    hasnt "$out" changed "$type: and stay the same"
    is "$(grep -c kept <<<"$out")" 20 "$type: all of them"

    carry -w 100 fill '' "$type" 3000 100
    is "$out" 'confirmed 3000 nacked 0 returned 0 doubtful 0' "$type: all are confirmed"
    for time in once twice; do
        carry look "$type" 3000
        is "$out" $'took 0 1 2 3 4 5 6 7 8 9, 3000 in order\nsettled' \
            "$type: they are in order when they were put back $time"
    done
    carry drain "$type" 3000
    is "$out" $'took 0 1 2 3 4 5 6 7 8 9, 3000 in order\nsettled' "$type: they are drained"
    carry idle "$type" 1
    is "$out" $'nothing\nsettled' "$type: and none is left"
    carry -w 1000 fill '' "$type" 10000 10
    carry abandon "$type" 10000
    has "$out" settled "$type: the broker has taken all acknowledgements"
    carry idle "$type" 1
    is "$out" $'nothing\nsettled' "$type: and knows of them when the one who sent them is gone"

    make_queue "full.$type" \
        "{\"x-queue-type\":\"$type\",\"x-max-length\":5,\"x-overflow\":\"reject-publish\"}"
    carry -w 1 fill '' "full.$type" 10 10
    like "$out" '^confirmed [56] nacked [45] returned 0 doubtful 0$' \
        "$type: a full queue takes no more"

    in_background watch.out watch "full.$type" 60
    ok "$type: a message is held" says watch.out held
    api DELETE "queues/$vhost/full.$type"
    ends watch.out
    is "$out" $'held\ncancelled' "$type: it is told that the queue is deleted"
done

# --- what comes back -------------------------------------------------------------------

carry mixed '' classic 6
is "$out" 'returned 1 312 NO_ROUTE
returned 3 312 NO_ROUTE
returned 5 312 NO_ROUTE
confirmed 3 nacked 0 returned 3 doubtful 0' 'messages that no queue wants come back'
carry twins '' classic 6
is "$out" 'returned 1 312 NO_ROUTE
returned 3 312 NO_ROUTE
returned 5 312 NO_ROUTE
confirmed 3 nacked 0 returned 3 doubtful 0' 'and are known by their headers'
carry one '' classic hello nobody
like "$out" $'^closed 406 PRECONDITION_FAILED .*\nconfirmed 0 ' \
    'a wrong user_id closes the channel'
carry one '' classic hello "$BROKER_USER"
has "$out" 'confirmed 1 ' 'the right one does not'
carry one no.such.exchange key hello
like "$out" $'^closed 404 NOT_FOUND .*\nconfirmed 0 ' \
    'and so does an exchange that is missing'

carry look missing 1
like "$out" '^start denied 404 NOT_FOUND ' 'a queue may be missing'
new_user reader '^$' '^$' '^$'
url=$user_url LILYQ_PASSWORD=$user_password carry look classic 1
like "$out" '^start denied 403 ACCESS_REFUSED ' 'or not be readable'
url=$user_url LILYQ_PASSWORD=$user_password carry lock lilyq.lock.x me
like "$out" '^lock denied 403 ACCESS_REFUSED ' 'a lock may not be allowed'

# --- locks -----------------------------------------------------------------------------

in_background lock.out lock lilyq.lock.x me@here 120
ok 'a lock is taken' says lock.out locked
is "$(<lock.out)" "locked by me@here of RabbitMQ $release" 'from the broker of this version'
is "$(api GET "queues/$vhost/lilyq.lock.x" | jq -r '.arguments["x-lilyq-holder"]')" \
    me@here 'people can see who holds it'
carry lock lilyq.lock.x you
like "$out" '^lock denied 405 RESOURCE_LOCKED ' 'nobody else gets it meanwhile'
kill -9 "$pid"
ends lock.out
for ((tries = 0; tries < 100; tries++)); do
    carry lock lilyq.lock.x you
    [[ $out == *denied* ]] || break
    sleep 0.1
done
is "$out" "locked by you of RabbitMQ $release"$'\nunlocked' \
    'it is free when its holder was killed'
ok 'and that soon' test "$tries" -lt 50
carry lock lilyq.lock.x them
has "$out" 'locked by them' 'and when it was given back'

# --- heartbeats, and the end of connections --------------------------------------------

carry drain classic 7
carry -h 2 idle classic 7
exits 0 'heartbeats keep an idle connection alive'
is "$out" $'nothing\nsettled' 'and it hears of nothing'
in_background idle.out -h 1 idle classic 600
sleep 1
kill -STOP "$pid"
sleep 5
kill -CONT "$pid"
ends idle.out
exits $lost 'one that was silent for long is cut off'

carry one '' classic hello
in_background watch.out watch classic 600
ok 'a message is held' says watch.out held
node_ctl close_all_connections --vhost "$vhost" 'time to go' >ctl.out 2>&1
ends watch.out
exits $lost 'a broker may close the connection'
has "$err" 'the broker closed the connection: CONNECTION_FORCED' 'and says why'
carry look classic 1
is "$out" $'took 0, 1 in order\nsettled' 'what was held is in the queue again'

# --- alarms ----------------------------------------------------------------------------

node_ctl eval 'rabbit_alarm:set_alarm({{resource_limit, memory, node()}, []}).' \
    >alarm.out 2>&1
carry look classic 1
is "$out" $'took 0, 1 in order\nsettled' 'an alarm leaves those alone who only take'
in_background fill.out -w 8 fill '' classic 100 10
ok 'it blocks those who publish' says fill.out 'blocked low on memory'
node_ctl eval 'rabbit_alarm:clear_alarm({resource_limit, memory, node()}).' \
    >alarm.out 2>&1
ends fill.out
exits 0 'they go on when it is over'
like "$out" $'\nunblocked\nconfirmed 100 ' 'and nothing is missing'

# --- TLS -------------------------------------------------------------------------------

url=amqps://$BROKER_USER@localhost:$BROKER_TLS_PORT/$vhost
make_queue tls '{}'
carry -c "$BROKER_CERTS/ca.pem" bodies tls
is "$out" "$all_same"$'\nsettled' 'all of it works over TLS'
carry -c "$BROKER_CERTS/ca.pem" -w 1000 fill '' tls 1000 5000
has "$out" 'confirmed 1000 ' 'also for megabytes at once'
carry -c "$BROKER_CERTS/ca.pem" look tls 1000
has "$out" '1000 in order' 'in both directions'

no_password_shown
done_testing
