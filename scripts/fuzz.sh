#!/usr/bin/env bash
# fuzz.sh [-json] TIME: runs every fuzz target of the module for TIME each (10m, or 3000x for so many inputs), the next
# one also after a finding, and exits with 1 if one has a finding. An input that reaches new code is made smaller by 20
# runs and not by time, at the end of which Go ends the worker and loses what it found. For a number of inputs those of
# earlier runs are not taken. -json writes the events of go test -json.
set -euo pipefail
events=()
if [ "${1:-}" = -json ]; then events=(-json); shift; fi
[ $# -eq 1 ] || { echo "usage: fuzz.sh [-json] TIME" >&2; exit 64; }
cd "$(dirname "$0")/.."
log=$(mktemp) inputs=$(mktemp -d)
trap 'rm -rf "$log" "$inputs"' EXIT

fuzz() { # fuzz FOLDER TARGET TIME
  local own=() time=$3
  if [[ $time == *x ]]; then
    own=(-args -test.fuzzcachedir="$inputs/$1")
    # a run of these reads all threads of a JVM, which takes twenty times as long as one of the others
    case $2 in FuzzPages | FuzzObjects | FuzzSnapshot) time=$((${time%x} / 10))x ;; esac
  fi
  go test ${events[@]+"${events[@]}"} -vet off -fuzzminimizetime 20x -run '^$' -fuzz "^$2\$" -fuzztime "$time" "$1" \
    ${own[@]+"${own[@]}"} </dev/null 2>&1 | tee "$log" && return
  # the end of the time may itself be told as a failure; a finding names its input
  grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input' "$log"
}

grep -rl --include='*_test.go' '^func Fuzz' . | xargs -r -n 1 dirname | sort -u | {
  failed=0
  while read -r folder; do
    for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]*' "$folder"/*_test.go | sed 's/^func //' | sort -u); do
      echo "fuzz: $folder $target for $1"
      fuzz "$folder" "$target" "$1" || failed=1
    done
  done
  exit $failed
}
