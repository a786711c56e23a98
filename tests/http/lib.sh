# shellcheck shell=bash
# shellcheck disable=SC2034 # the scripts use what is set here
#
# For the scripts here, instead of tests/lib/tap.sh, which it reads.
#
#   peer MODE [CERTIFICATE KEY]  starts peer.py; sets $port and $url
#   survey ARGUMENT...           runs the driver of survey.c
#   end_peer                     ends the last peer

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
here=$root/tests/http
password=s3cret-word
ok_status=0 io=2 nomem=3 invalid=1 refused=4 lost=5

[[ -x $build/tests/http/survey ]] || bail_out "$build/tests/http/survey is not built"

survey() {
    run "$build/tests/http/survey" "$@"
}

peer() {
    local tries
    rm -f port requests
    python3 "$here/peer.py" "$@" >port 2>peer.err &
    peer_pid=$!
    at_exit "kill $peer_pid 2>/dev/null"
    for ((tries = 0; tries < 6000; tries++)); do
        if [[ -s port ]]; then
            port=$(<port)
            url=http://someone:$password@127.0.0.1:$port
            return
        fi
        sleep 0.05
    done
    bail_out "peer.py did not start: $(<peer.err)"
}

end_peer() {
    kill "$peer_pid"
    wait "$peer_pid" 2>/dev/null
}
