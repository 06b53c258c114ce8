#!/bin/sh
# run.sh SERVER ROLE PORT FAULT   builds SERVER and becomes the JVM of one ROLE of it, which prints READY; "healthy" is no fault
# run.sh SERVER build             only builds it
# JAVA=… chooses the java that runs it (17 or newer), JAVA_OPTIONS=… its options. Its files go to the working directory.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
name=$1
out=$here/../../build/servers/$name

if [ -n "$(find "$here/$name" "$here/Stage.java" "$here/pom.xml" -newer "$out/built" 2>&1)" ]; then
    mkdir -p "$out"
    (cd "$here" && mvn -q -B -P "$name" dependency:build-classpath -DincludeScope=runtime "-Dmdep.outputFile=$out/classpath") >&2
    javac -nowarn -Xlint:-options --release 17 -cp "$(cat "$out/classpath")" -d "$out/classes" \
        "$here/$name"/*.java "$here/Stage.java" >&2
    touch "$out/built"
fi
[ "$2" = build ] ||
    exec "${JAVA:-java}" ${JAVA_OPTIONS:-} -Xmx256m -cp "$out/classes:$(cat "$out/classpath")" Main "$2" "$3" "$4"
