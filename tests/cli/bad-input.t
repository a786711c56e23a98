#!/bin/bash
#
# Every folder of tests/data/bad holds an input that is refused and, in `error`,
# what `lilyq plan` says about it in front of its closing line.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

for folder in "$root"/tests/data/bad/*/; do
    cd "$folder" || bail_out "$folder cannot be entered"
    name=$(basename "$folder")
    run "$lilyq" plan input.*
    exits 2 "$name is refused"
    is "$out" '' "$name leaves nothing on standard output"
    sed '$d' "$err_file" >"$tmp/said"
    same "$tmp/said" error "$name is explained"
    like "${err##*$'\n'}" \
        '^lilyq: [1-9][0-9]* problems? in 1 file, nothing done$' \
        "$name ends in a closing line"
done

done_testing
