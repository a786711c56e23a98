#!/bin/bash
#
# apply that ends before its time: interrupted, or out of time. What it says is
# what the broker has, and another run completes it.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for ((i = 0; i < 200; i++)); do
    queue "q$i" 'retry_attempts = 5'
done >lilyq.ini
total=1400

count_queues() {
    api GET "queues/$vhost?columns=name" | jq length
}

# interrupt SIGNAL: starts apply, and sends it the signal once the
# exchanges are there, which is when queues begin to be declared.
interrupt() {
    local tries
    env --default-signal=INT "$lilyq" apply -o json --url "$url" lilyq.ini \
        >"$out_file" 2>"$err_file" &
    pid=$!
    for ((tries = 0; tries < 500; tries++)); do
        api GET "exchanges/$vhost/orders.dlx.v2" >exchange.json && break
    done
    kill -"$1" "$pid"
    status=0
    wait "$pid" || status=$?
    out=$(<"$out_file") err=$(<"$err_file")
    cat "$out_file" "$err_file" >>"$seen"
}

new_vhost
interrupt INT
exits 5 'an interrupt ends a run that has written as partly applied'
has "$err" 'lilyq: interrupted, partly applied: created 3 exchanges, ' 'and is told'
is "$(wc -l <<<"$err")" 1 'once'
there=$(count_queues)
ok 'it came before the end' test "$there" -lt "$total"
is "$(jq .summary.queues.created <<<"$out")" "$there" 'the report has what is there'
is "$(jq .summary.queues.not_done <<<"$out")" $((total - there)) 'and what is not'
is "$(jq .summary.bindings.created <<<"$out")" 0 \
    'no binding stands before all queues do'
apply lilyq.ini
exits 0 'another run completes it'
is "$(count_queues)" "$total" 'and all is there'

new_vhost
apply --timeout 1 -o json lilyq.ini
if [[ $status == 0 ]]; then
    skip 'a run out of time' 'this machine is too fast for it'
else
    like "$err" 'not done within 1 s' 'says that the time is up'
    there=$(count_queues)
    if ((there > 0)); then
        exits 5 'ends as partly applied'
    else
        exits 1 'ends as failed'
    fi
    apply lilyq.ini
    exits 0 'another run completes it'
    is "$(count_queues)" "$total" 'and all is there'
fi

# A progress bar: on a terminal only, and gone at the end.
if command -v script >/dev/null; then
    export TERM=xterm
    new_vhost
    printf -v command '%q ' "$lilyq" apply --url "$url" lilyq.ini
    start=$(date +%s%N)
    script -qec "$command" /dev/null </dev/null >terminal
    if (($(date +%s%N) - start > 1500000000)); then
        like "$(<terminal)" $'\r\e\\[K\\[#*-*\\] +[0-9]+ % of [0-9]+' \
            'shows a bar on a terminal'
        like "$(<terminal)" $'\r\e\\[K +created' \
            'and takes it away before the report'
    else
        skip 'shows a bar on a terminal' 'this machine is too fast for it'
    fi
    new_vhost
    apply -v lilyq.ini
    hasnt "$err" % 'shows none elsewhere'
else
    skip 'shows a bar on a terminal' 'script(1) makes the terminal'
fi

no_password_shown
done_testing
