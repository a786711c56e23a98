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
VECTORS_STEP=${VECTORS_STEP:-4} run "$root/tests/lib/check_lives" "$lilyq" \
    "$root/man/lilyq-explain.schema.json" "$data/vectors/select.jsonl" \
    "$data"/plan/*/input.ini
exits 0 'every life is as the contract has it'
like "$out" '^[1-9][0-9]* lives$' 'and there are some'
diag "$out"

VECTORS_STEP=${VECTORS_STEP:-6} run "$root/tests/lib/check_loads" "$lilyq" \
    "$root/man/lilyq-explain.schema.json" "$data/vectors/random.jsonl"
exits 0 'whatever the load is, the numbers agree'
like "$out" '^[1-9][0-9]* loads$' 'of some loads'
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
has "$out" 'by RabbitMQ 4, without these headers, once over 20 deliveries' \
    'tells that a quorum queue gives up'
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

# --- under load ------------------------------------------------------------------

run "$lilyq" explain --rate 50/s --failure-ratio 0.01 --outage 15m \
    --message-size 4096 orders.created
exits 0 'tells of a load'
is "$err" '' 'without a message'
cp "$out_file" load.txt
cat >want.load <<'END'

Load: 50 messages a second, of which 1 % fail,
and an outage of 15 min in which all of them do.
Normal, needs: what normal time and an outage without an end take, if no queue
is ever full.
Full after: how long an outage has lasted by then; for the main queue, how long
nothing was consumed.

  messages            normal        peak       needs       bound  full after
  1 s                    0.5          50          50       10000  never
  2 s                   0.01         100         100       10000  never
  4 s                      0         200         200       10000  never
  dead letters             -       10000           -       10000  3 min 27 s
  main queue               -       35001           -      100000  33 min 20 s

  4096 bytes each     normal        peak       needs       bound  full after
  1 s                   2048      204800      204800   268435456  never
  2 s                  40.96      409600      409600   268435456  never
  4 s                   0.82      819200      819200   268435456  never
  dead letters             -    40960000           -   268435456  21 min 58 s
  main queue               -   143362090           -  1073741824  1 h 27 min

  1048576 bytes each  normal        peak       needs       bound  full after
  1 s                 524288           -    52428800   268435456  never
  2 s                  10486           -   104857600   268435456  never
  4 s                    210           -   209715200   268435456  never
  dead letters             -           -           -   268435456  12.1 s
  main queue               -           -           -  1073741824  20.5 s

  first full     the dead letters, in messages, after 3 min 27 s
                 then no hand-off is confirmed, the consumer stops, and the main
                 queue is full after 36 min 40 s, if nobody starts it again
  in buckets     up to 350 messages, after 7 s
  dead letters   10000 messages in the outage
  disk at worst  2147483648 bytes, when every bound is reached

  What happens in this outage:

  3 min 27 s     the dead letters are full, in messages: a hand-off is refused,
                 and the consumer stops
  3 min 31 s     the buckets are empty
  15 min         the outage ends, and the consumer is started again:
                 35001 messages wait in the main queue; it stops at the next
                 dead letter, until some are removed
END
cat life.txt want.load >want.all
same load.txt want.all 'with the life, and all there is to know'
is "$(awk 'length > 80' load.txt)" '' 'in 80 columns'
awk '/^`lilyq explain .* prints:$/ { on = 1 }
    /^```$/ && on { if (on++ == 2) exit; next }
    on == 2' "$root/README.md" >readme.txt
ok 'the README has an example' test -s readme.txt
is "$(grep -vxFf load.txt readme.txt)" '' 'which is what it prints'
if locale -a 2>/dev/null | grep -qi '^de_DE.utf-\?8'; then
    LC_ALL=de_DE.UTF-8 "$lilyq" explain --rate 50/s --failure-ratio 0.01 \
        --outage 15m --message-size 4096 orders.created >comma.txt
    same comma.txt load.txt 'a locale with a decimal comma changes nothing'
else
    skip 'a locale with a decimal comma changes nothing' 'there is none'
fi
"$lilyq" explain -o json --rate 3000/m --failure-ratio 1e-2 --outage 900s \
    orders.created >load.json
ok 'a load is valid' valid load.json
"$lilyq" explain -o json --rate 3000/m orders.created >rate.json
ok 'a rate alone is valid' valid rate.json
while IFS='|' read -r edit name; do
    jq "$edit" load.json >bad.json
    not_ok "a load is not valid with $name" valid bad.json
done <<'END'
del(.levels)|no level
del(.timeline)|no timeline
.levels[1].normal_messages = "1"|a number as text
.levels[0].full_after_millis.by_messages = 0.5|a fraction of a millisecond
.return_waves = []|no wave
.occupancy[0].messages[0] = null|a sample less
.course.refused_per_second = null|what is refused unknown
del(.course)|no course
END
is "$(jq -c '.load' load.json)" \
    '{"rate_per_second":50,"failure_ratio":0.01,"outage_millis":900000,"message_bytes":null}' \
    'and says what was asked'
is "$(jq -c '.levels[] | [.role, .normal_messages, .peak_messages,
        .full_after_millis.by_messages]' load.json)" \
    '["main",null,1024,1999990]
["retry_bucket",0.5,50,null]
["retry_bucket",0.01,100,null]
["retry_bucket",0,200,null]
["dead_letter",null,256,206990]' 'and has the numbers of the text'
"$lilyq" explain -o json --rate 50/s --outage 15m --message-size 4096 \
    orders.created >sized.json
ok 'one with a size is valid' valid sized.json
is "$(jq -c '.levels[] | [.largest_bytes, .message_bytes] |
    map(.peak, .limit)' sized.json)" '[null,null,143360000,null]
[null,52428800,204800,204800]
[null,104857600,409600,409600]
[null,209715200,819200,819200]
[null,null,40960000,null]' 'and has the bytes'
unlike "$(<load.json)" '[0-9][eE][-+0-9]|[.][0-9]{7}' \
    'and no number with noise'
is "$(jq -c '.course | [.full_queue, .bound, .consumer_stops_after_millis,
    .main_full_after_millis, .main_bound, .refused_per_second,
    .refused_messages, .lost_messages, .buckets_empty_after_millis,
    .consumer_starts_after_millis, .backlog_messages]' load.json)" \
    '["orders.created.dlq.v2","bytes",12110,25590,"bytes",50,43720.51,0,16110,900000,1024]' \
    'and what follows the first full queue'
is "$(jq -c '.occupancy | map(.messages | max)' load.json)" \
    '[1024,50,100,200,256]' 'and no more in a queue than it holds'
"$lilyq" explain -o json --rate 5000/s --outage 15m orders.created >fast.json
is "$(jq -c '.course | [.lost_messages, .above_bound_messages]' fast.json)" \
    '[256,0]' 'and what a full classic main queue loses'
run "$lilyq" explain --rate 5000/s --outage 15m orders.created
has "$out" $'260 ms         the main queue is full, in bytes: publishers are refused,
                 5000/s, 4498720 in all; 256 that come back from buckets
                 are lost' 'and so does the text'
"$lilyq" explain -o json --rate 1/s --failure-ratio 0.01 --outage 1m \
    --message-size 1 orders.created >calm.json
is "$(jq -c '[.course, .levels[0].peak_messages]' calm.json)" '[null,0]' \
    'and nothing follows when no queue is full'
ok 'which is valid' valid calm.json
is "$(jq '[.occupancy[].messages | length] | unique | join(" ")' load.json)" \
    "\"$(jq .timeline.count load.json)\"" 'and a sample for each time'
"$lilyq" explain -o json --rate 50/s --outage 3m --message-size 1 \
    orders.created once.ini |
    jq -c '[.retries, (.occupancy | length), .outage.dead_lettered_messages]' >once.json
is "$(<once.json)" '[[],2,9000]' 'without retries all are dead letters'
sed '/^routing_key/a queue_type = quorum' lilyq.ini >quorum.ini
run "$lilyq" explain --rate 1/d orders.created quorum.ini
has "$out" 'Load: 0.000012 messages a second, of which 0 % fail.' \
    'a small rate is one'
has "$out" 'disk at worst  2147483648 bytes on each member' \
    'a quorum queue keeps it more than once'
sed 's/\(max_[a-z]*\) = .*/\1 = 9223372036854775807/' lilyq.ini >most.ini
run "$lilyq" explain -q --rate 1/s orders.created most.ini
has "$out" 'disk at worst  over 9223372036854775807 bytes' \
    'a sum that is not known is not made up'
