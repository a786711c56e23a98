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

# --- other certificates of the same authority -----------------------------------------

# Starts a TLS server with a certificate; sets $server_port.
serve() {
    node_free_ports 1
    server_port=${node_ports[0]}
    openssl s_server -accept "127.0.0.1:$server_port" -quiet -cert "$1.pem" \
        -key "$1.key" "${@:2}" >"$1.out" 2>&1 </dev/null &
    at_exit "kill $! 2>/dev/null"
    until node_listening "$server_port"; do sleep 0.05; done
}

cp "$certs/ca.pem" "$certs/ca.key" .
node_certificate . elsewhere /CN=elsewhere 'subjectAltName=DNS:elsewhere.example'
node_certificate . wildcard /CN=w 'subjectAltName=DNS:*.localhost,DNS:local*'
node_certificate . expired /CN=localhost 'subjectAltName=DNS:localhost' -days -1

serve elsewhere
refuses "amqps://localhost:$server_port" \
    "the peer's certificate is not for 'localhost'" \
    'a certificate of another host' "${ca[@]}"
refuses "amqps://127.0.0.1:$server_port" \
    "the peer's certificate is not for '127.0.0.1'" \
    'a certificate without the address' "${ca[@]}"
serve wildcard
refuses "amqps://localhost:$server_port" \
    "the peer's certificate is not for 'localhost'" \
    'a certificate for parts of a name' "${ca[@]}"
serve expired
refuses "amqps://localhost:$server_port" "the peer's certificate has expired" \
    'a certificate that has expired' "${ca[@]}"
serve elsewhere -tls1_1 -cipher DEFAULT@SECLEVEL=0
refuses "amqps://localhost:$server_port" 'the TLS handshake failed: ' \
    'a server of TLS 1.1 only' --insecure

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
apply_to "$anonymous" "${ca[@]}" --tls-cert-file "$certs/client.pem" lilyq.ini
exits 2 'a certificate without its key: 2'
has "$err" "cannot load the client key '$certs/client.pem': there is no key of the certificate in it" \
    'says which file has no key'
apply_to "$anonymous" "${ca[@]}" --tls-key-file "$certs/client.key" lilyq.ini
exits 2 'a key without its certificate: 2'
apply_to "$anonymous" "${ca[@]}" --tls-cert-file missing.pem lilyq.ini
exits 2 'a certificate that is not there: 2'
has "$err" "'missing.pem'" 'says which'
apply_to "$anonymous" --tls-ca-cert-file missing.pem lilyq.ini
exits 2 'an authority that is not there: 2'
has "$err" "cannot load the CA certificates 'missing.pem': no such file" 'says which'
apply_to "$anonymous" --tls-ca-cert-file lilyq.ini lilyq.ini
exits 2 'an authority that is no certificate: 2'
has "$err" "cannot load the CA certificates 'lilyq.ini': there is no certificate in it" 'says which'

openssl rsa -aes128 -passout pass:phrase -in "$certs/client.key" \
    -out locked.key 2>openssl.err
apply_to "$anonymous" "${ca[@]}" --tls-cert-file "$certs/client.pem" \
    --tls-key-file locked.key lilyq.ini
exits 2 'a key with a passphrase: 2, without asking for it'
has "$err" "cannot load the client key 'locked.key': it has a passphrase" \
    'says why'

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
ok 'in time' test "$SECONDS" -le 5
peer hangup
refuses "amqps://127.0.0.1:$peer_port" 'the peer hung up during the TLS handshake' \
    'a peer that hangs up'
apply_to "$url" "${ca[@]}" lilyq.ini
exits 2 'certificates without TLS: 2'

no_password_shown
done_testing
