#!/bin/bash
#
# Whatever fails, and however the password was given, no output shows it: not as
# it is, not percent-encoded, not as HTTP sends it, and no part of it.

. "${BASH_SOURCE[0]%/*}/lib.sh"

word=s3cret
password="$word/w@rd?#%:é"
encoded='s3cret%2Fw%40rd%3F%23%25%3A%C3%A9'
base64=$(printf 'someone:%s' "$password" | base64 -w 0)
printf '%s\n' "$password" >password
cat >queue.ini <<'END'
[queue:orders.created]
exchange_name = orders
routing_key = orders.created
retry_attempts = 1
retention.main_max_messages = 1
retention.main_max_bytes = 1
retention.retry_bucket_max_messages = 1
retention.retry_bucket_max_bytes = 1
retention.dead_letter_max_messages = 1
retention.dead_letter_max_bytes = 1
END

echoes() {
    local tries
    rm -f port
    python3 "$here/echo.py" "$1" >port 2>peer.err &
    peer_pid=$!
    at_exit "kill $peer_pid 2>/dev/null"
    for ((tries = 0; tries < 6000; tries++)); do
        [[ ! -s port ]] || break
        sleep 0.05
    done
    port=$(<port)
}

# What must be nowhere in what was printed.
shows_nothing() {
    local form
    for form in "$word" "${base64%%=*}" "${encoded,,}" "$encoded" 'w@rd' 'w%40rd'; do
        ! grep -qiaF -- "$form" "$out_file" "$err_file" || {
            diag "'$form' is shown:"
            diag "$(cat "$out_file" "$err_file")"
            return 1
        }
    done
}

# tried NAME COMMAND...: it fails, says something, and shows nothing of it.
tried() {
    local -r name=$1
    shift
    run "$@"
    ok "$name fails" test "$status" -ne 0
    isnt "$err" '' "$name says why"
    ok "$name shows no password" shows_nothing
}

# file URL [MANAGEMENT_URL [LINE]]: entries.ini with these settings
file() {
    {
        echo '[broker]'
        [[ -z $1 ]] || echo "url = $1"
        [[ -z ${2:-} ]] || echo "management_url = $2"
        [[ -z ${3:-} ]] || echo "$3"
        cat queue.ini
    } >entries.ini
}

