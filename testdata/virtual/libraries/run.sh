#!/bin/sh
# run.sh NAME fault|idle|load   builds the program NAME and becomes its JVM; READY on its output says that its state is reached
# run.sh NAME build             only builds it
# JAVA=… chooses the java that runs it (21 or newer), JAVA_OPTIONS=… its options, JAVAC=… the compiler (21 or newer).
set -eu
cd "$(dirname "$0")"
name=$1 mode=$2
out=../../../build/virtual/$name

case $name in
hikari) main=com.acme.orderdb.OrderDesk ;;
netty) main=com.acme.quotefeed.QuoteFeed ;;
tomcat) main=com.acme.storefront.Storefront ;;
*) main= ;;
esac
if [ -z "$main" ] || ! expr "$mode" : 'fault$\|idle$\|load$\|build$' >/dev/null; then
    echo "usage: $0 hikari|netty|tomcat fault|idle|load|build" >&2
    exit 64
fi
if [ -n "$(find "$name" run.sh ../21/com/acme/ops -newer "$out/built" 2>&1)" ]; then
    mkdir -p "$out"
    mvn -q -B -f ../../frameworks/pom.xml -P "$name" dependency:build-classpath -DincludeScope=runtime \
        "-Dmdep.outputFile=$PWD/$out/classpath" >&2
    "${JAVAC:-javac}" -nowarn --release 21 -g -cp "$(cat "$out/classpath")" -d "$out/classes" "$name"/*.java \
        ../21/com/acme/ops/*.java >&2
    echo "$main" >"$out/main"
    touch "$out/built"
fi
# shellcheck disable=SC2086
[ "$mode" = build ] ||
    exec "${JAVA:-java}" ${JAVA_OPTIONS:-} -Xmx128m -cp "$out/classes:$(cat "$out/classpath")" "$main" "$mode"
