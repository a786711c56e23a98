#!/bin/bash
#
# TLS: who is trusted, and who is let in.

. "${BASH_SOURCE[0]%/*}/lib.sh"

queue q >lilyq.ini
new_vhost
certs=$BROKER_CERTS
tls=amqps://$BROKER_USER@localhost:$BROKER_TLS_PORT/$vhost
ca=(--tls-ca-cert-file "$certs/ca.pem")

# --- the broker's own certificate ------------------------------------------------

apply_to "$tls" "${ca[@]}" lilyq.ini
exits 0 'a private authority is trusted when it is named'
apply_to "${tls/localhost/127.0.0.1}" "${ca[@]}" lilyq.ini
exits 0 'an IP address in the certificate is as good as a name'

refuses() {
    local -r target=$1 text=$2 name=$3
    shift 3
    apply_to "$target" --connect-timeout 3 lilyq.ini "$@"
    exits 1 "$name: ends with 1"
    has "$err" "$text" "$name: says so"
}

refuses "$tls" "broker localhost:$BROKER_TLS_PORT (vhost '$vhost', user '$BROKER_USER'): the peer's certificate is signed by no authority in the system's certificates" \
    'an authority that is not known'
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=other CA' \
    -keyout other.key -out other.pem 2>openssl.err
refuses "$tls" "the peer's certificate is signed by no authority in 'other.pem'" \
    'another authority' --tls-ca-cert-file other.pem

apply_to "$tls" --insecure lilyq.ini
exits 0 '--insecure trusts anybody'
has "$err" 'warning' 'and warns of it'

SSL_CERT_FILE=$certs/ca.pem apply_to "$tls" lilyq.ini
exits 0 "the system's certificates are used when no file is named"

# --- certificates that are not to be trusted -----------------------------------------

# distrusts NAME CERTIFICATE HOST TEXT: a broker with that certificate is refused
# with that text, unless all is to be trusted.
distrusts() {
    local -r name=$1 cert=$2 host=$3 text=$4
    PEER_CERT=$cert.pem PEER_KEY=$cert.key peer broker
    refuses "amqps://$host:$peer_port" \
        "broker $host:$peer_port (vhost '/', user 'guest'): $text" \
        "$name" "${ca[@]}"
    apply_to "amqps://$host:$peer_port" --insecure -q "${ca[@]}" lilyq.ini
    exits 0 "$name: --insecure goes there all the same"
    has "$err" "lilyq: warning: '--insecure': whoever is between here and the broker can read and change everything" \
        "$name: loudly, even when quiet"
}

cp "$certs/ca.pem" "$certs/ca.key" .
for_localhost=subjectAltName=DNS:localhost
node_certificate . elsewhere /CN=localhost subjectAltName=DNS:elsewhere.example
node_certificate . wildcard /CN=w 'subjectAltName=DNS:*.localhost,DNS:local*'
node_certificate . address /CN=a subjectAltName=IP:127.0.0.2,DNS:127.0.0.1
node_certificate . client /CN=localhost "$for_localhost
extendedKeyUsage=clientAuth"
node_certificate_from . expired /CN=localhost $for_localhost \
    20200101000000Z 20210101000000Z
node_certificate_from . early /CN=localhost $for_localhost \
    20900101000000Z 20910101000000Z
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
    -addext $for_localhost -keyout alone.key -out alone.pem 2>openssl.err

another=': use a host name or address that is in it'
distrusts 'a certificate of another host' elsewhere localhost \
    "the peer's certificate is not for 'localhost'$another"
distrusts 'a certificate for parts of a name' wildcard localhost \
    "the peer's certificate is not for 'localhost'$another"
distrusts 'a certificate of another address' address 127.0.0.1 \
    "the peer's certificate is not for '127.0.0.1'$another"
distrusts 'a certificate of a client' client localhost \
    "the peer's certificate is refused: "
distrusts 'a certificate that has expired' expired localhost \
    "the peer's certificate has expired: it has to be renewed there"
distrusts 'a certificate that is not valid yet' early localhost \
    "the peer's certificate is not valid yet: compare its dates with the clock here"
distrusts 'a certificate that signed itself' alone localhost \
    "the peer's certificate is signed by no authority in '$certs/ca.pem': give the file of the authority that signed it"
ca=(--tls-ca-cert-file alone.pem)
PEER_CERT=alone.pem PEER_KEY=alone.key peer broker
apply_to "amqps://localhost:$peer_port" "${ca[@]}" lilyq.ini
exits 0 'which can be its own authority, when it is named'
ca=(--tls-ca-cert-file "$certs/ca.pem")

# --- versions --------------------------------------------------------------------------

# Starts a TLS server with the right certificate; sets $server_port.
serve() {
    node_free_ports 1
    server_port=${node_ports[0]}
    openssl s_server -accept "127.0.0.1:$server_port" -quiet \
        -cert "$certs/server.pem" -key "$certs/server.key" "$@" \
        >server.out 2>&1 </dev/null &
    at_exit "kill $! 2>/dev/null"
    until node_listening "$server_port"; do sleep 0.05; done
}

