#!/bin/bash
#
# Whichever allocation fails while lilyq looks or sets policies through a
# management API, in lilyq, libcurl or what that uses: what it tells is true, and
# nothing crashes.

. "${BASH_SOURCE[0]%/*}/../http/lib.sh"

shim=$build/fail_alloc.so
[[ -e $shim ]] || bail_out "$shim is not built"
export LILYQ_PASSWORD=$password

cat >lilyq.ini <<'END'
[queue:a]
exchange_name = orders
routing_key = a
queue_type = quorum
retention.main_max_messages = 1000
retention.main_max_bytes = 1000000
retention.retry_bucket_max_messages = 100
retention.retry_bucket_max_bytes = 100000
retention.dead_letter_max_messages = 500
retention.dead_letter_max_bytes = 500000
END

# ends_well STATUS WANT: as without a failure, or with a message and no output. An
# apply (5), after which nothing listens for AMQP, may have set something or not.
# The C library itself gives up when there is none for the libraries being loaded.
ends_well() {
    case $1,$2 in
    3,3) cmp -s now.out all.out ;; # what loads with libcurl may grumble
    127,*) [[ $(<now.err) == *'cannot allocate memory for thread-local data'* ]] ;;
    [12],3) [[ -s now.err && ! -s now.out ]] ;;
    [125],5) [[ -s now.err ]] ;;
    *) false ;;
    esac
}

# sweep WANT COMMAND...: WANT is the exit status when there is memory. Thousands
# of allocations are made in libraries that are loaded: every 29th will do.
sweep() {
    local -r want=$1
    shift
    local n code problem='' told=0
    local -r command=("$lilyq" "$@" --url amqp://someone@127.0.0.1:1/a
        --management-url "http://127.0.0.1:$port")
    "${command[@]}" >all.out 2>all.err
    is "$?" "$want" "$1 ends as it must when there is memory"
    for ((n = 1; n <= 20000; n += 29)); do
        rm -f reached
        code=0
        LD_PRELOAD=$shim FAIL_ALLOC_AT=$n FAIL_ALLOC_REPORT=reached \
            "${command[@]}" >now.out 2>now.err || code=$?
        [[ -e reached ]] || break
        [[ $(<now.err) != *'out of memory'* ]] || ((++told))
        ends_well "$code" "$want" && continue
        problem="allocation $n: exit status $code: $(<now.err)"
        break
    done
    is "$problem" '' "$1 survives any failed allocation"
    ok "$1: the sweep saw them all, and some were told" \
        test "$n" -gt 20 -a "$n" -le 20000 -a "$told" -gt 1
    diag "$n allocations"
}

peer good
sweep 3 diff -o json
sweep 3 lint -o json --fail-on note
sweep 5 apply --policies --dlq-retention 1d

done_testing
