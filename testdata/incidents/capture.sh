#!/bin/sh
# capture.sh [ID…]   takes ../dumps/incidents/ID{,-bystanders}{,-l}.txt anew, of all incidents if none is named
# JDK=… is the home of the JDK (17) that runs the programs and whose jcmd asks them.
set -eu
cd "$(dirname "$0")"
jdk=${JDK:-/usr/lib/jvm/java-17-openjdk-amd64}
dumps=../dumps/incidents
mkdir -p "$dumps"
./run.sh build
[ $# -gt 0 ] || set -- $(grep -v '^#' incidents.tsv | tail -n +2 | cut -f1)

for id; do
    for mode in "" bystanders; do
        log=$(mktemp)
        JAVA=$jdk/bin/java ./run.sh "$id" $mode >"$log" 2>&1 </dev/null &
        pid=$!
        for _ in $(seq 300); do
            grep -q READY "$log" && break
            sleep 0.2
        done
        grep -q READY "$log" || { cat "$log" >&2; echo "$id $mode: not ready" >&2; kill -9 "$pid"; exit 1; }
        sleep 3
        name=$dumps/$id${mode:+-$mode}
        "$jdk/bin/jcmd" "$pid" Thread.print | tail -n +2 >"$name.txt"
        "$jdk/bin/jcmd" "$pid" Thread.print -l | tail -n +2 >"$name-l.txt"
        kill -9 "$pid"
        wait "$pid" 2>/dev/null || true
        rm "$log"
        echo "$(basename "$name"): $(grep -c '^"' "$name.txt") threads"
    done
done
