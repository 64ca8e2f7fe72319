#!/usr/bin/env bash
# view: what the server gives away and what not. The page itself is looked at by `./test --web`; here it is a stand-in.
source tests/scripts/cli_common.sh
: "${THAW_SAMPLES:?the samples}"

mkdir -p bin share/thaw/web models/sub secret
cp "$THAW" bin/thaw
THAW=$work/bin/thaw
run 3 view --no-browser "$THAW_SAMPLES"
complains 'the page is not installed'
complains 'scripts/web'
echo '<title>a page</title>' >share/thaw/web/index.html
printf '\0asm' >share/thaw/web/thaw-module.wasm
echo hidden >share/thaw/web/.secret
cp "$THAW_SAMPLES/knight.mdx" models/
echo texture >"models/sub/a b+c.blp"
echo secret >secret/password
ln -s ../secret/password models/link
ln -s ../secret models/folder

run 3 view --no-browser missing.mdx
complains 'missing.mdx: no such file or folder'
run 2 view --no-browser --port 99999 models
run 2 view --no-browser --source missing models
complains '--source missing'

# start ARGUMENTS…: a server; its address in $url, its process in $server
start() {
  # The address of the server before must not be taken for this one's.
  rm -f "$work/address"
  # A script's background ignores Ctrl-C, and what it starts would go on doing so.
  env --default-signal=INT "$THAW" view --no-browser "$@" >"$work/address" 2>"$work/err" </dev/null &
  server=$!
  for _ in $(seq 100); do
    [[ -s $work/address ]] && break
    sleep 0.1
  done
  url=$(<"$work/address")
  [[ $url =~ ^http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}/$ ]] || fail "no address: $url"
}

# stop SIGNAL: the server ends as the convention has it
stop() {
  kill "-$1" "$server"
  for _ in $(seq 50); do
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  kill -0 "$server" 2>/dev/null && fail "SIG$1 does not end it" && kill -KILL "$server"
  wait "$server"
  local status=$?
  ((status == 130)) || fail "SIG$1: exit $status"
}

# withheld NAME: the server says that it does not offer that file
withheld() {
  python3 - "$url" "$1" <<'PY'
import sys, urllib.error, urllib.request
try:
    urllib.request.urlopen(sys.argv[1] + "file?path=" + sys.argv[2])
except urllib.error.HTTPError as error:
    sys.exit(error.code != 404)
sys.exit(1)
PY
}

start models
# What reads the files is a process without rights; the one that was started reads none of them.
if "$THAW" doctor -v 2>/dev/null | grep -q seccomp; then
  reader=$(grep -ls "^PPid:[[:space:]]*$server\$" /proc/[0-9]*/status)
  grep -q '^Seccomp:[[:space:]]*2' "$reader" || fail "the files are read without a sandbox"
fi
python3 - "$url" <<'PY' || fail "the server"
import http.client, json, socket, sys, time, urllib.parse

url = urllib.parse.urlsplit(sys.argv[1])
failures = []

def ask(target, method="GET", host=None):
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
    connection.putrequest(method, target, skip_host=True)
    connection.putheader("Host", host or url.netloc)
    connection.endheaders()
    answer = connection.getresponse()
    return answer, answer.read()

def expect(status, target, body=None, **more):
    answer, content = ask(target, **more)
    if answer.status != status or (body is not None and content != body):
        failures.append(f"{more} {target}: {answer.status} {content[:60]!r}, expected {status}")
    return answer, content

token = url.path.strip("/")
answer, _ = expect(200, url.path, b"<title>a page</title>\n")
for name, value in {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}.items():
    if answer.headers[name] != value:
        failures.append(f"{name}: {answer.headers[name]}")
if "default-src 'self'" not in answer.headers["Content-Security-Policy"]:
    failures.append("no policy")
answer, _ = expect(200, url.path + "thaw-module.wasm", b"\0asm")
if answer.headers["Content-Type"] != "application/wasm":
    failures.append(answer.headers["Content-Type"])

for folder, wanted in {"": (["sub"], ["knight.mdx"]), "sub": ([], ["a b+c.blp"])}.items():
    _, listed = expect(200, url.path + "folder?path=" + folder)
    if json.loads(listed) != {"folders": wanted[0], "files": wanted[1], "first": ""}:
        failures.append(listed)
for folder in ("folder", "..", "../secret", "sub/..", "sub/", "/", "/etc", "knight.mdx", ".", "none"):
    expect(200 if folder == "sub/" else 404, url.path + "folder?path=" + folder)
