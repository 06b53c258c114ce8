# Runs jstall on this machine for another one, which sends it and reads its output. POSIX sh; set before: nonce, room
# (kB that are needed), keep (yes or empty), limit (seconds, 0 for none), and the words of jstall as "$@".
umask 077
exec 3<&0 </dev/null
dir= child= helpers= told=
say() { printf 'jstall-%s %s\n' "$nonce" "$*" 2>/dev/null; } # of a lost connection the other side knows

# watch waits for a program that ends when jstall is to end, and then ends jstall.
watch() {
  trap 'kill "$c"; wait "$c"; exit 0' TERM
  "$@" <&3 &
  c=$!
  wait "$c"
  kill -TERM "$child"
  sleep 3 & c=$!; wait "$c"
  kill -TERM "$child" # a second signal ends it even if it cannot write
  sleep 2 & c=$!; wait "$c"
  kill -KILL "$child"
}
# leave ends what runs, removes the folder, and collects the helpers: in a container nobody else would.
leave() {
  trap : HUP INT TERM PIPE
  if [ -n "$child" ]; then
    kill -TERM "$child" 2>/dev/null
    watch sleep 3 >/dev/null 2>&1 &
    helpers="$helpers $!"
    wait "$child" 2>/dev/null
  fi
  if [ -n "$dir" ]; then rm -rf "$dir"; fi
  if [ -n "$helpers" ]; then kill -TERM $helpers 2>/dev/null; fi
  wait $told $helpers 2>/dev/null
}
trap leave EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 141' PIPE
trap 'exit 143' TERM

# enough tells whether the disk of a folder has room; where df does not say, it is tried.
enough() {
  free=$(df -Pk "$1" 2>/dev/null | { read -r _; read -r _ _ _ free _; echo "$free"; })
  case $free in '' | *[!0-9]*) return 0 ;; esac
  [ "$free" -ge "$room" ]
}
# take makes a folder of our own in another, if programs can be run from there.
take() {
  [ -d "$1" ] && [ -w "$1" ] && enough "$1" || return 1
  mkdir -m 700 "$1/jstall-on-$nonce" 2>/dev/null || return 1
  dir=$1/jstall-on-$nonce
  printf '#!%s\nexit 7\n' "$(command -v sh)" >"$dir/try" && chmod 700 "$dir/try"
  "$dir/try" >/dev/null 2>&1
  if [ $? = 7 ]; then rm -f "$dir/try"; return 0; fi
  rm -rf "$dir"
  dir=
  return 1
}
# /dev/shm comes last: it counts as memory of the container.
for folder in "${TMPDIR:-/tmp}" /tmp /var/tmp "${HOME:-/nonexistent}" /dev/shm; do
  if take "$folder"; then break; fi
done
store=${HOME:-/nonexistent}/.cache/jstall
for file in "$store"/*/jstall; do
  if [ -x "$file" ] && [ -O "$file" ]; then name=${file%/jstall}; say kept "${name##*/}"; fi
done
packing=plain
if command -v gzip >/dev/null 2>&1; then packing=gzip; fi
say ready "$(uname -s)" "$(uname -m)" "$packing" "${dir:-nowhere}"

IFS=' ' read -r how size name <&3 || exit 1
bin=$dir/jstall
case $how in
  kept) bin=$store/$name/jstall
    if command -v sha256sum >/dev/null 2>&1; then
      case $(sha256sum <"$bin") in "$name"*) ;; *) rm -f "$bin"; say unusable "the kept binary was changed; it is removed"; exit 1 ;; esac
    fi ;;
  gzip) head -c "$size" <&3 | gzip -dc >"$bin" || { say unwritten "$dir"; exit 1; } ;;
  plain) head -c "$size" <&3 >"$bin" && [ "$(wc -c <"$bin")" -eq "$size" ] || { say unwritten "$dir"; exit 1; } ;;
  *) exit 1 ;;
esac
chmod 700 "$bin"
why=$("$bin" --version 2>&1 </dev/null 3<&-) || { say unusable "$(printf '%s' "$why" | head -n 1)"; exit 1; }
# hold puts the binary where later runs find it.
hold() {
  mkdir -p "$store/$name" && cp "$bin" "$store/$name/$nonce" && "$store/$name/$nonce" --version &&
    mv -f "$store/$name/$nonce" "$store/$name/jstall" && bin=$store/$name/jstall && return 0
  rm -f "$store/$name/$nonce"
  return 1
}
if [ -n "$keep" ] && [ "$how" != kept ]; then
  hold >/dev/null 2>&1 || say unkept "$store"
fi
say start

"$bin" "$@" </dev/null 3<&- &
child=$!
watch cat >/dev/null 2>&1 &
helpers=$!
if [ "$limit" -gt 0 ]; then watch sleep "$limit" >/dev/null 2>&1 & helpers="$helpers $!"; fi
wait "$child"
code=$?
child=
kill -TERM $helpers 2>/dev/null
told=$helpers helpers= # once: their numbers may be of others soon
printf '\n' 2>/dev/null
say end "$code"