# ways NAME AMQP_HOST HTTP_HOST ARGUMENT...: every way to give the password, with
# these hosts (and no URL where a host is empty).
ways() {
    local -r name=$1 amqp=${2:+amqp://someone@$2} http=${3:+http://$3}
    local -r open=${2:+amqp://someone:$encoded@$2}
    local -r login=${3:+http://someone:$encoded@$3}
    local -r api=${http:+--management-url=$http}
    local command
    shift 3
    for command in 'apply -v' 'diff -o json'; do
        # shellcheck disable=SC2086 # words
        {
            file ''
            tried "$name: $command with --password-file" "$lilyq" $command $api \
                --url "$amqp" --password-file password "$@" entries.ini
            tried "$name: $command with LILYQ_PASSWORD" env LILYQ_PASSWORD="$password" \
                "$lilyq" $command $api --url "$amqp" "$@" entries.ini
            tried "$name: $command with --url" "$lilyq" $command $api \
                --url "$open" "$@" entries.ini
            tried "$name: $command with LILYQ_URL" env LILYQ_URL="$open" \
                "$lilyq" $command $api "$@" entries.ini
            file "$open" "$http"
            tried "$name: $command with [broker] url" "$lilyq" $command "$@" entries.ini
            file "$amqp" "$http" 'password_file = password'
            tried "$name: $command with [broker] password_file" \
                "$lilyq" $command "$@" entries.ini
        }
    done
    [[ $http ]] || return 0
    file ''
    tried "$name: lint with its own login" "$lilyq" lint -v \
        --management-url "$login" "$@" entries.ini
    tried "$name: diff with its own login" "$lilyq" diff -v \
        --management-url "$login" "$@" entries.ini
}

# --- peers that say it back --------------------------------------------------------

for mode in relative absolute query reason header failed kind page text broken \
    shape status garbage; do
    echoes "$mode"
    ways "$mode" 127.0.0.1:4 "127.0.0.1:$port"
    end_peer
done
echoes relative
file ''
run "$lilyq" diff --management-url "http://127.0.0.1:$port" \
    --url amqp://someone@127.0.0.1 --password-file password entries.ini
has "$err" "it redirects to 'http://***@127.0.0.1:$port/login', which is not followed (302)" \
    'and where it leads is still told'
end_peer
for mode in amqp-login amqp-vhost amqp-error; do
    echoes "$mode"
    ways "$mode" "127.0.0.1:$port" ''
    has "$err" '***' "$mode: the rest of the words is told"
    end_peer
done

# --- nobody there --------------------------------------------------------------------

ways 'nobody there' 127.0.0.1:4 '' --connect-timeout 1
ways 'no management API' 127.0.0.1:4 127.0.0.1:4 --connect-timeout 1
ways 'no such host' no.such.host.invalid '' --connect-timeout 1
ways 'no such API host' 127.0.0.1:4 no.such.host.invalid --connect-timeout 1
ways 'a bad certificate' 127.0.0.1:4 '' --tls-ca-cert-file password
ways 'an odd vhost' $'127.0.0.1:4/%ff' ''

# --- URLs that are wrong ---------------------------------------------------------------

for rest in "someone:$password@127.0.0.1" "someone:$word@w@rd@127.0.0.1" \
    "someone:$word/w@127.0.0.1" "some@one:$word/w@127.0.0.1" \
    "someone:$word@w/rd@127.0.0.1" "someone:$word?w@127.0.0.1/v" \
    "someone:$word#w@127.0.0.1" "someone:$encoded@127.0.0.1:99999" \
    "someone:$encoded%@127.0.0.1" "someone:$encoded@127.0.0.1/a/b" \
    "someone:$encoded@127.0.0.1/v?q" "someone:$encoded@[::1" \
    "someone:$encoded@127.0.0.1,amqp://someone:$word@w/rd@127.0.0.1"; do
    file ''
    tried "--url $rest" "$lilyq" apply --url "amqp://$rest" entries.ini
    exits 2 'and is a usage error'
    tried "--url amqps://$rest" "$lilyq" diff --url "amqps://$rest" entries.ini
    tried "LILYQ_URL $rest" env LILYQ_URL="amqp://$rest" "$lilyq" apply entries.ini
    [[ $rest == *,* || $rest == */a/b ]] || {
        tried "--management-url $rest" "$lilyq" diff --management-url "http://$rest" \
            entries.ini
        tried "lint --management-url $rest" "$lilyq" lint \
            --management-url "https://$rest" entries.ini
    }
    file "amqp://$rest"
    tried "[broker] url $rest" "$lilyq" apply entries.ini
    [[ $rest == *,* || $rest == */a/b ]] || {
        file '' "http://$rest"
        tried "[broker] management_url $rest" "$lilyq" diff entries.ini
    }
done
for rest in "$word" "someone:$encoded@127.0.0.1" "ftp://someone:$encoded@127.0.0.1" \
    "amqp:/someone:$encoded@127.0.0.1"; do
    file ''
    tried "the URL $rest" "$lilyq" apply --url "$rest" entries.ini
    tried "the management URL $rest" "$lilyq" diff --management-url "$rest" entries.ini
done

# --- an ambiguous '@' is explained ---------------------------------------------------------

file ''
run "$lilyq" apply --url 'amqp://sec:ini@sekrit/ret@host' entries.ini
is "$err" "lilyq: --url: broker URL must write '/', '?', '#' and '@' in a user name or password as %2F, %3F, %23 and %40, and any other '@' behind the host as %40" \
    'what to write instead is told'

# --- what is shown is printable --------------------------------------------------------------

odd=$'a\e[31m\xc2\x9b\xe2\x80\xaeb'
for option in --tls-ca-cert-file --tls-cert-file --tls-key-file --password-file; do
    run "$lilyq" apply --url amqps://127.0.0.1:4 $option "$odd" entries.ini
    ok "$option: its value is shown printable" test "$status" -ne 0
    hasnt "$err" "$odd" "$option: and not as it is"
    hasnt "$err" $'\e' "$option: without an escape"
done
for option in --username --vhost --definitions --against --management-url; do
    run "$lilyq" diff --url amqp://127.0.0.1:4 $option "$odd" --connect-timeout 1 entries.ini
    hasnt "$err" $'\e' "diff $option: without an escape"
    hasnt "$err" $'\xe2\x80\xae' "diff $option: and nothing turned around"
done
for word in "$odd" "--$odd" "-o$odd"; do
    for command in plan apply diff lint explain policies permissions keys help; do
        run "$lilyq" $command "$word"
        hasnt "$err$out" $'\e' "$command: an odd word is shown without an escape"
    done
done

done_testing
