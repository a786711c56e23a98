#!/bin/bash
#
# Options, commands, help and version; nothing here reads a configuration.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

commands=(plan apply diff lint explain policies permissions init keys completion help)

run "$lilyq" --version
exits 0 'tells its version'
is "$out" "lilyq $(sed -n 's/^#define LILYQ_VERSION "\(.*\)"/\1/p' \
    "$root/lib/lilyq.h")" 'the version is that of the header'

run "$lilyq"
exits 2 'needs a command'
is "$out" '' 'prints nothing then'
is "$err" "lilyq: no command given: plan, apply, diff, lint, explain, policies, permissions, init, keys, completion or help; see 'lilyq help'" \
    'and says which there are'

run "$lilyq" help
exits 0 'prints an overview'
is "$err" '' 'without a message'
overview=$out
for command in "${commands[@]}"; do
    like "$overview" $'\n'"  $command +[a-z]" "the overview lists $command"
done
for option in --help -h; do
    run "$lilyq" "$option"
    is "$out" "$overview" "$option alone prints the overview"
done

for command in "${commands[@]}"; do
    run "$lilyq" "$command" --help
    exits 0 "$command --help succeeds"
    is "$err" '' "$command --help has no message"
    like "$out" "^usage: lilyq $command \[OPTIONS\]" \
        "$command --help starts with the usage"
    help=$out
    run "$lilyq" help "$command"
    is "$out" "$help" "help $command prints the same"
    run "$lilyq" "$command" -h
    is "$out" "$help" "$command -h prints the same"
    is "$(awk 'length > 80' <<<"$help")" '' "$command's help fits 80 columns"
done

# Every option of every help is accepted, and its short form is the same.
for command in plan apply diff lint explain policies permissions; do
    run "$lilyq" help "$command"
    while read -r name; do
        run "$lilyq" "$command" "$name" --help
        hasnt "$err" 'no option' "$command knows $name of its help"
    done < <(grep -oE -- '--[a-z-]+' <<<"$out" | sort -u)
done

# usage NAME MESSAGE ARGS...: exits 2 with just that message.
usage() {
    local -r name=$1 message=$2
    shift 2
    run "$lilyq" "$@"
    exits 2 "$name: exit status"
    is "$out" '' "$name: prints nothing"
    is "$err" "lilyq: $message" "$name"
}

usage 'suggests the command that was meant' \
    "unknown command 'plna'; did you mean 'plan'?" plna
usage 'sends to the help when no command is near' \
    "unknown command 'frobnicate', see 'lilyq help'" frobnicate
usage 'help knows commands only' \
    "unknown command 'aply'; did you mean 'apply'?" help aply
usage 'shows control characters in a command escaped' \
    "unknown command 'a\\x1b[31mb', see 'lilyq help'" $'a\e[31mb'
usage 'an empty command is unknown' \
    "unknown command '', see 'lilyq help'" ''
usage 'suggests the option that was meant' \
    "unknown option '--ouput'; did you mean '--output'?" plan --ouput tree
usage 'shows no value of an unknown option' \
    "unknown option '--passwordfile'; did you mean '--password-file'?" \
    apply --passwordfile=secret
usage 'sends to the help of the command when no option is near' \
    "'plan' has no option '--frobnicate', see 'lilyq plan --help'" \
    plan --frobnicate
usage 'sends to the overview for an option before the command' \
    "unknown option '--frobnicate', see 'lilyq --help'" --frobnicate plan
usage 'rejects an unknown letter' \
    "'plan' has no option '-x', see 'lilyq plan --help'" plan -x
usage 'rejects an unknown letter among others' \
    "'plan' has no option '-x', see 'lilyq plan --help'" plan -qx
usage 'rejects an unknown letter before the command' \
    "unknown option '-x', see 'lilyq --help'" -x plan
usage 'tells whose an option is' \
    "'--url' is an option of 'apply', not of 'plan'" plan --url=x
