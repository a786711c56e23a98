#!/bin/bash
#
# The completion scripts, at work in their shells.
#
# shellcheck disable=SC2317 # what $complete names is called

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

mkdir bin files
ln -s "$lilyq" bin/lilyq
PATH=$PWD/bin:$PATH
: >files/one.ini
: >files/two.ini
: >'files/with space.json'

for shell in bash zsh fish; do
    run "$lilyq" completion "$shell"
    exits 0 "prints a script for $shell"
    is "$err" '' "without a message for $shell"
    cp "$out_file" "script.$shell"
done

# Every option of every command's help stands in each script.
for command in plan apply diff lint explain policies permissions; do
    while read -r option; do
        for shell in bash zsh; do
            ok "$shell knows $option of $command" \
                grep -qF -e "$option" "script.$shell"
        done
        ok "fish knows $option of $command" grep -q \
            "is \"$command\"'.* -l ${option#--} " script.fish
    done < <("$lilyq" help "$command" | sed -n 's/^ .* \(--[a-z-]*\).*/\1/p')
done

# completes NAME LINE WANT: with $complete, the last word of LINE may become
# WANT, a list sorted and separated by blanks.
completes() {
    is "$("$complete" "$2")" "$3" "$complete $1"
}

bash_way() {
    # shellcheck disable=SC2016 # expanded by the shell under test
    bash --norc --noprofile -c '
        . ./script.bash
        words=($1)
        [[ $1 == *" " ]] && words+=("")
        [[ ${words[-1]} == *=* ]] &&
            words=("${words[@]:0:${#words[@]}-1}" "${words[-1]%%=*}" = \
                "${words[-1]#*=}")
        [[ ${words[-1]} == "" && ${words[-2]} == = ]] && unset "words[-1]"
        COMP_WORDS=("${words[@]}")
        COMP_CWORD=$((${#words[@]} - 1))
        _lilyq 2>/dev/null
        printf "%s\n" "${COMPREPLY[@]}"' bash "$1" | sort | paste -sd ' '
}

# Types the line into an interactive zsh and reads what its line editor holds
# once all that is offered has been inserted.
zsh_way() {
    rm -f zsh.line
    # shellcheck disable=SC2016 # expanded by the shell under test
    timeout "$patience" zsh -f -c '
        zmodload zsh/zpty
        zpty inner "exec zsh -f -i"
        zpty -w inner "PROMPT= RPS1=
            autoload -Uz compinit; compinit -d ./dump -u; source ./script.zsh
            every() { _main_complete; compstate[insert]=all; compstate[list]= }
            show() { print -r -- \"\$BUFFER\" >zsh.new; mv zsh.new zsh.line }
            zle -C every complete-word every; zle -N show
            bindkey \"^I\" every; bindkey \"^X\" show"
        zpty -w -n inner "$1"$'"'\t\x18'"'
        for i in {1..2000}; do [[ -s zsh.line ]] && break; sleep 0.1; done
        zpty -d inner' zsh "$1" >/dev/null 2>&1
    local got
    got=$(<zsh.line)
    got=${got#"${1% *} "}
    tr ' ' '\n' <<<"${got% }" | sed 's/^--output=//; s/=$//' | sort |
        paste -sd ' '
}

fish_way() {
    # shellcheck disable=SC2016 # expanded by the shell under test
    HOME=$PWD timeout "$patience" fish --no-config -c '
        source script.fish
        complete -C $argv[1]' "$1" 2>/dev/null |
        sed 's/\t.*//; s/^--output=//' | sort | paste -sd ' '
}

for complete in bash_way zsh_way fish_way; do
    if ! command -v "${complete%_way}" >/dev/null; then
        skip "$complete" "no ${complete%_way} here"
        continue
    fi
    completes 'a command' 'lilyq co' completion
    completes 'formats of the plan' 'lilyq plan -o ' \
        'definitions dot json mermaid tree'
    completes 'a format behind an equals sign' 'lilyq plan --output=m' mermaid
    completes 'formats of the report' 'lilyq apply -o ' 'json text'
    completes 'formats of the permissions' 'lilyq permissions -o ' \
        'json rabbitmqctl'
    completes 'formats of findings' 'lilyq lint -o ' \
        'github json junit sarif text'
    completes 'severities' 'lilyq lint --fail-on ' 'error note warning'
    completes 'formats of an explanation' 'lilyq explain -o ' 'json svg text'
    completes 'file names behind a queue' 'lilyq explain q files/o' \
        files/one.ini
    completes 'roles' 'lilyq permissions --role ' \
        'consumer deployer operator publisher'
    completes 'behind an option before the command' 'lilyq -q plan -i ' \
        'ini json'
    completes 'options by their start' 'lilyq apply --tls-c' \
        '--tls-ca-cert-file --tls-cert-file'
    completes 'options of this command only' 'lilyq plan --ur' \
        "$([[ $complete == zsh_way ]] && echo --ur)"
    completes 'file names' 'lilyq plan files/o' files/one.ini
    completes 'file names behind a file' 'lilyq plan files/one.ini files/t' \
        files/two.ini
    completes 'a file for an option' 'lilyq apply --password-file files/t' \
        files/two.ini
    completes 'shells' 'lilyq completion ' 'bash fish zsh'
    completes 'commands for help' 'lilyq help pl' plan
    completes 'no file where none goes' 'lilyq keys files/o' \
        "$([[ $complete == zsh_way ]] && echo files/o)"
done

ok 'the bash script passes shellcheck' shellcheck -s bash script.bash
complete=bash_way
completes 'all commands and options' 'lilyq ' \
    '--help --no-color --quiet --verbose --version apply completion diff explain help init keys lint permissions plan policies'

done_testing
