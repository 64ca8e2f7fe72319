#!/usr/bin/env bash
# Archives: ls, extract, paths with //, and archives as sources.
. tests/scripts/cli_common.sh

make() { python3 "$scripts/mpq_make.py" "$@" || exit 1; }
make map.w3x --map 'war3map.j=function main' 'Units\Tiny.mdx=@files/models/tiny.mdx' 'notes.txt=hello'
make nameless.mpq --no-list 'hidden\model.mdx=@files/models/tiny.mdx' 'hidden\note.txt=hello'
make outer.w3n 'inner.w3x=@map.w3x' 'readme.txt=outer'

# ls
run 0 ls map.w3x
says '^ *13 .*stored .*war3map\.j$'
says ' mdx +Units/Tiny\.mdx$'
complains '^4 files, '
run 0 ls map.w3x '*.mdx' -q
(($(wc -l <"$work/out") == 1)) || fail "a pattern chooses"
silent err
run 0 ls map.w3x --json
check_json ls
says '"map_name":"made up"'
run 0 ls nameless.mpq
says '[0-9a-f]{16}\.mdx$'
says '[0-9a-f]{16}\.txt$'
printf 'Hidden\\Model.mdx\n' >names.txt
run 0 ls nameless.mpq --listfile names.txt
says 'Hidden/Model\.mdx$'
run 0 ls outer.w3n//inner.w3x
says 'Units/Tiny\.mdx$'
run 3 ls map.w3x nothing.txt
complains 'mpq\.no-entry: map\.w3x has no file nothing\.txt'
run 3 ls files/models/tiny.mdx
complains 'mpq\.no-header'
run 3 ls nowhere.mpq --json
check_json ls

# extract
run 2 extract map.w3x
run 0 extract map.w3x -o dest
cmp -s "dest/Units/Tiny.mdx" files/models/tiny.mdx || fail "the model comes out as it went in"
[[ $(cat dest/war3map.j) == "function main" ]] || fail "the script comes out as it went in"
run 5 extract map.w3x -o dest
complains 'write\.exists'
run 0 extract map.w3x -o dest -f --json
check_json extract
run 0 extract map.w3x -o dest --skip-existing
run 0 extract nameless.mpq 'hidden\note.txt' -o one
[[ $(cat one/hidden/note.txt) == hello ]] || fail "a name in no list is found"
run 0 extract map.w3x -o dry -n
[[ ! -e dry ]] || fail "-n writes nothing"
run 6 extract map.w3x -o dry --max-input 10
[[ ! -e dry ]] || fail "too large, nothing is written"

# Entries that lie about place and size, as protectors leave them: what can be read comes out, the rest is reported.
make lies.w3x --map --lies 'war3map.j=function main' 'Units\Tiny.mdx=@files/models/tiny.mdx'
run 5 extract lies.w3x -o honest
complains '3 ok, 0 with warnings, 20 failed'
complains 'error input\.too-large: not extracted: the file states 4\.3 GB, '
cmp -s "honest/Units/Tiny.mdx" files/models/tiny.mdx || fail "the model comes out of a protected map"
[[ $(find honest -type f | wc -l) == 3 ]] || fail "two files and the list: $(find honest -type f)"
run 0 ls lies.w3x -v
complains '^3 files, .*B, packed .*B; 20 unreadable$'
complains 'warning mpq\.table: [0-9]+ files share bytes with earlier ones'

# Names that want out.
make evil.mpq '..\..\up.txt=1' 'C:\drive.txt=2' '\\abs\x.txt=3' 'a\..\..\..\b.txt=4' 'nul.txt=5' 'dir\tab%09name.txt=6' \
  'Same.txt=7' 'sub\.=8' '../slash.txt=9' 'con .txt=10'
mkdir -p deep/er
run 0 extract evil.mpq -o deep/er/out -v
complains 'warning write\.name: '
[[ $(find deep -type f | sed 's|^deep/er/out/||' | LC_ALL=C sort | tr '\n' ' ') == \
  '(listfile) C_/drive.txt Same.txt _con .txt _nul.txt a/b.txt abs/x.txt dir/tab_name.txt slash.txt sub up.txt ' ]] || fail "names are made safe: $(find deep -type f)"
[[ $(find . -newer evil.mpq -type f -not -path './deep/er/out/*' -not -name out -not -name err | wc -l) == 0 ]] ||
  fail "something was written elsewhere: $(find . -newer evil.mpq -type f -not -path './deep/er/out/*')"
# Names that no file system takes: too long, too deep, nothing but dots, those of devices.
up=$(printf '..\\%.0s' {1..8000}) long=$(printf 'x%.0s' {1..32768}) steps=$(printf 'd\\%.0s' {1..16384})
make worse.mpq "${up}up.txt=1" '..\..\up.txt=2' 'C:\Windows\a.txt=3' '\\server\share\a.txt=4' '/etc/a.txt=5' 'nul=6' \
  'CON.txt=7' 'a\LPT1=8' "$long=9" "${steps}f=10" 'a\b\..\..\..\c=11' '.=12' '..=13'
