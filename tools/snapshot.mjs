// Pictures of GLB files as a browser shows them: three.js in headless Chromium.
//
//   node tools/snapshot.mjs [--size N] [--clip NAME|INDEX] [--time SECONDS] [--azimuth DEGREES] [--elevation DEGREES]
//                           [--background CSS-COLOUR] [--out DIR] FILE.glb…
//
// Writes DIR/<stem>.png and prints one JSON line per file: clips, meshes, console messages. Needs the chromium package.
import { createServer } from 'node:http';
import { readFile, mkdir, writeFile } from 'node:fs/promises';
import { basename, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '512' },
    clip: { type: 'string', default: '0' },
    time: { type: 'string', default: '0' },
    azimuth: { type: 'string', default: '35' },
    elevation: { type: 'string', default: '15' },
    background: { type: 'string', default: '#50565c' },
    out: { type: 'string', default: '.' },
  },
});

const modules = fileURLToPath(new URL('node_modules/', import.meta.url));
const page = `<!doctype html><style>body{margin:0}</style>
<script type="importmap">{"imports":{"three":"/modules/three/build/three.module.js","three/addons/":"/modules/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
window.show = async (url, o) => {
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(o.size, o.size);
  document.body.replaceChildren(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(o.background);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x808080, 2.2));
  const sun = new THREE.DirectionalLight(0xffffff, 1.6);
  sun.position.set(1, 2, 1.5);
  scene.add(sun);
  const gltf = await new GLTFLoader().loadAsync(url);
  scene.add(gltf.scene);
  const clip = gltf.animations.find((a) => a.name === o.clip) ?? gltf.animations[Number(o.clip)];
  if (clip) {
    const mixer = new THREE.AnimationMixer(gltf.scene);
    mixer.clipAction(clip).play();
    mixer.setTime(o.time);
  }
  scene.updateMatrixWorld(true);
  const box = new THREE.Box3();
  const point = new THREE.Vector3();
  const meshes = [];
  gltf.scene.traverse((node) => {
    if (!node.isMesh) return;
    meshes.push(node.name);
    node.frustumCulled = false;
    const mine = new THREE.Box3();
    for (let i = 0; i < node.geometry.attributes.position.count; i += 1) {
      node.getVertexPosition(i, point);
      mine.expandByPoint(point.applyMatrix4(node.matrixWorld));
    }
    if (mine.getSize(point).length() > 1e-6) box.union(mine);
  });
  const centre = box.getCenter(new THREE.Vector3());
  const radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-3);
  const camera = new THREE.PerspectiveCamera(35, 1, radius / 50, radius * 50);
  const azimuth = THREE.MathUtils.degToRad(o.azimuth), elevation = THREE.MathUtils.degToRad(o.elevation);
  // Azimuth 0 looks at the front: the models face +X.
  camera.position.set(Math.cos(elevation) * Math.cos(azimuth), Math.sin(elevation), Math.cos(elevation) * -Math.sin(azimuth))
    .multiplyScalar(radius / Math.sin(THREE.MathUtils.degToRad(17.5))).add(centre);
  camera.lookAt(centre);
  renderer.render(scene, camera);
  return { clips: gltf.animations.map((a) => a.name), meshes: meshes.length, size: box.getSize(new THREE.Vector3()).toArray() };
};
window.ready = true;
</script>`;

const types = { '.js': 'text/javascript', '.glb': 'model/gltf-binary', '.html': 'text/html' };
const server = createServer(async (request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  try {
    let body = page;
    let type = 'text/html';
    if (path.startsWith('/modules/')) {
      body = await readFile(join(modules, normalize(path.slice('/modules/'.length))));
      type = types[extname(path)] ?? 'application/octet-stream';
    } else if (path.startsWith('/file/')) {
      body = await readFile(files[Number(path.slice('/file/'.length))]);
      type = 'model/gltf-binary';
    }
    response.writeHead(200, { 'content-type': type }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
});
await mkdir(options.out, { recursive: true });
let failed = false;
for (const [index, file] of files.entries()) {
  const tab = await browser.newPage({ viewport: { width: Number(options.size), height: Number(options.size) } });
  const messages = [];
  tab.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/GPU stall|GL Driver|favicon|404/.test(message.text())) messages.push(message.text());
  });
  tab.on('pageerror', (error) => messages.push(String(error)));
  try {
    await tab.goto(origin);
    await tab.waitForFunction('window.ready === true');
    const facts = await tab.evaluate(([url, o]) => window.show(url, o), [`/file/${index}`, {
      size: Number(options.size), clip: options.clip, time: Number(options.time), background: options.background,
      azimuth: Number(options.azimuth), elevation: Number(options.elevation),
    }]);
    const png = join(options.out, `${basename(file, extname(file))}.png`);
    await writeFile(png, await tab.screenshot());
    console.log(JSON.stringify({ file: basename(file), ...facts, messages }));
  } catch (error) {
    failed = true;
    console.log(JSON.stringify({ file: basename(file), error: String(error), messages }));
  }
  await tab.close();
}
await browser.close();
server.close();
process.exit(failed ? 1 : 0);
