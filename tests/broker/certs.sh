# shellcheck shell=bash
#
# Certificates that are made for a run and valid for two days.

# node_certificate DIR NAME SUBJECT EXTENSIONS [OPENSSL-ARGUMENT...]
node_certificate() {
    local -r dir=$1 name=$2 subject=$3 extensions=$4
    shift 4
    openssl req -new -newkey rsa:2048 -nodes -subj "$subject" \
        -keyout "$dir/$name.key" -out "$dir/$name.csr" 2>/dev/null &&
        openssl x509 -req -in "$dir/$name.csr" -CA "$dir/ca.pem" \
            -CAkey "$dir/ca.key" -CAcreateserial -days 2 "$@" \
            -extfile <(echo "$extensions") -out "$dir/$name.pem" 2>/dev/null
}

# node_certificate_from DIR NAME SUBJECT EXTENSIONS START END, which are such as
# 20300101000000Z.
node_certificate_from() {
    local -r dir=$1 name=$2 subject=$3 extensions=$4
    : >"$dir/index"
    echo 1000 >"$dir/serial"
    openssl req -new -newkey rsa:2048 -nodes -subj "$subject" \
        -keyout "$dir/$name.key" -out "$dir/$name.csr" 2>/dev/null &&
        openssl ca -batch -notext -startdate "$5" -enddate "$6" \
            -cert "$dir/ca.pem" -keyfile "$dir/ca.key" \
            -config <(printf '%s\n' '[ca]' 'default_ca = own' '[own]' \
                "database = $dir/index" "new_certs_dir = $dir" \
                "serial = $dir/serial" 'default_md = sha256' 'policy = any' \
                '[any]' 'commonName = supplied') \
            -extfile <(echo "$extensions") \
            -in "$dir/$name.csr" -out "$dir/$name.pem" 2>/dev/null
}

# A private authority, the node's certificate and a client's.
node_certificates() {
    local -r dir=$1
    mkdir -p "$dir" &&
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=test CA' \
            -keyout "$dir/ca.key" -out "$dir/ca.pem" 2>/dev/null &&
        node_certificate "$dir" server /CN=node \
            'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1' &&
        node_certificate "$dir" client /CN=certified \
            'extendedKeyUsage=clientAuth' &&
        chmod a+r "$dir"/*.key
}
