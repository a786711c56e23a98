#!/bin/bash
#
# Another client deletes and creates while lilyq looks over AMQP: a look creates
# nothing, and what was gone by the end of it is not told as existing.

. "${BASH_SOURCE[0]%/*}/lib.sh"

queue q 'retry_attempts = 2' >lilyq.ini
{
    cat lilyq.ini
    queue other
} >two.ini
queues=(queues/q queues/q.retry.v2.1000ms queues/q.retry.v2.2000ms
    queues/q.dlq.v2)
exchanges=(exchanges/orders exchanges/orders.retry.v2 exchanges/orders.dlx.v2)

# write_deletion THING...: a program that deletes them from $vhost
write_deletion() {
    local thing
    {
        echo '#!/bin/bash'
        for thing; do
            printf 'curl -sf -u "%s:%s" -X DELETE %s || exit 1\n' \
                "$BROKER_USER" "$BROKER_PASSWORD" \
                "http://127.0.0.1:$BROKER_API_PORT/api/${thing/\//\/$vhost\/}"
        done
    } >delete
    chmod +x delete
}

# raced METHOD COMMAND [ARGUMENT...]: the things of `delete` go before the first
# METHOD that is not passive, which comes after every passive one.
raced() {
    run_peer gate.py "$BROKER_PORT" "$1" ./delete
    run "$lilyq" "$2" --url "amqp://$BROKER_USER@127.0.0.1:$peer_port/$vhost" \
        "${@:3}"
    definitions after.json
}

names() {
    jq -c '[.exchanges[].name, .queues[].name] | sort' "$1"
}

# results KIND: of those in the report, each one once
results() {
    jq -r ".$1[] | .result" <<<"$out" | sort -u | paste -sd ' '
}

# --- between the look and the comparison ----------------------------------------

new_vhost
planned want.json lilyq.ini
apply -q lilyq.ini
write_deletion "${queues[@]}" "${exchanges[@]}"
raced exchange.declare apply -o json lilyq.ini
exits 0 'all is deleted before the first exchange is compared'
is "$(results exchanges) $(results queues) $(results bindings)" \
    'created created created' 'all of it is told as created'
same after.json want.json 'and it is, with its bindings'

write_deletion "${queues[@]}"
raced queue.declare apply -o json lilyq.ini
exits 0 'all queues are deleted before the first is compared'
is "$(results exchanges)" existing 'the exchanges exist'
is "$(results queues) $(results bindings)" 'created created' \
    'the queues are told as created, and so are their bindings'
same after.json want.json 'and it is as planned'

declare_queue other '{"durable":true,"arguments":{"x-max-length":7}}'
for method in exchange.declare queue.declare; do
    apply -q lilyq.ini
    things=("${queues[@]}")
    [[ $method == queue.declare ]] || things+=("${exchanges[@]}")
    write_deletion "${things[@]}"
    raced "$method" apply -o json two.ini
    exits 4 "with a conflict beside it, $method: 4"
    is "$(jq -r .ending <<<"$out")" conflict 'as nothing was written'
    hasnt "$(results queues)" existing 'no queue is told as existing'
    if [[ $method == queue.declare ]]; then
        is "$(names after.json)" \
            '["orders","orders.dlx.v2","orders.retry.v2","other"]' \
            'no queue that was deleted is there again'
    else
        is "$(names after.json)" '["other"]' \
            'nothing that was deleted is there again'
    fi
done
api DELETE "queues/$vhost/other"

for method in exchange.declare queue.declare; do
    apply -q lilyq.ini
    things=("${queues[@]}")
    [[ $method == queue.declare ]] || things+=("${exchanges[@]}")
    write_deletion "${things[@]}"
    raced "$method" apply --dry-run -o json lilyq.ini
    exits 3 "a dry run, $method: 3"
    is "$(results queues) $(results bindings)" 'pending pending' \
        'what is gone is pending'
    is "$(jq '.queues | length' after.json)" 0 'and not created'
    apply -q lilyq.ini
    raced "$method" diff -o json lilyq.ini
    exits 3 "a comparison, $method: 3"
    is "$(jq '[.findings[] | select(.code == "queue-missing")] | length' \
        <<<"$out")" 4 'what is gone is missing'
    is "$(jq '.queues | length' after.json)" 0 'and not created'
done

# --- all the time -----------------------------------------------------------------

new_vhost
apply -q lilyq.ini
declare_queue other '{"durable":true,"arguments":{"x-max-length":7}}'
python3 "$here/race.py" "$BROKER_API_PORT" "$BROKER_USER" "$BROKER_PASSWORD" \
    "$vhost" "${queues[0]}" "${queues[3]}" "${exchanges[1]}" >race.out 2>race.err &
racer=$!
at_exit "kill $racer 2>/dev/null"
for ((i = 0; i < 200; ++i)); do
    [[ -s race.out ]] && break
    sleep 0.1
done
is "$(tail -n 1 race.out)" begun 'another client deletes and creates'
: >race.out
codes=''
for ((i = 0; i < 40; ++i)); do
    apply two.ini
    codes+=" $status"
done
is "$(tr ' ' '\n' <<<"$codes" | sort -u | xargs)" 4 \
    'every run ends with the conflict'
for ((i = 0; i < 15; ++i)); do
    apply --dry-run two.ini
    run "$lilyq" diff --url "$url" two.ini
done
ok 'the other client is still at it' kill -0 "$racer"
is "$(<race.out)" '' 'and never finds what it did not create'
kill "$racer"

no_password_shown
done_testing
