// glTF that nobody here made, as models of Warcraft III: each becomes one of version 800 and one of 1100, or is refused
// with a reason and nothing written; npm war3-model reads all of them, mdx-m3-viewer those of 800.
//
//   foreign_scenes.mjs [--verbose] [FILE|DIRECTORY...]
//
// Without names, over those of THAW_CORPUS and of Debian's assimp-testmodels. Exit code 1 for a model that validate finds
// errors in or a parser does not read, 77 without files or parsers.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { loadViewer, loadWar3Model, skip, thaw } from './npm_packages.mjs';

const VERSIONS = [800, 1100];
const { THAW_CORPUS = '' } = process.env;

const filesBelow = (place) =>
  fs.statSync(place).isDirectory()
    ? fs.readdirSync(place).sort().flatMap((name) => filesBelow(path.join(place, name)))
    : /\.(gltf|glb)$/i.test(place) ? [place] : [];

const parsers = { war3: loadWar3Model(), viewer: loadViewer() };
const verbose = process.argv.includes('--verbose');
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const places = named.length ? named : [path.join(THAW_CORPUS, 'gltf'), '/usr/share/assimp/models/glTF2'];
const files = places.filter((place) => fs.existsSync(place)).flatMap(filesBelow);
if (files.length === 0) skip('no corpus and no assimp-testmodels');

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foreign-'));
const counts = { made: 0, refused: 0, read: 0, viewed: 0 };
const failures = [];

/** What a parser makes of a file; the reason if it does not. */
function attempt(parse) {
  try {
    parse();
    return '';
  } catch (error) {
    return String(error.message ?? error);
  }
}

function check(file, version) {
  const out = path.join(scratch, 'model.mdx');
  fs.rmSync(out, { force: true });
  const made = spawnSync(thaw, ['convert', file, '-o', out, '-f', '--format-version', version], { encoding: 'utf8' });
  if (made.status !== 0) {
    const reason = /error|:/.test(made.stderr);
    if (made.status > 6 || made.status === null || !reason) failures.push(`${file} ${version}: status ${made.status} ${made.stderr}`);
    if (fs.existsSync(out)) failures.push(`${file} ${version}: refused, and written`);
    counts.refused += 1;
    if (verbose) console.log(`refused  ${file} ${version}: ${made.stderr.trim().split('\n')[0]}`);
    return;
  }
  counts.made += 1;
  if (verbose && made.stderr) console.log(`${file} ${version}\n${made.stderr.trim()}`);
  const judged = spawnSync(thaw, ['validate', out, '--json', '--fail-on', 'error'], { encoding: 'utf8' });
  if (judged.status !== 0) failures.push(`${file} ${version}: validate ${judged.stdout.slice(0, 300)}`);
  const bytes = fs.readFileSync(out);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const unread = attempt(() => parsers.war3.parseMDX(buffer));
  if (unread) failures.push(`${file} ${version}: war3-model: ${unread}`);
  counts.read += 1;
  if (version === 800) {
    const unseen = attempt(() => new parsers.viewer.parsers.mdlx.Model().load(new Uint8Array(buffer)));
    if (unseen) failures.push(`${file} ${version}: mdx-m3-viewer: ${unseen}`);
    counts.viewed += 1;
  }
}

for (const file of files) {
  for (const version of VERSIONS) check(file, version);
}
fs.rmSync(scratch, { recursive: true });
for (const failure of failures) console.log(`FAILED   ${failure}`);
console.log(`ok       ${files.length} files: ${counts.made} models made, ${counts.refused} refused; war3-model reads ` +
  `${counts.read}, mdx-m3-viewer ${counts.viewed}; ${failures.length} failures`);
process.exit(failures.length ? 1 : 0);
