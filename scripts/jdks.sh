#!/usr/bin/env bash
# jdks.sh [DEST [VERSION...]]   by default: jdks.sh ~/.cache/jstall/jdks 8 11 21 25 26,27,28
#
# Puts Debian's OpenJDK runtimes of other releases beside the system's own, as DEST/jdk/VERSION, and lets them run with
# that release's own C library, so that they share /proc, /tmp and the process namespace of this machine. VERSION may be a
# list of alternatives, the first that can be had is taken. Versions that are there already cost nothing and need no network.
# Needs apt and dpkg (Debian or Ubuntu) on amd64, no root, and about 150 MB per version. WITH_JDK=1 adds jcmd, jstack and
# javac. Exits with 1 if a version is missing in the end, and says which and why.
set -euo pipefail
say() { echo "jdks.sh: $*" >&2; }
base=${1:-${JSTALL_JDKS:-$HOME/.cache/jstall/jdks}}
[ $# -eq 0 ] || shift
if [ $# -eq 0 ]; then
  set -- 8 11 21 26,27,28
  grep -qs '^JAVA_VERSION="25[".]' /usr/lib/jvm/*/release || set -- "$@" 25 # the tests take the system's too
fi
mkdir -p "$base"/{debs,jdk}
dest=$(realpath "$base")

works() { # works VERSION: is it there, whole, and does it run here
  [ -z "${WITH_JDK:-}" ] || [ -x "$dest/jdk/$1/bin/jcmd" ] || return 1
  [ -x "$dest/jdk/$1/bin/java" ] && "$dest/jdk/$1/bin/java" -version >/dev/null 2>&1
}
any_works() { # any_works A,B,C
  local v; for v in ${1//,/ }; do if works "$v"; then return; fi; done; return 1
}

lacking() { # lacking VERSION...: sets wanted, and ends well if it is nothing
  local alternatives; wanted=()
  for alternatives in "$@"; do any_works "$alternatives" || wanted+=("$alternatives"); done
  [ ${#wanted[@]} -gt 0 ] || exit 0
}
lacking "$@"

advice="put a JDK home (or a link to it) at $dest/jdk/VERSION yourself for each of: ${wanted[*]}"
for tool in apt-get dpkg flock; do
  command -v "$tool" >/dev/null || { say "this needs Debian's or Ubuntu's $tool, which is not here; $advice"; exit 1; }
done
[ "$(dpkg --print-architecture)" = amd64 ] ||
  { say "knows the runtimes of amd64 only, this is $(dpkg --print-architecture); $advice"; exit 1; }
key=
for k in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do if [ -r "$k" ]; then key=$k; break; fi; done
[ -n "$key" ] ||
  { say "Debian's signing keys are missing: apt-get install debian-archive-keyring (as root), then again; or $advice"; exit 1; }

exec 9>"$dest/.lock"
flock 9 # one at a time
lacking "$@" # another may have fetched them meanwhile

# On Debian from wherever apt already looks (a mirror, a proxy), elsewhere from Debian itself.
site=http://deb.debian.org/debian
if grep -qx 'ID=debian' /etc/os-release; then
  own=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null | grep -v security | sort -u | head -n 1 || true)
  site=${own:-$site}
fi
export DEBIAN_FRONTEND=noninteractive

archive() { # archive APT-GET-ARGS...: apt-get on Debian sid with lists and cache of its own: the system's stay as they are
  local root=$dest/apt
  mkdir -p "$root"/{lists/partial,cache/archives/partial}
  : >"$root/status"
  echo "deb [signed-by=$key] $site sid main" >"$root/sources.list"
  apt-get -qq -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3 -o Acquire::http::Timeout=30 \
    -o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::SourceList="$root/sources.list" -o Dir::State::Lists="$root/lists" \
    -o Dir::Cache="$root/cache" -o Dir::State::status="$root/status" "$@"
}
try() { # try COMMAND...: up to three times
  local n; for n in 1 2 3; do if "$@"; then return; fi; sleep $((n * 2)); done; return 1
}
fetch() { # fetch DIR PACKAGE...: unpacks them into DIR; sid moves, so the lists are read anew after a failure
  local into=$1; shift
  rm -f "$dest"/debs/*.deb
  (cd "$dest/debs" && { archive download "$@" || { try archive update && try archive download "$@"; }; }) || return 1
  mkdir -p "$into"
  local deb; for deb in "$dest"/debs/*.deb; do dpkg -x "$deb" "$into"; done
  rm -f "$dest"/debs/*.deb
}

say "fetching ${wanted[*]} from $site"
try archive update || { say "$site does not answer (suite sid); check the network or the proxy of apt, or $advice"; exit 1; }
# patchelf comes from the same release and runs with the same libraries as the JDKs do
fetch "$dest/sysroot" libc6 libgcc-s1 libstdc++6 zlib1g patchelf ||
  { say "cannot fetch the C library of Debian sid from $site; or $advice"; exit 1; }
loader=$dest/sysroot/usr/lib64/ld-linux-x86-64.so.2
libs=$dest/sysroot/usr/lib/x86_64-linux-gnu
patchelf() { "$loader" --library-path "$libs" "$dest/sysroot/usr/bin/patchelf" "$@"; }

offered() { [[ $(archive install -s --no-install-recommends "openjdk-$1-jre-headless" 2>&1) != *"Unable to locate"* ]]; }

relink() { # relink TREE: absolute links point into the tree (JDK 8 does not start without its jvm.cfg)
  find "$1" -type l | while read -r link; do
    target=$(readlink "$link")
    if [[ $target == /* && -e $1$target ]]; then ln -sfn "$1$target" "$link"; fi
  done
}
repoint() { # repoint HOME: its programs use the loader and libraries of their release; RPATH, as it must hold for libjvm too
  find "$1" -type f \( -path '*/bin/*' -o -name jspawnhelper -o -name jexec \) | while read -r program; do
    [ "$(head -c 4 "$program" | tail -c 3)" = ELF ] || continue
    old=$(patchelf --print-rpath "$program")
    patchelf --set-interpreter "$loader" --force-rpath --set-rpath "${old:+$old:}$libs" "$program"
  done
}
install() { # install VERSION: the link in jdk/ comes last, so that what is there is whole
  local v=$1 tree=$dest/x/$1
  local home=$tree/usr/lib/jvm/java-$v-openjdk-amd64
  offered "$v" || { say "the archive has no OpenJDK $v any more"; return 1; }
  rm -rf "$tree" "$dest/jdk/$v"
  fetch "$tree" "openjdk-$v-jre-headless" ${WITH_JDK:+"openjdk-$v-jdk-headless"} || { say "cannot fetch OpenJDK $v"; return 1; }
  relink "$tree"
  repoint "$home"
  [ -x "$home/bin/java" ] || { mkdir -p "$home/bin" && ln -sfn ../jre/bin/java "$home/bin/java"; }
  ln -sfn "$home" "$dest/jdk/$v"
  works "$v" || { say "OpenJDK $v is there but does not start: $("$dest/jdk/$v/bin/java" -version 2>&1 | head -n 1)"; return 1; }
}

missing=()
for alternatives in "${wanted[@]}"; do
  for v in ${alternatives//,/ }; do
    if works "$v" || install "$v"; then say "OpenJDK $v is at $dest/jdk/$v"; continue 2; fi
  done
  missing+=("$alternatives")
done
[ ${#missing[@]} -eq 0 ] || { say "missing: ${missing[*]}; put a JDK home at $dest/jdk/VERSION yourself"; exit 1; }
