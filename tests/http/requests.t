#!/bin/bash
#
# What is asked of a management API, and what its answers become.

. "${BASH_SOURCE[0]%/*}/lib.sh"

asked() {
    sed -n 's/^GET \(.*\) HTTP.*/\1/p' requests
}

queues='queues/%2F?disable_stats=true&columns=name,vhost,type,durable,auto_delete,exclusive,arguments'
exchanges='exchanges/%2F?disable_stats=true&columns=name,vhost,type,durable,auto_delete,internal,arguments'

peer good
survey "$url" /
exits 0 'a survey works'
is "$out" 'version 3.10.8
sees exchanges reserved queues bindings policies operator-policies
exchanges 1
queues 1
bindings 0
policies 0
operator-policies 0' 'shows what there is'
is "$(asked)" "/api/$exchanges
/api/definitions/%2F" 'takes two requests'
is "$(grep -c '^Authorization: Basic ' requests)" 2 'each with the user and password'
hasnt "$(<requests)" "$password" 'which the URL does not have'
is "$(grep -ci '^accept-encoding' requests)" 0 'none asks for compression'
hasnt "$out$err" "$password" 'the password is not shown'

rm requests
survey -p -f "$url" /
is "$(asked)" "/api/$exchanges
/api/definitions/%2F
/api/queues/%2F?columns=name,vhost,messages,consumers" \
    'figures take one more, policies none'
has "$out" 'sees exchanges reserved queues bindings policies operator-policies figures' 'which are seen then'
has "$out" 'q: 7 messages, 2 consumers' 'figures are read'

# --- what definitions leave out --------------------------------------------------------

peer exclusive
survey -p -f "$url" /
is "$(asked)" "/api/$exchanges
/api/definitions/%2F
/api/queues/%2F?columns=name,vhost,messages,consumers
/api/$queues
/api/bindings/%2F" 'a queue that is not among the definitions takes two more'
has "$out" 'queues 2
bindings 1' 'and is seen, with what is bound to it'
has "$out" 'q: 7 messages, 2 consumers' 'and figures stay as they were read'
rm requests
survey -p "$url" /
is "$(asked)" "/api/$exchanges
/api/definitions/%2F" 'nobody asks who does not want figures'
peer good

# --- every part of a path is encoded ---------------------------------------------------

# encodes VHOST WANTED
encodes() {
    rm -f requests
    survey "$url" "$1"
    is "$(asked | tail -n 1)" "/api/definitions/$2" "asks for the virtual host '$1'"
}
encodes 'a/b%2F c' 'a%2Fb%252F%20c'
encodes 'shöp€' 'sh%C3%B6p%E2%82%AC'
encodes '..' '%2E%2E'
encodes '?x#y&z=+' '%3Fx%23y%26z%3D%2B'
encodes 'a_b-c~d1' 'a_b-c~d1'
survey "$url" ''
exits "$invalid" 'no name is no virtual host'
survey "$url" $'\xff'
exits "$invalid" 'nor is one that is not UTF-8'

rm requests
survey "$url/behind/a/proxy/" /
is "$(asked | tail -n 1)" '/behind/a/proxy/api/definitions/%2F' \
    "the URL's path comes first"
rm requests
survey "$url/api/" /
is "$(asked | tail -n 1)" '/api/definitions/%2F' "'/api' may end the URL"

# --- who asks ------------------------------------------------------------------------------

# The credentials of the last request.
credentials() {
    sed -n 's/^Authorization: Basic \([^\r]*\).*/\1/p' requests | tail -n 1 | base64 -d
}
survey "http://127.0.0.1:$port" /
is "$(credentials)" guest:guest 'guest asks by default'
survey "http://a%40b:c%3Ad%2F@127.0.0.1:$port" /
is "$(credentials)" 'a@b:c:d/' 'user and password are decoded'
survey "http://a%3Ab:c@127.0.0.1:$port" /
exits "$invalid" "a user with ':' cannot ask"
has "$err" "HTTP cannot send a user name with ':'" "a user with ':' cannot ask: says so"
survey "http://a@127.0.0.1:$port" /
exits "$invalid" 'a user needs a password'

# --- the environment says nothing ---------------------------------------------------------

http_proxy=http://127.0.0.1:1 all_proxy=http://127.0.0.1:1 survey "$url" /
exits 0 'no proxy of the environment is used'
printf 'machine 127.0.0.1 login other password other\n' >.netrc
HOME=$PWD survey "$url" /
is "$(credentials)" "someone:$password" 'nor is a .netrc'

peer bare
survey -p "$url" /
is "$(asked)" "/api/$exchanges
/api/definitions/%2F
/api/operator-policies/%2F" 'operator policies that the definitions lack do'
has "$out" ' policies operator-policies' 'and are seen then'

# --- who may not see everything --------------------------------------------------------------

peer monitor
survey -p "$url" /
exits 0 'a user who is no administrator can ask'
is "$(asked)" "/api/$exchanges
/api/definitions/%2F
/api/$queues
/api/bindings/%2F
/api/policies/%2F
/api/overview
/api/operator-policies/%2F" 'list by list'
is "$out" 'version 3.10.8
sees exchanges reserved queues bindings policies operator-policies
exchanges 1
queues 1
bindings 0
policies 0
operator-policies 0' 'and sees the same'
peer outsider
survey -p "$url" /
exits 0 'operator policies that may not be seen are no error'
has "$out" $'sees exchanges reserved queues bindings policies\n' 'but are not seen'

# --- definitions that the API cannot write ---------------------------------------------------

for mode in halting failing; do
    peer $mode
    survey -p "$url" /
    exits 0 "a survey does without definitions ($mode)"
    is "$out" 'version 3.10.8
sees exchanges reserved queues bindings policies operator-policies
exchanges 1
queues 1
bindings 0
policies 0
operator-policies 0' "and sees the same ($mode)"
done

# --- without a type of content, JSON will do -------------------------------------------------

peer plain
survey "$url" /
hasnt "$err" 'not JSON' 'an answer need not say that it is JSON'

done_testing
