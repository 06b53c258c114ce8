#!/usr/bin/env bash
# demo.sh: starts a small shop (testdata/java/com/example/orders) whose orders and refunds block each other and whose
# indexer burns a core, and asks jstall what is wrong. Without a JDK it reads saved dumps of the same program, says so
# in its last line and exits with 75. OFFLINE=1 asks for that.
set -euo pipefail
cd "$(dirname "$0")/.."

setup=0
scripts/setup.sh demo || setup=$?
make --no-print-directory -s build GOOS="$(go env GOOS)" GOARCH="$(go env GOARCH)" # without Go this is the end

capture() { # capture TARGET...: jstall must find the deadlock, which is exit code 2
  local code=0
  echo "\$ jstall $*"
  build/jstall "$@" || code=$?
  [ "$code" = 2 ] || { echo "demo: jstall ended with $code, and not with 2 for a deadlock" >&2; exit 1; }
}

jdk() { # jdk TOOL: its path, from the PATH, a packaged JDK or one of our own
  local own=${JSTALL_JDKS:-$HOME/.cache/jstall/jdks}/jdk
  { command -v "$1" || compgen -G "/usr/lib/jvm/*/bin/$1" || compgen -G "$own/*/bin/$1"; } | head -n 1
}

if [ "${OFFLINE:-}" = 1 ] || [ "$setup" != 0 ] || [ "$(uname -s)" != Linux ] || [ -z "$(jdk java)" ] || [ -z "$(jdk javac)" ]; then
  capture testdata/demo/1.txt testdata/demo/2.txt testdata/demo/3.txt
  echo "demo: offline only"
  exit 75
fi

work=$(mktemp -d)
shop=
finish() {
  if [ -n "$shop" ]; then kill -9 "$shop" 2>/dev/null || true; wait "$shop" 2>/dev/null || true; rm -f "/tmp/.java_pid$shop"; fi
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

: >"$work/out"
"$(jdk javac)" -g -d "$work" testdata/java/com/example/orders/*.java
"$(jdk java)" -cp "$work" com.example.orders.OrderService >"$work/out" 2>&1 &
shop=$!
for ((i = 0; i < 600; i++)); do
  if grep -q READY "$work/out"; then break; fi
  kill -0 "$shop" 2>/dev/null || { cat "$work/out" >&2; echo "demo: the shop did not start" >&2; exit 1; }
  sleep 0.1
done
capture "$shop"
kill -0 "$shop" || { echo "demo: the shop did not survive the capture" >&2; exit 1; }
