#!/usr/bin/env bash
# Commands as people type them from memory of glTF-Transform, FFmpeg, ImageMagick, ExifTool and ripgrep: each works, or is
# told what it is here.
. tests/scripts/cli_common.sh

cp files/models/tiny.mdx model.mdx
cp "$THAW_SAMPLES/Textures/knight.blp" icon.blp
mkdir folder && cp model.mdx folder/

works() { run 0 "$@"; }
# told HINT WORDS…: exit 2, nothing on stdout, and stderr has what to type
told() {
  local hint=$1
  shift
  run 2 "$@"
  silent out
  grep -qF -- "$hint" err || fail "thaw $*: no hint of '$hint': $(cat err)"
}

# 1 to 7: glTF-Transform
works inspect model.mdx
works validate model.mdx
told 'thaw convert IN -o OUT' copy model.mdx model.glb
told 'thaw convert IN -o OUT --max-size PIXELS' resize --width 64 icon.blp small.blp
told 'thaw optimize IN -o OUT' prune model.mdx out.mdx
told 'Name the output with -o' optimize model.mdx out.mdx
told '--to FORMAT' convert --format gltf model.mdx
# 8 to 14: FFmpeg
told 'thaw convert IN -o OUT' -i icon.blp icon.png
told 'thaw convert IN' convert -i icon.blp -o icon.png
works convert -y icon.blp -o icon.png
works convert -y icon.blp -o icon.png
told 'thaw formats' -formats
told '--jobs N' convert -threads 4 model.mdx
told 'thaw info FILE' probe model.mdx
told 'thaw view FILE' play model.mdx
# 15 to 20: ImageMagick
works identify icon.blp
works convert icon.blp out.png
told '--max-size PIXELS' convert icon.blp -resize 64x64 -o small.png
told '--quality N' convert icon.blp -quality 80 -o small.blp
told 'thaw convert -r FOLDER' mogrify -format png folder
told 'thaw thumb -r FOLDER -o OUT' montage model.mdx
works compare model.mdx folder/model.mdx
# 21 to 24: ExifTool
told 'thaw info --json FILE' -json model.mdx
# On Windows such a file was dropped on the command, and opens in the page.
on_windows || told 'thaw info' model.mdx
told 'thaw info -r FOLDER' -r folder
told '--force' convert -overwrite_original model.mdx
# 25 to 29: ripgrep
told '--include GLOB' info --glob '*.mdx' -r folder
told '--include GLOB' info -g '*.mdx' -r folder
told 'thaw formats' --type-list
told '--jobs N' info --threads 4 model.mdx
works info -r folder --include '*.mdx'
# And of others that check, list and unpack.
works check model.mdx
works lint model.mdx
told 'thaw --version' version
run 2 inspct model.mdx
complains 'did you mean inspect\?'

# One word, one meaning.
told '--max-input BYTES' info --max-size 100 model.mdx
told '--hour HH:MM' world --time 06:30 map.wdt

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
