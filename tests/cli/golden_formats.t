#!/bin/bash
#
# Each tests/data/plan/CASE has an input.ini and what `lilyq plan` prints for
# it in every format, to the byte. A case's files are written anew with
# `lilyq plan -o FORMAT input.ini >FILE`, or `lilyq permissions` and `lilyq
# policies` likewise, and then read.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

formats=(json tree definitions dot mermaid)
files=(plan.json tree.txt definitions.json graph.dot graph.mmd)

for input in "$root"/tests/data/plan/*/input.ini; do
    folder=${input%/*}
    for i in "${!formats[@]}"; do
        run "$lilyq" plan -o "${formats[i]}" "$input"
        exits 0 "${folder##*/} is planned as ${formats[i]}"
        same "$out_file" "$folder/${files[i]}" \
            "${folder##*/} as ${formats[i]} is to the byte as expected"
    done
done

for input in "$root"/tests/data/plan/*/input.ini; do
    folder=${input%/*}
    for format in json rabbitmqctl; do
        run "$lilyq" permissions -o "$format" "$input"
        exits 0 "${folder##*/} has permissions as $format"
        file=permissions.json
        [[ $format == json ]] || file=permissions.sh
        same "$out_file" "$folder/$file" \
            "its permissions as $format are to the byte as expected"
    done
done

for input in "$root"/tests/data/plan/*/input.ini; do
    folder=${input%/*}
    for format in json rabbitmqctl; do
        run "$lilyq" policies -o "$format" --broker-version 4.0 \
            --dlq-retention 7d "$input"
        exits 0 "${folder##*/} has policies as $format"
        file=policies.json
        [[ $format == json ]] || file=policies.sh
        same "$out_file" "$folder/$file" \
            "its policies as $format are to the byte as expected"
    done
done

run "$lilyq" plan "$root/tests/data/plan/documented/input.ini"
same "$out_file" "$root/tests/data/plan/documented/plan.json" \
    'JSON is what is printed unless another format is asked for'

run "$lilyq" permissions "$root/tests/data/plan/documented/input.ini"
same "$out_file" "$root/tests/data/plan/documented/permissions.json" \
    'and so it is for permissions'

run "$lilyq" plan -o definitions --vhost 'shop "a"' \
    "$root/tests/data/plan/shared/input.ini"
is "$(jq -c '[.[][].vhost] | unique' "$out_file")" '["shop \"a\""]' \
    'every object of a definitions file is in the vhost asked for'

run "$lilyq" plan -o definitions --vhost $'a\xff' \
    "$root/tests/data/plan/plain/input.ini"
exits 2 'a vhost that is not UTF-8 is refused'
is "$out" '' 'and nothing is printed'
has "$err" "vhost must be at most 255 bytes of UTF-8, not 'a\\xff'" \
    'and it is said why'

done_testing
