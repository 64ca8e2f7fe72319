#!/usr/bin/env bash
# Folders that may not be read: each is a failed input, the others go on.
. tests/scripts/cli_common.sh

need_plain_rights
mkdir -p tree/a tree/locked tree/z/locked
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
for folder in a locked z; do
  cp files/models/tiny.mdx tree/$folder/m.mdx
done
cp files/models/tiny.mdx tree/locked.mdx
chmod 0 tree/locked tree/z/locked
plainly true || fail "a user without the rights of root cannot be had"
plainly ls tree/locked >/dev/null 2>&1 && fail "a folder of mode 0 can be read"
cat >plain <<END
#!/usr/bin/env bash
$(declare -f plainly)
plainly "$THAW" "\$@"
END
chmod +x plain
THAW=$work/plain

run 5 survey -r tree
says '3 EXACT, .* 2 FAILED|5 files: 3 EXACT'
complains '^tree/locked: error input\.unreadable: cannot read the folder: '
complains '^tree/z/locked: error input\.unreadable: '
for jobs in 1 4; do
  run 5 info -r --json -j $jobs tree
  check_json info
  cp out info.$jobs
done
cmp info.1 info.4 || fail "output depends on -j"
[[ $(grep -o '"input":"[^"]*"' info.1 | tr '\n' ' ') == '"input":"tree/a/m.mdx" "input":"tree/locked" "input":"tree/locked.mdx" "input":"tree/z/locked" "input":"tree/z/m.mdx" ' ]] ||
  fail "the order: $(cat info.1)"
for command in "validate --fix" thumb convert optimize; do
  run 5 $command -q -r tree -o "made-${command%% *}"
  complains 'tree/locked: error input\.unreadable'
done
[[ -s made-convert/locked.glb && -s made-convert/z/m.glb ]] || fail "a locked folder takes a name: $(find made-convert)"
run 5 survey -r tree/locked
complains '^tree/locked: error input\.unreadable'
# What nobody asked for need not be read.
run 0 survey -r tree --exclude '**/locked' --exclude locked
run 0 survey -r tree --exclude 'locked/**' --exclude 'z/**'
run 5 survey -r tree --exclude '**/a'
finish