expect(200, url.path + "file?path=" + urllib.parse.quote("sub/a b+c.blp"), b"texture\n")
expect(200, url.path + "file?path=knight.mdx", open("models/knight.mdx", "rb").read())
expect(200, url.path + "file?path=knight.mdx", b"", method="HEAD")

# Without the token, or with another one of the same length, there is nothing.
for path in ("/", "/index.html", "/folder?path=", "/where?all=1", "/search", "/file?path=knight.mdx", "/" + "0" * 32 + "/", "/" + token[:-1], "/" + token, "//" + token + "/"):
    expect(403, path)
expect(403, url.path, host="example.org")  # a name that was made to lead here
expect(403, url.path, host="127.0.0.1:1")

# Nothing outside the folder, neither by name nor by link nor through the page's own folder.
for path in ("../secret/password", "/etc/passwd", "..%2Fsecret%2Fpassword", "link", "folder/password", "sub/../../secret/password",
             "models/../../secret/password", "", "sub", "KNIGHT.MDX%00"):
    expect(404, url.path + "file?path=" + path)
for path in ("../knight.mdx", "..%2F..%2Fbin%2Fthaw", "%2e%2e/index.html", ".secret", "missing.js"):
    expect(404, url.path + path)
expect(400, url.path + "%zz")
expect(400, url.path + "a%00b")
expect(405, url.path, method="POST")

# Connections that say nothing, or too much, do not keep others from being served.
idle = [socket.create_connection((url.hostname, url.port)) for _ in range(200)]
loud = socket.create_connection((url.hostname, url.port))
start = time.monotonic()
expect(200, url.path)
if time.monotonic() - start > 5:
    failures.append("idle connections hold the server up")
try:
    loud.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 100000)
    loud.settimeout(10)
    if loud.recv(100):
        failures.append("an endless header is answered")
except ConnectionError:
    pass
expect(200, url.path)
print("\n".join(map(str, failures)), file=sys.stderr)
sys.exit(bool(failures))
PY
# What is linked anew after the list was made stays outside, too.
rm models/knight.mdx && ln -s ../secret/password models/knight.mdx
withheld knight.mdx || fail "a link that came later leads out"
stop INT

# The browser is given an address that leads to the token one time. A name that is no UTF-8 can be asked for, too; it is taken for Latin-1.
cat >bin/xdg-open <<'SH'
#!/bin/sh
echo "$1" >opened
SH
chmod +x bin/xdg-open
echo bytes >models/$'na\xefve.blp'
rm -f address
PATH=$work/bin:$PATH env --default-signal=INT "$THAW" view models >address 2>err </dev/null &
server=$!
for _ in $(seq 100); do
  [[ -s opened ]] && break
  sleep 0.1
done
python3 - "$(<address)" "$(<opened)" <<'PY' || fail "the browser's address"
import http.client, json, sys, urllib.parse, urllib.request
told, opened = sys.argv[1:]
token = urllib.parse.urlsplit(told).path
assert token.strip("/") not in opened, opened

def ask(url):
    url = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
    connection.request("GET", url.path)
    return connection.getresponse()

first = ask(opened)
assert first.status == 302 and first.headers["Location"] == token, (first.status, first.headers["Location"])
assert ask(opened).status == 403
name = "naïve.blp"
assert name in json.load(urllib.request.urlopen(told + "folder?path="))["files"]
assert urllib.request.urlopen(told + "file?path=" + urllib.parse.quote(name)).read() == b"bytes\n"
PY
stop INT
rm models/na*.blp

cp "$THAW_SAMPLES/knight.mdx" models/one.mdx
start "$PWD/models/one.mdx" --source secret
python3 - "$url" <<'PY' || fail "one file"
import json, sys, urllib.request
files = json.load(urllib.request.urlopen(sys.argv[1] + "folder?path="))
sys.exit(files != {"folders": ["sub"], "files": ["one.mdx", "password"], "first": "one.mdx"})
PY
stop TERM

# Of a model, what it would find above the folder: pictures and models, nothing hidden, nothing else.
mkdir -p game/units/hero game/textures
cp "$THAW_SAMPLES/knight.mdx" game/units/hero/
cp "$THAW_SAMPLES/Textures/knight.blp" game/textures/Knight.blp
cp "$THAW_SAMPLES/knight.mdx" game/units/hero/.secret.mdx
cp game/textures/Knight.blp game/textures/.secret.blp
echo private >game/notes.txt
for arguments in game/units game/units/hero/knight.mdx; do
  start $arguments
  python3 - "$url" "$arguments" <<'PY' || fail "what belongs to a model of $arguments"
