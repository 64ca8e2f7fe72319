// Runs npm mdx-m3-viewer's sanity test beside `thaw validate`: everything that it reports, we report.
//
//   sanity_test.mjs [--every N] [--table] [DIRECTORY|FILE...]
//
// Without names, over the MDX files of THAW_CORPUS and the samples; with --table, prints a page of what both report.
// Exit code 1 if a report of theirs is not among ours and not a known false one, 77 without files or package.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { loadSanityTest, skip, thaw } from './npm_packages.mjs';

/** What their messages say, and which of our codes says the same. */
const checks = [
  ['unknown version', /^Unknown version/, ['mdx.version-unshipped', 'mdx.version-900', 'vers.unknown']],
  ['version 900', /^Version 900/, ['mdx.version-900']],
  ['animation file', /^The animation file/, ['mdx.model-animation-file']],
  ['negative extent', /^Negative extents/, ['mdx.extent-negative']],
  ['no sequences', /^No sequences/, ['mdx.sequence-none']],
  ['no Stand', /^Missing "Stand"/, ['mdx.sequence-missing-stand']],
  ['no Death', /^Missing "Death"/, ['mdx.sequence-missing-death']],
  ['same start', /starts at the same frame/, ['mdx.sequence-same-start']],
  ['overlap', /starts before sequence/, ['mdx.sequence-overlap', 'mdx.sequence-unsorted']],
  ['sequence name', /is not a standard name/, ['mdx.sequence-name-unknown', 'mdx.sequence-name-empty']],
  ['zero length', /^Zero length/, ['mdx.sequence-zero-length', 'mdx.global-sequence-zero']],
  ['negative length', /^Negative length/, ['mdx.sequence-negative-length', 'mdx.global-sequence-negative']],
  ['no textures', /^No textures/, ['mdx.texture-none']],
  ['corrupted path', /^Corrupted path/, ['mdx.texture-extension']],
  ['replaceable id', /^Unknown replaceable ID/, ['mdx.texture-replaceable-unknown']],
  ['path and replaceable id', /used together/, ['mdx.texture-path-and-replaceable']],
  ['unknown shader', /^Unknown shader/, ['mdx.material-shader-unknown']],
  ['no layers', /^No layers/, ['mdx.material-no-layers']],
  ['bad texture', /^Invalid texture -?\d/, ['mdx.layer-texture', 'mdx.layer-flipbook', 'mdx.particle-texture']],
  ['bad texture animation', /^Invalid texture animation/, ['mdx.layer-texture-animation']],
  ['filter mode', /^Invalid filter mode/, ['mdx.layer-filter-mode', 'mdx.particle-filter-mode']],
  ['bad material', /^Invalid material/, ['mdx.geoset-material', 'mdx.ribbon-material']],
  ['too many vertices', /^Too many vertices/, ['mdx.geoset-too-many-vertices']],
  ['several geoset animations', /^Referenced by/, ['mdx.geoset-animation-duplicate']],
  ['zero faces', /^Zero faces/, ['mdx.geoset-no-faces']],
  ['sequence extents', /^Number of sequence extents/, ['mdx.geoset-sequence-extents']],
  ['skin and groups', /^This geoset has both/, ['mdx.skin-and-groups']],
  ['attached to no bone', /Attached to ".*" which is not a bone/s, ['mdx.skin-not-bone']],
  ['attached to a missing object', /Attached to object -?\d+ which does not/, ['mdx.skin-node-missing']],
  ['attached to a missing group', /Attached to vertex group/, ['mdx.geoset-group-missing']],
  ['attached to nothing', /Not attached to anything/, ['mdx.skin-unattached']],
  ['weights', /weights are not normalized/, ['mdx.skin-weights']],
  ['bad geoset', /^Invalid geoset -?\d/, ['mdx.geoset-animation-geoset', 'mdx.bone-geoset']],
  ['bad geoset animation', /^Invalid geoset animation/, ['mdx.bone-geoset-animation']],
  ['invisible geoset', /geoset may be invisible/, ['mdx.geoset-animation-invisible']],
  ['bone without vertices', /no vertices attached to this bone/, ['mdx.bone-unused']],
  ['attenuation start', /^Minimum attenuation/, ['mdx.light-start']],
  ['attenuation end', /^Maximum attenuation/, ['mdx.light-end']],
  ['attenuation order', /^The maximum attenuation/, ['mdx.light-order']],
  ['bad parent', /^Invalid parent/, ['mdx.node-parent-missing']],
  // To them, an object of id -1 without a parent is its own; to us its id is what is wrong.
  ['own parent', /^Same object and parent/, ['mdx.node-parent-self', 'mdx.node-id-negative']],
  ['path of a model', /^Invalid path/, ['mdx.attachment-path', 'mdx.particle-model-path']],
  ['no Origin', /^Missing the Origin/, ['mdx.attachment-no-origin']],
  ['pivot count', /^Expected \d+ pivot/, ['mdx.pivot-count']],
  ['particle replaceable id', /^Invalid replaceable ID/, ['mdx.particle-replaceable-unknown']],
  ['XY quad', /^XY Quad/, ['mdx.particle-xy-quad']],
  ['middle of life', /^Expected time middle/, ['mdx.particle-middle']],
  ['squirt', /^Using squirt/, ['mdx.particle-squirt']],
  ['visibility guide', /^No animation visibility guide/, ['mdx.popcorn-guide-empty']],
  ['face effect', /^Corrupted face effect/, ['mdx.face-effect-path']],
  ['bind poses', /^Expected \d+ matrices/, ['mdx.bind-pose-count']],
  ['variation', /^Using a variation/, ['mdx.track-variation']],
  ['gravity', /^Using a gravity/, ['mdx.track-gravity']],
  ['visibility interpolation', /^Interpolation type not/, ['mdx.track-visibility-not-step']],
  ['zero keys', /^Zero tracks/, ['mdx.track-empty', 'mdx.event-empty']],
  ['track without sequences', /model has no sequences/, ['mdx.track-no-sequences', 'mdx.event-no-sequences']],
  ['bad global sequence', /^Invalid global sequence/, ['mdx.track-global-sequence', 'mdx.event-global-sequence']],
  ['negative frame', /has a negative frame/, ['mdx.track-negative', 'mdx.event-negative']],
  ['same frame', /has the same frame/, ['mdx.track-duplicate', 'mdx.event-duplicate']],
  ['unsorted', /is lower than the track before/, ['mdx.track-unsorted', 'mdx.event-unsorted']],
  ['outside sequences', /is not in any sequence/, ['mdx.track-outside-sequences', 'mdx.event-outside']],
  ['outside global sequence', /is not in global sequence/, ['mdx.track-beyond-global', 'mdx.event-outside']],
  ['missing opening key', /^Missing opening track/, ['mdx.track-opening']],
  ['same value', /exactly the same value/, ['mdx.track-needless', 'mdx.track-constant']],
  ['nearly the same value', /roughly the same value/, ['mdx.track-nearly-needless']],
  ['unused global sequence', /^unused GlobalSequence/, ['mdx.global-sequence-unused']],
  ['unused texture', /^unused Texture /, ['mdx.texture-unused']],
  ['unused material', /^unused Material/, ['mdx.material-unused']],
  ['unused texture animation', /^unused TextureAnimation/, ['mdx.texture-animation-unused']],
  ['unused geoset', /^unused Geoset /, ['mdx.geoset-no-faces']],
];

