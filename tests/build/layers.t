#!/bin/bash
#
# What may know of what: cli -> broker, format, config -> lint, explain,
# compare, topology, json -> base, and each third-party library behind its own door.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

cd "$root" || exit 1

# Project headers included in folder $1 from outside the folders named after it
# (an alternation). The public header is everybody's.
strays() {
    grep -rn --include='*.[ch]' '^#include "' "$1" |
        grep -Ev "#include \"(($2)/|lilyq\.h\")"
}

# "file: <header>" for each system-style include matching $1, except in the
# files matching $2.
users() {
    grep -rnoE --include='*.[ch]' "^#include <($1)>" lib cli |
        sed 's/:[0-9]*:#include /: /' | grep -Ev "^($2): "
}

isnt "$(strays lib/topology topology)" '' 'the includes can be read'
is "$(find lib -mindepth 1 -type d -printf '%P\n' | sort | paste -sd ' ')" \
    'base broker compare config explain format json lint policy topology' \
    'every folder of the library is named below'
is "$(strays lib/base 'base')" '' 'base knows of nothing else'
is "$(strays lib/topology 'topology|base' |
    grep -Ev '^lib/topology/(shadow[a-z_]*|policy_judge)\.[ch]:[0-9]*:#include "compare/')" \
    '' 'topology knows of base only, and what judges policies of findings'
is "$(strays lib/compare 'compare|topology|base')" '' \
    'compare knows of topology and base only'
is "$(strays lib/explain 'explain|topology|base')" '' \
    'explain knows of topology and base only'
is "$(strays lib/lint 'lint|compare|topology|base')" '' \
    'lint knows of compare, topology and base only'
is "$(strays lib/json 'json|base')" '' 'json knows of base only'
is "$(strays lib/config 'config|topology|json|base')" '' \
    'config knows of topology, json and base only'
is "$(strays lib/broker 'broker|compare|topology|json|base')" '' \
    'broker knows of compare, topology, json and base only'
is "$(strays lib/policy 'policy|topology|base')" '' \
    'policy knows of topology and base only'
is "$(strays lib/format 'format|broker|lint|explain|compare|topology|json|base')" '' \
    'format knows of what it renders only'
is "$(grep -rn --include='*.[ch]' '^#include "[a-z]*/' cli |
    grep -Ev '"(base|config|topology)/')" '' \
    'cli leaves what connects, judges and renders to the public header'

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
