#!/bin/bash
#
# Which virtual host a command is about: whatever is printed is for the one that
# 'lilyq apply' goes to. No broker is needed: nothing listens on port 4.

# shellcheck disable=SC2016 # lilyq expands ${env:...}, not the shell
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

"$lilyq" init | sed 's/^;\(queue_type\) = .*/\1 = quorum/' >plain.ini

# broker LINE...: broker.ini, with a [broker] of its own.
broker() {
    sed '/^\[broker\]/q' plain.ini >broker.ini
    printf '%s\n' "$@" >>broker.ini
}

# vhosts FILE ARGS...: what each command takes for the virtual host, one a line,
# each only once.
vhosts() {
    local -r file=$1
    shift
    {
        "$lilyq" plan -q -o definitions "$@" "$file" |
            jq -r '.queues[].vhost, .exchanges[].vhost, .bindings[].vhost'
        "$lilyq" plan -q -o definitions --policies "$@" "$file" |
            jq -r '.policies[].vhost, .queues[].vhost'
        "$lilyq" policies -q "$@" "$file" | jq -r '.policies[].vhost'
        "$lilyq" policies -q -o rabbitmqctl "$@" "$file" |
            sed -n "s/^rabbitmqctl set_policy -p '\{0,1\}\([^' ]*\).*/\1/p"
        "$lilyq" permissions -q "$@" "$file" | jq -r '.vhost // .permissions[].vhost'
        "$lilyq" permissions -q -o rabbitmqctl "$@" "$file" |
            sed -n "s/^rabbitmqctl set_permissions -p '\{0,1\}\([^' ]*\).*/\1/p"
        "$lilyq" apply -v --connect-timeout 1 "$@" "$file" 2>&1 |
            sed -n "s/^lilyq: broker from .* vhost '\(.*\)' as .*/\1/p"
    } | sort -u
}

# all NAME VHOST FILE ARGS...
all() {
    local -r name=$1 want=$2
    shift 2
    is "$(vhosts "$@")" "$want" "$name"
}

unset LILYQ_URL RABBITMQ_URL AMQP_URL LILYQ_PASSWORD
all "it is '/' by default" / plain.ini
broker 'url = amqp://127.0.0.1:4/%2Fshop'
all 'it is that of the URL in [broker]' /shop broker.ini
all 'an option wins over it' orders broker.ini --vhost orders
AMQP_URL=amqp://127.0.0.1:4/three \
    all 'it is that of a URL in the environment' three broker.ini
LILYQ_URL=amqp://127.0.0.1:4/one AMQP_URL=amqp://127.0.0.1:4/three \
    all 'and of the first of these' one broker.ini
LILYQ_URL=amqp://127.0.0.1:4 \
    all "it is '/' where that URL has none" / broker.ini
broker 'url = amqp://127.0.0.1:4/four' 'vhost = five'
all '[broker] has one that wins over its URL' five broker.ini
LILYQ_URL=amqp://127.0.0.1:4/one \
    all 'but not over a URL in the environment' one broker.ini
broker 'vhost = five'
all '[broker] has one for the default URL' five broker.ini
broker 'url = amqp://127.0.0.1:4/a,amqp://127.0.0.1:5/a'
all 'several URLs name the same one' a broker.ini
broker 'url = ${env:RABBIT}'
RABBIT=amqp://127.0.0.1:4/six all 'it is that of a reference' six broker.ini

commands=('plan -o definitions' policies permissions)
for command in "${commands[@]}"; do
    read -ra words <<<"$command"
    run "$lilyq" "${words[@]}" plain.ini
    hasnt "$err" 'vhost' "$command does not speak of the default"
    run "$lilyq" "${words[@]}" --vhost one broker.ini
    exits 0 "$command takes --vhost though the URL is not known"
    hasnt "$err" 'vhost' "$command does not speak of what is asked for"
    run "$lilyq" "${words[@]}" broker.ini
    exits 2 "$command ends when the URL is not known"
    is "$out" '' "$command then prints nothing"
    like "$err" "broker.ini:[0-9]+: \[broker\] 'url': the environment variable 'RABBIT' is not set\$" \
        "$command says why"
    LILYQ_URL=amqp://127.0.0.1:4/%0A run "$lilyq" "${words[@]}" broker.ini
    exits 0 "$command succeeds with a URL in the environment"
    has "$err" "lilyq: vhost '\\x0a', from LILYQ_URL" \
        "$command says where the virtual host is from"
    LILYQ_URL=nonsense run "$lilyq" "${words[@]}" plain.ini
    exits 2 "$command ends when the URL is wrong"
    is "$err" \
        'lilyq: LILYQ_URL: broker URL must begin with amqp:// or amqps://' \
        "$command says whose"
    LILYQ_URL=amqp://u:hush@a/v,amqp://u:hush@b/w \
        run "$lilyq" "${words[@]}" plain.ini
    exits 2 "$command ends when URLs name several virtual hosts"
    has "$err" "must name the same virtual host, not 'v' and 'w'" \
        "$command names them"
    hasnt "$err$out" hush "$command shows no password"
done
broker 'vhost = five'
run "$lilyq" permissions broker.ini
has "$err" "lilyq: vhost 'five', from broker.ini:$(sed -n '/^vhost/=' broker.ini): [broker] 'vhost'" \
    'the place in [broker] is told too'
LILYQ_URL=nonsense run "$lilyq" plan -o tree plain.ini
exits 0 'what names no virtual host does not look for one'

done_testing