usage 'tells where an option of a command goes' \
    "'--output' comes after the command, as in 'lilyq plan --output'" \
    --output tree plan
usage 'misses the value of a long option' \
    "'--output' needs a value: FORMAT" plan --output
usage 'misses the value of a letter' \
    "'--output' needs a value: FORMAT" plan -o
usage 'rejects the value of a flag' \
    "'--quiet' takes no value" plan --quiet=yes
usage 'rejects an unknown format' \
    "'--output' must be json, tree, definitions, dot or mermaid, not 'xml'" \
    plan -o xml
usage 'suggests a format' \
    "'--output' must be json, tree, definitions, dot or mermaid, not 'jsn'; did you mean 'json'?" \
    plan -o jsn
usage 'apply has formats of its own' \
    "'--output' must be text or json, not 'tree'" apply -o tree
usage 'rejects an unknown form of input' \
    "'--input' must be ini or json, not 'toml'" plan -i toml
usage 'rejects an empty value' "'--url' must not be empty" apply --url ''
usage 'quiet and verbose cannot be used together' \
    "'--quiet' and '--verbose' cannot be used together" plan -q -v
usage 'also before the command' \
    "'--quiet' and '--verbose' cannot be used together" -q plan -v
usage 'a virtual host is for definitions only' \
    "'--vhost' needs '--output definitions'" \
    plan -o tree --vhost /
usage 'findings have formats of their own' \
    "'--output' must be text, json, sarif, junit or github, not 'tree'" \
    lint -o tree
usage 'definitions are judged instead of a broker' \
    "'--definitions' and '--management-url' cannot be used together" \
    lint --management-url http://h --definitions x
usage 'a broker is judged through its management API' \
    "'--url' needs '--management-url'" lint --url amqp://h
usage 'nothing has a virtual host without a broker' \
    "'--vhost' needs '--management-url' or '--definitions'" \
    lint --vhost /
usage 'findings have three severities' \
    "'--fail-on' must be error, warning or note, not 'never'" \
    lint --fail-on never
usage 'an explanation is of a queue' \
    "no queue named: 'lilyq explain QUEUE' explains one entry" explain
usage 'an explanation has formats of its own' \
    "'--output' must be text, json or svg, not 'tree'" explain -o tree q
usage 'a drawing is of an outage' \
    "'--output svg' needs '--rate' and '--outage'" explain -o svg q
usage 'of which it says how long it is' \
    "'--output svg' needs '--rate' and '--outage'" \
    explain -o svg --rate 1/s q
usage 'permissions have formats of their own' \
    "'--output' must be json or rabbitmqctl, not 'tree'" permissions -o tree
usage 'policies have formats of their own' \
    "'--output' must be json, rabbitmqctl or text, not 'tree'" policies -o tree
usage 'policies are for definitions only' \
    "'--policies' needs '--output definitions'" plan --policies
for option in '--priority 1' '--policy-name a' '--broker-version 4.0' \
    '--dlq-delivery-limit 1' '--dlq-retention 7d'; do
    # shellcheck disable=SC2086 # words
    usage "${option% *} is about policies" \
        "'${option% *}' needs '--policies'" plan -o definitions $option
done
for value in 0 -1 none 65536; do
    usage "a delivery limit is no '$value'" \
        "'--dlq-delivery-limit' must be a whole number from 1 to 65535, not '$value'" \
        policies --dlq-delivery-limit "$value"
done
for value in 7 d 0d 50d 8w 1.5h -1d '7 d' 7D 7dd 99999999999999999999d; do
    usage "a retention is no '$value'" \
        "'--dlq-retention' must be a whole number of ms, s, m, h, d or w, such as 90s, 15m or 2h, up to 49d, not '$value'" \
        policies --dlq-retention "$value"
done
usage 'a retention has whole seconds' \
    "'--dlq-retention' must be a whole number of seconds, not '1500ms'" \
    policies --dlq-retention 1500ms
