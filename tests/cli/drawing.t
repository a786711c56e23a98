#!/bin/bash
#
# lilyq explain -o svg: what the queues hold through an outage, as a drawing.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

command -v rsvg-convert >/dev/null || bail_out 'librsvg2-bin is missing'
cp "$root/tests/data/plan/documented/input.ini" plain.ini
sed 's/^retry_attempts.*/retry_attempts = 20\nretry_jitter_ratio = 0.3/' \
    plain.ini >jitter.ini
sed 's/^retry_attempts.*/retry_attempts = 100\nretry_backoff_millis = 100\nmax_retry_backoff_millis = 900000\nretry_jitter_ratio = 0.0001/' \
    plain.ini >many.ini
sed 's/bucket_max_messages = .*/bucket_max_messages = 120/' plain.ini >tight.ini
sed 's/^retry_attempts.*/retry_attempts = 0/' plain.ini >once.ini
sed 's/^retry_attempts.*/retry_attempts = 1/' plain.ini >one.ini
# 170 bytes, and all that XML has a meaning for
printf -v long '%s&<>"\x27]]>' "$(printf '語%.0s' {1..50})"
LONG=$long awk '/^\[queue:/ { $0 = "[queue:" ENVIRON["LONG"] "]" } 1' \
    plain.ini >odd.ini

look=rendered.png # at the picture too, which takes a while

# draws NAME INPUT QUEUE OPTIONS...
draws() {
    local -r name=$1 input=$2 queue=$3
    shift 3
    "$lilyq" explain -q -o json "$@" -- "$queue" "$input" >numbers.json
    run "$lilyq" explain -q -o svg "$@" -- "$queue" "$input"
    exits 0 "draws $name"
    is "$err" '' 'without a message'
    cp "$out_file" drawing.svg
    run "$lilyq" explain -q -o svg "$@" -- "$queue" "$input"
    same "$out_file" drawing.svg 'the same again'
    run rsvg-convert -o rendered.png drawing.svg
    is "$status$out$err" 0 'renders it'
    run "$root/tests/lib/check_drawing" drawing.svg numbers.json \
        ${look:+"$look"}
    exits 0 'which shows the numbers'
    like "$out" '^[1-9][0-9]* points$' 'all of them'
    diag "$out"
}
draws 'a plain entry' plain.ini orders.created --rate 50/s \
    --failure-ratio 0.01 --outage 30s --message-size 4096
has "$(<drawing.svg)" 'no queue is full in this outage' 'says that none is full'
has "$(<drawing.svg)" 'bound 10000 messages, higher up' \
    'a bound that is far away is not drawn, but told'
hasnt "$(<drawing.svg)" 'class="shared"' 'not even for buckets'
draws 'dead letters that are full, in messages' plain.ini orders.created \
    --rate 50/s --failure-ratio 0.01 --outage 15m --message-size 4096
has "$(<drawing.svg)" '1  after 3 min 27 s: the dead letters are full, in messages: a hand-off is refused, and the consumer stops' \
    'tells when the consumer stops'
has "$(<drawing.svg)" '2  after 15 min: the outage ends, and the consumer is started again: 35001 messages wait in the main queue' \
    'and what waits when it starts'
draws 'dead letters and a main queue that are full, in bytes' plain.ini \
    orders.created --rate 50/s --failure-ratio 0.01 --outage 15m
has "$(<drawing.svg)" '2  after 25.6 s: the main queue is full, in bytes: publishers are refused, 50/s' \
    'tells when publishers are refused'
has "$(<drawing.svg)" 'main queue and dead letters, in GiB' 'draws bytes'
has "$(<drawing.svg)" 'outage, which goes on until 15 min' \
    'and not the time in which nothing happens'
draws 'many delays' jitter.ini orders.created --rate 3000/m --outage 15m
look=''
draws 'very many delays' many.ini orders.created --rate 0.5/s \
    --failure-ratio 0.5 --outage 10h
draws 'a bound that is near' tight.ini orders.created --rate 50/s --outage 1m
has "$(<drawing.svg)" 'class="shared"' 'with a line for it'
draws 'an outage that is hardly one' plain.ini orders.created --rate 1/d \
    --outage 1ms
draws 'a year of it' plain.ini orders.created --rate 1000000/s --outage 365d
hasnt "$(<drawing.svg)" '>2 s: ' 'a bucket that gets nothing is not drawn'
sed '/^routing_key/a queue_type = quorum' plain.ini >quorum.ini
draws 'a quorum queue above its bound' quorum.ini orders.created \
    --rate 5000/s --outage 15m
has "$(<drawing.svg)" '256 that come back are taken above its bound' \
    'in words'
draws 'one attempt' one.ini orders.created --rate 50/s --outage 5m
draws 'what fails always' plain.ini orders.created --rate 1/s \
    --failure-ratio 1 --outage 1h

run "$lilyq" explain -o svg --rate 50/s --outage 1m orders.created once.ini
exits 0 'draws no bucket for an entry without retries'
ok 'the drawing can be rendered' rsvg-convert -o rendered.png "$out_file"
is "$(grep -c '<polyline' <<<"$out")" 2 'of the main queue and the dead letters'

look=rendered.png
draws 'a long name with all that XML minds' odd.ini "$long" --rate 50/s \
    --outage 1m
hasnt "$(<drawing.svg)" "$long" 'escaped'
sed $'s/^\\[queue:.*/[queue:a\xef\xbf\xbeb]/' plain.ini >forbidden.ini
run "$lilyq" explain -o svg --rate 1/s --outage 1m $'a\xef\xbf\xbeb' forbidden.ini
exits 0 'a name that XML forbids is drawn'
ok 'and can be rendered' rsvg-convert -o rendered.png "$out_file"
has "$out" '>a\xef\xbf\xbeb</title>' 'as its bytes'

plain=$("$lilyq" explain -o svg --rate 1/s --outage 1m orders.created plain.ini)
has "$plain" '@media (prefers-color-scheme: dark)' 'is to be read in the dark'
unlike "$plain" '<script|href|url\(|@import|<!' \
    'and takes nothing from elsewhere'
if locale -a 2>/dev/null | grep -qi '^de_DE.utf-\?8'; then
    is "$(LC_ALL=de_DE.UTF-8 "$lilyq" explain -o svg --rate 1/s --outage 1m \
        orders.created plain.ini)" "$plain" \
        'a locale with a decimal comma changes nothing'
else
    skip 'a locale with a decimal comma changes nothing' 'there is none'
fi

done_testing
