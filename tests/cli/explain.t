#!/bin/bash
#
# lilyq explain: what becomes of a message that keeps failing.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

data=$root/tests/data
event=11111111-1111-4111-8111-111111111111
cp "$data/plan/documented/input.ini" lilyq.ini

# --- against the contract, worked out anew -------------------------------------

/usr/bin/python3 -c 'import jsonschema' 2>"$err_file" ||
    bail_out "python3-jsonschema is missing: $(<"$err_file")"
run_timeout=3000 # it is long under valgrind; tests/run has its own limit
run "$root/tests/lib/check_lives" "$lilyq" \
    "$root/man/lilyq-explain.schema.json" "$data/vectors/select.jsonl" \
    "$data"/plan/*/input.ini
exits 0 'every life is as the contract has it'
like "$out" '^[1-9][0-9]* lives$' 'and there are some'
diag "$out"

"$lilyq" explain -o json orders.created >life.json
valid() {
    "$root/tests/lib/check_plans" "$lilyq" \
        "$root/man/lilyq-explain.schema.json" "$1" >/dev/null 2>&1
}
ok 'an explanation is valid' valid life.json
while IFS='|' read -r edit name; do
    jq "$edit" life.json >bad.json
    not_ok "it is not valid with $name" valid bad.json
done <<'END'
.extra = 1|an unknown member
del(.dead_letter)|a member less
.format_version = 2|another version
.event_id = "x"|something else for an event id
.retries[0].buckets = []|a retry without a bucket
.retries[0].min_elapsed_millis = 0.5|a fraction of a millisecond
del(.retries[0].headers["x-retry-count"])|a header less
.retries[0].headers.extra = 1|an unknown header
.header_types[0].type = "int64"|another type of header
END

# --- text ------------------------------------------------------------------------

run "$lilyq" explain orders.created
exits 0 'reads lilyq.ini by default'
is "$err" '' 'without a message'
cp "$out_file" life.txt
cat >want <<'END'
orders.created
  classic, declared by the framework and by lilyq

  exchange      orders
  routing key   orders.created

A delivery that fails, and may be retried, goes to the retry exchange, waits in
a bucket, and comes back by the exchange above:

  exchange      orders.retry.v2

  retry  waits                              back after
      1  1 s                                1 s
      2  2 s                                3 s
      3  4 s                                7 s

  wait           bucket queue, and below it the routing key that leads to it
  1 s            orders.created.retry.v2.1000ms
                 orders.created.retry.1000ms
  2 s            orders.created.retry.v2.2000ms
                 orders.created.retry.2000ms
  4 s            orders.created.retry.v2.4000ms
                 orders.created.retry.4000ms

Headers of a message that is handed on:

  x-retry-count                    int32    1 in retry 1, 2 in retry 2, ...
  x-lily-failure-delivery-attempt  int32    the delivery that failed, from 1
  x-lily-rejection-code            longstr  why it failed, up to 64 bytes
  x-lily-event-id                  longstr  as it was
  x-lily-schema-version            longstr  as it was
  x-lily-content-kind              longstr  as it was
  traceparent                      longstr  as it was
  tracestate                       longstr  as it was

It is dead-lettered

  after 7 s, when delivery 4 fails, with x-retry-count 3
  at once when a delivery fails for good
  by the broker, without these headers, when it has over 1048576 bytes

  exchange      orders.dlx.v2
  routing key   orders.created
  queue         orders.created.dlq.v2

Times are the waits alone; each delivery adds its time in the queue and the
handler's.
END
same life.txt want 'tells the whole life'
run "$lilyq" explain -o text orders.created - <lilyq.ini
same "$out_file" life.txt 'text is the default, and standard input is read'

sed '/^routing_key/a message_ttl_ms = 90000\nqueue_type = quorum\nretry_jitter_ratio = 0.2\ntopology_ownership = external\ndead_letter_exchange = dead\ndead_letter_routing_key = letter' \
    lilyq.ini >rich.ini
run "$lilyq" explain orders.created rich.ini
has "$out" '  quorum, declared by others: lilyq only checks that it exists' \
    'tells who declares it'
has "$out" '      2  1.6 s, 2 s or 2.4 s                2.6 s to 3.6 s' \
    'tells all that a retry may wait'
has "$out" $'when it waits to be delivered\n  for 1 min 30 s\n' \
    'tells when it expires'
has "$out" $'  exchange      dead\n  routing key   letter\n' \
    'tells where dead letters go'
run "$lilyq" explain --event-id "$event" orders.created rich.ini
like "$out" $'\n      2  (1.6|2|2.4) s                              ' \
    'tells what one event waits'
is "$(grep -c ' orders.created.retry\.v2\.' <<<"$out")" 3 \
    'and names its buckets only'
has "$out" "x-lily-event-id                  longstr  $event" \
    'and its header'

sed 's/^retry_attempts.*/retry_attempts = 0/' lilyq.ini >once.ini
run "$lilyq" explain orders.created once.ini
has "$out" 'Nothing is retried: there is no retry exchange and no bucket.' \
    'an entry without retries has none'
