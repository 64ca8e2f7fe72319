// Loads a file with EXT_mesh_gpu_instancing in three.js, beside the same one with a node for each place: every mesh stands
// where it stood.
//
//   node tests/scripts/gltf_instances.mjs PLAIN.glb INSTANCES.glb

import fs from 'node:fs';
import path from 'node:path';

const { THAW_ROOT = '.' } = process.env;
const three = path.resolve(THAW_ROOT, 'tools/node_modules/three');

globalThis.self = globalThis; // GLTFLoader looks for it
const THREE = await import(path.join(three, 'build/three.module.js'));
const { GLTFLoader } = await import(path.join(three, 'examples/jsm/loaders/GLTFLoader.js'));

/** The middle and the corners of each mesh's box, wherever it is drawn. */
async function drawn(file) {
  const loader = new GLTFLoader();
  loader.register(() => ({ name: 'no_pictures', loadTexture: () => Promise.resolve(new THREE.Texture()) }));
  const bytes = fs.readFileSync(file);
  const { scene } = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
  scene.updateMatrixWorld(true);
  const found = [];
  let instanced = 0;
  scene.traverse((mesh) => {
    if (!mesh.isMesh) return;
    mesh.geometry.computeBoundingBox();
    const { min, max } = mesh.geometry.boundingBox;
    const points = [min, max, new THREE.Vector3(min.x, max.y, min.z), new THREE.Vector3(max.x, min.y, min.z)];
    const count = mesh.isInstancedMesh ? mesh.count : 1;
    instanced += mesh.isInstancedMesh ? count : 0;
    for (let i = 0; i < count; ++i) {
      const world = mesh.matrixWorld.clone();
      if (mesh.isInstancedMesh) {
        const local = new THREE.Matrix4();
        mesh.getMatrixAt(i, local);
        world.multiply(local);
      }
      found.push(points.flatMap((point) => point.clone().applyMatrix4(world).toArray()));
    }
  });
  return { found, instanced };
}

const [plain, other] = [await drawn(process.argv[2]), await drawn(process.argv[3])];
let worst = 0;
const left = [...other.found];
for (const mesh of plain.found) {
  const offs = left.map((at) => Math.max(...at.map((value, k) => Math.abs(value - mesh[k]) / (1 + Math.abs(mesh[k])))));
  const least = offs.indexOf(Math.min(...offs));
  worst = Math.max(worst, offs[least] ?? Infinity);
  left.splice(least, 1);
}
const good = plain.found.length > 0 && plain.found.length === other.found.length && other.instanced > 1 && worst < 1e-5;
console.log(`${good ? 'ok' : 'FAILED'}: ${plain.found.length} and ${other.found.length} meshes drawn, ${other.instanced} of them instances, `
  + `off by ${worst.toExponential(1)}`);
process.exit(good ? 0 : 1);
