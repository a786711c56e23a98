#!/bin/bash
#
# Has Mermaid itself draw the flowcharts of the test data. Fetches Mermaid from
# npm, once for each version, into the build directory.

set -eu

cd "${BASH_SOURCE[0]%/*}/../.."
work=${BUILD:-build}/mermaid

echo 'mermaid'
command -v npm >/dev/null || .mk/packages nodejs npm
mkdir -p "$work"
cp tests/mermaid/check.mjs "$work"
if ! cmp -s tests/mermaid/package.json "$work/installed.json"; then
    cp tests/mermaid/package.json "$work"
    npm --prefix "$work" install --ignore-scripts --no-package-lock \
        --no-audit --no-fund --silent
    cp tests/mermaid/package.json "$work/installed.json"
fi
node "$work/check.mjs" tests/data/plan/*
