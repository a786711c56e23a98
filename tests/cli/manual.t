#!/bin/bash
# The manual pages say what the program, the schema and the header say.
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

man=$root/man
header=$root/lib/lilyq.h

# The lines of a page from `.Sh NAME` to the next section, as mdoc.
section() {
    awk -v want=".Sh $2" '/^\.Sh / { on = ($0 == want) } on' "$man/$1"
}

# The Nth literal display of the section NAME, as its reader sees it.
display() {
    section "$1" "$2" | awk -v n="$3" '
        /^\.Bd / { on = (++seen == n); next }
        /^\.Ed/ { on = 0 }
        on' | sed 's/\\&//g; s/\\-/-/g; s/\\(dq/"/g; s/\\e/\\/g'
}

# Sorted words of stdin that match ERE, each once.
words() {
    grep -oE -- "$1" | sort -u
}

if command -v mandoc >/dev/null; then
    for page in lilyq.1 lilyq.ini.5 liblilyq.3 lilyq-lint.7; do
        # In the directory, mandoc finds the pages that they refer to.
        run sh -c 'cd "$1" && mandoc -Tlint -Wstyle "$2"' - "$man" "$page"
        is "$out$err" '' "$page is clean mdoc"
    done
else
    skip 'the pages are clean mdoc' 'mandoc is not installed'
fi

version=$(sed -n 's/^#define LILYQ_VERSION "\(.*\)"/\1/p' "$header")
for page in lilyq.1 lilyq.ini.5 liblilyq.3 lilyq-lint.7; do
    is "$(sed -n 's/^\.Os //p' "$man/$page")" "lilyq $version" \
        "$page carries the version of the header"
    dated=$(sed -n 's/^\.Dd //p' "$man/$page")
    is "$(date -d "$dated" '+%B %-d, %Y')" "$dated" \
        "$page is dated with a day that exists"
done

# What lilyq.h exports is in liblilyq(3), and nothing else.
is "$(sed -n 's/^\.F[no] \(lilyq_[a-z_]*\).*/\1/p' "$man/liblilyq.3" | sort -u)" \
    "$(tr '\n' ' ' <"$header" | grep -oE 'LILYQ_API [^;]*;' |
        grep -oE 'lilyq_[a-z_]+\(' | tr -d '(' | sort -u)" \
    'liblilyq(3) has the functions of lilyq.h'
is "$(words 'LILYQ_[A-Z_]+' <"$man/liblilyq.3")" \
    "$(words 'LILYQ_[A-Z_]+' <"$header" | grep -vE '^LILYQ_(H|API)$')" \
    'liblilyq(3) has the constants of lilyq.h'

# Declarations without their comments and layout.
structs() {
    tr '\n' ' ' | sed -E 's,/\*([^*]|\*+[^*/])*\*+/,,g; s/  +/ /g' |
        grep -oE 'struct lilyq_[a-z_]+ \{[^}]*\};' | sort -u
}
is "$(sed 's/\\&//g' "$man/liblilyq.3" | structs)" "$(structs <"$header")" \
    'liblilyq(3) shows the structures of lilyq.h'
prototypes() {
    tr '\n' ' ' | sed -E 's,/\*([^*]|\*+[^*/])*\*+/,,g; s/  */ /g; s/\( /(/g' | grep -oE 'lilyq_[a-z_]+\([^()]*\);' |
        sed 's/ \*/ */g' | sort -u
}
if command -v mandoc >/dev/null; then
    is "$(mandoc -Tascii "$man/liblilyq.3" | col -bx |
        sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' | prototypes)" \
        "$(prototypes <"$header")" \
        'the synopsis of liblilyq(3) has the prototypes of lilyq.h'
fi

# The program of liblilyq(3).
display liblilyq.3 EXAMPLES 1 >example.c
sanitize=''
if nm "$build/liblilyq.a" 2>/dev/null | grep -q __asan; then
    sanitize=-fsanitize=address,undefined
fi
dependencies=$(sed -n 's/^DEPS := //p' "$root/Makefile")
# shellcheck disable=SC2046,SC2086 # flags and packages are words
run ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$root/lib" \
    $sanitize -o example example.c "$build/liblilyq.a" \
    $(pkg-config --libs $dependencies) -lm
exits 0 'the example of liblilyq(3) compiles without a warning'
run ./example
exits 0 'the example of liblilyq(3) runs'
is "$out" 'orders.created
  -> orders.retry.v2
     -> orders.created.retry.v2.1000ms
     -> orders.created.retry.v2.2000ms
     -> orders.created.retry.v2.4000ms
  -> orders.dlx.v2
     -> orders.created.dlq.v2' 'the example of liblilyq(3) prints a tree'