is "$(awk 'length > 80' "$out_file")" '' 'and fits 80 columns'
run "$lilyq" explain --rate 50/s --outage 1m --message-size 1 orders.created
has "$out" $'the dead letters, in messages, after 3 min 27 s,\n                 not in this outage\n' \
    'tells that an outage is too short'
sed 's/bucket_max_messages = .*/bucket_max_messages = 40/' lilyq.ini >tight.ini
run "$lilyq" explain --rate 50/s --failure-ratio 0.9 --message-size 1 \
    orders.created tight.ini
has "$out" '  1 s                     45           -          50          40  in normal time' \
    'tells what is full without an outage'

# 180 bytes, in 60 characters of three bytes each
long=$(printf '語%.0s' {1..60})
sed "s/^\[queue:.*/[queue:$long]/" lilyq.ini >long.ini
run "$lilyq" explain "$long" long.ini
exits 0 'a long name in UTF-8 is found'
has "$out" "  1 s            $long.retry.v2.1000ms" 'and shown in full'
is "$(head -n 30 <<<"${out//$long/NAME}")" \
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
for option in --failure-ratio=0.1 --outage=1s --message-size=1; do
    refused "'${option%%=*}' needs '--rate'" "$option" orders.created
done
for bad in 50 50/ms 0/s 1e3/s 1,5/s 2000000/s '50 /s'; do
    refused "'--rate' must be a number of messages over s, m, h or d, such as 50/s or 3000/m, up to 1000000/s, not '$bad'" \
        --rate "$bad" orders.created
done
refused "'--rate' must not be empty" --rate '' orders.created
for bad in 90 1.5h 0s 366d 90S; do
    refused "'--outage' must be a whole number of ms, s, m, h, d or w, such as 90s, 15m or 2h, up to 365d, not '$bad'" \
        --rate 1/s --outage "$bad" orders.created
done
for bad in 1.1 -1 50% 0,5; do
    refused "'--failure-ratio' must be a number from 0 to 1, such as 0.01, not '$bad'" \
        --rate 1/s --failure-ratio "$bad" orders.created
done
for bad in 0 -1 4k 99999999999999999999; do
    refused "'--message-size' must be a number of bytes, or one with K, M, G or T such as 64K or 50G, not '$bad'" \
        --rate 1/s --message-size "$bad" orders.created
done
refused "a message must be at most 'max_message_size_bytes' of the entry, 1048576, not 1048577 bytes" \
    --rate 1/s --message-size 1048577 orders.created
sed 's/^retry_attempts.*/retry_attempts = 0/' lilyq.ini >once.ini
run "$lilyq" explain --rate 1/s --outage 1m \
    --message-size 1 orders.created once.ini
has "$out" $'\n  dead letters   60 messages in the outage\n' \
    'what is not retried is dead-lettered at once'
has "$out" 'Load: 1 message a second, ' 'one message is one'
is "$(grep -E '.{81}' <<<"$out")" '' 'no line is longer than 80 characters'
hasnt "$out" 'in buckets' 'no bucket is told of'
hasnt "$out" 'jitter' 'and nothing that comes back'
run "$lilyq" explain --rate 100/s --failure-ratio 1 orders.created
has "$out" 'first full     the bucket of 4 s, in bytes, in normal time' \
    'what is full without an outage is told so'
sed 's/^\(retention\..*\) = .*/\1 = 9223372036854775807/; s/^queue_type.*//' lilyq.ini >huge.ini
sed -i '/^\[queue:orders.created\]/a queue_type = quorum' huge.ini
run "$lilyq" explain -q --rate 1/s orders.created huge.ini
has "$out" $'bytes on each member,\n                 when every bound is reached' \
    'the greatest bounds do not make lines too long'
run "$lilyq" lint -o json huge.ini
is "$(jq -r '.findings[].code' "$out_file" | grep LQ023)" '' \
    'and mean no bound to lint'
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
