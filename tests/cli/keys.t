#!/bin/bash
#
# lilyq keys: the table of keys.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

run "$lilyq" keys
exits 0 'prints the keys'
is "$err" '' 'without a message'
cp "$out_file" keys
is "$(grep '^\[' keys)" '[broker]
[queue:NAME], and [defaults] for all queues of a file' 'section by section'
is "$(grep -n ' $' keys)" '' 'no line ends in a blank'

# The columns stand in one line: what is before each heading is blank.
for heading in ACCEPTS DEFAULT MEANING; do
    is "$(awk -v heading="$heading" '
        / KEY / { at = index($0, heading) }
        /^  [a-z]/ && substr($0, at - 2, 2) != "  " { print $1 }
        /^  [a-z]/ && substr($0, at, 1) == " " { print $1 }' keys)" '' \
        "the column $heading is aligned"
done

# row KEY COLUMNS: the key's row, columns separated by " | ".
row() {
    is "$(awk -v key="$1" '$1 == key' keys | sed 's/^  //; s/   */ | /g')" \
        "$1 | $2" "explains $1"
}

row url 'text | none | where the broker is, as amqp://user@host:port/vhost or amqps://; several, with commas between them, are tried in turn'
row name '1 to 200 bytes of text | required | logical name of the queue and name of its main queue'
row queue_type 'classic or quorum | classic | type of the main queue, its retry buckets and its dead-letter queue'
row durable 'true or false | true | whether the main queue outlives a restart of the broker; a quorum queue must'
row max_priority '1 to 16 | none | highest priority of messages in the main queue; classic queues only'
row retention.main_max_bytes '1 to 2^63-1 bytes | required | most bytes of messages that the main queue holds'
row retry_attempts '0 to 100 | 0 | how many times a failed message is tried again; 0 means no retry exchange and no bucket'
row retry_backoff_millis '100 to 300000 millis | 1000 | delay before the first retry, doubled for each one after it'
row retry_jitter_ratio '0.0 to 0.5 | 0.0 | how far a delay may be spread down and up, as a part of it'

# What is listed is what is accepted: an unknown key is an error, and the
# values of the range's ends are none.
cat >base.ini <<'END'
[queue:a]
exchange_name = a
routing_key = a
retention.main_max_messages = 1
retention.main_max_bytes = 1
retention.retry_bucket_max_messages = 1
retention.retry_bucket_max_bytes = 1
retention.dead_letter_max_messages = 1
retention.dead_letter_max_bytes = 1
END
while read -r key least most; do
    for value in "$least" "$most"; do
        sed "/^$key = /d" base.ini >range.ini
        echo "$key = $value" >>range.ini
        case $key in # these have a neighbour to agree with
        retry_backoff_millis) echo 'max_retry_backoff_millis = 900000' ;;
        max_retry_backoff_millis) echo 'retry_backoff_millis = 100' ;;
        delivery_buffer_capacity) echo 'prefetch_count = 4096' ;;
        esac >>range.ini
        run "$lilyq" plan range.ini
        exits 0 "$key may be $value"
    done
    over=$((most + 1))
    for value in $((least - 1)) "${over/#-/}"; do # 2^63 has wrapped around
        sed "/^$key = /d" base.ini >range.ini
        echo "$key = $value" >>range.ini
        run "$lilyq" plan range.ini
        exits 2 "$key may not be $value"
        has "$err" "'$key' must be an integer from $least to $most, not '$value'" \
            "and says so of $key = $value"
    done
done < <(sed -nE '/ bytes of text /d; s/2\^63-1/9223372036854775807/
    s/^  ([a-z_.]+) +([0-9]+) to ([0-9]+) .*/\1 \2 \3/p' keys)

done_testing
