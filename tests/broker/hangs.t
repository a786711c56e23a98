#!/bin/bash
#
# Peers that go wrong at each step of a run, from the greeting to the writes:
# every run ends in time, with the right exit status, and says why. It is the
# sanitized program that meets them, where there is one.

. "${BASH_SOURCE[0]%/*}/lib.sh"

plain=$lilyq
[[ ! -x $build/san/lilyq ]] || lilyq=$build/san/lilyq
export ASAN_OPTIONS=abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1

queue q 'retry_attempts = 2' >lilyq.ini

not_amqp='the peer (does not speak|sent something that is not) AMQP 0-9-1'
nobody_asked='the peer sent an answer that nobody asked for'
late='(connected, but (no AMQP answer|not logged in)|not done) within 1 s'
alarmed='the peer said 200 times that it is blocked or no longer is, and answered nothing meanwhile'

# What each fault of rude.py may be called, by a regular expression.
declare -A words=(
    [silence]=$late [dribble]=$late [flood]=$late
    [alarms]="($nobody_asked|$alarmed)" # right from the step "channel" on
    [hangup]='(the peer hung up|the connection broke)'
    [reset]='(the peer hung up|the connection broke)'
    [garbage]=$not_amqp [huge]=$not_amqp [long]=$not_amqp [end]=$not_amqp
    [short]=$not_amqp [content]=$not_amqp [version]=$not_amqp
    [cut]="($not_amqp|$late)" # not every answer has fields
    [elsewhere]=$nobody_asked [deliver]=$nobody_asked [unknown]=$nobody_asked
    [again]="($nobody_asked|$late)"  # right at the step "tune"
    [nested]="($nobody_asked|$late)" # right at the step "start"
    [close]='the broker closed the connection: INTERNAL_ERROR - on purpose \(541\)'
)

# meet STEP FAULT: a run that meets it ends well enough.
meet() {
    local -r step=$1 fault=$2 start=${EPOCHREALTIME/./}
    local code=1
    [[ $step != write ]] || code=5
    apply_to "amqp://127.0.0.1:$peer_port" --timeout 1 -o json lilyq.ini
    millis=$(((${EPOCHREALTIME/./} - start) / 1000))
    exits $code "$step, $fault: ends with $code"
    like "$err" "${words[$fault]}" "$step, $fault: says why"
    ok "$step, $fault: in time ($millis ms)" test "$millis" -le 4000
    is "$(jq -r '.ending' <<<"$out")" "$([[ $code == 5 ]] && echo partly || echo untouched)" \
        "$step, $fault: reports it"
}

# One peer meets them all, in this order.
pairs=()
for step in start tune open channel check write; do
    for fault in "${!words[@]}"; do
        pairs+=("$step:$fault")
    done
done
rude "${pairs[@]}"
for pair in "${pairs[@]}"; do
    meet "${pair%:*}" "${pair#*:}"
done

# --- without a limit for the run -------------------------------------------------

lilyq=$plain

# bounded STEP FAULT STATUS: it ends by itself, having said and kept little.
bounded() {
    local -r step=$1 fault=$2 code=$3
    rude "$step:$fault"
    run bash -c 'ulimit -v 500000; exec "$@"' - "$lilyq" apply \
        --url "amqp://127.0.0.1:$peer_port" --answer-timeout 2 lilyq.ini
    exits "$code" "$step, $fault: ends without a limit, with $code"
    like "$err" "no answer within 2 s about|$alarmed" \
        "$step, $fault: says why without a limit"
    ok "$step, $fault: says little ($(wc -c <"$err_file") bytes)" \
        test "$(wc -c <"$err_file")" -le 5000
}

for fault in silence dribble flood alarms long_dribble; do
    bounded check $fault 1
    bounded write $fault 5
done

# --- nobody at home -------------------------------------------------------------

# A listener that never accepts, whose queue is full.
rude full
SECONDS=0
apply_to "amqp://127.0.0.1:$peer_port" --connect-timeout 1 lilyq.ini
exits 1 'a listener that accepts nobody: 1'
has "$err" 'no connection within 1 s' 'a listener that accepts nobody: says so'
ok 'a listener that accepts nobody: in time' test "$SECONDS" -le "$patience"

# Silent before TLS, and a whole run that is shorter than connecting.
peer silent
SECONDS=0
apply_to "amqps://127.0.0.1:$peer_port" --insecure --timeout 1 lilyq.ini
exits 1 'no TLS handshake: 1'
has "$err" 'no connection within 1 s' 'no TLS handshake: says so'
ok 'no TLS handshake: in time' test "$SECONDS" -le "$patience"

# The same, but with a handshake that comes a byte at a time.
rude handshake
SECONDS=0
apply_to "amqps://127.0.0.1:$peer_port" --insecure --connect-timeout 1 lilyq.ini
exits 1 'a TLS handshake a byte at a time: 1'
has "$err" 'no connection within 1 s' 'a TLS handshake a byte at a time: says so'
ok 'a TLS handshake a byte at a time: in time' test "$SECONDS" -le 10

# --- signals ----------------------------------------------------------------------

lilyq=$plain

# signal WHERE SECOND?: ends a run that waits for the peer at $peer_port.
signal() {
    env --default-signal=INT "$lilyq" apply --url "amqp://127.0.0.1:$peer_port" \
        lilyq.ini >"$out_file" 2>"$err_file" &
    pid=$!
    sleep 0.7
    for name in "$@"; do
        kill -"$name" $pid
        sleep 0.2
    done
    status=0
    wait $pid 2>/dev/null || status=$?
    out=$(<"$out_file") err=$(<"$err_file")
}

rude start:silence
SECONDS=0
signal INT
exits 1 'an interrupt during the login: 1'
ok 'an interrupt during the login: soon' test "$SECONDS" -le "$patience"
has "$err" 'lilyq: interrupted, nothing written to' 'an interrupt during the login: told'

rude write:silence
SECONDS=0
signal TERM
exits 5 'an interrupt while answers are missing: 5'
ok 'an interrupt while answers are missing: it waits a little for them' \
    test "$SECONDS" -le "$patience"
has "$err" 'told to stop, and no answer within 5 s' \
    'an interrupt while answers are missing: says so'

rude write:silence
SECONDS=0
signal TERM TERM
exits 143 'the second interrupt ends it'
ok 'the second interrupt ends it at once' test "$SECONDS" -le "$patience"
rude write:silence
signal INT INT
exits 130 'the second interrupt from the keyboard too'

no_password_shown
done_testing
