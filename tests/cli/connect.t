#!/bin/bash
#
# lilyq apply: which broker, which user, which password. No broker is needed:
# nothing listens on the ports that are named here.

# shellcheck disable=SC2016 # lilyq expands ${env:...}, not the shell
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

all=$PWD/all.output

"$lilyq" init >plain.ini

# broker LINE...: broker.ini, with a [broker] of its own.
broker() {
    sed '/^\[broker\]/q' plain.ini >broker.ini
    printf '%s\n' "$@" >>broker.ini
}

# in_broker KEY: the place of a key of that.
in_broker() {
    echo "broker.ini:$(sed -n "/^$1 =/=" broker.ini | tail -n 1): [broker] '$1'"
}

# apply ARGS...: runs it, and keeps what it says to look for passwords later.
apply() {
    run "$lilyq" apply "$@"
    cat "$out_file" "$err_file" >>"$all"
}

# target NAME WANT ARGS...: the broker that apply goes to.
target() {
    local -r name=$1 want=$2
    shift 2
    apply -v "$@"
    is "$(sed -n 's/^lilyq: broker from //p' "$err_file")" "$want" "$name"
    exits 1 "$name, and does not reach it"
}

# refuses NAME MESSAGE ARGS...: exits 2 with that line before connecting.
refuses() {
    local -r name=$1 message=$2
    shift 2
    apply "$@"
    exits 2 "$name: exit status"
    is "$err" "$message" "$name"
    is "$out" '' "$name: prints nothing"
}

# Where to.
target 'goes to localhost by default' \
    "the default URL: localhost:5672 vhost '/' as guest" \
    --connect-timeout 1 --vhost / plain.ini
broker 'url = amqp://127.0.0.1:4/four'
target 'takes the URL of [broker]' \
    "$(in_broker url): 127.0.0.1:4 vhost 'four' as guest" broker.ini
export AMQP_URL=amqp://127.0.0.1:3/three
target 'prefers AMQP_URL' \
    "AMQP_URL: 127.0.0.1:3 vhost 'three' as guest" broker.ini
export RABBITMQ_URL=amqp://127.0.0.1:2/two
target 'prefers RABBITMQ_URL' \
    "RABBITMQ_URL: 127.0.0.1:2 vhost 'two' as guest" broker.ini
export LILYQ_URL=amqp://127.0.0.1:1/one
target 'prefers LILYQ_URL' \
    "LILYQ_URL: 127.0.0.1:1 vhost 'one' as guest" broker.ini
target 'prefers --url' "--url: 127.0.0.1:7 vhost '/' as guest" \
    --url amqp://127.0.0.1:7 broker.ini
LILYQ_URL='' RABBITMQ_URL='' \
    target 'takes an empty variable for none' \
    "AMQP_URL: 127.0.0.1:3 vhost 'three' as guest" broker.ini
unset LILYQ_URL RABBITMQ_URL AMQP_URL

# Virtual host and user.
url=amqp://u:hush-url@127.0.0.1:4/four
target 'takes user and virtual host of the URL' \
    "--url: 127.0.0.1:4 vhost 'four' as u" --url "$url" plain.ini
target 'prefers --vhost' "--url: 127.0.0.1:4 vhost '/shop' as u" \
    --url "$url" --vhost /shop plain.ini
target 'takes an empty --vhost' "--url: 127.0.0.1:4 vhost '' as u" \
    --url "$url" --vhost '' plain.ini
target 'prefers --username' "--url: 127.0.0.1:4 vhost 'four' as deployer" \
    --url "$url" --username deployer plain.ini
broker "url = $url" 'vhost = five' 'username = fifth'
target 'prefers the other keys of [broker] to its URL' \
    "$(in_broker url): 127.0.0.1:4 vhost 'five' as fifth" broker.ini
target 'prefers the options to them' \
    "$(in_broker url): 127.0.0.1:4 vhost '6' as sixth" \
    --vhost 6 --username sixth broker.ini
target 'leaves [broker] out for another URL' \
    "--url: 127.0.0.1:9 vhost '/' as guest" --url amqp://127.0.0.1:9 broker.ini
