#!/usr/bin/env bash
# windows_platform.sh: what src/cli/platform/windows and src/sources/file.cpp do under wine, in a small program of
# their own.
set -uo pipefail
: "${THAW_ROOT:?the source}" "${THAW_WINE:?a folder}" "${THAW_BUILD:?a build, for thaw/version.hpp}"
cd "$THAW_ROOT" || exit 1
. tests/scripts/wine.sh
prepare_wine "$THAW_WINE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The one header of others; not with all of this system's.
mkdir "$work/include" && ln -s /usr/include/tl "$work/include/tl"
x86_64-w64-mingw32-g++-posix -std=c++20 -O1 -DNOMINMAX -DWIN32_LEAN_AND_MEAN -Isrc -Iinclude -I"$THAW_BUILD/generated" \
  -isystem "$work/include" src/cli/platform/messages.cpp \
  src/cli/platform/windows/*.cpp src/sources/file.cpp tests/tools/platform_probe.cpp \
  -static -Wl,--wrap=mbrtowc -o "$work/probe.exe" -lws2_32 -lshell32 -ladvapi32 || exit 1
make_wrapper "$work/probe" "$work/probe.exe"
x86_64-w64-mingw32-g++-posix -std=c++20 -O1 -DNOMINMAX -DWIN32_LEAN_AND_MEAN -D_WIN32_WINNT=0x0A00 -Isrc -Iinclude \
  -I"$THAW_BUILD/generated" -isystem "$work/include" src/cli/platform/messages.cpp \
  src/cli/platform/windows/*.cpp tests/tools/windows_isolation_probe.cpp \
  -static -Wl,--wrap=mbrtowc -o "$work/isolation.exe" -lws2_32 -lshell32 -ladvapi32 || exit 1
make_wrapper "$work/isolation" "$work/isolation.exe"
cd "$work" || exit 1
failures=0
# gives EXPECTED WORDS…: lines in brackets on stdout; wine has words of its own on stderr
gives() {
  local expected=$1 got
  shift
  got=$(./probe "$@" 2>/dev/null)
  [[ $got == "$expected" ]] || { echo "FAILED   probe $*: $got instead of $expected"; failures=$((failures + 1)); }
}
fail() { echo "FAILED   $*"; failures=$((failures + 1)); }

gives $'[a b]\n[ä騎𝔎]\n[]\n[q"uote]\n[\\\\x\\]\n[*.mdx]\n[/tmp/x]' words 'a b' 'ä騎𝔎' '' 'q"uote' '\\x\' '*.mdx' /tmp/x
printf alpha >'ä 騎.mdx'
printf beta >b.mdx
printf hidden >.c.mdx
ln b.mdx hard
gives $'[b.mdx]\n[ä 騎.mdx]' expand '*.mdx'
gives '[./b.mdx]' expand './?.mdx'
gives '[*.blp]' expand '*.blp'
gives '[a.mpq//*]' expand 'a.mpq//*'
gives '[a/b/]' path 'a\b\'
gives '[\\srv/share/x]' path '\\srv\share\x'
gives '[C:/x/y]' path '\\?\C:\x\y'
gives '[\\?\UNC\srv\x]' path '\\?\UNC\srv\x'
./probe same b.mdx hard || fail "a file under two names is two"
./probe same b.mdx 'ä 騎.mdx' && fail "two files are one"
gives '[alpha]' read 'ä 騎.mdx'
gives '[no such file]' read nothing
gives '[written]' write 'neu ä 𝔎' one
gives '[already exists]' write 'neu ä 𝔎' two
gives '[written]' write 'neu ä 𝔎' three over
[[ $(cat 'neu ä 𝔎') == three && -z $(find . -name '*.tmp') ]] || fail "a name of another alphabet: $(ls -A)"
long=$(printf 'long/%.0s' $(seq 40))$(printf 'x%.0s' $(seq 180))
mkdir -p "$long"
gives '[written]' write "$long/f" deep
gives '[deep]' read "${long//\//\\}\\f"
gives '[beta]' read "Z:$PWD/b.mdx"
# Other programs: found on PATH alone, given words as they are, and what they end with is told.
mkdir 'pro grams'
x86_64-w64-mingw32-g++-posix -O1 -static -municode "$THAW_ROOT/tests/tools/copy_film.cpp" -o 'pro grams/film.exe' || exit 1
export WINEPATH="Z:$PWD/pro grams"
gives "[Z:$PWD/pro grams/film.exe]" find film
gives '[]' find probe
film="Z:$PWD/pro grams/film.exe"
gives '[0]' run "$film" -i b.mdx 'ä film.webm'
cmp b.mdx 'ä film.webm' || fail "a program gets other words"
gives '[1]' run "$film" -i nothing x
gives '[not run]' run "$film.exe"
head -c 100000 /dev/urandom >noise
./probe copy <noise | cmp - noise || fail "a redirected file"
(head -c 5000 noise; sleep 1; tail -c +5001 noise) | ./probe copy | cmp - noise || fail "a pipe that waits"
./probe serve >port </dev/null &
server=$!
for _ in $(seq 100); do [[ -s port ]] && break; sleep 0.1; done
python3 - "$(tr -d '\r\n' <port)" <<'PY' || fail "the server"
import socket, sys
connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 20)
size = 0
while block := connection.recv(65536):
    size += len(block)
assert size == 3000000, size
PY
kill -INT $server
wait $server
(($? == 130)) || fail "Ctrl-C"

# --- processes of --isolate; of the low level, privileges and limits of jobs wine only takes notice

isolated() { WINEDLLOVERRIDES="$WINEDLLOVERRIDES;winedbg.exe=" ./isolation b.mdx noise "$1" 2>/dev/null | tr -d '\r'; }
isolated answers >said
for line in 'the parent answers' 'reads its input' 'too long a question refused'; do
  grep -q "^$line" said || fail "isolated: no '$line': $(tr '\n' ';' <said)"
done
grep -Eq '^(NO|PRIV|.* ESCAPED)' said && echo "skipped  what wine does not take from a process: $(grep -E '^(NO|PRIV|.* ESCAPED)' said | tr '\n' ';')"
# ended HOW LINE: four pieces of work, of which the second ends so
ended() {
  isolated "$1" | sort >said
  (($(grep -c '^[0-3] ' said) == 4)) && grep -Eqx "$2" said && grep -qx 'ended by itself' said ||
    fail "workers that $1: $(tr '\n' ';' <said)"
}
ended work '1 done'
ended crash '1 exception 0xC0000005 \(access violation\)'
ended hang '1 late'
ended turn '1 exception 0xC0000005 \(access violation\)'
grep -qx 'one after the other' said || fail "turns of workers: $(<said)"
ended flood '1 exit code 1'
[[ $(isolated crash-itself) == 'exception 0xC0000005 (access violation)' ]] || fail "a process that dies"
# None outlives the one outside, the oldest; the others are there once two workers are.
process="${work##*/}.isolation.exe"
isolated hang >/dev/null &
for _ in $(seq 300); do (($(pgrep -fc "$process") >= 4)) && break; sleep 0.02; done
outside=$(pgrep -fo "$process")
kill -KILL "$outside" || fail "no isolated processes"
for _ in $(seq 40); do pgrep -f "$process" >/dev/null || break; sleep 0.1; done # it would be seven seconds
pgrep -fa "$process" && fail "a process outlives the command"
((failures)) || echo "ok       the platform of Windows"
((failures == 0))
