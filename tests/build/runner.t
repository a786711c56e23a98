#!/bin/bash
#
# tests/run calls a run good only when it is.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

# script NAME: makes an executable of standard input.
script() {
    mkdir -p "$(dirname "$1")"
    { echo '#!/bin/bash'; cat; } >"$1"
    chmod +x "$1"
}

# tap NAME: the same for a script that uses tap.sh.
tap() {
    { echo ". '$root/tests/lib/tap.sh'"; cat; } | script "$1"
}

# judge STATUS SUMS NAME PROGRAM...
judge() {
    local -r code=$1 sums=$2 name=$3
    shift 3
    run "$root/tests/run" "$@"
    is "$status: $(tail -n 1 "$out_file")" "$code: $sums" "$name"
}

tap good.t <<<$'pass "a # b"\npass b\ndone_testing'
tap bad.t <<<$'pass a\nis 1 2 "one is two"\ndone_testing'
tap early.t <<<$'pass a\nexit 0'
tap typo.t <<<$'pass a\necho "$no_such_variable"\ndone_testing'
tap none.t <<<'done_testing'
tap skipped.t <<<'skip_all "no reason"'
tap bail.t <<<$'pass a\nbail_out "the well is dry"'
script silent.t <<<'exit 0'
script crash.t <<<$'echo 1..1; echo ok 1 - a; kill -SEGV $$'
script code.t <<<$'echo 1..1; echo ok 1 - a; exit 3'
script twice.t <<<$'echo 1..2; echo ok 1 - a; echo ok 1 - b'
script short.t <<<$'echo 1..3; echo ok 1 - a; echo ok 2 - b'
script long.t <<<$'echo 1..1; echo ok 1 - a; echo ok 2 - b'
script todo.t <<<$'echo 1..1; echo "not ok 1 - a # TODO later"'
script slow.t <<<$'echo ok 1 - a; sleep 60; echo 1..1'

judge 0 '2 passed, 0 failed' 'passing tests pass' ./good.t
judge 0 '4 passed, 0 failed' 'sums go over all programs' ./good.t ./good.t
judge 1 '3 passed, 1 failed' 'a failed test fails the run' ./bad.t ./good.t
has "$out" 'one is two' 'a failed test is shown by its name'
judge 1 '1 passed, 1 failed' 'a script that ends early fails' ./early.t
has "$out" 'no plan' 'and it is said why'
judge 1 '1 passed, 1 failed' 'an unset variable fails' ./typo.t
judge 1 '0 passed, 1 failed' 'a script without a test fails' ./none.t
judge 1 '0 passed, 0 failed' 'a run without a test fails'
judge 1 '0 passed, 0 failed' 'a run that skips all fails' ./skipped.t
judge 0 '2 passed, 0 failed' 'a script may be skipped' ./skipped.t ./good.t
has "$out" '1 skipped' 'what was skipped is counted'
judge 1 '1 passed, 1 failed' 'a script that bails out fails' ./bail.t
has "$out" 'the well is dry' 'and gives its reason'
judge 1 '0 passed, 1 failed' 'silence is a failure' ./silent.t
judge 1 '1 passed, 1 failed' 'a crash is a failure' ./crash.t
has "$out" 'killed by signal 11' 'and its signal is named'
judge 1 '1 passed, 1 failed' 'an exit status is a failure' ./code.t
judge 1 '2 passed, 1 failed' 'a test counted twice is a failure' ./twice.t
judge 1 '2 passed, 1 failed' 'a missing test is a failure' ./short.t
judge 1 '2 passed, 1 failed' 'a test over the plan is a failure' ./long.t
judge 1 '0 passed, 1 failed' 'there is no "to do"' ./todo.t
judge 1 '1 passed, 1 failed' 'a slow program is ended' -t 1 ./slow.t
judge 1 '0 passed, 1 failed' 'a missing program is a failure' ./missing.t

tap env.t <<<$'is "$COLOUR" "deep red" "the setting is there"\ndone_testing'
judge 0 '1 passed, 0 failed' 'settings reach the programs' \
    'COLOUR=deep red' ./env.t

script with/setup <<'END'
trap 'touch "$PWD/stopped"; exit' TERM
echo NODE=here
echo ready
while sleep 0.05; do :; done
END
tap with/a.t <<<$'is "$NODE" here "set by the setup"\ndone_testing'
cp with/a.t with/b.t
judge 0 '2 passed, 0 failed' 'scripts see what their setup says' -j 2 with/?.t
ok 'a setup is stopped in the end' test -e stopped

# each waits for the other
{ echo 'echo together' && tail -n +2 with/setup; } | script both/setup
tap both/a.t <<END
touch "$tmp/both/\${0##*/}.runs"
for ((i = 0; i < 6000; ++i)); do
    [[ ! -e $tmp/both/a.t.runs || ! -e $tmp/both/b.t.runs ]] || break
    sleep 0.05
done
diag 'waited a bit'
ok 'both run' test "\$i" -lt 200
done_testing
END
cp both/a.t both/b.t
judge 0 '2 passed, 0 failed' 'they may share it at the same time' -j 2 both/?.t
hasnt "$out" 'waited a bit' 'comments of what passed are not shown'
judge 0 '1 passed, 0 failed' 'unless they are asked for' -c both/a.t
has "$out" '# waited a bit' 'and then they are'

script with/slow.t <<<'touch "$STARTED"; sleep 60'
rm stopped
"$root/tests/run" STARTED="$tmp/started" with/slow.t >/dev/null 2>&1 &
for ((i = 0; i < 6000; ++i)); do
    [[ ! -e started ]] || break
    sleep 0.05
done
kill -TERM $!
wait $!
is $? 143 'a signal ends the run'
ok 'and its setup' test -e stopped

script without/setup <<<$'echo "no luck" >&2; exit 1'
cp with/a.t without/a.t
judge 1 '0 passed, 1 failed' 'a failed setup fails its scripts' without/a.t
has "$out" 'no luck' 'and its words are shown'

# --- a machine that does not know itself ---------------------------------------

: >hosts
# shellcheck disable=SC2016 # for the shell in the namespace
nameless=(unshare --mount --map-root-user sh -c
    'mount --bind hosts /etc/hosts && exec "$@"' sh)
if "${nameless[@]}" true 2>/dev/null &&
    ! "${nameless[@]}" getent ahosts localhost >/dev/null; then
    run "${nameless[@]}" "$root/tests/run" ./good.t
    exits 1 'a machine without localhost runs no tests'
    is "$out$err" "tests/run: 'localhost' is not 127.0.0.1 here: add the line '127.0.0.1 localhost' to /etc/hosts, then try again" \
        'and is told once what to do'
else
    skip 'a machine without localhost runs no tests' 'no namespace without it here'
fi

done_testing
