#!/bin/bash
#
# Answers of which some bytes are not what the broker said: the sanitized
# program ends in time whatever it is, and by itself.

. "${BASH_SOURCE[0]%/*}/../broker/lib.sh"

runs=${MUTATIONS:-600}
seed=${SEED:-1}

[[ -x $build/san/lilyq ]] || bail_out "$build/san/lilyq is not built"
lilyq=$build/san/lilyq
export ASAN_OPTIONS=abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1
queue q 'retry_attempts = 2' >lilyq.ini

run_peer mutant.py "$seed"
declare -A ends=()
slowest=0
for ((i = 0; i < runs; i++)); do
    start=${EPOCHREALTIME/./}
    apply_to "amqp://127.0.0.1:$peer_port" --timeout 1 lilyq.ini
    millis=$(((${EPOCHREALTIME/./} - start) / 1000))
    ((millis <= slowest)) || slowest=$millis
    ends[$status]=$((${ends[$status]:-0} + 1))
    if [[ $status != [015] ]] || ((millis > 5000)); then
        fail "run $i of seed $seed ends by itself and in time"
        diag "exit status $status, $millis ms: $(tail -n 1 peer.err)"
        diag "$err"
    fi
done
pass "$runs runs ended: ${ends[0]:-0} with 0, ${ends[1]:-0} with 1, ${ends[5]:-0} with 5"
for code in 0 1 5; do
    ok "some ended with $code" test "${ends[$code]:-0}" -gt 0
done
ok "the slowest within 5 s ($slowest ms)" test "$slowest" -le 5000

no_password_shown
done_testing