broker 'vhost = five' 'username = fifth' 'password_file = pw'
printf 'hush-file' >pw
target 'takes [broker] without a URL' \
    "the default URL: localhost:5672 vhost 'five' as fifth" \
    --connect-timeout 1 broker.ini
target 'knows an IPv6 address' "--url: [::1]:4 vhost '/' as guest" \
    --url 'amqp://[::1]:4' plain.ini
target 'has the port of TLS' "--url: 127.0.0.1:5671 vhost '/' as guest" \
    --url amqps://127.0.0.1 plain.ini
target 'shows control characters escaped' \
    "--url: 127.0.0.1:4 vhost '\\x1b[31m' as guest" \
    --url amqp://127.0.0.1:4 --vhost $'\e[31m' plain.ini

# Several URLs.
one=amqp://u@127.0.0.1:4/v
two=amqp://u@127.0.0.1:5/v
export LILYQ_PASSWORD=hush-variable
target 'takes several URLs' "--url: 127.0.0.1:4, 127.0.0.1:5 vhost 'v' as u" \
    --url "$one,$two" plain.ini
target 'takes --url several times' \
    "--url: 127.0.0.1:4, 127.0.0.1:5, [::1]:6 vhost 'v' as u" \
    --url "$one" --url "$two" --url 'amqp://u@[::1]:6/v' plain.ini
LILYQ_URL="$two, $one" target 'takes several of a variable' \
    "LILYQ_URL: 127.0.0.1:5, 127.0.0.1:4 vhost 'v' as u" plain.ini
broker "url = $one, $two"
target 'takes several of [broker]' \
    "$(in_broker url): 127.0.0.1:4, 127.0.0.1:5 vhost 'v' as u" broker.ini
target 'lets the options win over each' \
    "--url: 127.0.0.1:4, 127.0.0.1:5 vhost 'w' as x" \
    --url "$one,$two" --vhost w --username x plain.ini
refuses 'refuses URLs of two virtual hosts' \
    "lilyq: --url: broker URLs must name the same virtual host, not 'v' and '/'" \
    --url "$one" --url amqp://u@127.0.0.1:5 plain.ini
refuses 'refuses URLs of two users' \
    "lilyq: --url: broker URLs must name the same user, not 'u' and 'guest'" \
    --url "$one" --url amqp://127.0.0.1:5/v plain.ini
refuses 'refuses to go on without TLS' \
    'lilyq: --url: broker URLs must all begin with amqps://, or all with amqp://' \
    --url amqps://u@127.0.0.1:4/v --url "$two" plain.ini
LILYQ_URL="$one,$two," refuses 'refuses what is left over' \
    "lilyq: LILYQ_URL: broker URL 2 of 2 takes ',' only before another whole URL, as in amqp://one,amqp://two (in a name it is %2C)" \
    plain.ini
apply --url "amqp://u:hush-url@127.0.0.1:4/v,$two" plain.ini
exits 2 'refuses a password in one of several URLs'
has "$err" 'lilyq: --url: broker URLs must all have a password, or none' \
    'and says so'
unset LILYQ_PASSWORD

# References in [broker].
broker 'url = ${env:WHERE}' 'username = ${file:user}'
printf 'filed\n' >user
WHERE=amqp://x:hush-env@127.0.0.1:4/v \
    target 'follows references' \
    "$(in_broker url): 127.0.0.1:4 vhost 'v' as filed" broker.ini
refuses 'misses a variable' \
    "lilyq: $(in_broker url): the environment variable 'WHERE' is not set" \
    broker.ini
WHERE='' refuses 'misses the content of a variable' \
    "lilyq: $(in_broker url): the environment variable 'WHERE' is empty" \
    broker.ini
export WHERE=amqp://x:hush-env@127.0.0.1:4
: >user
refuses 'misses the content of a file' \
    "lilyq: $(in_broker username): 'user' is empty" broker.ini
rm user
apply broker.ini
exits 1 'fails when a file is missing'
is "$err" "lilyq: $(in_broker username): cannot read 'user': No such file or directory" \
    'and names it'
broker 'url = amqp://127.0.0.1:4' 'password_file = ${env:NONE}'
target 'leaves what is not needed alone' \
    "--url: 127.0.0.1:5 vhost '/' as guest" --url amqp://127.0.0.1:5 broker.ini