has "$out" 'after 0 s, when delivery 1 fails, with x-retry-count 0' \
    'and dead-letters at the first failure'

# 180 bytes, in 60 characters of three bytes each
long=$(printf '語%.0s' {1..60})
sed "s/^\[queue:.*/[queue:$long]/" lilyq.ini >long.ini
run "$lilyq" explain "$long" long.ini
exits 0 'a long name in UTF-8 is found'
has "$out" "  1 s            $long.retry.v2.1000ms" 'and shown in full'
is "$(sed "s/$long/NAME/" <<<"$out" | head -n 30)" \
    "$(sed 's/^orders\.created$/NAME/; s/ orders\.created\b/ NAME/' want |
        sed 's/routing key   NAME$/routing key   orders.created/;
            /^It is dead/,$s/routing key   orders.created/routing key   NAME/' |
        head -n 30)" 'and moves nothing else'

for input in "$data"/plan/*/input.ini rich.ini; do
    while IFS= read -r -d '' name; do
        "$lilyq" explain -q -- "$name" "$input"
    done < <("$lilyq" plan -q "$input" |
        jq -j '.logical_queues[].name + "\u0000"')
done >all.txt
is "$(grep -vE '^  (exchange|routing key|queue) |^[^ ]*$|retry\.' all.txt |
    awk 'length > 80')" '' 'all but names fits 80 columns'

# --- what is refused ---------------------------------------------------------------

# refused MESSAGE ARGS...
refused() {
    local -r message=$1
    shift
    run "$lilyq" explain "$@"
    exits 2 "refuses ${*@Q}"
    is "$out" '' 'and prints nothing'
    is "$err" "lilyq: $message" 'but why'
}
refused "no entry is named 'orders.craeted'; did you mean 'orders.created'?" \
    orders.craeted
refused "no entry is named 'x'" x
refused "no entry is named ''" ''
refused "'orders.created.retry.v2.2000ms' is a queue of the entry 'orders.created'; did you mean 'orders.created'?" \
    orders.created.retry.v2.2000ms
hint='an event id must be a UUID in lower case that is not all zeros, such as 11111111-1111-4111-8111-111111111111'
for bad in 00000000-0000-0000-0000-000000000000 \
    ABCDEF01-1111-4111-8111-111111111111 nonsense; do
    refused "$hint, not '$bad'" --event-id "$bad" orders.created
done
run "$lilyq" explain orders.created missing.ini
exits 1 'a file that is not there is a failure'
echo 'colour = red' >bad.ini
run "$lilyq" explain orders.created bad.ini
exits 2 'a wrong configuration is not explained'
is "$out" '' 'and nothing is printed'
run bash -c '"$1" explain orders.created >/dev/full' bash "$lilyq"
exits 1 'a full disk is a failure'
is "$err" 'lilyq: cannot write to standard output: No space left on device' \
    'and is told'

done_testing
