// Modules of the page that work without a browser: events of clips, what a ray meets, archives, places of bones.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './npm_packages.mjs';

/** A module of the page without imports; the folder has no package.json that would say what it is. */
const load = (name) => import(`data:text/javascript,${encodeURIComponent(readFileSync(path.join(root, 'web/page', name), 'utf8'))}`);

const { eventsByClip, withChunks } = await load('events.js');
const chunk = (tag, length) => [...Buffer.from(tag), length, 0, 0, 0, ...Array(length).fill(7)];
const file = (...chunks) => new Uint8Array([...Buffer.from('MDLX'), ...chunks.flat()]);
assert.deepEqual(
  withChunks(file(chunk('VERS', 4), chunk('GEOS', 9), chunk('SEQS', 3), chunk('EVTS', 5), chunk('CLID', 2))),
  file(chunk('VERS', 4), chunk('SEQS', 3), chunk('EVTS', 5)),
);
const cut = file(chunk('SEQS', 3), chunk('EVTS', 5)).subarray(0, 24); // ends within a chunk, as damaged files do
assert.deepEqual(withChunks(cut), cut);

const sequences = [{ name: 'Stand', start: 0, end: 1000 }, { name: 'Walk', start: 1500, end: 2000 }, { name: 'Swim', start: 0, end: 500 }];
const items = [
  { node: { name: 'SND' }, track: { globalSequenceId: -1, frames: [1750, 0, 1200] } },
  { node: { name: 'FPT' }, track: { globalSequenceId: -1, times: [1600] } },
  { node: { name: 'SPL' }, track: { globalSequenceId: 0, frames: [100] } },
  { node: { name: 'none' } },
];
const clips = ['Stand', 'Walk', 'Fly'].map((name) => ({ name }));
assert.deepEqual(eventsByClip(clips, sequences, items), [
  [{ name: 'SND', time: 0 }],
  [{ name: 'FPT', time: 0.1 }, { name: 'SND', time: 0.25 }],
  [], // the file has another clip there
]);

const { meet, rayOf } = await load('rays.js');
const camera = { eye: [0, 0, 4], target: [0, 0, 0], up: [0, 1, 0], fieldOfView: Math.PI / 2, height: 0, aspect: 2 };
const wall = (z) => [-9, -9, z, 9, -9, z, 0, 9, z];
const frame = { positions: new Float32Array([...wall(-1), ...wall(1)]), indices: new Uint32Array([0, 1, 2]) };
const draw = (basePosition) => ({ firstIndex: 0, indexCount: 3, basePosition });
const near = (point, wanted) => point.forEach((value, i) => assert(Math.abs(value - wanted[i]) < 1e-5, `${point} is not ${wanted}`));
near(meet(frame, [draw(0), draw(3)], rayOf(camera, 0, 0)), [0, 0, 1]);
near(meet(frame, [draw(0)], rayOf(camera, 0.5, -0.5)), [5, -2.5, -1]);
near(meet(frame, [draw(3)], rayOf({ ...camera, height: 2 }, 0.5, -0.5)), [1, -0.5, 1]);
assert.equal(meet(frame, [draw(0), draw(3)], rayOf({ ...camera, target: [0, 0, 8] }, 0, 0)), null);

const { drawnNodes, onPicture, placesOf } = await load('skeleton.js');
const nodes = [['root', null], ['bone', 0], ['attachment', 1], ['helper', 1]].map(([kind, parent]) => ({ kind, parent }));
assert.deepEqual(drawnNodes(nodes), [1, 3]);
assert.deepEqual(drawnNodes(nodes.filter(({ kind }) => !['bone', 'helper'].includes(kind))), [1]);
const cross = (x) => [x - 1, 2, 3, x + 1, 2, 3, x, 1, 3, x, 3, 3, x, 2, 2, x, 2, 4];
const lines = [...cross(5), ...cross(8), 5, 2, 3, 8, 2, 3]; // the first one's parent is a root, to which no line goes
assert.deepEqual([...placesOf(nodes, lines)], [[1, [5, 2, 3]], [3, [8, 2, 3]]]);
assert.equal(placesOf(nodes, lines.slice(6)).size, 0);
const unit = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const ahead = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, 0, 0]; // w is the distance
assert.deepEqual(onPicture([1, 1, -2], { view: unit, projection: ahead }, 200, 100), [150, 25]);
assert.equal(onPicture([1, 1, 2], { view: unit, projection: ahead }, 200, 100), null);

const { Closed, ThawError, isCrash, packed, unpacked } = await load('errors.js');
const passed = (error) => unpacked(structuredClone(packed(error)));
assert(passed(new ThawError('no')) instanceof ThawError && passed(new ThawError('no')).message === 'no');
assert(isCrash(passed(new WebAssembly.RuntimeError('unreachable'))) && !isCrash(passed(new Error('no'))));
assert(!(passed(new Error('no')) instanceof ThawError) && passed('text').message === 'text');
assert(!isCrash(new Closed()));

const { boxesOf, isOutside } = await load('culling.js');
const boxes = boxesOf(new Float32Array([0, 0, 0, 2, 4, 6, 9, 9, 9]), new Uint32Array([0, 0, 1]), new Float32Array([3, 1, 0, 0, 4, 0.5, 3, 0.5]), 2);
assert.deepEqual([...boxes], [3, 4.5, 4.5, 4.5, 4.5, 4.5, 4.5, 4, 9, 9, 9, 0, 0, 0]); // the first matrix moves both groups
const matrices = new Float32Array(12 * 5);
for (const first of [36, 48]) matrices.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], first);
assert(!isOutside(boxes, matrices, 0, [[1, 0, 0, -8]]) && isOutside(boxes, matrices, 0, [[1, 0, 0, -9.5]]));

/** The modules that the page needs, which it asks for at once: each names others only when it has come. */
const needed = new Set(['main.js']);
for (const name of needed) {
  const text = name === 'interface.js' ? '' : readFileSync(path.join(root, 'web/page', name), 'utf8');
  for (const [, other] of text.matchAll(/ from '\.\/([\w-]+\.js)'/g)) needed.add(other);
}
const preloaded = [...readFileSync(path.join(root, 'web/page/index.html'), 'utf8').matchAll(/"modulepreload" href="([^"]+)"/g)].map(([, name]) => name);
assert.deepEqual(['main.js', ...preloaded].sort(), [...needed].sort());

const { zipOf } = await load('zip.js');
const files = [['a/knight.glb', 'x'.repeat(70000)], ['räuber.mdx', ''], ['b.mdx', 'MDLX']].map(([name, text]) => ({ name, bytes: new Uint8Array(Buffer.from(text)) }));
const zip = new Uint8Array(await (await zipOf(files)).arrayBuffer());
assert.deepEqual(new Uint8Array(await (await zipOf(files)).arrayBuffer()), zip);
const folder = mkdtempSync(path.join(tmpdir(), 'thaw-zip-'));
try {
  writeFileSync(path.join(folder, 'models.zip'), zip);
  const script = 'import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint([(i.filename, len(z.read(i))) for i in z.infolist()])';
  const { stdout, stderr } = spawnSync('python3', ['-c', script, path.join(folder, 'models.zip')], { encoding: 'utf8', env: { ...process.env, PYTHONIOENCODING: 'utf-8' } });
  assert.equal(stdout.trim(), "[('a/knight.glb', 70000), ('räuber.mdx', 0), ('b.mdx', 4)]", stderr);
} finally {
  rmSync(folder, { recursive: true });
}