# What --help says of options, as "-o --output FORMAT".
help_options() {
    grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+( [A-Z]+)?' | sed 's/^ *//; s/,//' |
        sort
}
# The same from the part of lilyq(1) with that heading.
manual_options() {
    awk -v want=".Ss $1" '/^\.S[sh] / { on = ($0 == want) } on' "$man/lilyq.1" |
        sed -nE 's/^\.It (Fl [a-zA-Z]( Ar [A-Z]+)? , )?Fl -/\1--/p' |
        sed -E 's/^Fl ([a-zA-Z])( Ar [A-Z]+)? , /-\1 /; s/ Ar / /' | sort
}
commands=$(sed -n 's/^\.Ss lilyq //p' "$man/lilyq.1")
run "$lilyq" --help
for command in $commands; do
    like "$out" $'\n +'"$command " "lilyq --help names '$command'"
done
run "$lilyq" help nonesuch
exits 2 'an unknown command is refused'
is "$(sed -n 's/^const struct command cmd_\([a-z]*\) = {$/\1/p' \
    "$root"/cli/cmd_*.c | sort)" "$(sort <<<"$commands")" \
    'lilyq(1) has all commands'
manual_options 'Options of every command' >common
for command in $commands; do
    run "$lilyq" "$command" --help
    exits 0 "'$command --help' succeeds"
    is "$(manual_options "lilyq $command" |
        sort - <(grep -v -e '--version' common))" \
        "$(help_options <"$out_file")" \
        "lilyq(1) has the options of '$command', and no other"
done
run "$lilyq" --help
is "$(cat common)" "$(help_options <"$out_file")" \
    'lilyq(1) has the options before a command'

# Every default that --help gives is in the text on its option.
for command in plan apply diff lint explain policies permissions; do
    run "$lilyq" "$command" --help
    while read -r option preset; do
        like "$(awk -v want=".Ss lilyq $command" -v option="Fl -${option#--}" '
            /^\.S[sh] / { on = ($0 == want) }
            /^\.It Fl / { item = (index($0, option) > 0) }
            on && item' "$man/lilyq.1" | tr '\n' ' ')" \
            "(^| )$preset([ ,.]|\$)" \
            "lilyq(1) has the default of '$command $option'"
    done < <(tr -s '\n ' ' ' <"$out_file" | sed 's/ --/\n--/g' |
        sed -nE 's/^(--[a-z-]+) .*\(default: ([a-z0-9/]+)[,)].*/\1 \2/p')
done

is "$(section lilyq.1 'EXIT STATUS' | sed -n 's/^\.It //p')" \
    "$(sed -nE 's/^ *EXIT_[A-Z]+ = ([0-9]+).*/\1/p' "$root/cli/exit_code.h")" \
    'lilyq(1) has every exit status'

# The codes of findings.
program_codes() {
    grep -oE '\{"[a-z0-9]+(-[a-z0-9]+)+"' "$root/lib/compare/finding.c" |
        tr -d '{"' | sort -u
}
isnt "$(program_codes)" '' 'findings have codes'
is "$(section lilyq.1 COMPARING | sed -n 's/^\.It Li //p' | tr -d ' ' |
    tr , '\n' | grep -E '^[a-z].*-' | sort)" "$(program_codes)" \
    'lilyq(1) has each of them once'

