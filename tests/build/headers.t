#!/bin/bash
#
# Every header stands on its own; the public one in C++ and older C, too.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

cd "$root" || exit 1

# compiles NAME HEADER COMPILER...
compiles() {
    local -r name=$1 header=$2
    shift 2
    run "$@" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Ilib -Icli - \
        <<<"#include \"$header\""
    exits 0 "$name"
}

for header in $(find lib cli -name '*.h' | sort); do
    compiles "$header compiles alone" "${header#*/}" \
        gcc -x c -std=c11 -D_POSIX_C_SOURCE=200809L
done

compiles 'lilyq.h is C++11' lilyq.h clang -x c++ -std=c++11
compiles 'lilyq.h is C99' lilyq.h clang -x c -std=c99
compiles 'lilyq.h is C11 without POSIX' lilyq.h gcc -x c -std=c11

run clang -x c++ -std=c++11 -Ilib -emit-llvm -S -o - - <<'END'
#include <lilyq.h>
const char *v() { return lilyq_version(); }
END
has "$out" '@lilyq_version()' 'lilyq.h gives C linkage to C++'

done_testing
