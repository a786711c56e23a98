# shellcheck shell=bash
#
# A throwaway RabbitMQ of Debian's rabbitmq-server: loopback only, free ports,
# everything in one directory, its own name, cookie and epmd. It neither sees
# nor disturbs the system's own. Works as any user, root in a container too.
#
#   node_start DIR    starts one, waits until it is ready and sets the variables
#                     below; DIR must not exist
#   node_stop DIR     stops it, by the process ids noted in DIR
#   node_ctl ARGUMENT... runs rabbitmqctl on it
#   node_free_ports N sets node_ports to N ports that nothing listens on
#
# Variables (also, as NAME=VALUE, in DIR/settings):
#
#   BROKER_PORT  BROKER_TLS_PORT  BROKER_API_PORT
#   BROKER_CERTS   a folder: ca.pem, server.pem, server.key, client.pem,
#                  client.key (for the user "certified")
#   BROKER_DIR  BROKER_EPMD_PORT
#   BROKER_USER    an administrator, whose password is $BROKER_PASSWORD
#
# LILYQ_TEST_PORTS=FIRST-LAST is where ports are looked for.

NODE_HOME=/usr/lib/rabbitmq/bin

node_installed() {
    [[ -x $NODE_HOME/rabbitmq-server && -x $(type -P epmd) ]]
}

