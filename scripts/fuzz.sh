#!/usr/bin/env bash
# fuzz.sh TIME: runs every fuzz target of the module for TIME each (5s, 10m), and ends at the first finding.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: fuzz.sh TIME" >&2; exit 64; }
cd "$(dirname "$0")/.."
grep -rl --include='*_test.go' '^func Fuzz' . | xargs -r -n 1 dirname | sort -u | while read -r folder; do
  grep -hoE '^func Fuzz[A-Za-z0-9_]*' "$folder"/*_test.go | sed 's/^func //' | sort -u | while read -r target; do
    echo "fuzz: $folder $target for $1"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" "$folder" </dev/null
  done
done
