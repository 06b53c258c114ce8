#!/usr/bin/env bash
# setup.sh test|demo: makes sure that the tools of that target are here. On Debian and Ubuntu as root it installs what is
# missing, anywhere else it says exactly what is missing and exits with 1. A browser, Node.js, locales, gdb, Maven, sshd, tmux and DuckDB may be
# missing: the tests that want one are skipped then, or fail where REQUIRE_ALL=1.
set -euo pipefail
optional=
python=$HOME/.cache/jstall/python # packages for Python
case ${1:-} in
  test) tools=(go git javac gcc) optional="chromium node locales gcore mvn sshd tmux duckdb" ;; # gcc: the race detector is linked by a C compiler
  demo) tools=(go javac) ;;
  *) echo "usage: setup.sh test|demo" >&2; exit 64 ;;
esac

have() {
  local name
  case $1 in
    chromium) for name in chromium chromium-browser google-chrome; do if command -v $name >/dev/null; then return; fi; done; return 1 ;;
    go) command -v go >/dev/null && go version 2>/dev/null | awk '{ sub("go", "", $3); split($3, v, "."); exit !(v[1] > 1 || v[2] >= 26) }' ;;
    gcc) command -v gcc >/dev/null && echo '#include <stdlib.h>' | gcc -x c -fsyntax-only - 2>/dev/null ;; # with its headers
    locales) command -v localedef >/dev/null && [ -f /usr/share/i18n/locales/de_DE ] ;;
    sshd) command -v ssh >/dev/null && [ -x /usr/sbin/sshd ] ;;
    duckdb) PYTHONPATH=$python python3 -c 'import duckdb' 2>/dev/null ;;
    javac) command -v javac >/dev/null || compgen -G '/usr/lib/jvm/*/bin/javac' >/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}
package() {
  case $1 in
    javac) echo default-jdk-headless ;;
    gcc) echo "gcc libc6-dev" ;;
    chromium) echo "chromium fonts-dejavu-core" ;;
    node) echo nodejs ;;
    gcore) echo gdb ;;
    mvn) echo maven ;;
    sshd) echo "openssh-server openssh-client" ;;
    duckdb) echo "python3 python3-pip" ;;
    *) echo "$1" ;;
  esac
}
describe() {
  case $1 in
    go) echo "Go 1.26 or newer: https://go.dev/dl/, unpacked to /usr/local/go, with /usr/local/go/bin on the PATH" ;;
    git) echo "git" ;;
    javac) echo "a JDK of 9 or newer, for javac (Debian: default-jdk-headless, Fedora: java-latest-openjdk-devel, macOS: brew install openjdk)" ;;
    locales) echo "the sources of locales, to run JVMs under them (Debian: locales, Fedora: glibc-locale-source)" ;;
    gcore) echo "gcore, to write core files (Debian: gdb, Fedora: gdb)" ;;
    sshd) echo "ssh and sshd, to run jstall over ssh on this machine (Debian: openssh-server openssh-client, Fedora: openssh-server)" ;;
    mvn) echo "Maven, for programs with real libraries (Debian, Fedora: maven)" ;;
    chromium) echo "Chromium, for the page of flame graphs (Debian, Fedora: chromium, macOS: brew install chromium)" ;;
    node) echo "Node.js, to read profiles with the code of another viewer (Debian, Fedora: nodejs, macOS: brew install node)" ;;
    duckdb) echo "DuckDB, to run the queries of the docs (pip install --target $python duckdb)" ;;
    tmux) echo "tmux, to drive the live screen (Debian, Fedora: tmux, macOS: brew install tmux)" ;;
    gcc) echo "a C compiler with its headers, for the race detector (Debian: gcc libc6-dev, Fedora: gcc glibc-devel, macOS: xcode-select --install)" ;;
  esac
}
lacking() { local t; for t in "$@"; do if ! have "$t"; then echo "$t"; fi; done; }
can_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }
install() {
  echo "setup.sh: installing $*" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq -o Acquire::Retries=3 update >&2 || true
  apt-get -qq -o Acquire::Retries=3 install -y --no-install-recommends "$@" >&2 || true
}

packages=()
for tool in $(lacking "${tools[@]}"); do
  if [ "$tool" != go ]; then read -ra more <<<"$(package "$tool")"; packages+=("${more[@]}"); fi
done
if [ ${#packages[@]} -gt 0 ] && can_install; then install "${packages[@]}"; fi
for tool in $(lacking $optional); do # one by one: where one cannot be had the others can
  if [ "$tool" = duckdb ] && python3 -m pip --version >/dev/null 2>&1; then :
  elif can_install; then install $(package "$tool"); fi
  if [ "$tool" = duckdb ]; then python3 -m pip install -q --target "$python" duckdb >&2 || true; fi
  if ! have "$tool"; then echo "setup.sh: some tests are left out for want of $(describe "$tool")" >&2; fi
done
if [ "${REQUIRE_ALL:-}" = 1 ]; then tools+=($optional); fi

rest=$(lacking "${tools[@]}")
[ -n "$rest" ] || exit 0
echo "setup.sh: make $1 needs what is not here:" >&2
for tool in $rest; do echo "  - $(describe "$tool")" >&2; done
if [ ${#packages[@]} -gt 0 ] && [ "$(id -u)" != 0 ] && command -v apt-get >/dev/null; then
  echo "as root: apt-get install ${packages[*]}" >&2
fi
exit 1
