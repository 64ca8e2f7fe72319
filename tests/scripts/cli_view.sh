#!/usr/bin/env bash
# view: what the server gives away and what not. The page itself is looked at by `./test --web`; here it is a stand-in.
source tests/scripts/cli_common.sh
: "${THAW_SAMPLES:?the samples}"

mkdir -p bin share/thaw/web models/sub secret
cp "$THAW" bin/thaw
THAW=$work/bin/thaw
run 3 view --no-browser "$THAW_SAMPLES"
complains 'the page is not built'
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
complains 'neither a file nor a folder'
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

_, listed = expect(200, url.path + "files.json")
if json.loads(listed) != {"files": ["knight.mdx", "sub/a b+c.blp"], "first": ""}:
    failures.append(listed)
expect(200, url.path + "file?path=" + urllib.parse.quote("sub/a b+c.blp"), b"texture\n")
expect(200, url.path + "file?path=knight.mdx", open("models/knight.mdx", "rb").read())
expect(200, url.path + "file?path=knight.mdx", b"", method="HEAD")

# Without the token, or with another one of the same length, there is nothing.
for path in ("/", "/index.html", "/files.json", "/file?path=knight.mdx", "/" + "0" * 32 + "/", "/" + token[:-1], "/" + token, "//" + token + "/"):
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
idle = [socket.create_connection((url.hostname, url.port)) for _ in range(5)]
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
assert name in json.load(urllib.request.urlopen(told + "files.json"))["files"]
assert urllib.request.urlopen(told + "file?path=" + urllib.parse.quote(name)).read() == b"bytes\n"
PY
stop INT
rm models/na*.blp

cp "$THAW_SAMPLES/knight.mdx" models/one.mdx
start "$PWD/models/one.mdx" --source secret
python3 - "$url" <<'PY' || fail "one file"
import json, sys, urllib.request
files = json.load(urllib.request.urlopen(sys.argv[1] + "files.json"))
sys.exit(files != {"files": ["one.mdx", "password", "sub/a b+c.blp"], "first": "one.mdx"})
PY
stop TERM

# Of a model that was named, files above its folder that `convert` would find; nothing else that lies there.
mkdir -p game/units/hero game/textures
cp "$THAW_SAMPLES/knight.mdx" game/units/hero/
cp "$THAW_SAMPLES/Textures/knight.blp" game/textures/Knight.blp
cp "$THAW_SAMPLES/Textures/knight.blp" game/textures/other.blp
start game/units/hero/knight.mdx
python3 - "$url" <<'PY' || fail "textures above the model"
import json, sys, urllib.request
files = json.load(urllib.request.urlopen(sys.argv[1] + "files.json"))["files"]
assert files == ["knight.mdx", "textures/knight.blp"], files
body = urllib.request.urlopen(sys.argv[1] + "file?path=textures/knight.blp").read()
assert body == open("game/textures/Knight.blp", "rb").read()
PY
withheld textures/other.blp || fail "what no one asked for is given away"
stop TERM

# Of a folder, what any model in it would find above it: pictures and models, nothing hidden, nothing else.
cp "$THAW_SAMPLES/knight.mdx" game/units/hero/.secret.mdx
cp game/textures/other.blp game/textures/.secret.blp
echo private >game/notes.txt
start game/units
python3 - "$url" <<'PY' || fail "what belongs to a model of a folder"
import json, sys, urllib.error, urllib.parse, urllib.request
files = json.load(urllib.request.urlopen(sys.argv[1] + "files.json"))["files"]
assert files == ["hero/knight.mdx"], files
def find(path, model="hero/knight.mdx"):
    query = urllib.parse.urlencode({"model": model, "path": path})
    try:
        return urllib.request.urlopen(sys.argv[1] + "find?" + query).read() or None
    except urllib.error.HTTPError as error:
        assert error.code == 404, error
        return None
assert find("Textures\\Knight.blp") == open("game/textures/Knight.blp", "rb").read()
for path in ["notes.txt", "textures/.secret.blp", "../notes.txt", "textures/none.blp", "", "/etc/passwd"]:
    assert find(path) is None, path
assert find("textures/other.blp", "none.mdx") is None, "for no model that is offered"
PY
stop TERM
rm game/units/hero/.secret.mdx game/textures/.secret.blp

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
files = json.load(urllib.request.urlopen(sys.argv[1] + "files.json"))
assert files == {"files": ["other.mdx"], "first": "other.mdx"}, files
assert urllib.request.urlopen(sys.argv[1] + "file?path=other.mdx").read() == open("models/one.mdx", "rb").read()
PY
port=$(sed 's/.*:\([0-9]*\).*/\1/' <<<"$url")
run 4 view --no-browser --port "$port" models
complains 'is not free'
stop TERM

finish