mkdir -p apart/from
cp worse.mpq apart
run 0 extract apart/worse.mpq -o apart/from/inner -q
(($(find apart/from/inner -type f | wc -l) == 14)) || fail "13 files and the list: $(find apart -type f)"
[[ $(find apart -type f -not -path 'apart/from/inner/*') == apart/worse.mpq && ! -e /etc/a.txt ]] ||
  fail "something was written elsewhere: $(find apart -type f)"
# A link that is there already leads out. Windows' are not told from what they lead to (docs/dev/platforms.md).
if ! on_windows; then
mkdir -p linked elsewhere
ln -s ../elsewhere linked/Units
run 5 extract map.w3x -o linked
complains 'a symbolic link leads out of the folder'
[[ -z $(ls elsewhere) ]] || fail "a link was followed"
fi
ln -s "$work/target" linked2 && mkdir target
run 0 extract map.w3x -o linked2
[[ -f target/notes.txt ]] || fail "the folder itself may be a link"

# A file of an archive is an input like any other.
run 0 info 'map.w3x//units\tiny.mdx'
says 'Warcraft III model'
run 0 dump 'map.w3x//Units/Tiny.mdx'
run 0 tree 'outer.w3n//inner.w3x//Units/Tiny.mdx'
run 0 diff 'map.w3x//Units/Tiny.mdx' files/models/tiny.mdx
run 0 convert 'map.w3x//Units/Tiny.mdx' -o model.glb
[[ -s model.glb ]] || fail "a model in an archive is converted"
run 3 info 'map.w3x//nothing.mdx'
complains 'map\.w3x//nothing\.mdx: error mpq\.no-entry'
run 0 survey map.w3x//
says '^EXACT .*map\.w3x//Units/Tiny\.mdx'
run 0 survey -r map.w3x
says '^EXACT .*map\.w3x//Units/Tiny\.mdx'
run 0 survey -r map.w3x//units
says '^1 file: 1 EXACT'
run 0 survey -r nameless.mpq --json
check_json survey
run 0 convert -r map.w3x -o all
[[ -s all/Units/Tiny.glb ]] || fail "folders in archives are kept"
run 3 dump map.w3x
complains 'ARCHIVE//NAME'

# info of an archive
run 0 info map.w3x
says 'Warcraft III map'
says 'name +made up'
says 'holds +4 files'
run 0 info nameless.mpq -v
says 'no list of names, 2 without a known name'
says 'info mpq\.names'
run 0 info map.w3x nameless.mpq --json
check_json info
head -c 700 map.w3x >cut.w3x
run 3 info cut.w3x --json
check_json info

# Archives as sources
run 0 info files/models/tiny.mdx --source map.w3x
run 2 info files/models/tiny.mdx --source notes.txt

# A list that cannot be read is told as what it is.
for command in info convert thumb survey extract; do
  run 2 $command files/models/tiny.mdx --listfile missing.txt
  complains 'error usage: --listfile missing\.txt: no such file'
done
run 2 info files/models/tiny.mdx --source map.w3x --listfile missing.txt
complains '--listfile missing\.txt: no such file'
run 2 ls map.w3x --listfile missing.txt
complains '--listfile missing\.txt: no such file'
# Nothing of what is no text is a name.
run 2 ls map.w3x --listfile "$THAW_SAMPLES/knight.mdx"
complains 'error usage: --listfile .*knight\.mdx: not a text file with an id;path or a name on each line'

# An archive from stdin can be read only once.
"$THAW" ls map.w3x -q >named || fail "ls of a file"
"$THAW" ls - -q <map.w3x >piped || fail "ls of stdin"
cmp named piped || fail "ls of stdin tells something else"
run 2 diff - -
complains 'stdin \(-\) can be read only once'
# survey: a table of all files, those that were skipped among them.
mkdir table
cp "$THAW_SAMPLES/knight.mdx" table/
odd='=b,"c.mrf'
[[ -z ${THAW_EXE:-} ]] || odd='=b,c.mrf' # no file has quotation marks on Windows
cp "$THAW_SAMPLES/banner.mrf" "table/$odd"
head -c 300 "$THAW_SAMPLES/knight.mdx" >table/short.mdx
echo text >table/note.txt
run 0 survey -r table --csv all.csv -v
complains '^table/note\.txt: skipped \(unknown\)$'
python3 - all.csv "table/$odd" <<'PYTHON' || fail "the table: $(<all.csv)"
import csv, sys
rows = {row["file"]: row for row in csv.DictReader(open(sys.argv[1], newline=""))}
assert len(rows) == 4, rows
assert rows["table/knight.mdx"]["roundtrip"] == "EXACT" and rows["table/knight.mdx"]["kind"] == "mdx wc3 800", rows
assert int(rows["table/knight.mdx"]["bytes"]) > 100000 and rows["table/knight.mdx"]["raw bytes"] == "0"
assert rows[sys.argv[2]]["roundtrip"] == "EXACT"
assert rows["table/note.txt"]["roundtrip"] == "SKIPPED"
assert "read.truncated" in rows["table/short.mdx"]["codes"] and int(rows["table/short.mdx"]["findings"]) > 0
PYTHON
run 4 survey -r table --csv all.csv
complains 'write\.exists'
run 2 survey --merge part.json --csv all.csv

finish
