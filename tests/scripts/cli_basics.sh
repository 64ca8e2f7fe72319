#!/usr/bin/env bash
# Streams, exit codes, help, suggestions, completion, and errors that say what a file is.
. tests/scripts/cli_common.sh

run 0 --version
says '^thaw [0-9]+\.[0-9]+\.[0-9]+'
run 0 --version --json
check_json version
run 0 --help
says '^Usage: thaw COMMAND'
# Every command stands below one heading.
for command in $("$THAW" completion fish | sed -n "s/^complete -c thaw -n __fish_use_subcommand -f -a '\{0,1\}\([a-z]*\).*/\1/p"); do
  [[ $(grep -c "^  $command  *[^ ]" out) == 1 ]] || fail "$command is not told once by --help"
done
run 2
complains '^Usage: thaw COMMAND'
silent out
for command in info dump build set merge tree convert world optimize edit portrait render thumb view survey diff ls extract validate formats \
  completion register unregister help; do
  run 0 "$command" --help
  says "^thaw $command: "
  says '^Exit codes:'
  # Each option stands below one heading.
  for name in $("$THAW" completion fish | sed -n "s/.*subcommand_from $command'.* -l \([a-z0-9-]*\) .*/\1/p"); do
    [[ $(grep -c -- "^  \(-., \|    \)--$name\( \|\[=\|$\)" out) == 1 ]] || fail "--$name is not told once by $command --help"
  done
  run 0 "$command" -h
  says "^Usage: thaw $command"
  (($(wc -l <out) <= 36)) || fail "$command -h has $(wc -l <out) lines"
  run 0 help "$command"
done
run 0 help exit-codes
says '130 interrupted'
run 0 formats
says 'mdx .*glb'
run 0 formats --json
check_json formats

