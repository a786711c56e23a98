#!/bin/bash
#
# What the library shows and what it keeps its hands off.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

shared=$build/liblilyq.so
archive=$build/liblilyq.a

# Undefined symbols of the archive that match $1 whole.
needs() {
    nm -u "$archive" | awk '$1 == "U" { print $2 }' | sort -u | grep -xE "$1"
}

declared=$(sed -n 's/.*\b\(lilyq_[a-z_]*\)(.*/\1/p' "$root/lib/lilyq.h" | sort -u)
exported=$(nm -D --defined-only "$shared" | awk '{ print $3 }' | sort)

has "$declared" lilyq_new 'the public header declares functions'
is "$(grep -v '^lilyq_' <<<"$exported")" '' 'every exported symbol is lilyq_*'
is "$(comm -13 <(echo "$declared") <(echo "$exported"))" '' \
    'nothing is exported that the public header does not declare'
is "$(comm -23 <(echo "$declared") <(echo "$exported"))" '' \
    'all that the public header declares is exported'

version=$(sed -n 's/^#define LILYQ_VERSION "\(.*\)"/\1/p' "$root/lib/lilyq.h")
is "$(readelf -d "$shared" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')" \
    liblilyq.so.0 'the shared library has its SONAME'
is "$(readlink -f "$shared")" "$build/liblilyq.so.$version" \
    'the shared library is named after the version'

like "$(needs 'malloc|calloc|realloc')" alloc 'the archive can be read'
is "$(needs '_?_?exit|_Exit|quick_exit|abort|__assert_fail|raise|kill')" '' \
    'the library never ends the process'
is "$(needs '(secure_)?getenv|setenv|putenv|environ|setlocale')" '' \
    'the library neither reads the environment nor changes the locale'
is "$(needs 'stdout|stderr|stdin|(__)?v?printf(_chk)?|puts|putchar|perror|v?syslog')" \
    '' 'the library never prints'
is "$(needs 'gets|strcpy|strcat|v?sprintf|strtok|gmtime|localtime|rand')" \
    '' 'the library calls nothing that is unsafe or shared between threads'

# Constants with pointers in them are .data.rel.ro, and thereby read-only.
is "$(nm -f sysv "$archive" | awk -F '|' '$7 ~ /(\.data|\.bss|\*COM\*)$/ { print $1 }')" \
    '' 'the library has no mutable global'

done_testing
