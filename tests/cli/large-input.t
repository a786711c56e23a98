#!/bin/bash
#
# Input that is large, or wrong in many places, takes no more time and memory
# than its size allows.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

sanitized=''
! nm "$build/liblilyq.a" 2>/dev/null | grep -q __asan || sanitized=yes

# many COUNT TEXT: the text so many times.
many() {
    yes "$2" | head -n "$1" | tr -d '\n'
}

# holds NAME STATUS KIB COMMAND...: the command ends as it must within so much
# address space, that of the libraries included.
holds() {
    local -r name=$1 wanted=$2 kib=$3
    shift 3
    if [[ $sanitized ]]; then
        skip "$name" 'a sanitizer takes all address space'
        return
    fi
    run bash -c 'ulimit -v "$1" && shift && exec "$@"' - "$kib" "$@"
    exits "$wanted" "$name"
}

base=30000 # what a run takes for nothing

# 3 MB of values of three bytes, and 2 MB of values of two
{
    printf '{"queues":['
    many 1000000 '[],'
    printf '1]}'
} >lists.json
holds 'lists in lists take ten times their size' 2 $((base + 10 * 3000)) \
    "$lilyq" plan lists.json
holds 'as definitions too' 2 $((base + 10 * 3000)) \
    "$lilyq" diff --definitions lists.json "$root/tests/data/plan/plain/input.ini"
{
    printf '{"queues":[],"other":['
    many 1000000 '1,'
    printf '1]}'
} >other.json
holds 'so do numbers that nobody asks for' 0 $((base + 10 * 2000)) \
    "$lilyq" plan -o tree other.json
{
    printf '['
    many 1000000 '"a":1,'
} >wrong.json
holds 'and what is no JSON' 2 $((base + 10 * 6000)) "$lilyq" plan wrong.json

yes 'no key' | head -n 500000 >bad.ini
holds 'bad lines take no memory' 2 $((base + 10 * 3500)) "$lilyq" plan bad.ini
run "$lilyq" plan bad.ini
exits 2 'half a million of them are no success'
is "$(wc -l <<<"$err")" 102 'and no flood of messages'
is "$(sed -n 100p <<<"$err")" \
    "bad.ini:100: line must be 'KEY = VALUE', not 'no key'" \
    'the first hundred are shown'
is "$(tail -n 2 <<<"$err")" "lilyq: … and 499900 more problems
lilyq: 500000 problems in 1 file, nothing done" 'the rest is counted'

{
    printf '{"queues":[{'
    for ((i = 0; i < 150; ++i)); do
        printf '"unknown%d":1,' "$i"
    done
    printf '"name":"a"}]}'
} >fields.json
run "$lilyq" plan fields.json
is "$(tail -n 2 <<<"$err")" "lilyq: … and 53 more problems
lilyq: 153 problems in 1 file, nothing done" 'so it is with fields in JSON'
run "$lilyq" diff --against fields.json "$root/tests/data/plan/plain/input.ini"
exits 2 'an earlier file with as many problems is refused'
has "$err" 'lilyq: … and 53 more problems' 'and they are counted'

yes '[queue:a]' | head -n 70000 >queues.ini
run "$lilyq" plan queues.ini
exits 2 'more than 65536 queues are refused'
truncate -s 65M large.ini
run "$lilyq" plan large.ini
exits 2 'a file of more than 64 MiB is refused'
is "$err" "lilyq: 'large.ini' must be at most 64 MiB
lilyq: 1 problem, nothing done" 'as it says'
run "$lilyq" plan - <large.ini
exits 2 'on standard input too'
has "$err" 'must be at most 64 MiB' 'as it says again'

done_testing
