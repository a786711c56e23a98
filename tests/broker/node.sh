# shellcheck shell=bash
# shellcheck disable=SC2034 # the scripts use what is set here
#
# Throwaway RabbitMQ nodes: loopback only, free ports, everything in one
# directory, their own names, cookie and epmd. They neither see nor disturb the
# system's own. Works as any user, root in a container too.
#
#   node_start DIR    starts one, waits until it is ready and sets the variables
#                     below; DIR must not exist, and be below ${TMPDIR:-/tmp}
#   node_cluster DIR N    starts a cluster of N in DIR/1, DIR/2 and so on; the
#                     variables are those of the first; the configuration of
#                     all has the lines of $node_settings too
#   node_use DIR      sets the variables to those of another node
#   node_stop DIR     stops what runs in DIR, by the process ids noted there
#   node_boot DIR     starts a stopped node again; node_await DIR waits for it
#   node_ctl ARGUMENT... runs rabbitmqctl on the node of the variables
#   node_free_ports N sets node_ports to N ports that nothing listens on
#   node_has_ipv6     whether nodes listen on ::1 too
#   node_version      prints the version, such as 3.10.8
#
# Variables (also, as NAME=VALUE, in DIR/settings):
#
#   BROKER_PORT  BROKER_TLS_PORT  BROKER_API_PORT
#   BROKER_CERTS   a folder: ca.pem, server.pem, server.key, client.pem,
#                  client.key (for the user "certified")
#   BROKER_DIR  BROKER_EPMD_PORT  BROKER_DIST_PORT
#   BROKER_NAME    of the node, for Erlang
#   BROKER_USER    an administrator, whose password is $BROKER_PASSWORD
#
# From the environment: LILYQ_TEST_PORTS=FIRST-LAST is where ports are looked
# for. BROKER_ROOT=DIR is a root directory that has the RabbitMQ to run, from
# tests/broker/root; it is entered by chroot, in a mount namespace where
# ${TMPDIR:-/tmp} is the same. Without it, Debian's rabbitmq-server runs.

NODE_HOME=/usr/lib/rabbitmq/bin
NODE_NAMES=(PORT TLS_PORT API_PORT EPMD_PORT DIST_PORT NAME DIR CERTS USER
    PASSWORD)
BROKER_ROOT=${BROKER_ROOT:-}

. "${BASH_SOURCE[0]%/*}/certs.sh"

node_installed() {
    [[ -x $BROKER_ROOT$NODE_HOME/rabbitmq-server ]] || return 1
    [[ -n $BROKER_ROOT || -x $(type -P epmd) ]]
}

node_version() {
    if [[ -n $BROKER_ROOT ]]; then
        cat "$BROKER_ROOT/version"
    else
        # shellcheck disable=SC2016 # dpkg's, not the shell's
        dpkg-query -W -f '${Version}\n' rabbitmq-server
    fi | sed 's/-.*//'
}

