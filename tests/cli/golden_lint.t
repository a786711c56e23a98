#!/bin/bash
#
# lilyq lint: every code has an entry that triggers it and nothing else, one that
# does not, and a paragraph in the manual.
#
# tests/data/lint/CODE has bad.ini and good.ini, and may have: options, for both;
# bad.options and good.options; definitions.json, which those name; bad.codes and
# good.codes, what is found if not just the code, or nothing.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

data=$root/tests/data/lint

# content FILE: or nothing, when there is no such file.
content() {
    [[ ! -e $1 ]] || printf '%s' "$(<"$1")"
}

# judge CODE bad|good NAME: what is found goes to CODE.bad or CODE.good, whose
# names and codes are lines of `want`.
judge() {
    local -r folder=$data/$1 kind=$2
    local options more codes
    read -ra options <<<"$(content "$folder/options")"
    read -ra more <<<"$(content "$folder/$kind.options")"
    codes=$(content "$folder/$kind.codes")
    [[ $kind == good || $codes ]] || codes=$1
    cd "$folder" || bail_out "no $folder"
    run "$lilyq" lint -o json --fail-on note "${options[@]}" "${more[@]}" \
        "$kind.ini"
    cd "$tmp" || bail_out "no $tmp"
    exits "$([[ $codes ]] && echo 3 || echo 0)" "$3"
    cp "$out_file" "$1.$kind"
    echo "$1.$kind: $codes" >>want
}

for folder in "$data"/LQ*; do
    code=${folder##*/}
    judge "$code" bad "$code is found"
    judge "$code" good "$code is not found in the other"
done
jq -r '"\(input_filename): " +
    ([.findings[] | select(.ignored == null).code] | join(" "))' \
    LQ*.bad LQ*.good | sort >got
sort -o want want
same got want 'each code is all that is found, or not, in its entries'

# --- every code is tested and explained -------------------------------------------

cat >none.ini </dev/null
run "$lilyq" lint -o sarif none.ini
exits 0 'an empty input has nothing to find'
jq -r '.runs[0].tool.driver.rules[].id' "$out_file" >all
is "$(find "$data" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort)" \
    "$(<all)" 'every code has its entries, and nothing else has'
is "$(grep -oE '^\.It Cm LQ[0-9]{3} [a-z-]+' "$root/man/lilyq-lint.7" |
    sed 's/.* LQ/LQ/')" \
    "$(jq -r '.runs[0].tool.driver.rules[] | "\(.id) \(.name)"' "$out_file")" \
    'lilyq-lint(7) explains every code, by its name, in order'
is "$(sed -nE '/^\.It Cm LQ/{n;s/^\((error|warning|note)[,)].*/\1/p}' \
    "$root/man/lilyq-lint.7")" \
    "$(jq -r '.runs[0].tool.driver.rules[].defaultConfiguration.level' \
        "$out_file")" 'and tells its severity'

# --- what is claimed of brokers is shown on brokers ------------------------------------

# Where the test in tests/hazards has another name than the code.
declare -A shown_by=([transient-deprecated]=transient-main
    [policy-in-force]=policy-smaller-wins)
while read -r slug; do
    ok "the hazard of $slug is shown" \
        test -x "$root/tests/hazards/${shown_by[$slug]:-$slug}.t"
done < <(awk '/^\.It Cm LQ/ { slug = $4 } /^Shown on/ { print slug }' \
    "$root/man/lilyq-lint.7")
is "$(awk '/^\.It Cm LQ/ { if (code) print code; code = $3 }
    /^Shown on/ { code = "" } /^\.Sh EXAMPLES/ && code { print code }' \
    "$root/man/lilyq-lint.7" | paste -s -d ' ')" \
    'LQ011 LQ020 LQ021 LQ023 LQ026 LQ027 LQ028 LQ029 LQ030 LQ031 LQ032' \
    'only what is about the input, or a version that is too old, is not'

done_testing
