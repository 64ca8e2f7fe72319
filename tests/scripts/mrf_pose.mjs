// Plays converted morph models in three.js and compares every vertex with the frames of the file, which are read
// and blended here, without thaw. Also back: GLB → MRF has the same frames, and a model whose event shows a morph
// model plays it from that event on.
//
//   node tests/scripts/mrf_pose.mjs [MODEL.mrf...]       without models: the sample, and those of the corpus

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const SKIP = 77;
const ALLOWED = 1e-5; // of the model's size
const SCALE = 0.01;
const TIMES = 10;

const { THAW, THAW_CORPUS, THAW_SAMPLES = '', THAW_ROOT = '.' } = process.env;
const three = path.join(THAW_ROOT, 'tools/node_modules/three');
if (!fs.existsSync(three)) {
  console.log('skipped: no three.js (npm ci in tools/)');
  process.exit(SKIP);
}
globalThis.self = globalThis; // GLTFLoader looks for it
const THREE = await import(path.resolve(three, 'build/three.module.js'));
const { GLTFLoader } = await import(path.resolve(three, 'examples/jsm/loaders/GLTFLoader.js'));

function filesBelow(folder) {
  if (!folder || !fs.existsSync(folder)) {
    return [];
  }
  return fs.readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.mrf$/i.test(entry.name))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name)).sort();
}

/** Header and frames as the format has them; nothing of thaw takes part. */
function readMorph(file) {
  const bytes = fs.readFileSync(file);
  const frames = bytes.readUInt32LE(4);
  const vertices = bytes.readUInt32LE(8);
  const at = (frame, vertex, axis) => bytes.readFloatLE(bytes.readUInt32LE(80 + 4 * frame) + 24 * vertex + 4 * axis);
  return { frames, vertices, duration: bytes.readFloatLE(16), at };
}

/** Place of a vertex, in the game's axes. */
function blended(morph, vertex, time) {
  const position = Math.min(Math.max(time / morph.duration, 0), morph.frames - 1);
  const from = Math.min(Math.floor(position), morph.frames - 1);
  const to = Math.min(from + 1, morph.frames - 1);
  const part = position - from;
  return [0, 1, 2].map((axis) => morph.at(from, vertex, axis) * (1 - part) + morph.at(to, vertex, axis) * part);
}

function sizeOf(morph) {
  let largest = 0;
  for (let v = 0; v < morph.vertices; ++v) {
    largest = Math.max(largest, ...[0, 1, 2].map((axis) => Math.abs(morph.at(0, v, axis))));
  }
  return largest;
}

async function load(file) {
  const loader = new GLTFLoader();
  loader.register(() => ({ name: 'no_pictures', loadTexture: () => Promise.resolve(new THREE.Texture()) }));
  const bytes = fs.readFileSync(file);
  return loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
}

function meshNamed(gltf, name) {
  let found = null;
  gltf.scene.traverse((object) => {
    found ??= object.isMesh && object.name.startsWith(name) ? object : null;
  });
  return found;
}

/** The largest distance, as a share of the size, over TIMES moments of a clip; `begin` is when the morph begins. */
function worst(gltf, mesh, clip, morph, begin) {
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const action = mixer.clipAction(clip);
  action.play();
  const size = sizeOf(morph);
  const seen = new THREE.Vector3();
  let largest = 0;
  for (let i = 0; i < TIMES; ++i) {
    const time = begin + (clip.duration - begin) * (i / (TIMES - 0.5));
    action.time = time;
    mixer.update(0);
    gltf.scene.updateMatrixWorld(true);
    for (let v = 0; v < morph.vertices; ++v) {
      mesh.getVertexPosition(v, seen).applyMatrix4(mesh.matrixWorld);
      const [x, y, z] = blended(morph, v, time - begin);
      const distance = Math.hypot(seen.x - x * SCALE, seen.y - z * SCALE, seen.z + y * SCALE) / (size * SCALE);
      largest = Math.max(largest, Number.isFinite(distance) ? distance : Infinity);
    }
  }
  return largest;
}

function convert(...words) {
  execFileSync(THAW, ['convert', ...words, '-f', '-q'], { stdio: ['ignore', 'ignore', 'pipe'] });
}

function worstFrame(a, b) {
  if (a.frames !== b.frames || a.vertices !== b.vertices || a.duration !== b.duration) {
    return Infinity;
  }
  let largest = 0;
  for (let frame = 0; frame < a.frames; ++frame) {
    for (let v = 0; v < a.vertices; ++v) {
      for (let axis = 0; axis < 6; ++axis) {
        largest = Math.max(largest, Math.abs(a.at(frame, v, axis) - b.at(frame, v, axis)) / (axis < 3 ? sizeOfA : 1));
      }
    }
  }
  return largest;
}
let sizeOfA = 1;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'thaw-morph-'));
let failed = 0;
let compared = 0;
const tell = (what, value) => {
  compared += 1;
  const wrong = !(value <= ALLOWED);
  failed += wrong;
  console.log(`${value.toExponential(2)} ${what}${wrong ? ' WRONG' : ''}`);
};
try {
  const given = process.argv.slice(2);
  const files = given.length > 0 ? given : [...filesBelow(THAW_SAMPLES), ...filesBelow(THAW_CORPUS && path.join(THAW_CORPUS, 'wc3'))];
  for (const file of files) {
    const name = path.basename(file);
    const morph = readMorph(file);
    sizeOfA = sizeOf(morph);
    const glb = path.join(folder, 'morph.glb');
    convert(file, '-o', glb);
    const gltf = await load(glb);
    tell(`${name}: ${morph.vertices} vertices at ${TIMES} times`, worst(gltf, meshNamed(gltf, 'Morph'), gltf.animations[0], morph, 0));
    const back = path.join(folder, 'back.mrf');
    convert(glb, '-o', back);
    tell(`${name}: ${morph.frames} frames, to GLB and back`, worstFrame(morph, readMorph(back)));
  }
  // Models whose events show a morph model.
  const models = path.join(THAW_CORPUS ?? '', 'wc3/warcraft_mrf_blender');
  for (const [model, id, begin] of [['testmrf.mdx', '0001', 0], ['Footman_portrait.mdx', 'CLOTH', 0]]) {
    const source = files.find((file) => file.endsWith(`arthascape${id}.mrf`));
    if (source === undefined || !fs.existsSync(path.join(models, model))) {
      continue;
    }
    const glb = path.join(folder, 'model.glb');
    convert(path.join(models, model), '-o', glb, '--source', path.dirname(source));
    const gltf = await load(glb);
    const clip = gltf.animations[0];
    tell(`${model}: ${id} from its event on`, worst(gltf, meshNamed(gltf, 'Morph'), clip, readMorph(source), begin));
  }
} finally {
  fs.rmSync(folder, { recursive: true });
}
console.log(`${compared} comparisons, ${failed} beyond ${ALLOWED}`);
process.exit(failed > 0 || compared === 0 ? 1 : 0);
