#!/bin/bash
#
# The permissions that `lilyq permissions` prints are enough for each role, and
# without any name that they let through something is refused.

. "${BASH_SOURCE[0]%/*}/lib.sh"

type -P amqp-publish >/dev/null || bail_out 'amqp-tools is missing'

# shellcheck disable=SC2016 # that is its name
odd='größe (a|b)$/x^{1}'
{
    queue orders.created 'retry_attempts = 2'
    queue "$odd" 'queue_type = quorum' 'dead_letter_exchange = [dead]+' |
        sed 's/^exchange_name = .*/exchange_name = or?ders/'
    queue theirs 'topology_ownership = external' 'retry_attempts = 1' \
        'dead_letter_exchange = graveyard' 'dead_letter_routing_key = dead' |
        sed 's/^exchange_name = .*/exchange_name = theirs/'
} >lilyq.ini
"$lilyq" plan lilyq.ini >plan.json
"$lilyq" permissions lilyq.ini >permissions.json

# A vhost where only what is external exists.
fresh_vhost() {
    local name
    new_vhost
    for name in theirs theirs.retry.v2 graveyard; do
        declare_exchange "$name" '{"type":"direct","durable":true}'
    done
    for name in theirs theirs.retry.v2.1000ms theirs.dlq.v2; do
        declare_queue "$name" '{"durable":true}'
    done
}

declare -A patterns=() # by "ROLE ACCESS"
while read -r role access; do
    IFS= read -r "patterns[$role $access]"
done < <(jq -r '.permissions[] | .role as $role |
    ("configure", "write", "read") as $access |
    "\($role) \($access)", .[$access]' permissions.json)

# lets NAME ROLE ACCESS: whether the pattern matches the name.
lets() {
    grep -qP -- "${patterns[$2 $3]}" <<<"$1"
}

# grant ROLE [ACCESS NAME]: gives the user what the role needs; without NAME.
grant() {
    local -r role=$1
    local access rights=()
    for access in configure write read; do
        rights+=("${patterns[$role $access]}")
        if [[ $access == "${2-}" ]]; then
            rights[-1]="(?!^\\Q$3\\E\$)${rights[-1]}"
        fi
    done
    allow "$user" "${rights[@]}"
}

amqp_url() {
    echo "amqp://$user:$user_password@127.0.0.1:$BROKER_PORT/$vhost"
}
publish() {
    amqp-publish -u "$(amqp_url)" -e "$1" -r "$2" -b "$3"
}
fetch() {
    amqp-get -u "$(amqp_url)" -q "$1"
}
consume() {
    timeout "$patience" amqp-consume -u "$(amqp_url)" -q "$1" -c 1 cat
}
refuses() {
    local -r name=$1
    shift
    run "$@"
    isnt "$status" 0 "$name"
    has "$err" ACCESS_REFUSED "$name: for want of permission"
}
apply_as_user() {
    LILYQ_PASSWORD=$user_password apply_to \
        "amqp://$user@127.0.0.1:$BROKER_PORT/$vhost" lilyq.ini
}

# --- deployer -----------------------------------------------------------------

fresh_vhost
new_user permitted '' '' ''
grant deployer
apply_as_user
exits 0 'a deployer declares all'
has "$err" 'created 5 exchanges, 6 queues, 6 bindings' 'and it was not there'
apply_as_user
exits 0 'a deployer declares it again'
has "$err" 'nothing to do' 'and it is as it was'
refuses 'a deployer gets no dead letters' fetch orders.created.dlq.v2
refuses 'a deployer reads nothing external' fetch theirs
# A broker takes line feeds out of the names that clients send; its engine is asked.
is "$(node_ctl eval '[re:run(Name, <<"^(orders\\.created)\\z">>, [{capture, none}]) ||
    Name <- [<<"orders.created">>, <<"orders.created\n">>]].')" '[match,nomatch]' \
    'what ends a pattern is the end of a name, and no line feed before it'

