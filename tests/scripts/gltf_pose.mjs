// Plays converted models in three.js and compares every vertex with where the oracle (tests/support/mdx_oracle)
// says that the game puts it. Nothing of thaw's own evaluation takes part: documents → oracle on one side, GLB →
// GLTFLoader → AnimationMixer → SkinnedMesh on the other.
//
//   node tests/scripts/gltf_pose.mjs [MODEL.mdx...]       without models: a spread over the corpus

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const SKIP = 77;
const ALLOWED = 1e-4; // of the model's size
// Core glTF has no fading: what is fainter than this may be hidden.
const FADED = 0.5;
const MODELS = 24;
const SEQUENCES = 4;
const TIMES = 5;

const { THAW, THAW_CORPUS, THAW_BUILD, THAW_ROOT = '.' } = process.env;
const corpus = path.join(THAW_CORPUS ?? '', 'wc3');
const three = path.join(THAW_ROOT, 'tools/node_modules/three');
if (!fs.existsSync(three) || (process.argv.length <= 2 && !fs.existsSync(corpus))) {
  console.log('skipped: no three.js (npm ci in tools/) or no corpus');
  process.exit(SKIP);
}

globalThis.self = globalThis; // GLTFLoader looks for it
const THREE = await import(path.resolve(three, 'build/three.module.js'));
const { GLTFLoader } = await import(path.resolve(three, 'examples/jsm/loaders/GLTFLoader.js'));

/** Models of the corpus with geosets and sequences, evenly spread. */
function corpusModels() {
  const rows = fs.readFileSync(path.join(corpus, 'INDEX.tsv'), 'utf8').split('\n').slice(1);
  const models = rows.map((row) => row.split('\t')[0]).filter((name) => /\.mdx$/i.test(name)).sort();
  const wanted = MODELS * 2; // some of them have nothing to compare
  return Array.from({ length: wanted }, (_, i) => path.join(corpus, models[Math.floor((i * models.length) / wanted)]));
}

async function load(file) {
  const loader = new GLTFLoader();
  // Pictures need a browser, and vertices do not need pictures.
  loader.register(() => ({ name: 'no_pictures', loadTexture: () => Promise.resolve(new THREE.Texture()) }));
  const bytes = fs.readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return loader.parseAsync(buffer, '');
}

/** The first primitive of each mesh, by the index that the converter notes. */
function meshesOf(gltf) {
  const meshes = new Map();
  gltf.scene.traverse((object) => {
    const association = gltf.parser.associations.get(object);
    if (!object.isMesh || association?.meshes === undefined) {
      return;
    }
    const index = gltf.parser.json.meshes[association.meshes].extras?.thaw?.mesh;
    if (index !== undefined && !meshes.has(index)) {
      meshes.set(index, object);
    }
  });
  return meshes;
}

/** Plays one sequence and all global loops. */
function pose(gltf, mixer, sample) {
  mixer.stopAllAction();
  gltf.animations.forEach((clip, index) => {
    const { clip: number, global, duration } = gltf.parser.json.animations[index].extras.thaw;
    if (!global && number !== sample.sequence) {
      return;
    }
    const action = mixer.clipAction(clip);
    action.play();
    const loop = duration > 0 ? (sample.clock / 1000) % duration : 0;
    action.time = global ? loop : sample.time / 1000;
  });
  mixer.update(0);
  gltf.scene.updateMatrixWorld(true);
}

const matrix = new THREE.Matrix4();
const moved = new THREE.Vector3();

/** Adds the weighted places of one set of four influences; returns the weights' sum. */
function addSet(mesh, joints, weights, vertex, from, factor, into) {
  let sum = 0;
  for (let i = 0; i < 4; ++i) {
    const joint = joints.getComponent(vertex, i);
    const weight = weights.getComponent(vertex, i);
    matrix.multiplyMatrices(mesh.skeleton.bones[joint].matrixWorld, mesh.skeleton.boneInverses[joint]);
    into.addScaledVector(moved.copy(from).applyMatrix4(matrix), weight * factor);
    sum += weight;
  }
  return sum;
}

