#!/usr/bin/env bash
# packages.sh commands|race|plain: the packages of one part of make test. Each package is in one part; trials is a part.
# packages.sh commands-race PATTERN: the commands that have a test whose name matches.
# Commands are the packages whose tests start the program as users do. The race detector finds something only where
# goroutines share values: those packages have it that start goroutines or use sync, atomic or channels, themselves or
# in their tests. It takes five to ten times as long, so that the packages in `without` do not have it here; make soak
# runs all of them with it.
set -euo pipefail
case ${1:-}/$# in
  commands/1 | race/1 | plain/1 | commands-race/2) ;;
  *) echo "usage: packages.sh commands|race|plain | packages.sh commands-race PATTERN" >&2; exit 64 ;;
esac
cd "$(dirname "$0")/.."

commands=(./internal/cli/... ./internal/command/... ./internal/shell/...)
without=(. ./analysis/... ./threaddump/... ./flame/... ./eval/... ./bench/... ./cmd/... ./scripts/...
  ./internal/render/... ./internal/htmlreport/... ./internal/hotspot/... ./internal/diagcmd/...
  ./internal/jfr/... ./internal/redact/... ./internal/mcp/... ./internal/top/...)
list() { go list "$@" | sort -u; }
less() { comm -23 <(echo "$1") <(echo "$2"); } # the lines of one list that another does not have

concurrent() {
  local files
  local each='{{$.ImportPath}}{{"\t"}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}'
  files=$(go list -f "{{range .GoFiles}}$each{{range .TestGoFiles}}$each{{range .XTestGoFiles}}$each" ./... |
    sed '/^$/d')
  cut -f 2 <<<"$files" | tr '\n' '\0' |
    xargs -0 grep -lE '^\s*go [a-z]|\b(sync|atomic)\.[A-Z]|\bchan\b|\.Parallel\(\)' |
    awk -F '\t' 'NR == FNR { package[$2] = $1; next } { print package[$1] }' <(echo "$files") - | sort -u
}

# in variables, so that a failure ends the script and no list is silently short
programs=$(list "${commands[@]}")
if [ "$1" = commands ]; then echo "$programs"; exit; fi
if [ "$1" = commands-race ]; then
  folders=$(printf '%s\n' "${commands[@]%/...}")
  grep -rlE --include='*_test.go' "^func Test[A-Za-z0-9_]*($2)" $folders | xargs -n 1 dirname | sort -u
  exit
fi
other=$(list ./trials; echo "$programs")
other=$(sort -u <<<"$other")
alone=$(list "${without[@]}")
race=$(concurrent)
race=$(less "$(less "$race" "$other")" "$alone")
case $1 in
  race) echo "$race" ;;
  plain) all=$(list ./...); less "$(less "$all" "$other")" "$race" ;;
esac