for version in tls1 tls1_1; do
    serve -$version -cipher DEFAULT@SECLEVEL=0
    for trust in "${ca[*]}" --insecure; do
        # shellcheck disable=SC2086 # two words
        refuses "amqps://localhost:$server_port" \
            'the peer speaks no TLS 1.2 or later, and nothing older is safe' \
            "a server of $version only, ${trust%% *}" $trust
    done
done

# --- a client's certificate ----------------------------------------------------------

name=certified
api PUT "users/$name" '{"password_hash":"","tags":""}'
at_exit "api DELETE users/$name"
allow $name '.*' '.*' '.*'
anonymous=${tls/$BROKER_USER@/}
own=(--tls-cert-file "$certs/client.pem" --tls-key-file "$certs/client.key")
unset LILYQ_PASSWORD

apply_to "$anonymous" "${ca[@]}" "${own[@]}" lilyq.ini
exits 0 "a client's certificate logs in by itself"
node_certificate "$certs" unknown /CN=unknown extendedKeyUsage=clientAuth
apply_to "$anonymous" "${ca[@]}" --tls-cert-file "$certs/unknown.pem" \
    --tls-key-file "$certs/unknown.key" lilyq.ini
exits 1 'a certificate of somebody that the broker does not know: 1'
like "$err" "\\(vhost '$vhost', user of the certificate\\): the broker does not know this user and password" \
    'says whose'
cat "$certs"/client.{pem,key} >both.pem
apply_to "$anonymous" "${ca[@]}" --tls-cert-file both.pem lilyq.ini
exits 0 'a certificate may have its key in the same file'
LILYQ_PASSWORD=$BROKER_PASSWORD apply_to "$tls" "${ca[@]}" "${own[@]}" lilyq.ini
exits 0 'a certificate may come with a user and a password'
apply_to "$anonymous" "${ca[@]}" --tls-cert-file "$certs/client.pem" lilyq.ini
exits 2 'a certificate without its key: 2'
has "$err" "cannot load the client key '$certs/client.pem': there is no key in it" \
    'says which file has no key'
apply_to "$anonymous" "${ca[@]}" --tls-key-file "$certs/client.key" lilyq.ini
exits 2 'a key without its certificate: 2'
apply_to "$anonymous" "${ca[@]}" --tls-cert-file missing.pem lilyq.ini
exits 2 'a certificate that is not there: 2'
has "$err" "'missing.pem'" 'says which'
apply_to "$anonymous" --tls-ca-cert-file missing.pem lilyq.ini
exits 2 'an authority that is not there: 2'
has "$err" "cannot load the CA certificates 'missing.pem': No such file" 'says which'
apply_to "$anonymous" --tls-ca-cert-file lilyq.ini lilyq.ini
exits 2 'an authority that is no certificate: 2'
has "$err" "cannot load the CA certificates 'lilyq.ini': there is no certificate in it" 'says which'

openssl rsa -aes128 -passout pass:phrase -in "$certs/client.key" \
    -out locked.key 2>openssl.err
apply_to "$anonymous" "${ca[@]}" --tls-cert-file "$certs/client.pem" \
    --tls-key-file locked.key lilyq.ini
exits 2 'a key with a passphrase: 2, without asking for it'
has "$err" "cannot load the client key 'locked.key': it has a passphrase: give it without one" \
    'says why'
apply_to "$anonymous" "${ca[@]}" --tls-cert-file "$certs/client.pem" \
    --tls-key-file "$certs/server.key" lilyq.ini
exits 2 'a key of another certificate: 2'
has "$err" "cannot load the client key '$certs/server.key': it is the key of another certificate" \
    'says so'
: >empty.pem
apply_to "$anonymous" --tls-ca-cert-file empty.pem lilyq.ini
exits 2 'an authority without a byte: 2'
has "$err" "cannot load the CA certificates 'empty.pem': there is no certificate in it" 'says so'
apply_to "$anonymous" --tls-ca-cert-file "$certs" lilyq.ini
exits 2 'an authority that is a directory: 2'
has "$err" "cannot load the CA certificates '$certs': there is no certificate in it" 'says so'

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=certified \
    -keyout forged.key -out forged.pem 2>openssl.err
apply_to "$anonymous" "${ca[@]}" --tls-cert-file forged.pem \
    --tls-key-file forged.key --connect-timeout 3 lilyq.ini
exits 1 'a certificate that the broker does not trust: 1'
has "$err" '(it may not trust the client certificate)' 'says so'

# --- no TLS there ----------------------------------------------------------------------

refuses "amqps://localhost:$BROKER_PORT" \
    'the peer does not speak TLS (a plain port wants amqp://)' 'a plain port'
peer silent
SECONDS=0
refuses "amqps://127.0.0.1:$peer_port" 'no connection within 3 s' \
    'a peer that says nothing'
ok 'in time' test "$SECONDS" -le "$patience"
peer hangup
refuses "amqps://127.0.0.1:$peer_port" 'the peer hung up during the TLS handshake' \
    'a peer that hangs up'
apply_to "$url" "${ca[@]}" lilyq.ini
exits 2 'certificates without TLS: 2'

no_password_shown
done_testing
