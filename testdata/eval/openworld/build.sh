#!/bin/sh
# build.sh   builds the host of a program with other, idle work in its process and prints the class path
# It needs mvn and javac; what it builds lies in build/openworld of the repository.
set -eu
cd "$(dirname "$0")"
mkdir -p ../../../build/openworld
out=$(cd ../../../build/openworld && pwd)

if [ -n "$(find src pom.xml -newer "$out/built" 2>&1)" ]; then
    mvn -q -B dependency:build-classpath -DincludeScope=runtime "-Dmdep.outputFile=$out/classpath" >&2
    javac -nowarn -Xlint:-options --release 8 -cp "$(cat "$out/classpath")" -d "$out/classes" $(find src -name '*.java') >&2
    touch "$out/built"
fi
echo "$out/classes:$(cat "$out/classpath")"
