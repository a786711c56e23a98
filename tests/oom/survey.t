#!/bin/bash
#
# Whichever allocation fails while a management API is read, in the library,
# libcurl or what that uses: the survey shows all there is or says that it
# failed, and never crashes.

. "${BASH_SOURCE[0]%/*}/../http/lib.sh"

shim=$build/fail_alloc.so
[[ -e $shim ]] || bail_out "$shim is not built"

# ends_well STATUS: like the run with memory enough, or in a failure that is
# told; libcurl takes some of its own for a peer that cannot be reached. The C
# library itself gives up when there is none for the libraries being loaded.
ends_well() {
    if (($1 == 0)); then
        cmp -s now.out all.out # what loads with libcurl may grumble
    elif (($1 == 127)); then
        [[ $(<now.err) == *'cannot allocate memory for thread-local data'* ]]
    else
        (($1 >= io && $1 <= lost)) && [[ -s now.err && ! -s now.out ]]
    fi
}

# sweep NAME STEP ARGUMENT...
sweep() {
    local -r name=$1 step=$2
    local n code problem='' told=0
    shift 2
    "$build/tests/http/survey" "$@" >all.out 2>all.err
    is "$?" 0 "$name works when there is memory"
    for ((n = 1; n <= 20000; n += step)); do
        rm -f reached
        code=0
        LD_PRELOAD=$shim FAIL_ALLOC_AT=$n FAIL_ALLOC_REPORT=reached \
            "$build/tests/http/survey" "$@" >now.out 2>now.err || code=$?
        [[ -e reached ]] || break
        ((code != nomem)) || ((++told))
        ends_well "$code" && continue
        problem="allocation $n: exit status $code: $(<now.err)"
        break
    done
    is "$problem" '' "$name survives any failed allocation"
    ok "$name: the sweep saw them all, and some were told" \
        test "$n" -gt 20 -a "$n" -le 20000 -a "$told" -gt 3
    diag "$n allocations"
}

# thousands are made in libraries that are loaded: every eleventh will do
peer good
sweep 'a survey' 11 -p -f "$url" /

done_testing
