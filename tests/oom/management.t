#!/bin/bash
#
# Whichever allocation fails while lilyq diff and lint look through a management
# API, in lilyq, libcurl or what that uses: nothing is compared or judged, and
# said so, or all of it is, and nothing crashes.

. "${BASH_SOURCE[0]%/*}/../http/lib.sh"

shim=$build/fail_alloc.so
[[ -e $shim ]] || bail_out "$shim is not built"
export LILYQ_PASSWORD=$password

cat >lilyq.ini <<'END'
[queue:a]
exchange_name = orders
routing_key = a
retention.main_max_messages = 1000
retention.main_max_bytes = 1000000
retention.retry_bucket_max_messages = 100
retention.retry_bucket_max_bytes = 100000
retention.dead_letter_max_messages = 500
retention.dead_letter_max_bytes = 500000
END

# ends_well STATUS: as without a failure, or with nothing but a message. The C
# library itself gives up when there is none for the libraries being loaded.
ends_well() {
    case $1 in
    3) cmp -s now.out all.out ;; # what loads with libcurl may grumble
    127) [[ $(<now.err) == *'cannot allocate memory for thread-local data'* ]] ;;
    1 | 2) [[ -s now.err && ! -s now.out ]] ;;
    *) false ;;
    esac
}

# sweep COMMAND...: thousands are made in libraries that are loaded, so that
# every 29th will do.
sweep() {
    local n code problem='' told=0
    local -r command=("$lilyq" "$@" -o json --username someone
        --management-url "http://127.0.0.1:$port")
    "${command[@]}" >all.out 2>all.err
    is "$?" 3 "$1 finds something when there is memory"
    for ((n = 1; n <= 20000; n += 29)); do
        rm -f reached
        code=0
        LD_PRELOAD=$shim FAIL_ALLOC_AT=$n FAIL_ALLOC_REPORT=reached \
            "${command[@]}" >now.out 2>now.err || code=$?
        [[ -e reached ]] || break
        [[ $(<now.err) != *'out of memory'* ]] || ((++told))
        ends_well "$code" && continue
        problem="allocation $n: exit status $code: $(<now.err)"
        break
    done
    is "$problem" '' "$1 survives any failed allocation"
    ok "$1: the sweep saw them all, and some were told" \
        test "$n" -gt 20 -a "$n" -le 20000 -a "$told" -gt 1
    diag "$n allocations"
}

peer good
sweep diff
sweep lint --fail-on note

done_testing