/** Reports of theirs that are not right, and why. */
const falseReports = {
  'unknown version': 'versions from 1100 on were shipped later than the package',
  'unknown shader': 'they do not know Shader_SD_Legacy and Shader_HD_Crystal and compare case',
  'no Origin': 'they compare case and blanks, the game does not',
  'skin and groups': 'groups of 255 name none; models of the game have them beside a skin',
  'bind poses': 'they expect one more than objects; files of the game have one per object and camera',
  'attached to no bone': 'they take ids for positions in the list of objects',
  'attached to a missing object': 'they take ids for positions in the list of objects',
  'bone without vertices': 'they take ids for positions in the list of objects',
  'unused global sequence': 'they do not look at the tracks of attachments',
  'same value': 'tangents bend the curve between equal keys',
  'nearly the same value': 'tangents bend the curve between equal keys',
};

/** False only where we find this. */
const falseOnlyWith = {
  unsorted: ['mdx.event-negative', 'they read the frames of events as unsigned'],
};

function messagesOf(node, list = []) {
  for (const child of node.nodes) {
    if (child.type === 'node') {
      if (child.uses === 0) {
        list.push(`unused ${child.name} `);
      }
      messagesOf(child, list);
    } else {
      list.push(child.message);
    }
  }
  return list;
}

function collect(names) {
  const files = [];
  for (const name of names) {
    if (fs.statSync(name).isDirectory()) {
      files.push(...fs.readdirSync(name, { recursive: true }).sort().map((entry) => path.join(name, entry)));
    } else {
      files.push(name);
    }
  }
  return files.filter((file) => /\.mdx$/i.test(file));
}

