#!/bin/bash
#
# Management APIs that misbehave: each ends in time, with what is wrong.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# fault MODE STATUS TEXT NAME: the one line on stderr, in which API stands for
# how messages name the API.
fault() {
    local text=$3
    peer "$1"
    survey -t 20000 "$url" /
    exits "$2" "$4"
    text=${text/#API/management API http://127.0.0.1:$port (vhost \'/\', user \'someone\')}
    is "$err" "${text/#URL/http://127.0.0.1:$port/api/exchanges/%2F}" \
        "$4: says so"
    end_peer
}

# --- peers of another kind --------------------------------------------------------

fault hangup "$lost" 'API: the peer hung up without an answer (a TLS port wants https://)' \
    'a peer that hangs up'
for mode in garbage amqp http09; do
    fault $mode "$refused" 'API: the peer does not speak HTTP' \
        "a peer that does not speak HTTP ($mode)"
done
fault html "$refused" 'API: it answers with text/html, not JSON: this is no management API' \
    'a page instead of JSON'
fault html404 "$refused" 'API: there is no management API (404)' \
    'a web server that knows no such page'
fault redirect "$refused" "API: it redirects to 'http://127.0.0.1:1/else\\x1bwhere', which is not followed (301)" \
    'a redirection'
fault redirect307 "$refused" "API: it redirects to 'http://127.0.0.1:1/else\\x1bwhere', which is not followed (307)" \
    'a temporary redirection'

# --- refusals -----------------------------------------------------------------------

fault login "$refused" 'API: access is refused: Login failed\x1b[31m (401)' \
    'a wrong password'
fault forbidden "$refused" 'API: access is refused (403)' \
    'a refusal without a reason'
fault json404 "$refused" 'API: there is no such virtual host, or this user may not use it: Not Found (404)' \
    'a virtual host that is not there'
fault vhost "$refused" 'API: there is no such virtual host: vhost_not_found (400)' \
    'a virtual host that is not there, in other words'
fault broken "$lost" 'API: it failed: it broke (500)' 'an API that fails'
fault silent500 "$lost" 'API: it failed (500)' 'an API that fails in silence'
fault teapot "$refused" 'API: it refuses (418)' 'a status that nobody expects'
fault created "$refused" 'API: it refuses (201)' 'another kind of success'

# --- bodies -------------------------------------------------------------------------

fault empty "$refused" 'URL: document must not be empty' 'an empty body'
peer cut
survey "$url" /
exits "$lost" 'a body that is cut short'
like "$err" "the answer broke off: .*49[0-9] bytes remaining" 'a body that is cut short: says so'
fault cutchunk "$lost" 'API: the answer broke off: transfer closed with outstanding read data remaining' \
    'a chunked body that is cut short'
fault cutjson "$refused" 'URL:1:10: unexpected token near end of file' \
    'JSON that is cut short in a body that is not'
fault shape "$refused" 'URL: document must be an array, not an object' \
    'JSON of another shape'
fault latin "$refused" 'URL:1:11: document must be UTF-8' \
    'JSON that is not UTF-8'
fault nul "$refused" 'URL:1:3: document must not contain a NUL byte' \
    'JSON with a NUL byte'
fault huge "$refused" 'API: the answer is larger than 256 MiB' \
    'a body that is announced as too large'
fault flood "$refused" 'API: the answer is larger than 256 MiB' \
    'a body that does not end'
peer bighead
survey "$url" /
isnt "$status" 0 'headers without end are not read to their end'

# --- time -----------------------------------------------------------------------------

for mode in silent dribble; do
    peer $mode
    survey -t 700 "$url" /
    exits "$lost" "the timeout ends a peer that is too slow ($mode)"
    has "$err" 'not done within the timeout of 700 ms' \
        "the timeout ends a peer that is too slow ($mode): says so"
done
for mode in silent dribble trickle headers; do
    peer $mode
    survey -a 1500 "$url" /
    exits "$lost" "no answer, or hardly any, ends without a timeout ($mode)"
    has "$err" 'no answer, or hardly any, within 1.5 s; --answer-timeout waits longer' \
        "no answer, or hardly any, ends without a timeout ($mode): says so"
done
peer stroll
survey -a 1500 "$url" /
exits "$ok_status" 'a long answer by a slow link is waited for'
end_peer
survey -T 500 "$url" /
exits "$lost" 'nobody there'
has "$err" 'cannot connect: Connection refused' 'nobody there: says so'
survey -T 500 "https://nowhere.invalid:15671" /
exits "$lost" 'a host that does not exist'
has "$err" "management API https://nowhere.invalid:15671 (vhost '/', user 'guest'): the host name cannot be resolved" \
    'a host that does not exist: says so'
peer silent
survey -s "$url" /
exits "$refused" 'a survey can be stopped'
has "$err" 'stopped' 'a survey can be stopped: says so'

done_testing
