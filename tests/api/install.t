#!/bin/bash
#
# `make install` puts down a tree that a program can be built against, and
# `make uninstall` takes all of it away again.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES

version=$("$lilyq" --version | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1)

# make_at TARGET NAME=VALUE...
make_at() {
    run make -C "$root" BUILD="$build" "$@"
}

# All that is not a directory, below directory $1.
files() {
    (cd "$1" && find . ! -type d | sort)
}

# pkg_config FLAG...: as a user of the staged tree calls it.
pkg_config() {
    PKG_CONFIG_PATH=$tmp/stage/usr/lib/pkgconfig \
        PKG_CONFIG_SYSROOT_DIR=$tmp/stage pkg-config "$@" lilyq
}

# compile OUTPUT FLAG...
compile() {
    local -r output=$1
    shift
    run cc -std=c11 -Wall -Wextra -Werror -o "$output" "$root/tests/api/smoke.c" \
        "$@"
}

make_at install DESTDIR="$tmp/stage" PREFIX=/usr
exits 0 'installs below DESTDIR'
is "$(files stage/usr)" "./bin/lilyq
./include/lilyq.h
./lib/liblilyq.a
./lib/liblilyq.so
./lib/liblilyq.so.0
./lib/liblilyq.so.$version
./lib/pkgconfig/lilyq.pc
./share/bash-completion/completions/lilyq
./share/fish/vendor_completions.d/lilyq.fish
./share/lilyq/lilyq-apply.schema.json
./share/lilyq/lilyq-diff.schema.json
./share/lilyq/lilyq-explain.schema.json
./share/lilyq/lilyq-lint.schema.json
./share/lilyq/lilyq-permissions.schema.json
./share/lilyq/lilyq-plan.schema.json
./share/lilyq/lilyq-policies.schema.json
./share/man/man1/lilyq.1
./share/man/man3/liblilyq.3
./share/man/man5/lilyq.ini.5
./share/man/man7/lilyq-lint.7
./share/zsh/site-functions/_lilyq" 'installs these files and no other'
run stage/usr/bin/lilyq --version
exits 0 'the installed program runs'
is "$(pkg_config --modversion)" "$version" 'pkg-config knows the version'

read -ra flags <<<"$(pkg_config --cflags --libs)"
compile shared "${flags[@]}"
exits 0 'a program builds against the shared library'
LD_LIBRARY_PATH=stage/usr/lib run ldd shared
like "$out" 'liblilyq\.so\.0 => stage/usr/lib/' 'and needs it by its SONAME'
LD_LIBRARY_PATH=stage/usr/lib run ./shared
exits 0 'and runs with it'

rm stage/usr/lib/liblilyq.so*
read -ra flags <<<"$(pkg_config --static --cflags --libs)"
compile static "${flags[@]}"
exits 0 'a program builds against the static library'
run ./static
exits 0 'and runs without the shared one'

make_at install DESTDIR="$tmp/stage" PREFIX=/usr
exits 0 'installs over what is there'
mkdir -p stage/usr/share/lilyq && touch stage/usr/share/lilyq/mine
make_at uninstall DESTDIR="$tmp/stage" PREFIX=/usr
exits 0 'uninstalls'
is "$(files stage)" ./usr/share/lilyq/mine 'and leaves only what others put there'

make_at install PREFIX="$tmp/prefix"
exits 0 'installs below PREFIX alone'
is "$(sed -n 's/^prefix=//p' prefix/lib/pkgconfig/lilyq.pc)" "$tmp/prefix" \
    'and pkg-config is told where'
make_at uninstall PREFIX="$tmp/prefix"
is "$(files prefix)" '' 'nothing is left after uninstall'
not_ok 'nor the directory of its own' test -e prefix/share/lilyq

done_testing
