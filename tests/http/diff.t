#!/bin/bash
#
# lilyq diff with a management API that behaves, and with some that do not.

. "${BASH_SOURCE[0]%/*}/lib.sh"

cat >lilyq.ini <<'INI'
[queue:q]
exchange_name = x
routing_key = k
retention.main_max_messages = 10
retention.main_max_bytes = 1000
retention.retry_bucket_max_messages = 10
retention.retry_bucket_max_bytes = 1000
retention.dead_letter_max_messages = 10
retention.dead_letter_max_bytes = 1000
INI
export LILYQ_PASSWORD=$password

compare() {
    run "$lilyq" diff --username someone --management-url "http://127.0.0.1:$port" "$@"
}

peer good
compare
exits 3 'what an API shows is compared'
has "$out" "  + queue 'q.dlq.v2'
" 'and what is missing found'
has "$out" "  ? exchange 'x': internal is not shown, plan says false
" 'and what is not shown'
has "$err" "looked at http://127.0.0.1:$port vhost '/'" 'and it says where it looked'
hasnt "$(<requests)" "$password" 'the password is not in the open'
is "$(grep -c '^GET ' requests)" "$(grep -c ' HTTP/1.1' requests)" \
    'it only reads'
compare --quiet
exits 3 'quiet, it ends with the same'
is "$err" '' 'and says nothing beside the findings'
end_peer

while IFS='|' read -r mode text name; do
    peer "$mode"
    api="management API http://127.0.0.1:$port (vhost '/', user 'someone')"
    compare -o json
    exits 1 "$name is a failure"
    is "$out" '' 'and nothing is printed'
    is "$err" "lilyq: $api: $text
lilyq: nothing compared" 'but why'
    end_peer
done <<'CASES'
login|access is refused: Login failed\x1b[31m (401)|a wrong password
html|it answers with text/html, not JSON: this is no management API|a page instead of JSON
redirect|it redirects to 'http://127.0.0.1:1/else\x1bwhere', which is not followed (301)|a redirection
CASES

peer silent
compare --timeout 1
exits 1 'an API that does not answer is given up'
like "$err" 'not done within the timeout of 1000 ms
lilyq: nothing compared$' 'when the time is over'
"$lilyq" diff --username someone --management-url "http://127.0.0.1:$port" \
    2>stopped.err &
pid=$!
for ((i = 0; i < 100; ++i)); do
    [[ $(grep -c '^GET' requests) == 1 ]] || break
    sleep 0.05
done
kill -TERM "$pid"
status=0
wait "$pid" || status=$?
is "$status" 1 'it can be stopped'
is "$(tail -n 1 stopped.err)" 'lilyq: interrupted, nothing compared' 'and says that it was'
end_peer

done_testing
