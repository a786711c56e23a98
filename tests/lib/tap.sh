# shellcheck shell=bash
# shellcheck disable=SC2034 # the scripts use what is set here
#
# TAP for the scripts tests/*/*.t. A script starts with
#
#     . "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
#
# ends with `done_testing`, and may then rely on:
#
#   $root       the source tree
#   $build      the build directory: ${BUILD:-build}, absolute
#   $lilyq      the program under test: ${LILYQ:-$build/lilyq}, absolute
#   $patience   seconds after which something hangs: what ends, ends sooner, however
#               busy the machine is
#   $tmp        the script's own empty directory, where it also runs; removed
#               at the end
#
# A test's name is a sentence and comes last. Tests count in the shell that
# sourced this file: not behind a pipe, not in a subshell.
#
#   run CMD...            runs it (no longer than $run_timeout seconds) and sets
#                         $status, $out and $err (each without its last
#                         newlines); the exact bytes are in $out_file and
#                         $err_file. Standard input is empty unless redirected.
#   exits STATUS NAME     the last run ended so; shows its stderr if it did not
#   ok NAME CMD...        the command succeeds
#   not_ok NAME CMD...    the command fails
#   is GOT WANT NAME      equal texts
#   isnt GOT OTHER NAME
#   like GOT ERE NAME     bash's =~, where ^ and $ are the ends of the text
#   unlike GOT ERE NAME
#   has GOT PART NAME     PART is somewhere in GOT
#   hasnt GOT PART NAME
#   same FILE FILE NAME   equal bytes
#   pass NAME, fail NAME, skip NAME REASON
#   diag TEXT...          a comment in the output
#   at_exit CMD           evaluated when the script ends, however it ends
#   skip_all REASON       ends the script: nothing here can run
#   bail_out REASON       ends the script as failed

set -u

# What the user has set up must not reach the tests.
unset LILYQ_URL LILYQ_PASSWORD RABBITMQ_URL AMQP_URL NO_COLOR CDPATH
export LC_ALL=C

root=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
build=$(cd "$root" && realpath -m -- "${BUILD:-build}")
lilyq=$(cd "$root" && realpath -m -- "${LILYQ:-$build/lilyq}")
run_timeout=${RUN_TIMEOUT:-600}
patience=300

tap_count=0
tap_failed=0
tap_done=false
tap_exit_commands=()

tmp=$(mktemp -d "${TMPDIR:-/tmp}/lilyq-test.XXXXXX") || exit 1
tap_scratch=$(mktemp -d "${TMPDIR:-/tmp}/lilyq-run.XXXXXX") || exit 1
out_file=$tap_scratch/out
err_file=$tap_scratch/err
status=0 out='' err=''

tap_finish() {
    local -r code=$?
    local i
    trap '' INT TERM HUP
    for ((i = ${#tap_exit_commands[@]} - 1; i >= 0; i--)); do
        eval "${tap_exit_commands[i]}"
    done
    cd / && chmod -R u+rwx -- "$tmp" && rm -rf -- "$tmp" "$tap_scratch"
    if ! $tap_done && ((code == 0)); then
        echo "# ended without done_testing"
        exit 1
    fi
    exit "$code"
}
trap tap_finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

at_exit() {
    tap_exit_commands+=("$1")
}

diag() {
    local line
    while IFS= read -r line || [[ -n $line ]]; do
        printf '# %s\n' "$line"
    done <<<"$*"
}

# Prints a test line. The name loses what would end or change it.
tap_line() {
    local name=${2//$'\n'/ }
    ((++tap_count))
    printf '%s %d - %s\n' "$1" "$tap_count" "${name//\#/\\#}"
}

pass() {
    tap_line ok "$1"
}

fail() {
    ((++tap_failed))
    tap_line 'not ok' "$1"
    diag "at $(tap_caller)"
}

# The line of the script that is being run.
tap_caller() {
    local i
    for ((i = 1; i < ${#BASH_SOURCE[@]}; i++)); do
        if [[ ${BASH_SOURCE[i]} != "${BASH_SOURCE[0]}" ]]; then
            echo "${BASH_SOURCE[i]}:${BASH_LINENO[i - 1]}"
            return
        fi
    done
}

skip() {
    local name=${1//$'\n'/ }
    ((++tap_count))
    printf 'ok %d - %s # SKIP %s\n' "$tap_count" "${name//\#/\\#}" "$2"
}

skip_all() {
    tap_done=true
    echo "1..0 # SKIP $1"
    exit 0
}

bail_out() {
    echo "Bail out! $1"
    exit 1
}

# A program is bounded in time; a shell function of the script is not.
run() {
    status=0
    if [[ $(type -t -- "$1") == file ]]; then
        tap_run timeout -k 5 "$run_timeout" "$@"
    else
        tap_run "$@"
    fi
    out=$(tr -d '\0' <"$out_file")
    err=$(tr -d '\0' <"$err_file")
}

tap_run() {
    if [[ -t 0 ]]; then
        "$@" >"$out_file" 2>"$err_file" </dev/null || status=$?
    else
        "$@" >"$out_file" 2>"$err_file" || status=$?
    fi
}

exits() {
    if [[ $status == "$1" ]]; then
        pass "$2"
    else
        fail "$2"
        diag "exit status $status, expected $1; stderr:"
        diag "$err"
    fi
}

ok() {
    local -r name=$1
    shift
    if "$@"; then pass "$name"; else fail "$name"; fi
}

not_ok() {
    local -r name=$1
    shift
    if "$@"; then fail "$name"; else pass "$name"; fi
}

# Compares by a test that was already made: RESULT GOT LABEL WANT NAME
tap_verdict() {
    if [[ $1 == 0 ]]; then
        pass "$5"
        return
    fi
    fail "$5"
    diag "got:"
    diag "$2"
    diag "$3:"
    diag "$4"
}

is() {
    [[ $1 == "$2" ]]
    tap_verdict $? "$1" 'expected' "$2" "$3"
}

isnt() {
    [[ $1 != "$2" ]]
    tap_verdict $? "$1" 'expected anything but' "$2" "$3"
}

like() {
    [[ $1 =~ $2 ]]
    tap_verdict $? "$1" 'expected a match of' "$2" "$3"
}

unlike() {
    [[ ! $1 =~ $2 ]]
    tap_verdict $? "$1" 'expected no match of' "$2" "$3"
}

has() {
    [[ $1 == *"$2"* ]]
    tap_verdict $? "$1" 'expected somewhere in it' "$2" "$3"
}

hasnt() {
    [[ $1 != *"$2"* ]]
    tap_verdict $? "$1" 'expected nowhere in it' "$2" "$3"
}

same() {
    if cmp -s -- "$1" "$2"; then
        pass "$3"
    else
        fail "$3"
        diag "$(diff -au -- "$2" "$1" | head -40)"
    fi
}

done_testing() {
    tap_done=true
    echo "1..$tap_count"
    exit $((tap_failed > 0))
}

cd "$tmp" || exit 1
