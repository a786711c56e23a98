#!/bin/bash
#
# Messages on a terminal: colour, and when there is none.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

command -v script >/dev/null || skip_all 'script(1) makes the terminal'

export TERM=xterm
echo 'colour = red' >bad.ini

# on_terminal ARGS...: runs lilyq with all its streams on a terminal; sets $seen
# to what that got.
on_terminal() {
    local command
    printf -v command '%q ' "$lilyq" "$@"
    seen=$(script -qec "$command" /dev/null </dev/null | tr -d '\r')
}

red=$'\e[1;31m' yellow=$'\e[1;33m' bold=$'\e[1m' plain=$'\e[0m'

on_terminal plan missing.ini
is "$seen" "${red}lilyq: ${plain}cannot read 'missing.ini': No such file or directory
${red}lilyq: ${plain}1 problem, nothing done" 'errors are red'
on_terminal plan bad.ini
is "${seen%%$'\n'*}" "${red}bad.ini:1: ${plain}'colour' must be below a section header: [broker], [defaults] or [queue:NAME]" \
    'so is the place of a problem, not its text'
: >empty.ini
on_terminal plan -o tree empty.ini
is "$seen" "${yellow}lilyq: warning: ${plain}the input has no queue entry" \
    'warnings are yellow'
on_terminal plan -v -o tree empty.ini
has "$seen" "${bold}lilyq: ${plain}planned 0 logical queues" 'notes are bold'

on_terminal --no-color plan bad.ini
hasnt "$seen" $'\e' '--no-color leaves it out'
on_terminal plan --no-color bad.ini
hasnt "$seen" $'\e' 'behind the command too'
NO_COLOR=1 on_terminal plan bad.ini
hasnt "$seen" $'\e' 'NO_COLOR leaves it out'
NO_COLOR='' on_terminal plan bad.ini
has "$seen" "$red" 'an empty NO_COLOR does not'
TERM=dumb on_terminal plan bad.ini
hasnt "$seen" $'\e' 'a dumb terminal gets none'
(unset TERM && "$lilyq" plan bad.ini) 2>plain.err
hasnt "$(<plain.err)" $'\e' 'a file gets none'

"$lilyq" init >lilyq.ini
on_terminal plan -o tree
is "$seen" "$("$lilyq" plan -o tree)" 'the plan has no colour on a terminal either'
on_terminal keys
is "$seen" "$("$lilyq" keys)" 'nor has the table of keys'

"$lilyq" plan -q -o definitions | jq -c '.queues = []' >definitions.json
on_terminal diff --definitions definitions.json
has "$seen" $'\n  \e[32m+'"$plain 5 queues '" 'findings have colour'
on_terminal diff --no-color --definitions definitions.json
hasnt "$seen" $'\e' 'which --no-color leaves out'
on_terminal diff -o json --definitions definitions.json
hasnt "${seen%\}*}" $'\e' 'and which a document has none of'

done_testing