# The keys of a page, each as "NAME: what it accepts; its default".
manual_keys() {
    section lilyq.ini.5 'QUEUE KEYS' | awk '
        /^\.It Cm / { name = $3; next }
        name { print name ": " $0; name = "" }' |
        sed -E 's/Identity/1 to 200 bytes of text/
            s/Boolean/true or false/
            s/(Integer|Number), //
            s/One of ([a-z_]+), ([a-z_]+);/\1 or \2;/
            s/One of //
            s/9223372036854775807/2^63-1/
            s/milliseconds/millis/
            s/no default/none/
            s/; default /; /
            s/\.$//'
}
program_keys() {
    awk -v section="$1" '
        /^\[/ { on = (index($0, section) == 1) }
        on && /^  [a-z]/ { print }' |
        sed -E 's/^  ([^ ]+)  +(.*[^ ])  +([^ ]+)  +[^ ].*$/\1: \2; \3/
            s/  +;/;/; s/ +;/;/'
}
run "$lilyq" keys
exits 0 "'keys' succeeds"
is "$(manual_keys | sort)" "$(program_keys '[queue:NAME]' <"$out_file" | sort)" \
    'lilyq.ini(5) has the keys of a queue with their ranges and defaults'
is "$(section lilyq.ini.5 'BROKER KEYS' | sed -n 's/^\.It Cm //p' | sort)" \
    "$(program_keys '[broker]' <"$out_file" | sed 's/:.*//' | sort)" \
    'lilyq.ini(5) has the keys of [broker]'

# The examples of lilyq(1) that need no broker.
mkdir bin shell
ln -s "$lilyq" bin/lilyq
cat >shell/lily.toml <<'END'
[[rabbitmq.topology.queues]]
name = "billing"
exchange_name = "billing"
routing_key = "billing"
[rabbitmq.topology.queues.retention]
main_max_messages = 1
main_max_bytes = 1
retry_bucket_max_messages = 1
retry_bucket_max_bytes = 1
dead_letter_max_messages = 1
dead_letter_max_bytes = 1
END
{
    display lilyq.1 EXAMPLES 1
    section lilyq.1 EXAMPLES | sed -n 's/^\.Dl //p'
    display lilyq.1 EXAMPLES 2
} >examples.sh
is "$(grep -c lilyq examples.sh)" 6 'lilyq(1) has six examples without a broker'
run env PATH="$PWD/bin:$PATH" bash -c \
    'cd shell && set -eo pipefail && . ../examples.sh'
exits 0 'the examples of lilyq(1) run'
has "$out" '     -> orders.created.retry.v2.4000ms' 'and print a tree'
has "$out" $'\norders.created.dlq.v2\n' 'and names'
has "$(tail -n 30 <<<"$out")" '"name": "billing.dlq.v2"' 'and the plan of TOML'
has "$(<shell/topology.svg)" '</svg>' 'and leave a picture'
has "$(<shell/outage.svg)" '</svg>' 'and another one'

# The examples of lilyq.ini(5).
display lilyq.ini.5 EXAMPLES 1 >lilyq.ini
run "$lilyq" plan -o tree
exits 0 'the example of lilyq.ini(5) plans'
is "$out" "$(display lilyq.ini.5 EXAMPLES 2)" \
    'lilyq.ini(5) shows the tree of its example'

# Its lexical rules.
{
    printf '\xef\xbb\xbf'
    sed -n '/^\[defaults\]/,/^$/s/$/\r/p' lilyq.ini
    cat <<'END'
[queue:a]b] # x
  routing_key = x;y ; z
[queue:c] ;]
routing_key: "x" #y
	[queue:d ;]
routing_key=:=
END
} >rules.ini
run "$lilyq" plan rules.ini
exits 0 'a file with every lexical rule of lilyq.ini(5) plans'
is "$(jq -c '.logical_queues | map([.name, .routing_key])' "$out_file")" \
    '[["a]b","x;y"],["c","\"x\" #y"],["d ;",":="]]' \
    'and means what the manual says'
pad() {
    printf "%$(($1 - $(wc -c <pad.txt)))s"
}
sed -n '/^\[defaults\]/,/^$/p' lilyq.ini >long.ini
printf '[queue:e]\nrouting_key = f' >>long.ini
printf 'routing_key = f' >pad.txt
{ cat long.ini; pad 4096; } >most.ini
{ cat long.ini; pad 4097; } >more.ini
run "$lilyq" plan most.ini
exits 0 'a line of 4096 bytes is read'
run "$lilyq" plan more.ini
exits 2 'a line of 4097 bytes is not'
has "$err" 'line must be at most 4096 bytes, not 4097' 'and the message says so'

display lilyq.ini.5 'JSON INPUT' 1 >example.json
run "$lilyq" plan -o tree example.json
exits 0 'the JSON example of lilyq.ini(5) plans'
{
    sed '/^$/q' lilyq.ini
    printf '[queue:worked]\nrouting_key = worked\n'
    display lilyq.ini.5 DELAYS 1
    sed -n '/^\[defaults\]/,/^$/p' lilyq.ini
} >worked.ini
run "$lilyq" plan worked.ini
exits 0 'the worked delays of lilyq.ini(5) plan'
for numbers in $(section lilyq.ini.5 DELAYS |
    sed -nE 's/^\.It [0-9]+ Ta [0-9]+ Ta [0-9]+ Ta //p' | tr -d ' '); do
    has "$(tr -d ' \n' <"$out_file")" "[$numbers]" \
        "an attempt of the worked delays has $numbers"
done
is "$("$lilyq" plan -o tree worked.ini | grep -oE '\.[0-9]+ms$' | tr -d '.ms' |
    tr '\n' ' ')" \
    "$(section lilyq.ini.5 DELAYS | tr '\n' ' ' |
        sed 's/.*buckets: \(.*\)\. .*/\1/; s/,//g; s/and //; s/\..*//') " \
    'the worked delays have the buckets of the manual'

done_testing
