#!/bin/sh
# run.sh NAME idle|fault   builds the program NAME and becomes its JVM; READY on its output says that it stands
# run.sh NAME build        only builds it
# JAVA=… chooses the java that runs it (17 or newer, 8 or newer for jmx), JAVA_OPTIONS=… its options.
set -eu
cd "$(dirname "$0")"
name=$1 mode=$2
out=../../build/frameworks/$name

if [ ! -f "$name/Main.java" ] || ! expr "$mode" : 'idle$\|fault$\|build$' >/dev/null; then
    echo "usage: $0 $(ls -d */Main.java | cut -d/ -f1 | paste -sd'|' -) idle|fault|build" >&2
    exit 64
fi
if [ -n "$(find "$name" Caller.java pom.xml -newer "$out/built" 2>&1)" ]; then
    mkdir -p "$out"
    mvn -q -B -P "$name" dependency:build-classpath -DincludeScope=runtime "-Dmdep.outputFile=$PWD/$out/classpath" >&2
    release=17
    [ "$name" != jmx ] || release=8
    javac -nowarn -Xlint:-options --release $release -cp "$(cat "$out/classpath")" -d "$out/classes" "$name/Main.java" Caller.java >&2
    touch "$out/built"
fi
[ "$mode" = build ] ||
    exec "${JAVA:-java}" ${JAVA_OPTIONS:-} -Xmx128m -cp "$out/classes:$(cat "$out/classpath")" Main "$mode"
