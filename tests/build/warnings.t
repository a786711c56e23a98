#!/bin/bash
#
# Both compilers have nothing to say about any source file.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES

for compiler in gcc clang; do
    run make -C "$root" BUILD="$build/$compiler" CC="$compiler" \
        CFLAGS='-O2 -Werror' objects
    exits 0 "$compiler compiles all without a warning"
done

done_testing