/** three.js plays four influences; groups of more nodes have further sets, which are added here. */
function blendAllSets(mesh, vertex, from, into) {
  const { attributes } = mesh.geometry;
  let further = 0;
  into.set(0, 0, 0);
  for (let set = 1; attributes[`joints_${set}`]; ++set) {
    further += addSet(mesh, attributes[`joints_${set}`], attributes[`weights_${set}`], vertex, from, 1, into);
  }
  // The loader has scaled the weights of the first set to a sum of 1.
  addSet(mesh, attributes.skinIndex, attributes.skinWeight, vertex, from, 1 - further, into);
}

function vertexAt(mesh, vertex, into) {
  if (mesh.isSkinnedMesh && mesh.geometry.attributes.joints_1) {
    const from = new THREE.Vector3();
    THREE.Mesh.prototype.getVertexPosition.call(mesh, vertex, from); // morph targets only
    blendAllSets(mesh, vertex, from, into);
  } else {
    mesh.getVertexPosition(vertex, into).applyMatrix4(mesh.matrixWorld);
  }
}

/** The largest distance between viewer and oracle; null if nothing could be compared. */
function worstOf(gltf, oracle) {
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const meshes = meshesOf(gltf);
  const at = new THREE.Vector3();
  let worst = null; // { distance, where }
  for (const sample of oracle.samples) {
    pose(gltf, mixer, sample);
    sample.positions.forEach((expected, geoset) => {
      const mesh = meshes.get(geoset);
      if (!mesh || !(sample.opacities[geoset] > FADED)) {
        return; // without faces, or hidden at this time
      }
      if (mesh.geometry.attributes.position.count * 3 !== expected.length) {
        throw new Error(`geoset ${geoset}: ${mesh.geometry.attributes.position.count} vertices, ${expected.length / 3} expected`);
      }
      for (let v = 0; v * 3 < expected.length; ++v) {
        vertexAt(mesh, v, at);
        const [x, y, z] = expected.slice(v * 3, v * 3 + 3);
        const distance = Math.hypot(at.x - x, at.y - y, at.z - z) / oracle.size;
        if (worst === null || !(distance <= worst.distance)) {
          worst = { distance, where: `sequence ${sample.sequence} at ${sample.time.toFixed(1)} ms, geoset ${geoset}, vertex ${v}` };
        }
      }
    });
  }
  return worst;
}

async function compare(model, folder) {
  const run = (file, args) => execFileSync(file, args, { maxBuffer: 1 << 30, encoding: 'utf8' });
  const tool = path.join(THAW_BUILD, 'tests', 'thaw_pose_oracle');
  const oracle = JSON.parse(run(tool, [model, String(SEQUENCES), String(TIMES)]));
  if (!(oracle.size > 0) || oracle.samples.length === 0) {
    return null;
  }
  const glb = path.join(folder, 'model.glb');
  run(THAW, ['convert', model, '-o', glb, '-f', '-q']);
  return worstOf(await load(glb), oracle);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'thaw-pose-'));
const given = process.argv.slice(2);
let compared = 0;
let failed = 0;
try {
  for (const model of given.length > 0 ? given : corpusModels()) {
    if (given.length === 0 && compared === MODELS) {
      break;
    }
    const worst = await compare(model, folder);
    if (worst === null) {
      continue;
    }
    compared += 1;
    const wrong = !(worst.distance <= ALLOWED);
    failed += wrong;
    const name = given.length > 0 ? model : path.relative(corpus, model);
    console.log(`${worst.distance.toExponential(2)} ${name}${wrong ? ` WRONG in ${worst.where}` : ''}`);
  }
} finally {
  fs.rmSync(folder, { recursive: true });
}
console.log(`${compared} models, ${failed} beyond ${ALLOWED} of their size`);
process.exit(failed > 0 || (given.length === 0 && compared < 15) ? 1 : 0);
