#!/bin/bash
#
# Brokers that are named by an IPv6 address.

. "${BASH_SOURCE[0]%/*}/lib.sh"

node_has_ipv6 || skip_all 'this system has no loopback address of IPv6'

queue q >lilyq.ini
new_vhost
ca=(--tls-ca-cert-file "$BROKER_CERTS/ca.pem")
tls="amqps://$BROKER_USER@[::1]:$BROKER_TLS_PORT/$vhost"

apply_to "${url/127.0.0.1/[::1]}" -o json lilyq.ini
exits 0 'applies to a broker at an IPv6 address'
has "$err" "created 2 exchanges, 2 queues, 2 bindings on [::1]:$BROKER_PORT vhost '$vhost'" \
    'which the summary names in brackets'
is "$(jq -r .broker <<<"$out")" "[::1]:$BROKER_PORT" 'and the report too'

apply_to "$tls" "${ca[@]}" lilyq.ini
exits 0 'trusts a certificate that has the IPv6 address'
apply_to "${tls/::1/0:0::0:1}" "${ca[@]}" lilyq.ini
exits 0 'however the address is written'

cp "$BROKER_CERTS"/ca.{pem,key} .
node_certificate . other /CN=other 'subjectAltName=IP:::2,DNS:localhost'
PEER_HOST=::1 PEER_CERT=other.pem PEER_KEY=other.key peer broker
apply_to "amqps://[::1]:$peer_port" "${ca[@]}" lilyq.ini
exits 1 'does not trust a certificate of another IPv6 address'
has "$err" "broker [::1]:$peer_port (vhost '/', user 'guest'): the peer's certificate is not for '::1'" \
    'and says so'

node_free_ports 1
apply_to "amqp://[::1]:${node_ports[0]}" lilyq.ini
exits 1 'fails where nobody listens'
has "$err" "broker [::1]:${node_ports[0]} (vhost '/', user 'guest'): cannot connect: Connection refused" \
    'and says so'
apply_to "amqp://$BROKER_USER@[::1]:${node_ports[0]}/$vhost,$url" lilyq.ini
exits 0 'passes it over for another URL'

no_password_shown
done_testing
