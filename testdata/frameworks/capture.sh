#!/bin/sh
# capture.sh NAME…   takes dumps/NAME-{idle,fault}-jdkN.txt anew: three dumps, one second apart, in one file
# JDKS="HOME…" are the homes of the JDKs to run on, JCMD=… the jcmd that asks them.
set -eu
cd "$(dirname "$0")"
for name; do
    for mode in idle fault; do
        for home in $JDKS; do
            version=$("$home/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/.*java.specification.version = \(1\.\)\{0,1\}//p')
            log=../../build/frameworks/$name/output
            ./run.sh "$name" build
            : >"$log"
            JAVA=$home/bin/java ./run.sh "$name" "$mode" >"$log" 2>&1 </dev/null &
            pid=$!
            for _ in $(seq 100); do
                grep -q READY "$log" && break
                sleep 0.2
            done
            grep -q READY "$log" || { cat "$log"; echo "$name $mode on $version: not ready" >&2; }
            sleep 1
            for _ in 1 2 3; do
                "$JCMD" "$pid" Thread.print -l $([ "$version" = 8 ] || echo -e) | tail -n +2
                sleep 1
            done >"dumps/$name-$mode-jdk$version.txt"
            kill -9 "$pid"
            echo "$name $mode $version: $(grep -c '^"' "dumps/$name-$mode-jdk$version.txt") headers"
        done
    done
done