node_listening() {
    (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

node_free_ports() {
    local -r range=${LILYQ_TEST_PORTS:-20000-32000}
    local -r first=${range%-*} last=${range#*-}
    local port
    node_ports=()
    while ((${#node_ports[@]} < $1)); do
        port=$((first + (RANDOM * 32768 + RANDOM) % (last - first + 1)))
        if [[ " ${node_ports[*]} " != *" $port "* ]] && ! node_listening "$port"; then
            node_ports+=("$port")
        fi
    done
}

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

# A private authority, the node's certificate and a client's.
node_certificates() {
    local -r dir=$1
    mkdir -p "$dir" &&
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=test CA' \
            -keyout "$dir/ca.key" -out "$dir/ca.pem" 2>/dev/null &&
        node_certificate "$dir" server /CN=node \
            'subjectAltName=DNS:localhost,IP:127.0.0.1' &&
        node_certificate "$dir" client /CN=certified \
            'extendedKeyUsage=clientAuth' &&
        chmod a+r "$dir"/*.key
}

node_configure() {
    local -r dir=$1
    cat >"$dir/rabbitmq.conf" <<END
listeners.tcp.local = 127.0.0.1:$BROKER_PORT
listeners.ssl.local = 127.0.0.1:$BROKER_TLS_PORT
ssl_options.cacertfile = $BROKER_CERTS/ca.pem
ssl_options.certfile = $BROKER_CERTS/server.pem
ssl_options.keyfile = $BROKER_CERTS/server.key
ssl_options.verify = verify_peer
ssl_options.fail_if_no_peer_cert = false
auth_mechanisms.1 = PLAIN
auth_mechanisms.2 = EXTERNAL
ssl_cert_login_from = common_name
management.tcp.ip = 127.0.0.1
management.tcp.port = $BROKER_API_PORT
default_user = $BROKER_USER
default_pass = $BROKER_PASSWORD
default_user_tags.administrator = true
disk_free_limit.absolute = 10MB
collect_statistics_interval = 60000
END
    echo '[rabbitmq_management,rabbitmq_auth_mechanism_ssl].' >"$dir/plugins"
    echo '[].' >"$dir/advanced.config"
    : >"$dir/environment"
}

# Runs a program of Erlang's or RabbitMQ's with this node's settings only.
node_env() {
    local -r dir=$1
    shift
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="$dir" LC_ALL=C.UTF-8 \
        ERL_EPMD_PORT="$BROKER_EPMD_PORT" ERL_EPMD_ADDRESS=127.0.0.1 \
        RABBITMQ_NODENAME="lilyq-test-$BROKER_PORT@localhost" \
        RABBITMQ_DIST_PORT="${node_dist_port-}" \
        RABBITMQ_MNESIA_BASE="$dir/mnesia" \
        RABBITMQ_LOG_BASE="$dir/log" \
        RABBITMQ_CONFIG_FILE="$dir/rabbitmq.conf" \
        RABBITMQ_ADVANCED_CONFIG_FILE="$dir/advanced.config" \
        RABBITMQ_CONF_ENV_FILE="$dir/environment" \
        RABBITMQ_GENERATED_CONFIG_DIR="$dir/generated" \
        RABBITMQ_ENABLED_PLUGINS_FILE="$dir/plugins" \
        RABBITMQ_PID_FILE="$dir/pid" \
        RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='-kernel inet_dist_use_interface {127,0,0,1} +sbwt none +sbwtdcpu none +sbwtdio none' \
        RUNNING_UNDER_SYSTEMD=true "$@"
}

node_ready() {
    curl -sf -m 2 -o "$1/whoami" -u "$BROKER_USER:$BROKER_PASSWORD" \
        "http://127.0.0.1:$BROKER_API_PORT/api/whoami" &&
        node_listening "$BROKER_PORT" && node_listening "$BROKER_TLS_PORT"
}

# Waits up to a minute; fails at once when the node ends.
node_await() {
    local -r dir=$1 deadline=$((SECONDS + 60))
    until node_ready "$dir"; do
        if ((SECONDS > deadline)) || ! kill -0 "$(<"$dir/server")"; then
            tail -n 20 "$dir/output" >&2
            return 1
        fi
        sleep 0.1
    done
}

node_launch() {
    local -r dir=$1
    local node_dist_port
    mkdir -p "$dir"/{mnesia,log,generated} || return
    head -c 32 /dev/urandom | sha256sum | cut -c1-32 >"$dir/.erlang.cookie"
    chmod 400 "$dir/.erlang.cookie"
    node_free_ports 5
    BROKER_DIR=$dir
    BROKER_EPMD_PORT=${node_ports[0]}
    node_dist_port=${node_ports[1]}
    BROKER_PORT=${node_ports[2]}
    BROKER_TLS_PORT=${node_ports[3]}
    BROKER_API_PORT=${node_ports[4]}
    BROKER_CERTS=$dir/certs BROKER_USER=admin BROKER_PASSWORD=administration
    node_certificates "$BROKER_CERTS" || return
    node_configure "$dir"
    # started here, so that the node does not leave one behind
    (node_env "$dir" epmd -port "$BROKER_EPMD_PORT") \
        >"$dir/epmd.output" 2>&1 </dev/null &
    echo $! >"$dir/epmd"
    (cd / && node_env "$dir" "$NODE_HOME/rabbitmq-server") \
        >"$dir/output" 2>&1 </dev/null &
    echo $! >"$dir/server"
    node_await "$dir"
}

node_start() {
    local -r dir=$1
    local name
    for _ in 1 2 3; do # a port may be taken in between
        if node_launch "$dir"; then
            for name in PORT TLS_PORT API_PORT EPMD_PORT DIR CERTS USER PASSWORD; do
                name=BROKER_$name
                echo "$name=${!name}"
            done >"$dir/settings"
            return 0
        fi
        node_stop "$dir"
        rm -rf "$dir"
    done
    return 1
}

node_ctl() {
    (node_env "$BROKER_DIR" "$NODE_HOME/rabbitmqctl" "$@")
}

# Ends the process noted in a file at once: nothing of it is kept.
node_end() {
    local pid
    [[ -s $1 ]] || return 0
    pid=$(<"$1")
    rm -f "$1"
    kill -KILL "$pid" 2>/dev/null || return 0
    wait "$pid" 2>/dev/null
    while kill -0 "$pid" 2>/dev/null; do
        sleep 0.05
    done
}

node_stop() {
    node_end "$1/server"
    node_end "$1/epmd"
}