node_listening() {
    (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# Whether there is a loopback address of IPv6; nodes then listen there too.
node_has_ipv6() {
    grep -qs '^00000000000000000000000000000001 ' /proc/net/if_inet6
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
${node_settings:-}
END
    ! node_has_ipv6 || cat >>"$dir/rabbitmq.conf" <<END
listeners.tcp.local6 = ::1:$BROKER_PORT
listeners.ssl.local6 = ::1:$BROKER_TLS_PORT
END
    echo '[rabbitmq_management,rabbitmq_auth_mechanism_ssl].' >"$dir/plugins"
    echo '[].' >"$dir/advanced.config"
    : >"$dir/environment"
}

# Runs a program in BROKER_ROOT, if there is one, as this very process.
node_enter() {
    local -r shared=${TMPDIR:-/tmp}
    local namespace=(--mount)
    [[ -n $BROKER_ROOT ]] || exec "$@"
    ((EUID == 0)) || namespace+=(--map-root-user)
    # shellcheck disable=SC2016 # for the shell in the namespace
    exec unshare "${namespace[@]}" sh -c 'root=$1 shared=$2; shift 2
        mkdir -p "$root$shared" &&
            mount --rbind /dev "$root/dev" &&
            mount --rbind /proc "$root/proc" &&
            mount --rbind "$shared" "$root$shared" &&
            exec chroot "$root" "$@"' sh "$BROKER_ROOT" "$shared" "$@"
}

# Runs a program of Erlang's or RabbitMQ's with this node's settings only.
node_env() {
    local -r dir=$1
    shift
    node_enter env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="$dir" \
        LC_ALL=C.UTF-8 \
        ERL_EPMD_PORT="$BROKER_EPMD_PORT" ERL_EPMD_ADDRESS=127.0.0.1 \
        RABBITMQ_NODENAME="$BROKER_NAME" \
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
    curl -sf -m 10 -o "$1/whoami" -u "$BROKER_USER:$BROKER_PASSWORD" \
        "http://127.0.0.1:$BROKER_API_PORT/api/whoami" &&
        node_listening "$BROKER_PORT" && node_listening "$BROKER_TLS_PORT"
}

# Waits up to ten minutes; fails at once when the node ends.
node_await() {
    local -r dir=$1 deadline=$((SECONDS + 600))
    node_use "$dir"
    until node_ready "$dir"; do
        if ((SECONDS > deadline)) || ! kill -0 "$(<"$dir/server")"; then
            tail -n 20 "$dir/output" >&2
            return 1
        fi
        sleep 0.1
    done
}

node_use() {
    local line
    while IFS= read -r line; do
        printf -v "${line%%=*}" %s "${line#*=}"
    done <"$1/settings"
}

# Makes all that a node needs. The second node of a cluster shares the first
# one's epmd, cookie and certificates: FIRST is its directory.
node_prepare() {
    local -r dir=$1 first=${2:-$1}
    local name
    mkdir -p "$dir"/{mnesia,log,generated} || return
    node_free_ports 5
    BROKER_DIR=$dir BROKER_CERTS=$first/certs
    BROKER_USER=admin BROKER_PASSWORD=administration
    if [[ $dir == "$first" ]]; then
        head -c 32 /dev/urandom | sha256sum | cut -c1-32 >"$dir/.erlang.cookie"
        node_certificates "$BROKER_CERTS" || return
        BROKER_EPMD_PORT=${node_ports[0]}
    else
        cp "$first/.erlang.cookie" "$dir"
    fi
    chmod 400 "$dir/.erlang.cookie"
    BROKER_DIST_PORT=${node_ports[1]}
    BROKER_PORT=${node_ports[2]}
    BROKER_TLS_PORT=${node_ports[3]}
    BROKER_API_PORT=${node_ports[4]}
    BROKER_NAME=lilyq-test-$BROKER_PORT@localhost
    node_configure "$dir"
    for name in "${NODE_NAMES[@]}"; do
        name=BROKER_$name
        echo "$name=${!name}"
    done >"$dir/settings"
}

# Started here, so that no node leaves one behind.
node_epmd() {
    local -r dir=$1
    (node_env "$dir" epmd -port "$BROKER_EPMD_PORT") \
        >"$dir/epmd.output" 2>&1 </dev/null &
    echo $! >"$dir/epmd"
}

node_boot() {
    local -r dir=$1
    node_use "$dir"
    (cd / && node_env "$dir" env RABBITMQ_DIST_PORT="$BROKER_DIST_PORT" \
        "$NODE_HOME/rabbitmq-server") >"$dir/output" 2>&1 </dev/null &
    echo $! >"$dir/server"
}

node_launch() {
    node_prepare "$1" && node_epmd "$1" && node_boot "$1" && node_await "$1"
}

# A port may be taken in between.
node_try() {
    for _ in 1 2 3; do
        ! "$@" || return 0
        node_stop "$2"
        rm -rf "$2"
    done
    return 1
}

node_start() {
    node_try node_launch "$1"
}

# Whether all of so many nodes know each other.
node_united() {
    [[ $(curl -sf -m 2 -u "$BROKER_USER:$BROKER_PASSWORD" \
        "http://127.0.0.1:$BROKER_API_PORT/api/nodes" |
        jq 'map(select(.running)) | length') == "$1" ]]
}

node_launch_cluster() {
    local -r dir=$1 count=$2
    local i formation='cluster_formation.peer_discovery_backend = classic_config'
    for ((i = 1; i <= count; i++)); do
        node_prepare "$dir/$i" "$dir/1" || return
        formation+=$'\n'"cluster_formation.classic_config.nodes.$i = $BROKER_NAME"
    done
    node_epmd "$dir/1"
    for ((i = 1; i <= count; i++)); do
        echo "$formation" >>"$dir/$i/rabbitmq.conf"
        node_boot "$dir/$i"
    done
    for ((i = count; i >= 1; i--)); do
        node_await "$dir/$i" || return
    done
    for ((i = 0; i < 1500; i++)); do
        ! node_united "$count" || return 0
        sleep 0.2
    done
    return 1
}

node_cluster() {
    node_try node_launch_cluster "$1" "$2"
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
    local file
    for file in "$1"{,/*}/{server,epmd}; do
        node_end "$file"
    done
}
