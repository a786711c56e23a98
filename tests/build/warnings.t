#!/bin/bash
#
# Both compilers have nothing to say about any source file.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

run_timeout=1500
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES

# compiles NAME COMPILER FLAGS
compiles() {
    run make -C "$root" BUILD="$build/$2" CC="$2" CFLAGS="$3 -Werror" objects
    exits 0 "$1"
}

# gcc finds some of what it warns about only when it optimizes.
compiles 'gcc compiles all without a warning' gcc -O2
compiles 'clang compiles all without a warning' clang -O0

done_testing
