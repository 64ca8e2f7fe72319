#!/usr/bin/env bash
# Aliases of commands, near misses, and folders.
. tests/scripts/cli_common.sh

cp files/models/tiny.mdx model.mdx
cp "$THAW_SAMPLES/Textures/knight.blp" icon.blp
mkdir folder && cp model.mdx folder/

for words in 'inspect model.mdx' 'identify icon.blp' 'check model.mdx' 'lint model.mdx' 'compare model.mdx folder/model.mdx'; do
  run 0 $words
done
run 2 inspct model.mdx
complains 'did you mean inspect\?'
run 2 info --glob '*.mdx' -r folder
complains 'info has no option --glob'
run 2 convert -i icon.blp -o icon.png
complains 'convert has no option -i'

# A folder is looked into; what is found often is told once, with its number, and with -v each time.
run 0 validate folder
says '^folder/model\.mdx: passed'
complains '1 passed'
run 2 validate --fix folder
python3 - <<'PY' || fail "-v tells other findings than are counted"
import os, re, subprocess
def told(*words):
    return subprocess.run([os.environ["THAW"], "validate", *words, os.environ["THAW_SAMPLES"] + "/knight.mdx"], capture_output=True, text=True).stdout
brief, whole = told().splitlines(), told("-v").splitlines()
line = re.compile(r".*?: (?:info|unused|warning|severe|error) ([a-z0-9.-]+): .*?(?: – (\d+) times)?$")
total = int(re.search(r"(\d+) findings?", whole[-1])[1])
assert len(whole) == total + 1, (len(whole), total)
counts = {}
for match in filter(None, map(line.match, whole)):
    counts[match[1]] = counts.get(match[1], 0) + 1
for match in filter(None, map(line.match, brief)):
    assert counts[match[1]] == int(match[2] or 1), match[0]
    assert sum(other.count(f" {match[1]}: ") for other in brief) == 1
PY

# What is no archive says what it is; a picture that may be meant as a folder says so.
run 3 ls icon.blp
complains 'BLP.*not an archive; inspect it with `thaw info`'
run 0 thumb -s 32 model.mdx -o pictures
complains 'pictures is used as the image.s name; -o pictures/ names a folder'
finish
