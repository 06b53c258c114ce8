#!/usr/bin/env bash
# size.sh: the size of the binary of a release, packed and not, and what each library adds to it: the size of its functions and data,
# as the linker lays them out.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
build() {
  CGO_ENABLED=0 go build -buildvcs=false -tags urfave_cli_no_docs,nethttpomithttp2 -trimpath -ldflags "$1" -o "$2" \
    ./cmd/jstall
}
build "-s -w" "$dir/jstall"
build "" "$dir/symbols"
size=$(stat -c %s "$dir/jstall")
packed=$(gzip -9c "$dir/jstall" | wc -c)
awk -v size="$size" -v packed="$packed" 'BEGIN {
  printf "binary %.1f MB of 24 MB, packed %.1f MB of 20 MB\n", size / 1048576, packed / 1048576
}'
modules=$(go version -m "$dir/symbols" | awk '$1 == "dep" { print $2 }')
go tool nm -size "$dir/symbols" > "$dir/names"
awk -v modules="$modules" -v total="$size" '
  BEGIN { n = split(modules, module, "\n"); tables = "tables of lines, functions and types, and strings, of all of them" }
  function padded(address) { return sprintf("%16s", address) }
  NR == FNR { if ($4 == "runtime.bss") bss = padded($1); next }
  padded($1) >= bss { next } # zero at the start: takes no place in the file
  {
    name = $4
    sub(/^type:\.(eq|hash)\./, "", name); sub(/^(type|go):[^a-z]*/, "", name); gsub(/%2e/, ".", name)
    owner = "Go runtime and standard library"
    if (name ~ /^(github.com\/jstall\/jstall\/|main\.)/) owner = "jstall"
    for (i = 1; i <= n; i++) if (index(name, module[i]) == 1) { owner = module[i]; break }
    if ($4 ~ /^(runtime\.(pclntab|findfunctab|types|itab|rodata|text|etypes|etext)|go:string|go:func)/) owner = tables
    sum[owner] += $2
  }
  END {
    for (o in sum) all += sum[o]
    sum[tables] += total - all
    for (o in sum) if (sum[o] >= 1024) printf "%8.0f kB  %s\n", sum[o] / 1024, o
  }' "$dir/names" "$dir/names" | sort -rn