unset WHERE

# Passwords: shown by a broker only, so just what can be told without one.
user=amqp://deployer@127.0.0.1:4
none="lilyq: no password for 127.0.0.1:4 vhost '/' as deployer: use '--password-file'"
refuses 'needs a password' "$none or LILYQ_PASSWORD" --url "$user" plain.ini
broker "url = $user"
refuses 'needs a password for [broker] too' \
    "$none, LILYQ_PASSWORD or [broker] 'password_file'" broker.ini
LILYQ_PASSWORD='' refuses 'takes an empty password for none' \
    "$none, LILYQ_PASSWORD or [broker] 'password_file'" broker.ini
broker "url = $user" 'password_file = pw'
target 'takes the password file of [broker]' \
    "$(in_broker url): 127.0.0.1:4 vhost '/' as deployer" broker.ini
refuses 'does not send it elsewhere' \
    "$none or LILYQ_PASSWORD; [broker] 'password_file' applies only to its own URL" \
    --url "$user" broker.ini
LILYQ_PASSWORD=hush-variable target 'takes LILYQ_PASSWORD' \
    "--url: 127.0.0.1:4 vhost '/' as deployer" --url "$user" broker.ini
target 'takes --password-file' "--url: 127.0.0.1:4 vhost '/' as deployer" \
    --url "$user" --password-file pw plain.ini

refuses 'reads no password from standard input' \
    "lilyq: '--password-file' must be a file, not standard input" \
    --password-file - plain.ini
for content in '' '\n'; do
    # shellcheck disable=SC2059 # an escape on purpose
    printf "$content" >empty.pw
    refuses "rejects '$content' for a password" \
        "lilyq: --password-file: 'empty.pw' is empty" \
        --url "$user" --password-file empty.pw plain.ini
done
printf 'hush\0nul' >nul.pw
refuses 'rejects a NUL in a password' \
    "lilyq: --password-file: 'nul.pw' contains a NUL byte" \
    --url "$user" --password-file nul.pw plain.ini
head -c 65536 /dev/zero | tr '\0' x >large.pw
echo >>large.pw
target 'takes a password of 64 KiB and a newline' \
    "--url: 127.0.0.1:4 vhost '/' as deployer" \
    --url "$user" --password-file large.pw plain.ini
echo >>large.pw
refuses 'rejects a larger one' \
    "lilyq: --password-file: 'large.pw' is larger than 64 KiB" \
    --url "$user" --password-file large.pw plain.ini
apply --url "$user" --password-file missing.pw plain.ini
exits 1 'fails when the password file is missing'
is "$err" "lilyq: --password-file: cannot read 'missing.pw': No such file or directory" \
    'and names it'
apply --url "$user" --password-file . plain.ini
exits 1 'fails when the password file is a directory'
is "$err" "lilyq: --password-file: cannot read '.': Is a directory" \
    'and says so'

# Warnings.
seen="lilyq: warning: other users of this machine can see the password in '--url': use '--password-file' or LILYQ_PASSWORD"
apply --url "$url" plain.ini
has "$err" "$seen" 'warns of a password on the command line'
apply -q --url "$url" plain.ini
hasnt "$err" warning 'not when quiet'
LILYQ_URL=$url apply plain.ini
hasnt "$err" warning 'not of one in the environment'
apply --url amqps://127.0.0.1:4 --insecure plain.ini
like "$err" $'^lilyq: warning: \'--insecure\': whoever is between' \
    'warns of --insecure'
apply -q --url amqps://127.0.0.1:4 -k plain.ini
has "$err" 'warning' 'also when quiet'
apply --url amqp://127.0.0.1:4 -k plain.ini
has "$err" "lilyq: warning: '--insecure' has no effect without TLS, that is, an amqps:// URL" \
    'warns of --insecure without TLS'

# Files of TLS.
for option in tls-ca-cert-file tls-cert-file; do
    apply --url amqps://u@127.0.0.1:4 --password-file pw --$option none.pem \
        plain.ini
    exits 2 "rejects a missing --$option"
    like "$err" "'none.pem': No such file or directory" 'and says why'
done

