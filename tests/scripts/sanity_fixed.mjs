// How many models npm mdx-m3-viewer's sanity test finds free of errors and severe findings: as they are, after
// `thaw validate --fix`, and after --fix=all.
//
//   sanity_fixed.mjs
//
// Over 200 models of THAW_CORPUS. That a portrait, which the game plays by its own rules, has neither Stand nor Death
// counts for nothing. Exit code 1 if fewer than 122 and 190 pass, 77 without models or package.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { loadSanityTest, root, skip, thaw } from './npm_packages.mjs';

const corpus = process.env.THAW_CORPUS ?? path.join(root, '../shared/corpus');
const wanted = 200;

const sanityTest = loadSanityTest();

function isFault(report, isPortrait) {
  const ofPortrait = isPortrait && /^Missing "(Stand|Death)" sequence$/.test(report.message);
  return (report.type === 'error' || report.type === 'severe') && !ofPortrait;
}

function isClean(node, isPortrait) {
  return node.nodes.every((child) =>
    child.type === 'node' ? isClean(child, isPortrait) : !isFault(child, isPortrait));
}

/** Not what the package does not read. */
function passes(file, name) {
  const reports = sanityTest(fs.readFileSync(file));
  return reports !== undefined && isClean(reports, /portrait/i.test(name));
}

const folder = path.join(corpus, 'wc3');
if (!fs.existsSync(folder)) {
  skip(`no corpus at ${folder} (set THAW_CORPUS to a directory of game files)`);
}
const all = fs.readdirSync(folder, { recursive: true }).filter((name) => /\.mdx$/i.test(name)).sort();
const step = Math.floor(all.length / wanted);
if (step < 1) {
  skip(`fewer than ${wanted} models in ${folder}`);
}
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'thaw-fixed-'));
process.on('exit', () => fs.rmSync(work, { recursive: true }));
fs.mkdirSync(path.join(work, 'as they are'));
for (let i = 0; i < wanted; ++i) {
  fs.copyFileSync(path.join(folder, all[i * step]), path.join(work, 'as they are', `${i}.mdx`));
}

function count(option, name) {
  if (option !== undefined) {
    const words = ['validate', '-q', option, '-r', '-o', path.join(work, name), path.join(work, 'as they are')];
    spawnSync(thaw, words, { stdio: 'ignore' }); // findings that are left make an exit code
  }
  const files = fs.readdirSync(path.join(work, name));
  const clean = files.filter((file) =>
    passes(path.join(work, name, file), all[Number.parseInt(file, 10) * step])).length;
  console.log(`${name}: ${clean} of ${files.length}`);
  return files.length === wanted ? clean : 0;
}

count(undefined, 'as they are');
const safe = count('--fix', 'fixed');
const complete = count('--fix=all', 'with all');
process.exit(safe >= 122 && complete >= 190 ? 0 : 1);
