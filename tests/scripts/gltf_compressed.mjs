// Plays files that thaw packed (--quantize, --compress meshopt) in three.js, beside the same ones unpacked: every
// corner of every triangle is where it was, as near as the bits that are left say.
//
//   node tests/scripts/gltf_compressed.mjs PLAIN.glb PACKED.glb LIMIT…     LIMIT as a share of the model's size

import fs from 'node:fs';
import path from 'node:path';

const { THAW_ROOT = '.' } = process.env;
const TIMES = 4;
const three = path.resolve(THAW_ROOT, 'tools/node_modules/three');

globalThis.self = globalThis; // GLTFLoader looks for it
const THREE = await import(path.join(three, 'build/three.module.js'));
const { GLTFLoader } = await import(path.join(three, 'examples/jsm/loaders/GLTFLoader.js'));
const { MeshoptDecoder } = await import(path.join(three, 'examples/jsm/libs/meshopt_decoder.module.js'));

async function load(file) {
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  loader.register(() => ({ name: 'no_pictures', loadTexture: () => Promise.resolve(new THREE.Texture()) }));
  const bytes = fs.readFileSync(file);
  return loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
}

/** The corners of each triangle, each triangle from its least corner on, so that where it begins does not matter. */
function corners(gltf) {
  const found = [];
  gltf.scene.updateMatrixWorld(true);
  gltf.scene.traverse((mesh) => {
    if (!mesh.isMesh) return;
    mesh.skeleton?.update();
    const { index } = mesh.geometry;
    const at = new THREE.Vector3();
    for (let i = 0; i < index.count; i += 3) {
      const triangle = [0, 1, 2].map((k) => index.getX(i + k));
      const first = triangle.indexOf(Math.min(...triangle));
      for (let k = 0; k < 3; ++k) {
        const vertex = triangle[(first + k) % 3];
        mesh.getVertexPosition(vertex, at);
        at.applyMatrix4(mesh.matrixWorld);
        const uv = mesh.geometry.attributes.uv;
        const normal = mesh.geometry.attributes.normal;
        found.push([at.x, at.y, at.z, uv?.getX(vertex) ?? 0, uv?.getY(vertex) ?? 0, normal?.getX(vertex) ?? 0,
          normal?.getY(vertex) ?? 0, normal?.getZ(vertex) ?? 0]);
      }
    }
  });
  return found;
}

/** All corners at some times of all clips. */
function posed(gltf) {
  const all = [corners(gltf)];
  const mixer = new THREE.AnimationMixer(gltf.scene);
  for (const clip of gltf.animations) {
    const action = mixer.clipAction(clip);
    action.play();
    for (let i = 0; i < TIMES; ++i) {
      mixer.setTime((clip.duration * (i + 0.3)) / TIMES);
      all.push(corners(gltf));
    }
    action.stop();
  }
  return all;
}

let failures = 0;
const words = process.argv.slice(2);
for (let w = 0; w + 2 < words.length; w += 3) {
  const [plain, packed] = [await load(words[w]), await load(words[w + 1])];
  const limit = Number(words[w + 2]);
  const [a, b] = [posed(plain), posed(packed)];
  const size = new THREE.Box3().setFromObject(plain.scene).getSize(new THREE.Vector3()).length();
  const off = { place: 0, uv: 0, normal: 0 };
  const same = a.length === b.length && a.every((pose, i) => pose.length === b[i].length);
  for (let i = 0; same && i < a.length; ++i) {
    a[i].forEach((corner, c) => corner.forEach((value, k) => {
      const what = k < 3 ? 'place' : k < 5 ? 'uv' : 'normal';
      off[what] = Math.max(off[what], Math.abs(value - b[i][c][k]) / (k < 3 ? size : 1));
    }));
  }
  const good = same && a[0].length > 0 && off.place <= limit && off.uv <= (limit > 0 ? 2e-3 : 0) && off.normal <= (limit > 0 ? 0.02 : 0);
  failures += good ? 0 : 1;
  console.log(`${good ? 'ok' : 'FAILED'} ${words[w + 1]}: ${a.length} poses, ${a[0].length} corners, off by ${off.place.toExponential(1)} of the size, `
    + `UVs ${off.uv.toExponential(1)}, normals ${off.normal.toExponential(1)}`);
}
process.exit(failures === 0 && words.length > 2 ? 0 : 1);
