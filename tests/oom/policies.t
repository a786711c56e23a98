#!/bin/bash
#
# Whichever allocation fails while policies are set through a management API, in
# lilyq, libcurl or what that uses: what is told is true, and nothing crashes.

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

# ends_well STATUS: as without a failure, after which nothing listens for AMQP;
# or nothing was set; or something was, or may have been. The C library itself
# gives up when there is none for the libraries being loaded.
ends_well() {
    case $1 in
    127) [[ $(<now.err) == *'cannot allocate memory for thread-local data'* ]] ;;
    1 | 2 | 5) [[ -s now.err ]] ;;
    *) false ;;
    esac
}

# thousands are made in libraries that are loaded: every seventeenth will do
peer good
problem=''
for ((n = 1; n <= 20000; n += 17)); do
    rm -f reached
    code=0
    LD_PRELOAD=$shim FAIL_ALLOC_AT=$n FAIL_ALLOC_REPORT=reached \
        "$lilyq" apply --policies --dlq-retention 1d --url \
        amqp://someone@127.0.0.1:1/a --management-url "http://127.0.0.1:$port" \
        >now.out 2>now.err || code=$?
    [[ -e reached ]] || break
    ends_well "$code" && continue
    problem="allocation $n: exit status $code: $(<now.err)"
    break
done
is "$problem" '' 'setting policies survives any failed allocation'
ok 'the sweep saw them all' test "$n" -gt 20 -a "$n" -le 20000
diag "$n allocations"

done_testing
