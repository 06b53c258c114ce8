#!/usr/bin/env bash
# pages.sh DIR [VERSION]: writes the manual page and the completion scripts into DIR, as jstall prints them, and the manual page
# packed as packages have it. JSTALL=FILE is a jstall that runs here; without one it is built.
set -euo pipefail
dir=${1:?"usage: pages.sh DIR [VERSION]"}
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$dir/man" "$dir/completions"
dir=$(cd "$dir" && pwd)
cd "$here"
program=${JSTALL:-}
if [ -z "$program" ]; then
  program=$(mktemp)
  trap 'rm -f "$program"' EXIT
  env -u GOOS -u GOARCH CGO_ENABLED=0 go build -tags urfave_cli_no_docs,nethttpomithttp2 -trimpath \
    -ldflags "-s -w -X main.version=${2:-}" -o "$program" ./cmd/jstall
fi
"$program" man > "$dir/man/jstall.1"
gzip -9nc "$dir/man/jstall.1" > "$dir/man/jstall.1.gz"
"$program" completion bash > "$dir/completions/jstall.bash"
"$program" completion zsh > "$dir/completions/_jstall"
"$program" completion fish > "$dir/completions/jstall.fish"
