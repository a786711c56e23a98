#!/bin/bash
#
# What may know of what: cli -> the public header, api -> format, compare,
# policy, live -> broker, config -> lint, explain, topology, json -> base, and
# each third-party library behind its own door.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

cd "$root" || exit 1

# "file:line:#include "header"" of every project header that folder $1 includes.
included() {
    grep -rnE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$1"
}

# Those from outside the folders named after it (an alternation). The public
# header is everybody's.
strays() {
    included "$1" | grep -Ev "\"(($2)/[a-z0-9_]+\.h|lilyq\.h)\""
}

# "file: <header>" for each system-style include matching $1, except in the
# files matching $2.
users() {
    grep -rnoE --include='*.[ch]' "^#include <($1)>" lib cli |
        sed 's/:[0-9]*:#include /: /' | grep -Ev "^($2): "
}

isnt "$(strays lib/topology topology)" '' 'the includes can be read'
is "$(find lib -mindepth 1 -type d -printf '%P\n' | sort | paste -sd ' ')" \
    'api apply base broker compare config explain format json lint live policy topology' \
    'every folder of the library is named below'
is "$(find lib -maxdepth 1 -type f)" lib/lilyq.h \
    'only the public header is in none'
folders=$(find lib -mindepth 1 -type d -printf '%P|' | sed 's/|$//')
is "$(strays lib "$folders")" '' 'the library names its headers with their folders'
is "$(strays lib/base 'base')" '' 'base knows of nothing else'
is "$(strays lib/topology 'topology|base' |
    grep -Ev '^lib/topology/(shadow[a-z_]*|own_policy_diff)\.[ch]:[0-9]*:#include "(compare|policy)/')" \
    '' 'topology knows of base only, and what judges policies of findings'
is "$(strays lib/compare 'compare|policy|topology|base')" '' \
    'compare knows of policy, topology and base only'
is "$(strays lib/explain 'explain|topology|base')" '' \
    'explain knows of topology and base only'
is "$(strays lib/lint 'lint|policy|compare|topology|base')" '' \
    'lint knows of policy, compare, topology and base only'
is "$(strays lib/json 'json|base')" '' 'json knows of base only'
is "$(strays lib/config 'config|topology|json|base')" '' \
    'config knows of topology, json and base only'
is "$(strays lib/broker 'broker|compare|topology|json|base')" '' \
    'broker knows of compare, topology, json and base only'
is "$(strays lib/live 'live|compare|broker|topology|json|base' |
    grep -v '"format/live_json\.h"')" '' \
    'live knows of compare, broker, topology, json, base and live JSON only'
is "$(strays lib/policy 'policy|apply|compare|broker|topology|base' |
    grep -v '"format/policies\.h"')" '' \
    'policy knows of apply, compare, broker, topology, base and its form only'
isnt "$(strays lib/api none)" '' 'api knows of all that'
is "$(included lib | grep '"api/' | grep -v '^lib/api/')" '' \
    'and nothing in the library knows of api'
is "$(strays lib/format 'format|apply|policy|broker|lint|explain|compare|topology|json|base')" '' \
    'format knows of what it renders only'

# The program is a client of the library: it uses what anyone may, and base and
# the schema besides. A header without a folder is its own.
own_headers=$(find cli -name '*.h' -printf '%f\n' | sed 's/\./\\./' | paste -sd '|')
isnt "$(strays cli none)" '' 'the includes of the program can be read'
is "$(strays cli base | grep -Ev "\"($own_headers|config/schema\.h)\"")" '' \
    'cli knows of the public header, base and the schema only'

like "$(users 'std.*' none)" ': <stddef\.h>' 'the users of a header can be listed'
is "$(users 'ini\.h' 'lib/config/ini_source\.c')" '' \
    'inih is used in config/ini_source.c only'
is "$(users 'jansson\.h' none)" '' 'jansson is for tests only'
is "$(users '(rabbitmq-c/|amqp).*' 'lib/broker/amqp[a-z_]*\.[ch]')" '' \
    'rabbitmq-c is used in broker/amqp*.c only'
is "$(users 'openssl/.*' 'lib/broker/(amqp_tls|tls_words)\.c')" '' \
    'OpenSSL is used in broker/amqp_tls.c and tls_words.c only'
is "$(users 'curl/.*|dlfcn\.h' 'lib/broker/management_curl\.[ch]')" '' \
    'libcurl is loaded in broker/management_curl.[ch] only'
is "$(users 'pcre2\.h' 'lib/policy/pcre\.c')" '' \
    'PCRE2 is used in policy/pcre.c only'
is "$(grep -rl 'management_curl\.h\|management_link\.h' lib cli |
    grep -v '^lib/broker/management_[a-z]*\.[ch]$\|^lib/broker/management\.c$')" '' \
    'and used by broker/management*.c only'

# The headers that a pure C11 and POSIX program has.
own='(sys|netinet|arpa)/[a-z]*\.h|assert\.h|ctype\.h|dirent\.h|dlfcn\.h|errno\.h|fcntl\.h'
own+='|float\.h|getopt\.h|inttypes\.h|limits\.h|locale\.h|math\.h|netdb\.h'
own+='|poll\.h|pthread\.h|signal\.h|std[a-z]*\.h|string\.h|strings\.h|termios\.h'
own+='|time\.h|unistd\.h'
known="$own|ini\.h|pcre2\.h|curl/curl\.h|openssl/[a-z0-9_]*\.h"
known+='|(rabbitmq-c/|amqp)[a-z_]*\.h'
is "$(grep -rn --include='*.[ch]' '^#include <' lib cli |
    grep -Ev "#include <($known)>")" '' 'no other library is used'
is "$(grep -rn --include='*.[ch]' '^#include <' \
    lib/base lib/topology lib/compare lib/lint lib/explain |
    grep -Ev "#include <($own)>")" '' \
    'base, topology, compare, lint and explain use no third-party header'

is "$(find .ci .mk tests -type f ! -perm -u+x -exec grep -l '^#!/' {} +)" '' \
    'every script may be run'

done_testing