# Usage errors: exit 2, nothing on stdout, a hint.
run 2 conver x
complains '^thaw: error usage: unknown command conver$'
complains 'hint: did you mean convert\?'
run 2 info --jsn x
complains 'hint: did you mean --json\?'
run 2 info
complains 'info needs FILE'
run 2 diff one
run 2 diff one two three
complains 'unexpected argument three'
run 2 survey --jobs many x
complains '--jobs many: must be a whole number'
run 2 info --jobs 0 x
complains '^thaw: error usage: --jobs 0: must be a whole number from 1 to 256$'
run 2 convert --quality 101 x
complains 'from 1 to 100$'
run 2 convert --max-size 0 x
complains 'of at least 1$'
run 2 info --max-input 12Q x
run 2 convert --to fbx x
complains 'must be one of glb\|gltf\|mdx\|mdl\|m3\|png'
run 2 convert --team-color mauve x
run 2 convert --source "$work/nowhere" files/models/tiny.mdx
run 2 convert files/models/tiny.mdx files/models/tiny.mdx out.glb
complains 'Name the output with -o'
run 2 convert files/models/tiny.mdx -o out.obj
run 2 help xyzzy
silent out
run 2 ''
complains 'unknown command $'
run 0 help manual
says '^\.TH THAW 1'
run 2 help manul
complains 'did you mean manual'
# The pages for users, also those whose names are commands.
for page in "$root"/docs/user/*.md; do
  name=$(basename "$page" .md)
  [[ $name == README ]] && continue
  run 0 help pages "$name"
  says "^$(sed -n '1s/^# //p' "$page" | sed 's/[][()*.^$]/\\&/g')\$"
  # Each command of the page's blocks is there as it stands, and nothing of the markup.
  sed -n '/^```sh$/,/^```$/{/^```/d;s/^\(.\)/    \1/p}' "$page" >blocks
  missing=$(grep -vxFf out blocks)
  [[ -z $missing ]] || fail "help pages $name lacks $missing"
  ! grep -qE '^(#|```|\||!\[)|\]\([a-z./]' out || fail "help pages $name shows markup"
  grep -qF "  $name " <("$THAW" help pages) || fail "help pages does not list $name"
done
run 0 help textures
says '^Textures and icons$'
run 2 help pages nothing
complains 'thaw help pages'
run 2 help textures xyzzy
run 0 help mdx.extent-negative
says '^mdx.extent-negative: '

# Formats: a page each, and the tables that lie next to the command.
run 0 help format
for page in "$root"/docs/formats/*.md; do
  name=$(basename "$page" .md)
  [[ $name == README ]] || grep -qF "  $name " out || fail "help format does not list $name"
done
mkdir -p beside/reference/layout
cp "$THAW" beside/thaw
if [[ -n ${THAW_EXE:-} ]]; then # there "$THAW" only starts it
  cp "$THAW_EXE" beside/thaw.exe
  sed "s|$THAW_EXE|$PWD/beside/thaw.exe|" "$THAW" >beside/thaw
fi
run 0 help format dma
printf '# Made up: layout\n\n| at | field | type |\n|---|---|---|\n| 0x00 | `magic` | `u32` |\n' >beside/reference/layout/dma.md
cp beside/reference/layout/dma.md beside/reference/layout/dma_other.md
beside/thaw help format dma >tables
grep -qx 'DMA: material lists' tables || fail "help format dma has no page"
[[ $(grep -cx '  0x00  `magic` · `u32`' tables) == 1 ]] || fail "help format dma has not the tables of that format alone"
run 2 help format mxd
complains 'did you mean mdx'

# Words lead to the pages that the index names for them.
words=0
while IFS='|' read -r _ searched pages _; do
  read -ra links < <(grep -oE '\(\.?\.?/?[a-z]*/?[a-z0-9_-]+\.md' <<<"$pages" | sed 's,.*[(/],,;s/\.md//' | tr '\n' ' ')
  while read -r word; do
    run 0 help "$word"
    grep -q '^Pages about ' out || continue # a page of that name
    words=$((words + 1))
    for link in "${links[@]}"; do
      says "^  thaw help (pages|format) $link "
    done
  done < <(tr ',' '\n' <<<"$searched" | sed 's/^ *//;s/ *$//')
done < <(sed -n '/^## Words people search for/,$p' "$root/docs/user/README.md" | tail -n +5)
((words > 60)) || fail "only $words words"
run 0 help alpha 0.5.3
says 'help pages worlds'

# file:0xOFFSET: severity CODE: text, then one hint line.
run 3 info files/broken/garbage.mdx
silent out
complains '^files/broken/garbage\.mdx:0x00000000: error format\.unknown: '
complains '^  hint: '
(($(wc -l <"$work/err") == 2)) || fail "an error is a line and a hint"
run 3 info files/broken/empty.mdx
complains 'format\.unknown: the file is empty'
run 3 info nowhere.mdx
complains '^nowhere\.mdx: error input\.unreadable: no such file$'
run 3 info files
complains 'hint: -r searches folders'
# A link that leads nowhere is no file; what names it is told.
mkdir links && cp files/models/tiny.mdx links/ && ln -s nowhere links/gone.mdx && ln -s round.mdx links/round.mdx
run 0 info -r links
run 3 info links/gone.mdx
# Names of strangers move no cursor. Windows has no such names, and no such devices.
if ! on_windows; then
mkdir evil && cp files/models/tiny.mdx evil/$'clear\e[2J\xc2\x9b\e[8m.mdx'
python3 "$scripts/on_terminal.py" "$THAW" info -r evil </dev/null >"$work/out" || fail "info on a terminal"
says 'clear\\x1b\[2J\\u009b\\x1b\[8m\.mdx'
grep -q $'\e\[2J\|\xc2\x9b' "$work/out" && fail "an escape sequence comes through"
run 0 info -r evil
says 'clear\\x1b\[2J\\u009b\\x1b\[8m\.mdx'
run 3 info /dev/null
complains 'not a regular file'
fi
run 6 info --max-input 100 files/models/tiny.mdx
complains 'error input\.too-large: .*100'
for command in info dump tree survey validate 'thumb -o pictures/' 'render -o picture.png'; do
  run 6 $command --max-input 100 files/models/tiny.mdx
  complains 'input\.too-large'
done
run 3 info --strict files/broken/truncated.mdx
complains 'files/broken/truncated\.mdx:0x[0-9a-f]{8}: error read\.[a-z-]+: '
run 0 info files/broken/truncated.mdx

# Namesakes and foreign formats are called by their names.
foreign() { # file, what it is
  run 3 info "files/foreign/$1"
  complains "^files/foreign/$1:0x00000000: error format\.foreign: .*$2"
}
foreign m2.mdx 'World of Warcraft M2 model, not an MDX'
foreign md21.mdx 'M2 model'
foreign starcraft.m3 'StarCraft II'
run 0 info files/foreign/wow.m3
says 'World of Warcraft model \(M3\)'
# `info` looks into archives; the others say that it is one.
for archive in archive.mpq map.w3x; do
  run 3 dump "files/foreign/$archive"
  complains "^files/foreign/$archive:0x00000000: error format\.foreign: .*archive \(MPQ\)"
done
foreign quake.mdl 'Quake'
foreign source.mdl 'Source'
foreign page.mdx 'Markdown'
foreign front.mdx 'Markdown'
foreign music.mdx 'X68000'
# What programs exchange is looked at like anything else.
run 0 info files/foreign/scene.glb # nothing but its head
says 'glTF scene, binary \(GLB\), version 2'
run 0 info files/foreign/photo.jpg
says 'JPEG image'
foreign map.wdt 'WDT'
run 0 info files/foreign/alpha.mdx
says "^files/foreign/alpha.mdx: WoW Alpha model"

# Several files: each tells its own, the run ends with 5.
run 5 info files/models/tiny.mdx nowhere.mdx files/models/sub/Other.MDX
says '^files/models/tiny\.mdx: Warcraft III model'
says '^files/models/sub/Other\.MDX: Warcraft III model'
complains '2 ok, .*1 failed'
run 5 survey --fail-fast -j 1 nowhere.mdx files/models/tiny.mdx files/models/tiny.mdx
says '^1 file: 0 EXACT, 0 DIFFERS, 1 FAILED'
run 5 info --fail-fast -j 1 nowhere.mdx files/models/tiny.mdx
silent out
run 3 info --files-from nowhere.txt

for shell in bash zsh fish; do
  run 0 completion $shell
  says 'thaw'
  if type -p $shell >/dev/null; then
    $shell -n "$work/out" || fail "completion for $shell has a syntax error"
  fi
done
run 0 completion powershell
says "^Register-ArgumentCompleter -Native -CommandName thaw"
says "'--to' = @\\('glb', 'gltf'"
for name in convert validate; do
  [[ $(grep -c "^    '$name' = @{" out) == 1 ]] || fail "PowerShell's completion does not know $name"
done
if type -p pwsh >/dev/null; then
  pwsh -NoProfile -Command ". $work/out; (TabExpansion2 'thaw conv' 9).CompletionMatches.CompletionText" | grep -q convert || fail "completion for PowerShell"
fi
run 2 completion bsh
complains 'did you mean bash'
run 2 convert --sorce x files/models/tiny.mdx
complains 'did you mean --source'
run 2 convert files/models/tiny.mdx -o version.mdx --format-version 850
complains 'format-version 850: expected one of 800, 900, 1000, '
# What the bash script offers.
complete_bash() { # words…
  "$THAW" completion bash >completion.bash
  bash -c 'source ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _thaw; echo "${COMPREPLY[*]}"' \
    bash "$@"
}
[[ $(complete_bash thaw conv) == convert ]] || fail "completion of a command"
[[ $(complete_bash thaw convert --team) == --team-color ]] || fail "completion of an option"
[[ $(complete_bash thaw convert --to g) == "glb gltf graph-json" ]] || fail "completion of a choice"
[[ $(complete_bash thaw help exit) == exit-codes ]] || fail "completion of a topic"
[[ $(complete_bash thaw help man) == manual ]] || fail "completion of the manual"
[[ $(complete_bash thaw help form) == "formats format" ]] || fail "completion of formats"

# Colours only when asked for.
run 3 info nowhere.mdx
if grep -q $'\e' err; then fail "colour in a file"; fi
run 3 info --color always nowhere.mdx
complains $'\e\\[31merror'

finish