# URLs that are none.
while read -r bad; do
    apply --url "$bad" plain.ini
    exits 2 "rejects the URL $bad"
    like "$err" '^lilyq: --url: broker URL must ' "and says why, of $bad"
    unlike "$err" $'\n' "in one line, of $bad"
done <<'END'
rabbit.internal
http://u:hush-url@h
amqp://u:hush-url@h:port
amqp://u:hush-url@h:0
amqp://u:hush-url@h:65536
amqp://u:hush-url@h/a/b
amqp://u:hush-url@h/v?heartbeat=5
amqp://u:hush-url%@h
amqp://u:hush-url%00@h
amqp://u:hush@url@h
END
LILYQ_URL=nonsense refuses 'names the variable of a wrong URL' \
    'lilyq: LILYQ_URL: broker URL must begin with amqp:// or amqps://' plain.ini
broker 'url = nonsense'
refuses 'names the place of a wrong URL' \
    "lilyq: $(in_broker url): broker URL must begin with amqp:// or amqps://" \
    broker.ini

# The management API.
api() {
    local -r name=$1 message=$2
    shift 2
    apply "$@" plain.ini
    exits 2 "$name: exit status"
    is "$err" "lilyq: $message" "$name"
}
api 'rejects a management URL of another kind' \
    '--management-url: management URL must begin with http:// or https://, not '\''amqp://'\''' \
    --management-url amqp://u:hush-url@h
api 'a user of the management API has a password' \
    '--management-url: management URL names another user, and must have the password too' \
    --management-url http://monitor@h
broker 'url = amqp://127.0.0.1:4' 'management_url = h:15672'
apply broker.ini
exits 2 'rejects a wrong management_url'
like "$err" "^lilyq: broker.ini:[0-9]+: \[broker\] 'management_url': management URL must " \
    'and names its place'
apply --url amqp://127.0.0.1:4 --management-url http://u:hush-url@127.0.0.1:4 \
    plain.ini
exits 1 'fails when the management API is not reached'
has "$err" "can see the password in '--management-url'" \
    'warns of a password in a management URL on the command line'
apply --url amqps://127.0.0.1:4 --management-url http://192.0.2.1:4 \
    --connect-timeout 1 plain.ini
has "$err" 'warning: --management-url: whoever is between here and the management API can read the password: use https://' \
    'warns of a management URL that is less safe than the broker'
apply --url amqps://127.0.0.1:4 --management-url http://127.0.0.1:4 plain.ini
hasnt "$err" 'whoever is between' 'not of one on this machine'

# Not reached.
apply --url "$url" plain.ini
exits 1 'fails when the broker is not reached'
is "$out" '' 'and reports nothing that was not done'
is "${err#*$'\n'}" "lilyq: broker 127.0.0.1:4 (vhost 'four', user 'u'): cannot connect: Connection refused
lilyq: nothing written to 127.0.0.1:4 vhost 'four' as u" \
    'but says where it went and why'
apply -o json --url "$url" plain.ini
exits 1 'fails also with a report in JSON'
is "$(jq -r '.format' "$out_file")" lilyq-apply 'which is still printed'

start=$SECONDS
apply --url amqp://127.0.0.1:4 --wait 2 plain.ini
exits 1 'fails when the broker does not come up in time'
ok 'and has waited for it' test $((SECONDS - start)) -ge 2
ok 'not for long' test $((SECONDS - start)) -le "$patience"
is "$(grep -c 'cannot connect' "$err_file")" 1 'and says so once'
start=$SECONDS
apply --url amqp://127.0.0.1:4 --wait 60 --timeout 1 plain.ini
exits 1 'fails when the whole run takes too long'
ok 'and in time' test $((SECONDS - start)) -le "$patience"

for signal in INT TERM; do
    env --default-signal=INT "$lilyq" apply --url amqp://127.0.0.1:4 \
        --wait 60 plain.ini >signal.out 2>signal.err &
    pid=$!
    sleep 0.5
    kill -"$signal" "$pid"
    status=0
    wait "$pid" || status=$?
    err=$(<signal.err)
    exits 1 "SIG$signal ends the waiting"
    has "$err" 'lilyq: interrupted, nothing written to 127.0.0.1:4' \
        "SIG$signal is told"
done

hasnt "$(<"$all")" hush 'no password was ever shown'

done_testing
