#!/bin/bash
#
# lilyq init: the starter file.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

run "$lilyq" init
exits 0 'prints a file'
is "$err" '' 'without a message'
cp "$out_file" lilyq.ini
is "$(awk 'length > 80' lilyq.ini)" '' 'no line is over 80 columns'
is "$(grep -n ' $' lilyq.ini)" '' 'no line ends in a blank'
run "$lilyq" init
same "$out_file" lilyq.ini 'and the same one each time'

run "$lilyq" plan -o tree
exits 0 'the file plans as it is'
is "$err" '' 'without a warning'
is "$out" 'orders.created
  -> orders.retry.v2
     -> orders.created.retry.v2.1000ms
     -> orders.created.retry.v2.2000ms
     -> orders.created.retry.v2.4000ms
  -> orders.dlx.v2
     -> orders.created.dlq.v2' 'into the picture of the manual'

# Keys and their help, as `lilyq keys` lists them.
while read -r key; do
    is "$(grep -cE "^;?$key = " lilyq.ini)" 1 "$key is there once"
done < <("$lilyq" keys | awk '/^  [a-z]/ && $1 != "name" { print $1 }')
is "$(grep -c '^\[queue:orders.created\]$' lilyq.ini)" 1 \
    'the name is in the header'

# A key behind a ';' may be switched on: it holds its default or an example.
sed 's/^;\([a-z]\)/\1/' lilyq.ini >all.ini
run "$lilyq" plan -o tree all.ini
exits 0 'plans with every key switched on'
is "$err" '' 'without a warning then'
sed '/^\[/!s/^\([a-z].*\)/;\1/' lilyq.ini >none.ini
run "$lilyq" plan none.ini
exits 2 'does not plan with every key switched off'
is "$(grep -c "is required" "$err_file")" 3 'since some are required'

# Defaults are the program's own: to write them changes nothing.
while read -r key; do
    row=$("$lilyq" keys | grep -E "^  $key ")
    [[ $row =~ \ {2}none\ {2} ]] && continue
    sed "s/^;\($key = \)/\1/" lilyq.ini >one.ini
    run "$lilyq" plan one.ini </dev/null
    cp "$out_file" one.json
    run "$lilyq" plan lilyq.ini </dev/null
    same "$out_file" one.json "the default of $key is what is shown"
done < <(sed -n 's/^;\([a-z_]*\) = .*/\1/p' lilyq.ini)

done_testing
