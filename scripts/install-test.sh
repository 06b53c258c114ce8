#!/usr/bin/env bash
# install-test.sh: installs the .deb that make dist wrote for this machine in a minimal Debian, without Go and without
# a JDK, and tries there what a user does: version, manual page, a diagnosis of saved dumps, and the completion in bash,
# zsh and fish, each in a real shell on a terminal; then the .rpm, by rpm itself. ROOT=DIR keeps the Debian for the next
# run. Needs root and mmdebstrap.
set -euo pipefail
cd "$(dirname "$0")/.."
# mounts of its own, which end with it
[ "${INSIDE:-}" ] || INSIDE=1 exec unshare -m --propagation private scripts/install-test.sh
deb=$(ls dist/jstall_*_"$(dpkg --print-architecture)".deb 2>/dev/null | head -n 1) || true
[ -n "$deb" ] || { echo "install-test: no .deb in dist/; type: make dist SNAPSHOT=1" >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "install-test: no mmdebstrap; type: apt-get install mmdebstrap" >&2; exit 1; }
if [ -z "${ROOT:-}" ]; then
  ROOT=$(mktemp -d)
  trap 'umount "$ROOT/dev/pts" "$ROOT/proc" 2>/dev/null; rm -rf --one-file-system "$ROOT"' EXIT
fi
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
[ -e "$ROOT/usr/bin/dpkg" ] ||
  mmdebstrap --quiet --variant=minbase --include=man-db,bash-completion,zsh,fish,rpm "$release" "$ROOT"

mount -t proc proc "$ROOT/proc"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$ROOT/dev/pts"
ln -sf pts/ptmx "$ROOT/dev/ptmx"

enter=(chroot "$ROOT" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=xterm LC_ALL=C.UTF-8)
inside() { "${enter[@]}" "$@"; }
failed=0
# expect WHAT WORD COMMAND...: what the command prints inside must have the word
expect() {
  local what=$1 word=$2 out
  shift 2
  out=$(inside "$@" 2>&1) || true
  if grep -qF -- "$word" <<< "$out"; then
    echo "ok      $what: $(grep -F -m 1 -- "$word" <<< "$out" | tr -d '\r' | cut -c1-110)"
  else
    echo "FAILED  $what: no \"$word\" in: $(head -n 5 <<< "$out" | cut -c1-300)"
    failed=1
  fi
}

for program in go java; do
  if inside sh -c "command -v $program" >/dev/null; then
    echo "install-test: the Debian in $ROOT has $program" >&2
    exit 1
  fi
done
cp "$deb" "$ROOT/root/jstall.deb"
cp testdata/demo/3.txt "$ROOT/root/"
inside dpkg -r jstall >/dev/null 2>&1 || true
inside dpkg -i /root/jstall.deb >/dev/null

# type_in SHELL TYPED WANT: types words and a tab into an interactive shell on a terminal, until the line on the terminal is WANT
type_in() {
  local shell=$1 typed=$2 want=$3 seen= more i line=
  coproc terminal { exec "${enter[@]}" script -qec "$shell" /dev/null 2>&1; } # its end is that of the terminal
  local pid=$terminal_PID from=${terminal[0]} to=${terminal[1]}
  for ((i = 0; i < 100; i++)); do # until there is a prompt
    IFS= read -r -t 0.3 -N 4096 -u "$from" more || true
    seen+=$more
    if [[ "$seen" == *[\>#]* && -z "$more" ]]; then break; fi
  done
  printf '%s\t' "$typed" >&"$to"
  seen=
  for ((i = 0; i < 100; i++)); do
    IFS= read -r -t 0.3 -N 4096 -u "$from" more || true
    seen+=$more
    # without colours and cursor moves, and what was overwritten
    line=$(sed -E $'s/\x1b(\\[[0-9;?]*[a-zA-Z]|\\(B)//g; s/.\x08//g; s/[\r\x07]//g' <<< "$seen")
    if [[ "$line" == *"$want"* ]]; then break; fi
  done
  kill -9 "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  if [[ "$line" == *"$want"* ]]; then
    echo "ok      $shell: \"$typed\" and a tab: $want"
  else
    echo "FAILED  $shell: \"$typed\" and a tab: $(cat -v <<< "$seen" | head -c 600)"
    failed=1
  fi
}

cat > "$ROOT/root/.bashrc" <<'END'
PS1='bash> '
. /usr/share/bash-completion/bash_completion
END
cat > "$ROOT/root/.zshrc" <<'END'
PS1='zsh> '
autoload -U compinit && compinit -u
END

expect version "jstall " jstall --version
expect diagnosis "DEADLOCKED: 2 threads" jstall deadlock /root/3.txt
expect "man jstall" "jstall - shows what a JVM is doing" env MANWIDTH=120 man -P cat jstall
expect "man -k" "jstall (1)" sh -c "mandb -q; man -k deadlock; whatis jstall"
for shell in "bash -i" "zsh -i" "fish -i"; do
  type_in "$shell" "jstall dependency-t" "jstall dependency-tree"
  type_in "$shell" "jstall deadlock --fail-" "jstall deadlock --fail-on"
  type_in "$shell" "jstall flame --engine p" "jstall flame --engine perf"
done
expect "files of the package" "/usr/share/man/man1/jstall.1.gz" dpkg -L jstall
inside dpkg -r jstall >/dev/null
expect "removed" "gone" sh -c "command -v jstall || echo gone"

# nothing that Debian has is in the database of rpm
rpm=(rpm --dbpath /root/rpm)
cp dist/jstall-*."$(uname -m)".rpm "$ROOT/root/jstall.rpm"
inside rm -rf /root/rpm
inside "${rpm[@]}" -i /root/jstall.rpm >/dev/null
expect ".rpm: version" "jstall " jstall --version
expect ".rpm: manual page" "jstall - shows what a JVM is doing" env MANWIDTH=120 man -P cat jstall
expect ".rpm: files" "/usr/share/zsh/site-functions/_jstall" "${rpm[@]}" -ql jstall
inside "${rpm[@]}" -e jstall
expect ".rpm: removed" "gone" sh -c "command -v jstall || echo gone"
exit $failed
