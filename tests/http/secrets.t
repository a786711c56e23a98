#!/bin/bash
#
# Whatever fails, and however the password was given, no output shows it: not as
# it is, not percent-encoded, not as HTTP sends it, and no part of it.

. "${BASH_SOURCE[0]%/*}/lib.sh"
. "$root/tests/broker/certs.sh"

# use_password PASSWORD ENCODED WORD PART...: the password to look for, which
# begins with a word, and parts of it that are not to be seen either.
use_password() {
    password=$1 encoded=$2 word=$3
    parts=("${@:4}")
    base64=$(printf 'someone:%s' "$password" | base64 -w 0)
    printf '%s\n' "$password" >password
}
use_password 's3cret/w@rd?#%:é' 's3cret%2Fw%40rd%3F%23%25%3A%C3%A9' s3cret \
    w@rd w%40rd
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
    python3 "$here/echo.py" "$@" >port 2>peer.err &
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
    for form in "$word" "${base64%%=*}" "$encoded" "${parts[@]}"; do
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

# briefly NAME HTTP_HOST ARGUMENT...: some ways, for peers that do not say it back
briefly() {
    local -r name=$1 api=$2
    shift 2
    file ''
    tried "$name: apply" "$lilyq" apply -v --url amqp://someone@127.0.0.1:4 \
        --password-file password --management-url "http://$api" "$@" entries.ini
    tried "$name: diff" env LILYQ_URL="amqp://someone:$encoded@127.0.0.1:4" "$lilyq" \
        diff -o json --management-url "http://$api" "$@" entries.ini
    tried "$name: lint" "$lilyq" lint -v --management-url \
        "http://someone:$encoded@$api" "$@" entries.ini
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

# --- peers that answer with something else ---------------------------------------------

for mode in redirect redirect307 html gateway unavailable busy gzip cut cutjson \
    http09 hangup garbage amqp login vhost broken; do
    peer "$mode"
    briefly "$mode" "127.0.0.1:$port"
    end_peer
done
for mode in silent dribble; do
    peer "$mode"
    briefly "$mode" "127.0.0.1:$port" --timeout 1
    end_peer
done
peer mute
tried 'a broker that keeps silent: apply' "$lilyq" apply -v --connect-timeout 1 \
    --url "amqp://someone:$encoded@127.0.0.1:$port" entries.ini
tried 'a broker that keeps silent: diff' env LILYQ_PASSWORD="$password" "$lilyq" diff \
    -o json --connect-timeout 1 --url "amqp://someone@127.0.0.1:$port" entries.ini
end_peer
peer rude
ways 'a broker that speaks something else' "127.0.0.1:$port" ''

# --- peers that are not trusted ---------------------------------------------------------

# encrypted NAME PORT CA: a broker and a management API that want TLS
encrypted() {
    local scheme
    for scheme in amqps https; do
        local api=() broker=(--url "$scheme://someone:$encoded@localhost:$2")
        [[ $scheme == amqps ]] || {
            api=(--management-url "https://localhost:$2")
            broker=(--url "amqp://someone:$encoded@127.0.0.1:4")
        }
        tried "$1: apply over $scheme" "$lilyq" apply -v -o json "${broker[@]}" \
            "${api[@]}" "${@:3}" entries.ini
        tried "$1: diff over $scheme" env LILYQ_URL="${broker[1]}" "$lilyq" diff -v \
            "${api[@]}" "${@:3}" entries.ini
    done
}
file ''
end_peer
peer rude
encrypted 'a plain port' "$port"
encrypted 'no file of authorities' "$port" --tls-ca-cert-file nowhere.pem
end_peer
node_certificates certs
subject=$(printf 'DNS:%s.example' "$word")
node_certificate certs other "/CN=$word" "subjectAltName=$subject"
peer login certs/server.pem certs/server.key
encrypted 'an unknown authority' "$port"
encrypted 'a key that is none' "$port" --tls-ca-cert-file certs/ca.pem \
    --tls-cert-file certs/client.pem --tls-key-file password
encrypted 'a certificate that is none' "$port" --tls-ca-cert-file certs/ca.pem \
    --tls-cert-file password --tls-key-file certs/client.key
encrypted 'a refusal behind TLS' "$port" --tls-ca-cert-file certs/ca.pem \
    --connect-timeout 1
end_peer
peer login certs/other.pem certs/other.key
encrypted 'a certificate of another host' "$port" --tls-ca-cert-file certs/ca.pem
end_peer
echoes relative certs/server.pem certs/server.key
encrypted 'a redirection behind TLS' "$port" --tls-ca-cert-file certs/ca.pem \
    --connect-timeout 1
end_peer

# --- settings that are wrong -------------------------------------------------------------

printf '%s\n\0' "$password" >nul
login="amqp://someone:$encoded@127.0.0.1:4"
# shellcheck disable=SC2016 # the file's own references
for line in "urls = $login" "url == $login" "$login" "url $login" \
    'url = ${env:UNSET}' "url = \${env:$login}" "url = \${$login}" \
    "url = $login \${env:LOGIN}" "management_url = $login" \
    "url = $login"$'\nurl = amqp://someone@127.0.0.1' "password = $password" \
    $'url = amqp://someone@127.0.0.1:4\npassword_file = nul' \
    "url = $login"$'\npassword_file = nowhere' \
    $'url = amqp://someone@127.0.0.1:4\npassword_file = ${env:UNSET}' \
    "url = $login"$'\ntls_ca_file = nowhere' "url = $login"$'\npolicies = perhaps' \
    $'url = ${env:LOGIN}\ntls_key_file = nowhere' 'url = ${file:password}'; do
    file '' '' "$line"
    for command in 'apply -v' 'diff -o json'; do
        # shellcheck disable=SC2086 # words
        tried "$command with '$line'" env LOGIN="$login" "$lilyq" $command entries.ini
    done
done
file ''
for command in 'apply -v' 'diff -o json' 'lint -v'; do
    # shellcheck disable=SC2086 # words
    tried "$command with an option that is none" env LILYQ_URL="$login" \
        LILYQ_PASSWORD="$password" "$lilyq" $command --no-such-option entries.ini
    # shellcheck disable=SC2086 # words
    tried "$command with a file that is none" env LILYQ_URL="$login" \
        LILYQ_PASSWORD="$password" "$lilyq" $command nowhere.ini
done

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

# --- passwords that are escaped where they are shown -------------------------------------

use_password $'qu"o\\te\e\xe2\x80\xae\xc2\x9bd +zest' \
    'qu%22o%5Cte%1B%E2%80%AE%C2%9Bd%20%2Bzest' 'qu"o' 'qu\"o' zest
for mode in absolute query kind text broken shape status garbage; do
    echoes "$mode"
    ways "odd: $mode" 127.0.0.1:4 "127.0.0.1:$port"
    end_peer
done
for mode in amqp-login amqp-vhost amqp-error; do
    echoes "$mode"
    ways "odd: $mode" "127.0.0.1:$port" ''
    has "$err" '***' "odd: $mode: the rest of the words is told"
    end_peer
done
use_password s3cret s3cret s3cret

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
