#!/usr/bin/env bash
# run.sh [TEST=TestFigures]: prints the figures of jstall, its rivals and the bars as a Markdown table. Takes some minutes on a
# quiet machine; TestFlameFigures, those of profiles, three quarters of an hour.
# BENCH_TIMEOUT=4h gives them more time. SAVE=1 adds it to bench/RESULTS.md. WITH_JDK=1 fetches jcmd and jstack of the other JDKs too, to compare with.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh demo
scripts/jdks.sh || echo "bench: without the JDKs that are missing" >&2
command -v cc >/dev/null || echo "bench: no C compiler (cc), so no C client to compare with" >&2
mkdir -p build
go test -c -o build/bench.test ./bench
table=$(mktemp)
trap 'rm -f "$table"' EXIT
(cd bench && BENCH=1 ../build/bench.test -test.run "^${1:-TestFigures}\$" -test.timeout "${BENCH_TIMEOUT:-60m}") | grep --line-buffered -v '^PASS$' | tee "$table"
if [ "${SAVE:-}" = 1 ]; then
  { [ -e bench/RESULTS.md ] || echo "# Figures, newest last (make bench SAVE=1)"; echo; cat "$table"; } >>bench/RESULTS.md
fi