function ours(files) {
  const list = files.join('\n');
  let text;
  try {
    const options = { input: list, maxBuffer: 1 << 30, stdio: ['pipe', 'pipe', 'ignore'] };
    text = execFileSync(thaw, ['validate', '--json', '--no-default-sources', '--files-from', '-'], options);
  } catch (error) {
    text = error.stdout; // findings make an exit code
  }
  const found = new Map();
  for (const line of text.toString().trim().split('\n')) {
    const value = JSON.parse(line);
    if (value.input !== undefined && value.ok) {
      found.set(value.input, value.findings.map((finding) => finding.code));
    }
  }
  return found;
}

const words = process.argv.slice(2);
const table = words.includes('--table');
const everyAt = words.indexOf('--every');
const every = everyAt < 0 ? 1 : Number(words.splice(everyAt, 2)[1]);
const names = words.filter((word) => word !== '--table');

/** Models that break one rule each, from the tests of the rules. */
function brokenModels() {
  const program = path.join(process.env.THAW_BUILD ?? '', 'tests/thaw_tests_validate');
  if (!fs.existsSync(program)) {
    return [];
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'thaw-broken-'));
  process.on('exit', () => fs.rmSync(folder, { recursive: true }));
  const env = { ...process.env, THAW_BREAKAGES: folder };
  execFileSync(program, ['--gtest_filter=Rules.EachIsTriggeredByBreakingIt'], { env, stdio: 'ignore' });
  return collect([folder]);
}

const usual = [path.join(process.env.THAW_CORPUS ?? '', 'wc3'), process.env.THAW_SAMPLES ?? ''];
const all = collect((names.length > 0 ? names : usual).filter((name) => name && fs.existsSync(name)));
const broken = names.length > 0 ? [] : brokenModels();
const files = [...all.filter((_, i) => i % every === 0), ...broken];
if (files.length === 0) {
  skip('no files');
}
const sanityTest = loadSanityTest();
const found = ours(files);
const rows = new Map(checks.map(([name, , codes]) => [name, { codes, theirs: 0, both: 0, excused: 0 }]));
const missing = [];
const beyond = new Map();
let compared = 0;
for (const file of files) {
  const reports = found.has(file) ? sanityTest(fs.readFileSync(file)) : undefined;
  if (reports === undefined) {
    continue;
  }
  ++compared;
  const own = new Set(found.get(file));
  const told = new Set();
  for (const message of messagesOf(reports)) {
    const check = checks.find(([, pattern]) => pattern.test(message));
    if (check === undefined) {
      missing.push(`${file}: not in the list of checks: ${message}`);
    } else {
      told.add(check[0]);
    }
  }
  for (const name of told) {
    const row = rows.get(name);
    ++row.theirs;
    if (row.codes.some((code) => own.has(code))) {
      ++row.both;
    } else if (name in falseReports || own.has(falseOnlyWith[name]?.[0])) {
      ++row.excused;
    } else {
      missing.push(`${file}: ${name}`);
    }
  }
  const known = new Set(checks.flatMap(([, , codes]) => codes));
  for (const code of own) {
    if (!known.has(code)) {
      beyond.set(code, (beyond.get(code) ?? 0) + 1);
    }
  }
}
if (table) {
  console.log('# Validation against the npm sanity test\n');
  console.log('Written by `node tests/scripts/sanity_test.mjs --table`: how many files the sanity test of npm');
  console.log(`mdx-m3-viewer reports, and how many of them we report as well. ${compared} files were read by both,`);
  console.log(`among them ${broken.length} models that break one rule each.\n`);
  console.log('| their check | our codes | files: theirs | ours, too | known false ones of theirs |');
  console.log('|---|---|---|---|---|');
  for (const [name, row] of rows) {
    const why = row.excused > 0 ? `${row.excused}: ${falseReports[name] ?? falseOnlyWith[name][1]}` : '';
    console.log(`| ${name} | ${row.codes.join(', ')} | ${row.theirs} | ${row.both} | ${why} |`);
  }
  console.log('\n## What we find beyond it\n\n| code | files |\n|---|---|');
  for (const [code, count] of [...beyond].sort()) {
    console.log(`| ${code} | ${count} |`);
  }
} else {
  console.log(`${compared} of ${files.length} files compared, ${missing.length} reports of theirs that we lack`);
}
for (const line of missing.slice(0, 40)) {
  console.error(line);
}
process.exit(missing.length > 0 ? 1 : 0);
