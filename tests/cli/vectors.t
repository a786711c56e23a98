#!/bin/bash
#
# Plans, and refusals, as the framework has them: every golden vector through
# the program. VECTORS_STEP=10 takes every tenth, for slow builds of it.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

vectors=$root/tests/data/vectors
step=${VECTORS_STEP:-1}

/usr/bin/python3 "$root/tests/lib/vectors.py" "$lilyq" "$step" \
    "$vectors/hand.jsonl" "$vectors/random.jsonl" >verdicts 2>errors

while IFS=$'\t' read -r verdict name fault; do
    if [[ $verdict == ok ]]; then
        pass "$name"
    else
        fail "$name"
        diag "$fault"
    fi
done <verdicts

is "$(<errors)" '' 'all could be run'
is $((tap_count - 1)) \
    "$(for file in hand random; do awk "NR % $step == 1 % $step" \
        "$vectors/$file.jsonl"; done | wc -l)" 'and none was left out'

done_testing
