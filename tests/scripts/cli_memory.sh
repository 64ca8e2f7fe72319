#!/usr/bin/env bash
# --max-memory ends in exit code 6, not in a crash; not for sanitised builds, which need much of their own.
. tests/scripts/cli_common.sh

python3 - <<'PYTHON'
import struct
header = struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, 6000, 6000, 32, 0x28)
open("large.tga", "wb").write(header + bytes(6000 * 6000 * 4))
PYTHON
run 0 convert large.tga -o fits.png --png-level 1
run 6 convert --max-memory 50M large.tga -o refused.png
complains '^large\.tga: error limit\.memory: '
[[ ! -e refused.png ]] || fail "an output in spite of the limit"
run 6 survey --max-memory 50M large.tga

# Many threads, each of which may be the one for which nothing is left, not even for telling of it.
mkdir models
for i in $(seq 40); do
  cp "$THAW_SAMPLES/everything_v1800.mdx" "models/a$i.mdx"
  cp "$THAW_SAMPLES/knight.mdx" "models/b$i.mdx"
done
for limit in 2M 4M 17M 18M 19M 26M 34M; do
  for jobs in 4 16 128; do
    "$THAW" convert -r models -q -f -o made --to mdx --format-version 1000 --json --max-memory $limit -j $jobs >out 2>err </dev/null
    status=$?
    if ((status == 6)); then
      grep -q 'error limit\.memory' err || fail "-j $jobs, $limit: exit 6 without a word"
    else
      ((status == 0 || status == 5)) || fail "-j $jobs, $limit: exit $status: $(tail -n 2 err)"
      (($(grep -c '"thaw.convert/2"' out) == 80)) || fail "-j $jobs, $limit: not all of 80 files are told"
    fi
  done
done

# Libraries that have no memory left do not make empty pictures.
for limit in $(seq 6 20); do
  "$THAW" convert -r "$THAW_SAMPLES/Textures" -q -o pictures-$limit --max-memory ${limit}M -j 2 2>err </dev/null
  status=$?
  ((status == 0 || status == 5 || status == 6)) || fail "${limit}M: exit $status: $(tail -n 2 err)"
done
[[ -s pictures-20/knight.png ]] || fail "no picture with 20 M: $(ls pictures-20)"
[[ -z $(find pictures-* -size 0) ]] || fail "empty pictures: $(find pictures-* -size 0)"

# What zlib has no memory for is no broken picture.
python3 - <<'PYTHON'
import random, struct, zlib
def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
noise = random.Random(1)
rows = b"".join(b"\0" + noise.randbytes(1200) for _ in range(300))
open("noise.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 300, 300, 8, 6, 0, 0, 0))
                              + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
PYTHON
refused=0
for limit in $(seq 600 16 3000); do
  "$THAW" convert --to png noise.png -q -f -o again.png --max-memory ${limit}K 2>err </dev/null
  status=$?
  ((status == 0 || status == 6)) || fail "${limit}K: exit $status: $(tail -n 2 err)"
  ((refused += status == 6))
done
((refused > 10)) || fail "no limit was too low for a picture"

# An archive's file that does not fit is one that fails; the others are converted.
head -c 49000000 /dev/zero >zeros
python3 "$scripts/mpq_make.py" large.mpq large.mdx=@zeros tiny.mdx=@files/models/tiny.mdx
run 5 convert -r -j 1 --max-memory 50M large.mpq -o unpacked
complains '^large\.mpq//large\.mdx: error limit\.memory: '
[[ -s unpacked/tiny.glb ]] || fail "the run ended with one file"
finish