import json, sys, urllib.error, urllib.parse, urllib.request
url, named = sys.argv[1:]
model = "hero/knight.mdx" if named == "game/units" else "knight.mdx"
def ask(what, **fields):
    return urllib.request.urlopen(url + what + "?" + urllib.parse.urlencode(fields, quote_via=urllib.parse.quote)).read()
files = json.loads(ask("folder", path="hero" if "/" in model else ""))["files"]
assert files == ["knight.mdx"], files
def find(path, model=model):
    return ask("find", model=model, path=path) or None
assert find("Textures\\Knight.blp") == open("game/textures/Knight.blp", "rb").read()
for path in ["notes.txt", "textures/.secret.blp", "../notes.txt", "textures/none.blp", "", "/etc/passwd"]:
    assert find(path) is None, path
assert find("textures/knight.blp", "none.mdx") is None, "for no model that is offered"
said = json.loads(ask("where", model=model, path="textures\\knight.blp"))
assert said["elsewhere"] == ["textures\\knight.blp"] and said["files"] == {}, said
PY
  withheld ../textures/Knight.blp || fail "what lies above is given away by its place"
  stop TERM
done
rm game/units/hero/.secret.mdx game/textures/.secret.blp

# What a model means by a name: first along its own folders, then of what lies anywhere the nearest with that end, then that name.
mkdir -p deep/a/b/textures deep/a/c/textures deep/z/more
cp "$THAW_SAMPLES/knight.mdx" deep/a/b/
for place in a/b/textures/own a/c/textures/near z/more/near z/more/bare a/c/textures/Case; do echo "$place" >"deep/$place.blp"; done
mkdir -p deep/game/data deep/game/config && echo x >deep/game/data/inside.blp
start deep
python3 - "$url" <<'PY' || fail "names of files"
import json, sys, time, urllib.parse, urllib.request
def ask(what, *fields):
    return json.load(urllib.request.urlopen(sys.argv[1] + what + "?" + urllib.parse.urlencode(fields, quote_via=urllib.parse.quote)))
model = ("model", "a/b/knight.mdx")
names = ["textures/own.blp", "textures/near.blp", "bare.blp", "Textures\\CASE.BLP", "none.blp", "inside.blp"]
paths = [("path", name) for name in names]
first = ask("where", model, *paths)
assert first["files"] == {names[0]: "a/b/textures/own.blp"} and not first["isWhole"] and first["archives"] == [], first
for _ in range(100):
    whole = ask("where", model, ("all", "1"), *paths)
    if whole["isWhole"]:
        break
    time.sleep(0.1)
assert whole["files"] == dict(zip(names, ["a/b/textures/own.blp", "a/c/textures/near.blp", "z/more/bare.blp", "a/c/textures/Case.blp"])), whole
assert whole["count"] == 6, whole
said = ask("search", ("word", "more"), ("word", "near"), ("ending", ".blp"))
assert said == {"files": ["z/more/near.blp"], "isWhole": True, "count": 6}, said
assert ask("search", ("word", "knight"), ("ending", ".blp"))["files"] == []
PY
stop TERM

# A file that was named is not followed to another one either.
cp "$THAW_SAMPLES/knight.mdx" models/alone.mdx
start models/alone.mdx
ln -sf ../secret/password models/alone.mdx
withheld alone.mdx || fail "the named file became a link that leads out"
stop TERM
rm models/alone.mdx

# A file that is reached by a link is offered under the name by which it was named.
mkdir links && ln -s ../models/one.mdx links/other.mdx
start links/other.mdx
python3 - "$url" <<'PY' || fail "a linked file"
import json, sys, urllib.request
files = json.load(urllib.request.urlopen(sys.argv[1] + "folder?path="))
assert files == {"folders": [], "files": ["other.mdx"], "first": "other.mdx"}, files
assert urllib.request.urlopen(sys.argv[1] + "file?path=other.mdx").read() == open("models/one.mdx", "rb").read()
PY
port=$(sed 's/.*:\([0-9]*\).*/\1/' <<<"$url")
run 4 view --no-browser --port "$port" models
complains 'is in use'
stop TERM

finish
