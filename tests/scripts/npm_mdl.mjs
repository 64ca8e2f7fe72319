// MDL against npm war3-model, which reads and writes the community's dialect on its own.
//
//   npm_mdl.mjs [--every N] [DIRECTORY|FILE...]
//
// Reading: of each .mdl, what `thaw dump` tells is compared with what war3-model reads and stores as MDX.
// Writing: of each Nth .mdx, war3-model must find the same in the text that thaw writes as in the file itself.
// Prints counts and every difference that is not one of war3-model's known habits, listed below with their reasons.
// Exit code 1 if there is one, 77 without files or parser.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { loadWar3Model, skip, thaw } from './npm_packages.mjs';

const war3 = loadWar3Model();

/** What war3-model does its own way: paths in the dump that are left out, and why. */
const habits = [
  [/\.order$/, 'tracks in an order of its own'],
  [/^BONE\.items\.\d+\.(geosetId|geosetAnimationId)$/, 'takes 0 where no GeosetId stands; 0 is a geoset, -1 is none'],
  [/^PRE2\.items\.\d+\.(length|width|tracks\.KP2[NW](\..*)?)$/, 'calls the first of the two floats width'],
  [/\.tracks\.(KGAC|KLAC|KLBC|KRCO)\.keys\.\d+\.\d+$/, 'turns keyed colours around, too'],
  [/^MODL\.animationFileName/, 'plain text has no place for bytes behind a text'],
  [/\.(flags|shadingFlags)$/, 'flags without those that it does not know'],
];

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'thaw-npm-mdl-'));
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));

const attempt = (action) => {
  try {
    return action();
  } catch {
    return undefined;
  }
};

function* filesBelow(start, extension) {
  if (!fs.statSync(start).isDirectory()) {
    if (start.toLowerCase().endsWith(extension)) yield start;
    return;
  }
  for (const name of fs.readdirSync(start).sort()) yield* filesBelow(path.join(start, name), extension);
}

const dump = (file) =>
  attempt(() => JSON.parse(execFileSync(thaw, ['dump', '-q', file], { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] })));

/** Numbers and texts below two values that differ, as [path, left, right]. */
function* differences(left, right, at) {
  if (typeof left === 'object' && left !== null && typeof right === 'object' && right !== null) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      yield* differences(left[key], right[key], at === '' ? key : `${at}.${key}`);
    }
  } else if (!Object.is(left, right) && !(left === 0 && right === 0)) {
    yield [at, left, right];
  }
}
const count = (value) =>
  typeof value === 'object' && value !== null ? Object.values(value).reduce((sum, part) => sum + count(part), 0) : 1;

const result = { files: 0, unread: 0, values: 0, excused: 0, wrong: [] };

function report(file, found) {
  for (const [at, left, right] of found) {
    if (habits.some(([pattern]) => pattern.test(at))) result.excused += 1;
    else result.wrong.push(`${file}: ${at}: thaw ${JSON.stringify(left)}, war3-model ${JSON.stringify(right)}`);
  }
}

/** Chunks by tag, tracks by tag. */
function byTag(value) {
  if (Array.isArray(value)) {
    const tagged = value.length > 0 && value.every((item) => typeof item === 'object' && item !== null && 'tag' in item);
    return tagged ? Object.fromEntries(value.map((item) => [item.tag, byTag(item)])) : value.map(byTag);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, byTag(part)]));
}

/** What thaw finds in the MDX that war3-model makes of a model. */
function rewritten(model) {
  const bytes = attempt(() => war3.generateMDX(model));
  if (!bytes) return undefined;
  const stored = path.join(scratch, 'theirs.mdx');
  fs.writeFileSync(stored, Buffer.from(bytes));
  return byTag(dump(stored));
}

function checkReading(file, label) {
  if (path.basename(file).startsWith('!')) return; // made to hang parsers, and war3-model does
  const model = attempt(() => war3.parseMDL(fs.readFileSync(file, 'latin1')));
  const [ours, theirs] = [byTag(dump(file)), model && rewritten(model)];
  if (!ours || !theirs) {
    result.unread += 1;
    return;
  }
  result.files += 1;
  result.values += count(ours);
  report(label, differences(ours.chunks, theirs.chunks, ''));
}

function checkWriting(file, label) {
  const bytes = fs.readFileSync(file);
  const stored = attempt(() => war3.parseMDX(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)));
  // Plain: its text reader does not know comments inside blocks.
  const words = ['convert', '-q', file, '--to', 'mdl', '--plain', '-o', '-'];
  const text = attempt(() => execFileSync(thaw, words, { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] }));
  const told = stored && text && attempt(() => war3.parseMDL(text.toString('latin1')));
  const [left, right] = [told, stored].map((model) => model && rewritten(model));
  if (!left || !right) {
    result.unread += 1;
    return;
  }
  result.files += 1;
  result.values += count(left);
  report(label, differences(left.chunks, right.chunks, ''));
}

function main(args) {
  let every = 1;
  const starts = [];
  while (args.length > 0) {
    const argument = args.shift();
    if (argument === '--every') every = Number(args.shift());
    else starts.push(argument);
  }
  if (starts.length === 0 && process.env.THAW_CORPUS) starts.push(path.join(process.env.THAW_CORPUS, 'wc3'));
  if (starts.length === 0 || !starts.every((start) => fs.existsSync(start))) skip('no model files');
  for (const start of starts) {
    const label = (file) => path.relative(start, file) || file;
    for (const file of filesBelow(start, '.mdl')) checkReading(file, label(file));
    const models = [...filesBelow(start, '.mdx')].filter((_, i) => i % every === 0);
    for (const file of models) checkWriting(file, label(file));
  }
  const { files, unread, values, excused, wrong } = result;
  console.log(`war3-model: ${files} files, ${values} values; ${excused} left out, ${wrong.length} differ; it cannot read ${unread}`);
  for (const line of wrong.slice(0, process.env.SHOW ?? 20)) console.log(`  ${line}`);
  process.exit(wrong.length === 0 && files > 0 ? 0 : 1);
}

main(process.argv.slice(2));