# Whatever name is taken out of a pattern, something is refused.
managed=$(jq -r '.exchanges[], .queues[] |
    select(.ownership == "framework_managed").name' plan.json)
external=$(jq -r '.exchanges[], .queues[] |
    select(.ownership == "external").name' plan.json)
removed=0
for access in configure write read; do
    while read -r name; do
        lets "$name" deployer "$access" || continue
        ((++removed))
        fresh_vhost
        grant deployer "$access" "$name"
        apply_as_user
        isnt "$status" 0 "a deployer needs $access on $name"
        has "$err" "'$name' in vhost" 'and the broker says so'
        api DELETE "vhosts/$vhost"
    done <<<"$managed"
done
is "$removed" 29 'all names of the patterns were left out once'

removed=0
while read -r name; do
    not_ok "a deployer may not configure $name, which is external" \
        lets "$name" deployer configure
    not_ok 'nor read it' lets "$name" deployer read
    ((++removed))
    fresh_vhost
    grant deployer write "$name"
    apply_as_user
    if at_least 4.2.6; then
        isnt "$status" 0 "a deployer needs something on $name to see it"
        has "$err" "'$name' in vhost" 'and the broker says so'
    else
        exits 0 "a deployer sees $name without a permission on RabbitMQ $release"
    fi
    api DELETE "vhosts/$vhost"
done < <(sort -u <<<"$external")
is "$removed" 5 'all external names were left out once'

# --- consumer -----------------------------------------------------------------

fresh_vhost
grant consumer
apply_as_user
exits 0 'a consumer declares all'
run amqp-publish -u "amqp://$BROKER_USER:$BROKER_PASSWORD@${url#*@}" -e orders \
    -r orders.created -b first
exits 0 'something is published'
run consume orders.created
is "$out" first 'a consumer consumes from a main queue'
run publish orders.retry.v2 orders.created.retry.1000ms again
exits 0 'a consumer publishes to a retry exchange'
run consume orders.created
is "$out" again 'and gets it back from the bucket'
run publish orders.dlx.v2 orders.created failed
exits 0 'a consumer publishes to a dead-letter exchange'
run publish theirs.retry.v2 theirs.retry.1000ms again
exits 0 'a consumer publishes to an external retry exchange'
run publish graveyard dead failed
exits 0 'and to an external dead-letter exchange'
run fetch theirs
exits 2 'and reads an external queue, which is empty'
refuses 'a consumer gets no dead letters' fetch orders.created.dlq.v2
refuses 'a consumer publishes to no queue' publish '' orders.created x

grant consumer write orders.retry.v2
refuses 'a consumer needs write on the retry exchange' \
    publish orders.retry.v2 orders.created.retry.1000ms x
grant consumer write theirs.retry.v2
refuses 'also on an external one' publish theirs.retry.v2 x x
grant consumer write graveyard
refuses 'a consumer needs write on an external dead-letter exchange' \
    publish graveyard dead x
grant consumer read theirs
refuses 'a consumer needs read on an external queue' fetch theirs
grant consumer read orders.created
refuses 'a consumer needs read on a queue' consume orders.created

# --- operator -----------------------------------------------------------------

grant operator
run fetch orders.created.dlq.v2
is "$out" failed 'an operator gets dead letters'
run publish orders orders.created mended
exits 0 'an operator publishes to a main exchange'
run publish theirs theirs mended
exits 0 'also to an external one'
run fetch theirs.dlq.v2
exits 2 'an operator reads external dead letters, of which there are none'
refuses 'an operator does not get what is in a main queue' fetch orders.created
refuses 'an operator does not consume it' consume orders.created
refuses 'an operator does not get what is in a bucket' \
    fetch orders.created.retry.v2.1000ms
refuses 'an operator does not publish to a retry exchange' \
    publish orders.retry.v2 orders.created.retry.1000ms x
refuses 'an operator does not publish to a dead-letter exchange' \
    publish orders.dlx.v2 orders.created x
refuses 'an operator publishes to no queue' publish '' orders.created x
apply_as_user
isnt "$status" 0 'an operator does not declare'
grant operator read orders.created.dlq.v2
refuses 'an operator needs read on the DLQ' fetch orders.created.dlq.v2
grant operator write orders
refuses 'an operator needs write on the main exchange' \
    publish orders orders.created x

# --- publisher ----------------------------------------------------------------

grant publisher
for exchange in orders 'or?ders' theirs; do
    run publish "$exchange" orders.created new
    exits 0 "a publisher publishes to $exchange"
done
for exchange in orders.retry.v2 orders.dlx.v2 '[dead]+' theirs.retry.v2 \
    graveyard ''; do
    refuses "a publisher does not publish to '$exchange'" \
        publish "$exchange" orders.created x
done
refuses 'a publisher reads nothing' fetch orders.created
apply_as_user
isnt "$status" 0 'a publisher does not declare'
grant publisher write 'or?ders'
refuses 'a publisher needs write on the main exchange' publish 'or?ders' x x

# --- how they get there ---------------------------------------------------------

# Permissions of the vhost less the administrator's, as the document has them.
held() {
    api GET "vhosts/$vhost/permissions" | jq -S --arg admin "$BROKER_USER" \
        'map(select(.user != $admin)) | sort_by(.user)'
}
run_commands() (
    rabbitmqctl() {
        node_ctl "$@" || exit
    }
    # shellcheck source=/dev/null # was just printed
    . ./commands.sh
)
wanted() {
    jq -S '.permissions | map(del(.role)) | sort_by(.user)' "$1"
}

new_vhost
for role in deployer publisher consumer operator; do
    api PUT "users/lilyq-$role" "{\"password\":\"$user_password\",\"tags\":\"\"}"
    at_exit "api DELETE users/lilyq-$role"
done
"$lilyq" permissions --vhost "$vhost" lilyq.ini >document.json
wanted document.json >want
run node_ctl import_definitions "$PWD/document.json"
exits 0 'rabbitmqctl imports the document'
held >got
same got want 'and sets what it says'

new_vhost
"$lilyq" permissions --vhost "$vhost" lilyq.ini >document.json
wanted document.json >want
ok 'the HTTP API imports the document' \
    api POST definitions "$(<document.json)"
held >got
same got want 'and sets what it says'

fresh_vhost
"$lilyq" permissions -o rabbitmqctl --vhost "$vhost" lilyq.ini >commands.sh
run run_commands
exits 0 'the commands run'
user='lilyq-deployer'
apply_as_user
exits 0 'and let a deployer declare all'
user='lilyq-consumer'
apply_as_user
exits 0 'and a consumer'
user='lilyq-publisher'
run publish 'or?ders' "$odd" new
exits 0 'and a publisher publish'
user='lilyq-operator'
run fetch "$odd.dlq.v2"
exits 2 'and an operator read a DLQ'

# Names that a shell, or rabbitmqctl, might take for something else.
# shellcheck disable=SC2016 # that is its name
vhost='-it'\''s /50% $(x) "`y`"'
user='-o'\''k \ $HOME'
ok 'a vhost has an odd name' api PUT "vhosts/$(encoded "$vhost")" '{}'
ok 'a user has an odd name' api PUT "users/$(encoded "$user")" \
    '{"password":"x","tags":""}'
at_exit "api DELETE 'vhosts/$(encoded "$vhost" | sed "s/'/%27/g")'"
at_exit "api DELETE 'users/$(encoded "$user" | sed "s/'/%27/g")'"
name_them=(--role operator --user "$user" --vhost "$vhost")
"$lilyq" permissions -o rabbitmqctl "${name_them[@]}" lilyq.ini >commands.sh
run run_commands
exits 0 'commands with odd names run'
"$lilyq" permissions "${name_them[@]}" lilyq.ini | jq -S '.permissions[0] |
    del(.role)' >want
api GET "permissions/$(encoded "$vhost")/$(encoded "$user")" | jq -S . >got
same got want 'and set what they say for these names'

# --- size -----------------------------------------------------------------------

# A pattern may have 1024 bytes. Older releases let it be compiled to 65536; a
# letter takes two of them, and 17 are for what is around.
new_vhost
limit=32759
! at_least 4.3 || limit=1019
letters() {
    printf '^(%s)\\z' "$(head -c "$1" /dev/zero | tr '\0' a)"
}
takes() {
    jq -n --arg pattern "$(letters "$1")" \
        '{configure: $pattern, write: "", read: ""}' >body.json
    curl -sf -o taken -u "$BROKER_USER:$BROKER_PASSWORD" -X PUT \
        -H 'content-type: application/json' -d @body.json \
        "http://127.0.0.1:$BROKER_API_PORT/api/permissions/$vhost/lilyq-operator"
}
ok 'the broker takes a pattern as large as is assumed' takes "$limit"
not_ok 'and none that is larger' takes $((limit + 1))

# evaluate FILE ROLE ACCESS: how many lines of a file match, to the broker.
evaluate() {
    jq -j --arg role "$2" --arg access "$3" \
        '.permissions[] | select(.role == $role)[$access]' permissions.json \
        >pattern
    cp "$1" names
    # shellcheck disable=SC2016 # Erlang's
    node_ctl --silent eval 'Folder = "'"$PWD"'/",
        {ok, Pattern} = file:read_file(Folder ++ "pattern"),
        {ok, Names} = file:read_file(Folder ++ "names"),
        length([Name || Name <- binary:split(Names, <<"\n">>, [global, trim]),
            re:run(Name, Pattern, [{capture, none}]) =:= match]).'
}
for kind in ceiling plain; do
    "$root/tests/bench/generate" "$kind" >large.ini
    "$lilyq" plan large.ini | jq -r '.exchanges[].name, .queues[].name' |
        sort -u >names.all
    "$lilyq" permissions --vhost "$vhost" large.ini >permissions.json
    jq -c '.permissions[]' permissions.json >each.json
    ok "the broker takes the patterns of a $kind plan" \
        api POST definitions "$(<permissions.json)"
    count=$(wc -l <names.all)
    diag "$count names, the longest pattern has $(jq -r '.configure, .write,
        .read | length' each.json | sort -n | tail -n 1) characters"
    is "$(evaluate names.all deployer configure)" "$count" \
        "and they match its names"
    sed 's/.$//; s/$/0/' names.all | sort -u |
        comm -13 names.all - >names.wrong
    sed 's/^/a/' names.all >>names.wrong
    tr . x <names.all >>names.wrong
    is "$(evaluate names.wrong deployer configure)" 0 'and no other'
done

no_password_shown
done_testing
