#!/bin/bash
#
# What lilyq says about input that is wrong, message by message.

# shellcheck disable=SC2016 # lilyq expands ${env:...}, not the shell
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

retention='retention.main_max_messages = 1000
retention.main_max_bytes = 1000000
retention.retry_bucket_max_messages = 100
retention.retry_bucket_max_bytes = 100000
retention.dead_letter_max_messages = 100
retention.dead_letter_max_bytes = 100000'
entry="[queue:a]
exchange_name = e
routing_key = k
$retention"

# says NAME ESCAPED-INPUT LINE...: planning x.ini exits 2 with these lines and
# the one that counts them.
says() {
    local -r name=$1
    local lines
    printf '%b' "$2" >x.ini
    shift 2
    lines=$(printf '%s\n' "$@")
    run "$lilyq" plan x.ini
    exits 2 "$name: exit status"
    is "$out" '' "$name: prints nothing"
    if (($# == 1)); then
        is "$err" "$lines"$'\n''lilyq: 1 problem in 1 file, nothing done' "$name"
    else
        is "$err" "$lines"$'\n'"lilyq: $# problems in 1 file, nothing done" "$name"
    fi
}

# What every entry needs, when line 1 has a header and nothing follows it.
needs_exchange="x.ini:1: [queue:a] 'exchange_name' is required"
needs_key="x.ini:1: [queue:a] 'routing_key' is required"
needs_retention="x.ini:1: [queue:a] 'retention' is required: main_max_messages, main_max_bytes, retry_bucket_max_messages, retry_bucket_max_bytes, dead_letter_max_messages and dead_letter_max_bytes"

# Files.
run "$lilyq" plan missing.ini
exits 1 'a missing file is a failure'
is "$err" "lilyq: cannot read 'missing.ini': No such file or directory
lilyq: 1 problem, nothing done" 'and is named'
mkdir directory.ini
run "$lilyq" plan directory.ini
exits 1 'a directory is a failure'
is "${err%%$'\n'*}" "lilyq: cannot read 'directory.ini': Is a directory" \
    'and is told'
printf '%s\n' "$entry" >unreadable.ini
chmod 000 unreadable.ini
if [[ -r unreadable.ini ]]; then
    chmod 755 "$tmp"
    as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
else
    as_nobody=()
fi
if "${as_nobody[@]}" "$lilyq" --version >/dev/null 2>&1; then
    run "${as_nobody[@]}" "$lilyq" plan unreadable.ini
    exits 1 'an unreadable file is a failure'
    is "${err%%$'\n'*}" "lilyq: cannot read 'unreadable.ini': Permission denied" \
        'and is told'
else
    skip 'an unreadable file is a failure' 'nobody cannot run the program here'
fi
run "$lilyq" plan $'no\e[31m\nsuch'
is "${err%%$'\n'*}" \
    "lilyq: cannot read 'no\\x1b[31m\\x0asuch': No such file or directory" \
    'a name with control characters is shown escaped'
echo 'a = b' >$'red\e[31m.ini'
run "$lilyq" plan $'red\e[31m.ini'
like "$err" '^red\\x1b\[31m\.ini:1: ' 'also before a line number'
run "$lilyq" plan -o tree missing.ini directory.ini
is "$err" "lilyq: cannot read 'missing.ini': No such file or directory
lilyq: cannot read 'directory.ini': Is a directory
lilyq: 2 problems, nothing done" 'every file that cannot be read is told'
printf 'a = b\n' >bad.ini
run "$lilyq" plan missing.ini bad.ini
exits 2 'one that is wrong counts more than one that is missing'
is "$err" "bad.ini:1: 'a' must be below a section header: [broker], [defaults] or [queue:NAME]
lilyq: cannot read 'missing.ini': No such file or directory
lilyq: 2 problems in 1 file, nothing done" 'and both are told'
run "$lilyq" plan - <bad.ini
is "${err%%$'\n'*}" "<stdin>:1: 'a' must be below a section header: [broker], [defaults] or [queue:NAME]" \
    'standard input has a name'
printf '%s\n' "$entry" >a.ini
cp a.ini b.ini
run "$lilyq" plan bad.ini a.ini b.ini
exits 2 'one queue in two files is an error'
is "$err" "bad.ini:1: 'a' must be below a section header: [broker], [defaults] or [queue:NAME]
b.ini:1: [queue:a] is already defined at a.ini:1
lilyq: 2 problems in 2 files, nothing done" 'that names both places'
long=$(printf 'n%.0s' {1..199})
printf '%s\n' "${entry/:a/:$long}" >long.ini
run "$lilyq" plan long.ini bad.ini a.ini
is "$(cut -d: -f1 <<<"$err" | uniq)" $'long.ini\nbad.ini\nlilyq' \
    'problems come in the order in which files are named, not as they are found'
run "$lilyq" plan bad.ini long.ini
is "$(cut -d: -f1 <<<"$err" | uniq)" $'bad.ini\nlong.ini\nlilyq' 'whichever it is'
run "$lilyq" plan a.ini a.ini
is "${err%%$'\n'*}" 'a.ini:1: [queue:a] is already defined at a.ini:1' \
    'a file that is named twice too'

# Lines.
says 'a line without an equals sign' '[queue:a]\nfoo\n' \
    "$needs_exchange" "$needs_key" "$needs_retention" \
    "x.ini:2: [queue:a] line must be 'KEY = VALUE', not 'foo'"
says 'a line without a key' '[queue:a]\n= 5\n' \
    "$needs_exchange" "$needs_key" "$needs_retention" \
    "x.ini:2: [queue:a] line must have a key before the '='"
says 'junk behind a header' "${entry/]/] junk}" \
    "x.ini:1: section header must end in ']' or a comment, not 'junk'"
says 'a header that is not closed' "${entry/]/}" \
    "x.ini:1: section header '[queue:a' must end in ']'"
says 'a header without a name' "${entry/:a/:}" \
    "x.ini:1: [queue:] 'name' must be 1 to 200 bytes, not empty"
says 'a header that is none' '[queues:a]\n' \
    "x.ini:1: unknown section 'queues:a'; did you mean 'queue:a'?"
says 'a NUL byte' '[queue:a\0000b]\n' \
    'x.ini:1:9: line must not contain a NUL byte'
says 'invalid UTF-8' "${entry/= e/= \\xff}" \
    'x.ini:2:17: [queue:a] line must be UTF-8'
says 'lines that end in CR alone' "${entry//$'\n'/\\r}" \
    'x.ini:1:10: line must end in LF or CR LF, not in CR alone'
says 'a line of over 4096 bytes' \
    "${entry/= e/= $(head -c 4096 /dev/zero | tr '\0' e)}" \
    'x.ini:2: [queue:a] line must be at most 4096 bytes, not 4112'
says 'a control character' "${entry/= e/= e\\033[31m}" \
    "x.ini:2: [queue:a] 'exchange_name' must not contain control characters, but is 'e\\x1b[31m'"

# Keys.
says 'an unknown key' "$entry\ncolour = red\n" \
    "x.ini:10: [queue:a] unknown key 'colour'; lilyq.ini(5) lists them"
says 'a misspelt key' "$entry\nqueue_typ = quorum\n" \
    "x.ini:10: [queue:a] unknown key 'queue_typ'; did you mean 'queue_type'?"
says 'a key twice' "$entry\ndurable = true\ndurable = true\n" \
    "x.ini:11: [queue:a] 'durable' is already set at line 10"
says 'an entry twice' "$entry\n$entry\n" \
    'x.ini:10: [queue:a] is already defined at x.ini:1'
says 'missing keys' '[queue:a]\n' \
    "$needs_exchange" "$needs_key" "$needs_retention"

# Values.
says 'values of every type' "$entry
durable = yes
queue_type = quorm
retry_attempts = soon
retry_jitter_ratio = 0,2
max_priority = 0
message_ttl_ms = 60000 # a minute
exclusive = true
retry_backoff_millis = -5
concurrency =
" \
    "x.ini:10: [queue:a] 'durable' must be true or false, not 'yes'" \
    "x.ini:11: [queue:a] 'queue_type' must be 'classic' or 'quorum', not 'quorm'; did you mean 'quorum'?" \
    "x.ini:12: [queue:a] 'retry_attempts' must be an integer from 0 to 100, not 'soon'" \
    "x.ini:13: [queue:a] 'retry_jitter_ratio' must be a number from 0.0 to 0.5, not '0,2'" \
    "x.ini:14: [queue:a] 'max_priority' must be an integer from 1 to 16, not '0'" \
    "x.ini:15: [queue:a] 'message_ttl_ms' must be an integer from 1 to 4294967295, not '60000 # a minute'; '#' starts no comment after a value, ' ;' does" \
    "x.ini:16: [queue:a] 'exclusive' must be false, not 'true': an exclusive queue cannot outlive the connection declaring it" \
    "x.ini:17: [queue:a] 'retry_backoff_millis' must be an integer from 100 to 300000, not '-5'" \
    "x.ini:18: [queue:a] 'concurrency' must be an integer from 1 to 1024, not empty"
says 'a backoff over its cap' "$entry\nretry_backoff_millis = 70000\n" \
    "x.ini:10: [queue:a] 'retry_backoff_millis' must not exceed max_retry_backoff_millis (60000 by default), not '70000'"
long=$(head -c 201 /dev/zero | tr '\0' n)
says 'a name of 201 bytes' "${entry/:a/:$long}" \
    "x.ini:1: [queue:$long] 'name' must be 1 to 200 bytes, not 201"
says 'a protected reference' "${entry/= k/= \${secret:k\}}" \
    "x.ini:3: [queue:a] 'routing_key' must not be a \${secret:...} or \${file:...} reference, but is '\${secret:k}'"
says 'a wrong [broker]' \
    '[broker]\nurl = amqp://u:hush${env:X}@h\nhost = h\nvhost =\n' \
    "x.ini:2: [broker] 'url' must be plain text or, as a whole, \${env:NAME} or \${file:/path}" \
    "x.ini:3: [broker] unknown key 'host'; did you mean 'vhost'?" \
    "x.ini:4: [broker] 'vhost' must not be empty"

# Entries as a whole.
says 'too many buckets' "$entry
retry_attempts = 100
retry_backoff_millis = 100
max_retry_backoff_millis = 900000
retry_jitter_ratio = 0.3
" \
    'x.ini:10: [queue:a] needs 42 retry buckets, over the limit of 32: lower retry_attempts, retry_jitter_ratio or max_retry_backoff_millis'

# JSON.
json() {
    local -r name=$1 want=$3
    printf '%s' "$2" >x.json
    run "$lilyq" plan x.json
    exits 2 "$name: exit status"
    is "${err%$'\n'*}" "$want" "$name"
}

json 'JSON that ends early' '{"queues":[' \
    "x.json:1:12: ']' expected near end of file"
json 'JSON of another shape' '[]' \
    "x.json: must be an object with 'queues' or 'rabbitmq.topology.queues', not an array"
json 'a key twice in JSON' '{"queues":[{"name":"j","name":"k"}]}' \
    "x.json:1:24: duplicate object key near '\"name\"'"
json 'an empty JSON file' '' 'x.json: document must not be empty'

done_testing