for command in lint policies 'plan --policies -o definitions'; do
    # shellcheck disable=SC2086 # words
    usage "a version of $command is no '4.x'" \
        "'--broker-version' must be a version such as 4.3 or 3.10.8, not '4.x'" \
        $command --broker-version 4.x
done
usage 'native retry has no DLQ of its own' \
    "'--native-retry' and '--dlq-retention' cannot be used together" \
    policies --native-retry --dlq-retention 7d
usage 'native retry cannot be combined with v2' \
    "'--native-retry' is an option of 'policies', not of 'plan'" \
    plan --native-retry
usage 'and is never applied' \
    "'--native-retry' is an option of 'policies', not of 'apply'" \
    apply --native-retry
usage 'rejects an unknown role' \
    "'--role' must be deployer, publisher, consumer or operator, not 'admin'" \
    permissions --role admin
usage 'a user has a role' "'--user' needs '--role'" permissions --user ci
usage 'a user has a name' "'--user' must not be empty" \
    permissions --role deployer --user ''
usage 'standard input is read once' \
    "'-', standard input, can be named only once" plan - -
usage 'completion needs a shell' \
    "'completion' needs the name of a shell: bash, zsh or fish" completion
usage 'completion is for three shells' \
    "'completion' must be for bash, zsh or fish, not 'tcsh'" completion tcsh
usage 'completion is for one shell at a time' \
    "'completion' takes no argument 'zsh', see 'lilyq completion --help'" \
    completion bash zsh
usage 'init takes no operand' \
    "'init' takes no argument 'x', see 'lilyq init --help'" init x
usage 'keys takes no operand' \
    "'keys' takes no argument 'x', see 'lilyq keys --help'" keys x

for value in soon '' -1 1.5 1s ' 1' 0x10 86401 99999999999999999999; do
    usage "a time is no '$value'" \
        "'--timeout' must be a whole number of seconds from 0 to 86400, not '$value'" \
        apply --timeout "$value"
done
usage 'connecting takes a second at least' \
    "'--connect-timeout' must be a whole number of seconds from 1 to 86400, not '0'" \
    apply --connect-timeout=0
usage 'an answer takes a second at least' \
    "'--answer-timeout' must be a whole number of seconds from 1 to 86400, not '0'" \
    apply --answer-timeout=0
usage 'waiting has a limit' \
    "'--wait' must be a whole number of seconds from 0 to 86400, not '86401'" \
    apply --wait 86401

for value in 0 65536 -1 all ''; do
    usage "a number in flight is no '$value'" \
        "'--max-in-flight' must be a whole number from 1 to 65535, not '$value'" \
        apply --max-in-flight "$value"
done
usage 'a dry run has a preflight' \
    "'--dry-run' and '--no-preflight' cannot be used together" \
    apply --no-preflight --dry-run
usage 'a management API is for the preflight' \
    "'--management-url' and '--no-preflight' cannot be used together" \
    apply --no-preflight --management-url http://h
usage 'policies are for a look as well' \
    "'--policies' and '--no-preflight' cannot be used together" \
    apply --no-preflight --policies
usage 'a broker tells its version itself' \
    "'--broker-version' is an option of 'plan', not of 'apply'" \
    apply --policies --broker-version 4.0
for command in apply diff lint; do
    usage "$command has policies or not" \
        "'--policies' and '--no-policies' cannot be used together" \
        $command --policies --no-policies
    for option in '--priority 1' '--policy-name a' '--dlq-delivery-limit 1' \
        '--dlq-retention 1d'; do
        # shellcheck disable=SC2086 # with its value
        usage "${option% *} of $command is about policies" \
            "'${option% *}' needs '--policies'" $command -q $option - </dev/null
    done
done
usage 'an alarm has one effect' \
    "'--pause-when-blocked' and '--fail-when-blocked' cannot be used together" \
    apply --fail-when-blocked --pause-when-blocked

# What is said about the command line comes before any file is looked at.
usage 'finds a wrong option behind the files' \
    "'plan' has no option '-x', see 'lilyq plan --help'" plan missing.ini -x

done_testing
