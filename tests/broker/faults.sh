# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # lib.sh and the scripts set and use these
#
# For the scripts that break a run of apply off, behind lib.sh:
#
#   proxy SPEC...        starts proxy.py for the broker; sets $proxy_url, which
#                        is $url by way of it
#   proxied              sets $from_client and $from_broker: the bytes of the
#                        last connection that is over
#   is_true NAME         the report in $out, of a run that ended with $status on
#                        what was an empty vhost, is what the broker holds: what
#                        was created is there, what was not done is not
#   completes CONFIG NAME   another run does, and all is as in want.json
#   phase                prints where the report says that the run ended: checks,
#                        exchanges, queues, bindings or end

proxy() {
    run_peer proxy.py "$BROKER_PORT" "$@"
    proxy_url=${url/:$BROKER_PORT/:$peer_port}
}

proxied() {
    local tries line
    for ((tries = 0; tries < 3000; tries++)); do
        line=$(sed 1d port | tail -n 1)
        [[ -z $line ]] || break
        sleep 0.02
    done
    read -r from_client from_broker <<<"$line"
}

# What the report says, as "result kind name", one a line.
told() {
    jq -r '(.exchanges, .queues | .[] | [.result, .name]),
        (.bindings[] | [.result, "\(.source) \(.destination) \(.routing_key)"]) |
        @tsv' <<<"$out"
}

# What the broker holds, by the same names.
held() {
    jq -r '(.exchanges, .queues | .[].name),
        (.bindings[] | "\(.source) \(.destination) \(.routing_key)")' got.json
}

# Says what is wrong with the report, if anything is.
lies() {
    local ending
    ending=$(jq -r .ending <<<"$out") || return
    case $status:$ending in
    0:applied | 5:partly) ;;
    1:untouched) [[ -z $(held) ]] || echo 'untouched, and yet something is there' ;;
    *) echo "ended with $status as $ending: $err" ;;
    esac
    awk -F '\t' 'NR == FNR { there[$0] = 1; next }
        $1 ~ /^(created|declared)$/ && !($2 in there) { print $2 " is said to be there" }
        $1 == "not_done" && ($2 in there) { print $2 " is said not to be done" }
        $1 !~ /^(created|declared|not_done|uncertain)$/ { print $2 " is " $1 }' \
        <(held) <(told)
}

is_true() {
    definitions got.json
    is "$(lies)" '' "$1"
}

completes() {
    apply "$1"
    if [[ $status != 0 ]]; then
        exits 0 "$2"
        return
    fi
    definitions got.json
    same got.json want.json "$2"
}

phase() {
    jq -r 'def some(f): [f[].result] | any(. != "not_done");
        if .ending == "applied" then "end"
        elif some(.bindings) then "bindings"
        elif some(.queues) then "queues"
        elif some(.exchanges) then "exchanges"
        else "checks" end' <<<"$out"
}
