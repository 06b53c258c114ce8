#!/bin/sh
# run.sh ID              builds the programs and becomes the JVM of incident ID; READY on its output says that it stands
# run.sh ID bystanders   the same with an idle pool, a sleeping thread and a periodic task in the same process
# run.sh build           only builds
# JAVA=… chooses the java that runs it (11 or newer), JAVA_OPTIONS=… its options. incidents.tsv lists the IDs.
set -eu
cd "$(dirname "$0")"
out=../../build/incidents

usage() {
    echo "usage: $0 build | $0 $(ids | paste -sd'|' -) [bystanders]" >&2
    exit 64
}
ids() {
    grep -v '^#' incidents.tsv | tail -n +2 | cut -f1
}

[ $# -ge 1 ] && [ $# -le 2 ] || usage
main=$(awk -F'\t' -v id="$1" '$1 == id { print $2 }' incidents.tsv)
[ "$1" = build ] || [ -n "$main" ] || usage
[ "${2:-bystanders}" = bystanders ] || usage

if [ -n "$(find src pom.xml -newer "$out/built" 2>&1)" ]; then
    mkdir -p "$out"
    mvn -q -B dependency:build-classpath -DincludeScope=runtime "-Dmdep.outputFile=$PWD/$out/classpath" >&2
    javac -nowarn -Xlint:-options --release 11 -cp "$(cat "$out/classpath")" -d "$out/classes" $(find src -name '*.java') >&2
    touch "$out/built"
fi
[ "$1" != build ] || exit 0
[ $# = 1 ] || main="com.acme.bystanders.Bystanders $main"
# shellcheck disable=SC2086
exec "${JAVA:-java}" ${JAVA_OPTIONS:-} -Xmx128m -cp "$out/classes:$(cat "$out/classpath")" $main
