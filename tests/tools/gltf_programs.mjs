// What three.js or Babylon.js shows of a GLB: gltf_programs.mjs three|babylon FOLDER FILE.glb QUESTIONS.json
// QUESTIONS: [{clip, time}]. Prints {clips: [name], seen: [[name of each mesh that has an area]]}.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [program, folder, file, questions] = process.argv.slice(2);
const asked = JSON.parse(fs.readFileSync(questions, 'utf8'));
const bytes = fs.readFileSync(file);
const NOTHING = 1e-6; // square metres
/** Of triangles between places, [x, y, z] each. */
function area(places, indices) {
  let sum = 0;
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => places[indices[i + k]]);
    const u = b.map((value, k) => value - a[k]);
    const v = c.map((value, k) => value - a[k]);
    sum += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
  }
  return sum;
}
const indicesOf = (stated, places) => (stated?.length ? stated : [...places.keys()]);
/** three.js names nodes without the characters that its paths use; both programs number parts of a mesh. */
const plain = (name) => name.replace(/_primitive\d+$/, '').replace(/[\s_]/g, '');

async function three() {
  globalThis.self = globalThis; // GLTFLoader looks for it
  const THREE = await import(pathToFileURL(path.join(folder, 'build/three.module.js')));
  const { GLTFLoader } = await import(pathToFileURL(path.join(folder, 'examples/jsm/loaders/GLTFLoader.js')));
  const loader = new GLTFLoader();
  loader.register((parser) => ({ name: 'no images', loadTexture: async () => { void parser; return new THREE.Texture(); } }));
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const gltf = await loader.parseAsync(buffer, '');
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const point = new THREE.Vector3();
  const areaOf = (mesh) => {
    const count = mesh.geometry.attributes.position.count;
    const places = Array.from({ length: count }, (_, i) => mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld).toArray());
    return area(places, indicesOf(mesh.geometry.index?.array, places));
  };
  const seen = asked.map(({ clip, time }) => {
    mixer.stopAllAction();
    const action = mixer.clipAction(gltf.animations[clip]);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
    const names = [];
    gltf.scene.traverse((mesh) => { if (mesh.isMesh && areaOf(mesh) > NOTHING) names.push(plain(mesh.parent?.isMesh || !mesh.name ? mesh.parent.name : mesh.name)); });
    return names;
  });
  return { clips: gltf.animations.map((clip) => clip.name), seen };
}

async function babylon() {
  globalThis.navigator ??= {};
  globalThis.XMLHttpRequest ??= class {};
  const loaders = path.join(path.resolve(folder), 'babylonjs-loaders');
  const require = createRequire(path.join(loaders, 'package.json')); // the engine that the loaders see
  const BABYLON = require('babylonjs');
  globalThis.BABYLON = BABYLON;
  require(loaders);
  BABYLON.Logger.LogLevels = BABYLON.Logger.NoneLogLevel;
  const engine = new BABYLON.NullEngine();
  const scene = new BABYLON.Scene(engine);
  new BABYLON.FreeCamera('camera', BABYLON.Vector3.Zero(), scene);
  BABYLON.SceneLoader.OnPluginActivatedObservable.add((plugin) => { plugin.skipMaterials = true; plugin.animationStartMode = 0; });
  const all = await BABYLON.ImportMeshAsync(new Uint8Array(bytes), scene, { pluginExtension: '.glb' });
  const groups = all.animationGroups;
  const seen = asked.map(({ clip, time }) => {
    groups.forEach((group) => group.stop());
    const group = groups[clip];
    group.start(false);
    group.goToFrame(time * 60);
    scene.render();
    const names = [];
    for (const mesh of all.meshes) {
      if (!mesh.getTotalVertices()) continue;
      mesh.skeleton?.prepare();
      mesh.computeWorldMatrix(true);
      const data = mesh.getPositionData(true, true);
      const world = mesh.getWorldMatrix();
      const places = Array.from({ length: data.length / 3 }, (_, i) =>
        BABYLON.Vector3.TransformCoordinates(new BABYLON.Vector3(data[3 * i], data[3 * i + 1], data[3 * i + 2]), world).asArray());
      if (mesh.isEnabled() && area(places, indicesOf(mesh.getIndices(), places)) > NOTHING) names.push(plain(mesh.name));
    }
    group.stop();
    return names;
  });
  return { clips: groups.map((group) => group.name), seen };
}

const answer = await { three, babylon }[program]().catch((error) => ({ error: String(error.message ?? error).slice(-300) }));
console.log(JSON.stringify(answer));
process.exit(0);
