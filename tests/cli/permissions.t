#!/bin/bash
#
# lilyq permissions: what each role is granted, and that patterns match just
# that. They are for PCRE, which works byte by byte in the broker, as grep -P
# does here.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
. "$root/tests/lib/nearly.sh"

# wanted <PLAN: "ROLE ACCESS NAME" for each name that a role needs, derived from
# the plan's declarations by the broker's rules.
wanted() {
    jq -r '
        def managed: select(.ownership == "framework_managed");
        def external: select(.ownership == "external");
        def dlx: .arguments["x-dead-letter-exchange"];
        . as $plan
        | {configure: [.exchanges[], .queues[] | managed.name],
           write: [(.queues[] | managed | dlx // empty),
                   (.bindings[] | managed.destination)],
           read: [(.queues[] | managed | select(dlx).name),
                  (.bindings[] | managed.source)]} as $declare
        | [.logical_queues[].exchange] as $main
        | {configure: [],
           write: [.logical_queues[] | .retry_exchange // empty,
                   .dead_letter.exchange],
           read: [.logical_queues[].name]} as $hand_on
        | {deployer: $declare,
           publisher: {configure: [], write: $main, read: []},
           consumer: {configure: $declare.configure,
                      write: ($declare.write + $hand_on.write),
                      read: ($declare.read + $hand_on.read)},
           operator: {configure: [], write: $main,
                      read: [.queues[] | select(.role == "dead_letter").name]}}
        | (.deployer, .consumer) |= (
            (.configure + .write + .read) as $known
            | .write += ([$plan.exchanges[], $plan.queues[] | external.name]
                         - $known))
        | to_entries[] | .key as $role | .value | to_entries[]
        | .key as $access | .value | unique[] | "\($role) \($access) \(.)"'
}

check() {
    local -r title=$1 input=$2
    local role access
    local -A pattern=()
    "$lilyq" plan -q "$input" >plan.json
    "$lilyq" permissions -q "$input" >permissions.json
    jq -r '.exchanges[].name, .queues[].name' plan.json | sort -u >all
    cat all <(nearly <all) | sort -u >near
    wanted <plan.json >needs
    while read -r role access; do
        IFS= read -r "pattern[$role $access]"
    done < <(jq -r '.permissions[] | .role as $role |
        ("configure", "write", "read") as $access |
        "\($role) \($access)", .[$access]' permissions.json)
    for role in deployer publisher consumer operator; do
        for access in configure write read; do
            sed -n "s/^$role $access //p" needs | sort >want
            grep -P -- "${pattern[$role $access]}" near >got
            same got want "$title: $access of the $role matches what is needed"
        done
    done
}

for input in "$root"/tests/data/plan/*/input.ini; do
    folder=${input%/*}
    check "${folder##*/}" "$input"
done
for kind in ceiling plain; do
    "$root/tests/bench/generate" "$kind" >"$kind.ini"
    if [[ $kind == plain ]]; then
        sed -i '/^\[queue:service\.00801\./,$d' plain.ini
    fi
    check "$kind" "$kind.ini"
    is "$(jq '[.permissions[] | .configure, .write, .read | length] |
        max <= 1024' permissions.json)" true "no pattern of $kind is too long"
done

# --- the command -----------------------------------------------------------------

cp "$root/tests/data/plan/documented/input.ini" lilyq.ini
run "$lilyq" permissions
exits 0 'reads lilyq.ini by default'
is "$err" '' 'without a message'
is "$(jq -r '.format, (.permissions | map(.role) | join(" "))' <<<"$out")" \
    $'lilyq-permissions\ndeployer publisher consumer operator' \
    'and prints JSON with every role'
cp "$out_file" json
run "$lilyq" permissions - <lilyq.ini
same "$out_file" json 'reads standard input'
run "$lilyq" permissions -o json
same "$out_file" json 'prints the same again'

is "$(jq -r '[.permissions[].vhost] | unique[]' json)" / \
    'is for the default virtual host'
run "$lilyq" permissions --vhost 'a "b"'
is "$(jq -r '[.permissions[].vhost] | unique[]' "$out_file")" 'a "b"' \
    'or for the one that is named'
run "$lilyq" permissions --vhost $'\xff'
exits 2 'but not for one that no broker has'
is "$out" '' 'and prints nothing then'
has "$err" "vhost must be at most 255 bytes of UTF-8, not '\\xff'" \
    'but says why'

run "$lilyq" permissions --role operator
is "$(jq -r '.permissions[] | .role, .user' <<<"$out")" \
    $'operator\nlilyq-operator' 'prints one role'
run "$lilyq" permissions --role operator --user o
is "$(jq -r '.permissions[] | .role, .user' <<<"$out")" $'operator\no' \
    'for the user who is named'
run "$lilyq" permissions --role operator --user $'\xff'
exits 2 'but not for a name that is no text'
has "$err" "a user's name must be UTF-8 and not empty, not '\\xff'" \
    'and says why'

# Whatever the names, a shell hands rabbitmqctl what the JSON says.
odd=$root/tests/data/plan/punctuation/input.ini
name_them=(--vhost "-it's \$x" --role consumer --user $'-o\'k `y` "z" \\ \n!#')
"$lilyq" permissions "${name_them[@]}" "$odd" | jq -j '.permissions[0] |
    "set_permissions\u0000--vhost=\(.vhost)\u0000--\u0000\(.user)\u0000" +
    "\(.configure)\u0000\(.write)\u0000\(.read)\u0000"' >want
run "$lilyq" permissions -o rabbitmqctl "${name_them[@]}" "$odd"
exits 0 'prints commands'
is "$err" '' 'without a message'
{
    cat <<'END'
rabbitmqctl() {
    printf '%s\0' "$@" >>got
}
END
    cat "$out_file"
} >commands.sh
for shell in bash dash; do
    rm -f got
    run "$shell" commands.sh
    exits 0 "$shell runs the commands"
    same got want "and $shell hands on every byte"
done

# --- what cannot be granted ---------------------------------------------------------

sed -n '/^\[defaults\]/,/^$/p' "$odd" >base.ini
{
    cat base.ini
    printf '[queue:q]\nexchange_name = amq.default\nrouting_key = q\n'
} >default.ini
run "$lilyq" permissions default.ini
exits 2 'the default exchange is granted to no one'
is "$out" '' 'and nothing is printed'
is "$err" "lilyq: no permission can name 'amq.default': to the broker it is the default exchange, which reaches every queue" \
    'but why not'

# entries COUNT LENGTH: queues whose names have nothing in common.
entries() {
    cat base.ini
    awk -v count="$1" -v length_="$2" 'BEGIN {
        srand(1)
        for (i = 0; i < count; ++i) {
            name = ""
            while (length(name) < length_)
                name = name sprintf("%c", 97 + int(rand() * 26))
            printf "[queue:%s]\nexchange_name = x\nrouting_key = k\n", name
        }
    }'
}
entries 30 40 >long.ini
run "$lilyq" permissions --role operator long.ini
exits 0 'a pattern that only some brokers take is printed'
like "$err" '^lilyq: warning: a pattern of the operator has 1[0-9]{3} bytes, but RabbitMQ 4\.3 takes 1024 at most: give the entries to several users, from files of their own$' \
    'with a warning'
entries 400 180 >longer.ini
run "$lilyq" permissions -q longer.ini
exits 2 'a pattern that no broker takes is not printed'
is "$out" '' 'nor anything else'
like "$err" '^lilyq: a pattern of the deployer has [0-9]+ bytes, which is more than any broker takes: give the entries to several users, from files of their own$' \
    'but why not'

echo 'colour = red' >bad.ini
run "$lilyq" permissions bad.ini
exits 2 'a wrong configuration has no permissions'
is "$out" '' 'and nothing is printed'
: >empty.ini
run "$lilyq" permissions empty.ini
exits 0 'an empty one has'
is "$(jq -c '[.permissions[] | .configure, .write, .read] | unique' <<<"$out")" \
    '["^\\z"]' 'which grant nothing'
run bash -c '"$1" permissions >/dev/full' bash "$lilyq"
exits 1 'a full disk is a failure'
is "$err" 'lilyq: cannot write to standard output: No space left on device' \
    'and is told'

done_testing
