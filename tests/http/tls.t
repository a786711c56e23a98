#!/bin/bash
#
# HTTPS: who is trusted.

. "${BASH_SOURCE[0]%/*}/lib.sh"
. "$root/tests/broker/certs.sh"

node_certificates certs
ca=(-c certs/ca.pem)
cp certs/ca.pem certs/ca.key .
node_certificate . elsewhere /CN=elsewhere 'subjectAltName=DNS:elsewhere.example'
node_certificate . expired /CN=localhost 'subjectAltName=DNS:localhost' -days -1
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=other CA' \
    -keyout other.key -out other.pem 2>openssl.err

# secure NAME: a peer with that certificate, as localhost
secure() {
    peer good "$1.pem" "$1.key"
    url=https://someone:$password@localhost:$port
}

refuses() {
    local -r text=$1 name=$2
    shift 2
    survey -T 5000 "$@" "$url" /
    exits "$refused" "$name"
    has "$err" "management API https://localhost:$port (vhost '/', user 'someone'): $text" \
        "$name: says so"
}

secure certs/server
survey "${ca[@]}" "$url" /
exits 0 'a private authority is trusted when it is named'
url=${url/localhost/127.0.0.1} && survey "${ca[@]}" "$url" /
exits 0 'an IP address in the certificate is as good as a name'
url=${url/127.0.0.1/localhost}
refuses "the peer's certificate is signed by no authority in the system's certificates" \
    'an authority that is not known'
refuses "the peer's certificate is signed by no authority in 'other.pem'" \
    'another authority' -c other.pem
survey -k "$url" /
exits 0 'none needs to be known when nothing is verified'
survey -c nowhere.pem "$url" /
exits "$invalid" 'a file of authorities that is not there'
has "$err" "cannot load CA certificates from 'nowhere.pem'" \
    'a file of authorities that is not there: says so'

secure elsewhere
refuses "the peer's certificate is not for 'localhost'" \
    'a certificate of another host' "${ca[@]}"
survey -k "$url" /
exits 0 'nor is the name verified when nothing is'
secure expired
refuses "the peer's certificate has expired" 'a certificate that has expired' \
    "${ca[@]}"

# --- a peer that speaks something else -------------------------------------------------

peer rude
url=https://someone:$password@localhost:$port
refuses 'the peer does not speak TLS (a plain port wants http://)' 'a plain port'
secure certs/server
url=${url/https/http}
survey "$url" /
isnt "$status" 0 'a TLS port that is asked in plain'
has "$err" 'TLS port wants https://' 'a TLS port that is asked in plain: says so'
: >server.out
openssl s_server -accept 127.0.0.1:0 -cert certs/server.pem -key certs/server.key \
    -tls1_1 -cipher DEFAULT@SECLEVEL=0 >>server.out 2>&1 </dev/null &
at_exit "kill $! 2>/dev/null"
until [[ $(<server.out) =~ ACCEPT\ [^:]*:([0-9]+) ]]; do sleep 0.05; done
port=${BASH_REMATCH[1]}
url=https://someone:$password@localhost:$port
refuses 'the TLS handshake failed: ' 'a server of TLS 1.1 only' -k

# --- a peer that keeps silent ------------------------------------------------------------

peer mute certs/server.pem certs/server.key
url=https://someone:$password@localhost:$port
survey -k -T 500 "$url" /
exits "$lost" 'a handshake that does not end'
has "$err" 'no connection within 500 ms' 'a handshake that does not end: says so'

# --- a client's certificate ----------------------------------------------------------------

secure certs/server
survey "${ca[@]}" -C certs/client.pem -K certs/client.key "$url" /
exits 0 'a client may have a certificate'
survey "${ca[@]}" -C certs/client.pem -K nowhere.key "$url" /
exits "$invalid" 'whose key must be there'
openssl rsa -aes128 -passout pass:x -in certs/client.key -out locked.key 2>openssl.err
survey "${ca[@]}" -C certs/client.pem -K locked.key "$url" /
exits "$invalid" 'and without a passphrase, which nobody is asked for'
survey "${ca[@]}" -K certs/client.key "$url" /
exits "$invalid" 'a key needs a certificate'
survey -c certs/ca.pem "http://127.0.0.1:$port" /
exits "$invalid" 'certificates need https'
hasnt "$out$err" "$password" 'the password is not shown'

done_testing
