// browser.mjs PACKAGE TOOLS SAMPLES ARCHIVE OUT PICTURES: the npm package in Chromium. The ten jobs of jobs.mjs go to OUT; models
// of three games in three.js go to PICTURES, from where thaw's own camera stands, beside thaw's own pictures.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , packageFolder, tools, samples, archive, out, pictures] = process.argv.map((name, index) => (index < 2 ? name : resolve(name)));
const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const playwright = join(tools, 'node_modules/playwright-core/index.mjs');
if (!existsSync(chromiumPath) || !existsSync(playwright)) {
  console.log('skipped  the package in a browser: no chromium, or no npm ci in tools');
  process.exit(0);
}
const { chromium } = await import(pathToFileURL(playwright));
const { similarity } = await import(pathToFileURL(join(tools, 'similarity.mjs')));

const kSide = 256;
const kBackground = [60, 66, 72];
/** Of a model in three.js beside thaw's own picture. Light and emitters are other ones: glTF has no particles. */
const kLeastAlike = 0.5;
const kModels = [
  { name: 'knight.mdx', clip: 'Walk', game: 'Warcraft III' },
  { name: 'house.wmo', game: 'a building of World of Warcraft' },
  { name: 'waystone_v4.m3', game: 'M3' },
];

const kTypes = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const kPage = `<!doctype html><script type="importmap">{"imports": {"thaw": "/package/thaw.js", "thaw/three": "/package/three.js",
  "three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/"}}</script>`;
const names = readdirSync(samples, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  .map((entry) => relative(samples, join(entry.parentPath ?? entry.path, entry.name)));
const places = { package: packageFolder, three: join(tools, 'node_modules/three'), samples, tests: import.meta.dirname ?? new URL('.', import.meta.url).pathname };

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
  const [, room, ...rest] = path.split('/');
  const file = room === 'archive' ? archive : places[room] && join(places[room], rest.join('/'));
  if (path === '/') return response.setHeader('content-type', 'text/html').end(kPage);
  if (path === '/names') return response.end(JSON.stringify(names));
  try {
    return response.setHeader('content-type', kTypes[extname(file)] ?? 'application/octet-stream').end(readFileSync(file));
  } catch {
    return response.writeHead(404).end();
  }
}).listen(0, '127.0.0.1');
await new Promise((done) => { server.on('listening', done); });

const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--no-first-run'] });
let failures = 0;
const check = (good, text) => {
  failures += good ? 0 : 1;
  console.log(`${good ? 'ok      ' : 'FAILED  '} ${text}`);
};

try {
  const page = await browser.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);

  const files = await page.evaluate(async () => {
    const thaw = await import('thaw');
    const { run } = await import('/tests/jobs.mjs');
    const bytes = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());
    const all = await (await fetch('/names')).json();
    const found = new Map(await Promise.all(all.map(async (name) => [name.toLowerCase(), await bytes(`/samples/${name}`)])));
    const made = {};
    await run(thaw, found, await bytes('/archive'), (name, data) => {
      made[name] = [...(typeof data === 'string' ? new TextEncoder().encode(data) : data)];
    });
    return made;
  });
  for (const [name, data] of Object.entries(files)) writeFileSync(join(out, name), Uint8Array.from(data));
  check(Object.keys(files).length > 10, `${Object.keys(files).length} files of ten jobs in Chromium`);

  mkdirSync(pictures, { recursive: true });
  for (const { name, clip, game } of kModels) {
    const own = join(pictures, `${name}.thaw.png`);
    const options = ['--size', String(kSide), '--no-emitters', '-f', '--json', '-o', own, ...(clip ? ['--clip', clip, '--time', '50%'] : [])];
    const { camera, time } = JSON.parse(
      execFileSync(process.env.THAW, ['render', join(samples, name), ...options], { stdio: ['ignore', 'pipe', 'ignore'] }));
    const { shown, reference, clips, moved } = await page.evaluate(async (wanted) => {
      const THREE = await import('three');
      const { ThawLoader } = await import('thaw/three');
      const object = await new ThawLoader().loadAsync(`/samples/${wanted.name}`);
      const mixer = new THREE.AnimationMixer(object);
      const one = object.animations.find((animation) => animation.name === wanted.clip);
      if (one) mixer.clipAction(one).play();
      const place = () => {
        object.updateMatrixWorld(true);
        const positions = [];
        object.traverse((node) => positions.push(...node.matrixWorld.elements));
        return positions;
      };
      mixer.setTime(0);
      const before = place();
      mixer.setTime(wanted.time);
      const after = place();
      const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
      renderer.setSize(wanted.side, wanted.side);
      renderer.setClearColor(new THREE.Color().setRGB(...wanted.background.map((value) => value / 255), THREE.SRGBColorSpace), 1);
      const scene = new THREE.Scene();
      scene.add(object, new THREE.AmbientLight(0xffffff, 1.6));
      const { eye, target, up, field_of_view, near, far } = wanted.camera;
      const lamp = new THREE.DirectionalLight(0xffffff, 2);
      lamp.position.set(...eye);
      scene.add(lamp);
      const camera = new THREE.PerspectiveCamera(THREE.MathUtils.radToDeg(field_of_view), 1, near, far);
      camera.up.set(...up);
      camera.position.set(...eye);
      camera.lookAt(...target);
      renderer.render(scene, camera);
      const pixels = (source) => {
        const canvas = Object.assign(document.createElement('canvas'), { width: wanted.side, height: wanted.side });
        const context = canvas.getContext('2d');
        context.drawImage(source, 0, 0);
        return [...context.getImageData(0, 0, wanted.side, wanted.side).data];
      };
      const picture = new Image();
      picture.src = `data:image/png;base64,${wanted.own}`;
      await picture.decode();
      const png = renderer.domElement.toDataURL().split(',')[1];
      return {
        shown: { png, pixels: pixels(renderer.domElement) }, reference: pixels(picture), clips: object.animations.length,
        moved: after.some((value, index) => Math.abs(value - before[index]) > 1e-4),
      };
    }, { name, clip, time, side: kSide, background: kBackground, camera, own: readFileSync(own).toString('base64') });
    writeFileSync(join(pictures, `${name}.three.png`), Buffer.from(shown.png, 'base64'));
    const { ssim, difference } = similarity(shown.pixels, reference, kSide, kBackground);
    check(ssim >= kLeastAlike && (!clip || (clips > 3 && moved)),
      `${game} in three.js: ${name}, ${clips} clips${clip ? `, ${clip} moves` : ''}, similarity ${ssim.toFixed(2)}, difference ${difference.toFixed(1)}`);
  }
  check(complaints.length === 0, `no errors in the page ${complaints.join('; ')}`);
} finally {
  await browser.close();
  server.close();
}
process.exit(failures ? 1 : 0);
