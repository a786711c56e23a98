#!/bin/bash
#
# What may know of what: arrows point down only, and each third-party library is
# behind a door of its own. A room knows of itself and of those named beside it:

rooms=(
    'base:'
    'json: base'
    'model: json base'
    'plan: model json base'
    'config: model json base'
    'broker: model json base'
    'live: broker model json base'
    'policy: live broker model json base'
    'letter: model json base'
    'compare: policy live broker model json base'
    'apply: compare policy live broker model json base'
    'lint: compare policy live broker model json base'
    'explain: plan model json base'
    'render: apply lint explain compare policy live broker plan model json base'
    'api: render apply lint explain compare policy live broker plan config model json base'
)

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

cd "$root" || exit 1

# "file:line:#include "header"" of every project header that folder $1 includes.
included() {
    grep -rnE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$1"
}

# Those from outside the folders named after it (an alternation). The public
# header is everybody's.
strays() {
    included "$1" | grep -Ev "\"(($2)/([a-z0-9_]+/)?[a-z0-9_]+\.(h|def)|lilyq\.h)\""
}

# "file: <header>" for each system-style include matching $1, except in the
# files matching $2.
users() {
    grep -rnoE --include='*.[ch]' "^#include <($1)>" lib cli |
        sed 's/:[0-9]*:#include /: /' | grep -Ev "^($2): "
}

isnt "$(strays lib/plan plan)" '' 'the includes can be read'
is "$(find lib -mindepth 1 -maxdepth 1 -type d -printf '%P\n' | sort)" \
    "$(printf '%s\n' "${rooms[@]%%:*}" | sort)" 'every room of the library is named'
is "$(find lib -maxdepth 1 -type f)" lib/lilyq.h \
    'only the public header is in none'
for room in "${rooms[@]}"; do
    name=${room%%:*} below=${room#*:}
    is "$(strays "lib/$name" "$name${below// /|}")" '' "$name knows of:${below:- nothing}"
done

# The program is a client of the library: it uses what anyone may, and base and
# the schema besides. A header without a folder is its own.
own_headers=$(find cli -name '*.h' -printf '%f\n' | sed 's/\./\\./' | paste -sd '|')
isnt "$(strays cli none)" '' 'the includes of the program can be read'
is "$(strays cli base | grep -Ev "\"($own_headers|model/schema\.h)\"")" '' \
    'cli knows of the public header, base and the schema only'

like "$(users 'std.*' none)" ': <stddef\.h>' 'the users of a header can be listed'
is "$(users 'ini\.h' 'lib/config/ini\.c')" '' \
    'inih is used in config/ini.c only'
is "$(users 'jansson\.h' none)" '' 'jansson is for tests only'
is "$(users '(rabbitmq-c/|amqp).*' 'lib/broker/amqp/[a-z_]*\.[ch]')" '' \
    'rabbitmq-c is used in broker/amqp/ only'
is "$(users 'openssl/.*' 'lib/broker/(amqp/tls|tls_words)\.c')" '' \
    'OpenSSL is used in broker/amqp/tls.c and tls_words.c only'
is "$(users 'curl/.*|dlfcn\.h' 'lib/broker/http/curl\.[ch]')" '' \
    'libcurl is loaded in broker/http/curl.[ch] only'
is "$(users 'pcre2\.h' 'lib/policy/pcre\.c')" '' \
    'PCRE2 is used in policy/pcre.c only'
is "$(grep -rlE '"broker/(http|amqp)/(curl|link|wire|carrier)\.h"' lib cli |
    grep -v '^lib/broker/\(http\|amqp\)/')" '' \
    'what the transports share stays in their rooms'

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
    lib/base lib/json lib/model lib/letter lib/plan lib/live lib/compare lib/lint lib/explain lib/render |
    grep -Ev "#include <($own)>")" '' \
    'what plans, compares, judges and renders uses no third-party header'

is "$(find .ci .mk tests -type f ! -perm -u+x -exec grep -l '^#!/' {} +)" '' \
    'every script may be run'

done_testing
