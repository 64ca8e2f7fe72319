// The rasteriser beside mdx-m3-viewer's WebGL in headless Chromium: same model, clip, moment and camera.
//
//   node tools/compare-viewer.mjs [--thaw BINARY] [--size N] [--time SHARE%] [--out DIR] MODEL.mdx…
//
// Writes DIR/<n>-thaw.png, <n>-viewer.png and DIR/index.html, and prints one line per model: structural similarity
// (SSIM of luma, windows of 8 × 8 that hold something in either picture) and the mean difference of channels. Light is
// the viewer's (overhead), emitters are left out of both: their particles are random. Pictures of the game that are not
// there are replaced by the same made-up ones on both sides. Needs the chromium package.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { similarity } from './similarity.mjs';

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    thaw: { type: 'string', default: process.env.THAW ?? 'thaw' },
    size: { type: 'string', default: '256' },
    time: { type: 'string', default: '35%' },
    out: { type: 'string', default: 'comparison' },
  },
});
const size = Number(options.size);
const background = [0x3c, 0x42, 0x48];
const script = fileURLToPath(new URL('node_modules/mdx-m3-viewer/dist/umd/viewer.min.js', import.meta.url));
await mkdir(options.out, { recursive: true });

/** A file below the model's folder or a parent, found without regard to case; other extensions as a last resort. */
async function find(model, name) {
  const parts = name.toLowerCase().split(/[\\/]+/).filter((part) => part && part !== '.' && part !== '..');
  const descend = async (folder, left) => {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (entry.name.toLowerCase() !== left[0]) continue;
      const path = join(folder, entry.name);
      if (left.length === 1) return entry.isFile() ? path : null;
      const found = await descend(path, left.slice(1));
      if (found) return found;
    }
    return null;
  };
  const stem = parts.at(-1).replace(/\.[^.]*$/, '');
  const names = [parts.at(-1), ...['.blp', '.dds', '.tga'].map((extension) => stem + extension)];
  let folder = dirname(model);
  for (let level = 0; level < 5; level += 1, folder = dirname(folder)) {
    for (const last of names) {
      const found = await descend(folder, [...parts.slice(0, -1), last]);
      if (found) return found;
    }
  }
  for (const last of names) {
    const found = await descend(dirname(model), [last]);
    if (found) return found;
  }
  return null;
}

const page = `<!doctype html><style>body{margin:0}</style><canvas id="canvas" width="${size}" height="${size}"></canvas>
<script src="/viewer.js"></script>
<script>
window.shown = async (index, seconds, clip, camera, background) => {
  const api = ModelViewer.default ?? ModelViewer;
  const viewer = new api.viewer.ModelViewer(document.getElementById('canvas'), { alpha: false, antialias: true, preserveDrawingBuffer: true });
  const errors = [];
  viewer.on('error', (event) => errors.push(String(event.error ?? event) + ' ' + (event.fetchUrl ?? '')));
  const solver = (path) => '/' + index + '/' + encodeURIComponent(path);
  const { mdx, blp, dds, tga } = api.viewer.handlers;
  viewer.addHandler(mdx, solver, false);
  viewer.addHandler(blp);
  viewer.addHandler(dds);
  viewer.addHandler(tga);
  const model = await viewer.load('model', solver);
  if (!model) return { errors };
  const scene = viewer.addScene();
  scene.viewport.set([0, 0, ${size}, ${size}]);
  scene.color.set(background.map((part) => part / 255));
  scene.alpha = false;
  const game = ([x, y, z]) => new Float32Array([x * 100, -z * 100, y * 100]);
  scene.camera.perspective(camera.field_of_view, 1, camera.near * 100, camera.far * 100);
  scene.camera.moveToAndFace(game(camera.eye), game(camera.target), game(camera.up));
  const instance = model.addInstance();
  instance.setScene(scene);
  instance.setTeamColor(0);
  const sequence = model.sequences.findIndex((one) => one.name === clip);
  if (sequence >= 0) instance.setSequence(sequence);
  instance.setSequenceLoopMode(0);
  for (const list of ['particleEmitters', 'particleEmitters2', 'ribbonEmitters', 'eventObjectEmitters']) instance[list].length = 0;
  await viewer.whenAllLoaded?.();
  for (let i = 0; i < 60; i += 1) await new Promise((done) => setTimeout(done, 10));
  if (sequence >= 0) instance.frame = model.sequences[sequence].interval[0] + seconds * 1000;
  instance.counter = seconds * 1000;
  instance.forced = true;
  viewer.update(0);
  viewer.startFrame?.();
  viewer.render();
  return { errors, url: document.getElementById('canvas').toDataURL('image/png') };
};
window.decode = async (urls) => Promise.all(urls.map(async (url) => {
  const image = await createImageBitmap(await (await fetch(url)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  return Array.from(context.getImageData(0, 0, image.width, image.height).data);
}));
</script>`;

const server = createServer(async (request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  const part = /^\/(\d+)\/(.*)$/s.exec(path);
  try {
    if (path === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    if (path === '/viewer.js') return response.writeHead(200, { 'content-type': 'text/javascript' }).end(await readFile(script));
    if (part) {
      const name = decodeURIComponent(part[2]);
      const file = name === 'model' ? files[Number(part[1])] : await find(files[Number(part[1])], name);
      if (file) return response.writeHead(200).end(await readFile(file));
      const team = /team(color|glow)(\d\d)/i.exec(name);
      if (team) return response.writeHead(200).end(teamPicture(team[1].toLowerCase() === 'color'));
      if (/\.(blp|dds|tga|tif)$/i.test(name)) return response.writeHead(200).end(standIn(plain(name)));
    }
  } catch { /* not found */ }
  return response.writeHead(404).end();
});

/** A checker in colours that follow from the name, partly see-through. */
function standIn(name) {
  let hash = 7;
  for (const letter of name.toLowerCase()) hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
  const side = 64;
  return tga(side, (x, y) => {
    const dark = ((x >> 3) + (y >> 3)) % 2;
    const hue = [hash & 255, (hash >>> 8) & 255, (hash >>> 16) & 255].map((part) => Math.round((90 + part * 0.6) * (dark ? 0.55 : 1)));
    return [...hue, ((x >> 4) + (y >> 4)) % 4 === 0 ? 60 : 255];
  });
}

/** An uncompressed TGA, top row first. */
function tga(side, pixel) {
  const header = Buffer.alloc(18);
  header[2] = 2;
  header.writeUInt16LE(side, 12);
  header.writeUInt16LE(side, 14);
  header[16] = 32;
  header[17] = 0x28;
  const pixels = Buffer.alloc(side * side * 4);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const [r, g, b, a] = pixel(x, y);
      pixels.set([b, g, r, a], (y * side + x) * 4);
    }
  }
  return Buffer.concat([header, pixels, Buffer.alloc(8), Buffer.from('TRUEVISION-XFILE.\0')]); // the viewer tells TGA by its footer
}

/** Writes stand-ins for what the model's folders do not have; the rasteriser finds them there. */
async function writeStandIns(file, folder) {
  const told = JSON.parse(execFileSync(options.thaw, ['info', file, '--json'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString().split('\n')[0]);
  for (const texture of told.textures ?? []) {
    const name = texture.path || replaceables[texture.replaceable_id];
    if (texture.found || !name) continue;
    const path = join(folder, name.toLowerCase().replaceAll('\\', '/').replace(/\.[^.]*$/, '.tga'));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, standIn(plain(name)));
  }
}
const plain = (name) => name.toLowerCase().replaceAll('\\', '/').replace(/\.[^.]*$/, '');
const replaceables = {
  11: 'ReplaceableTextures/Cliff/Cliff0.blp',
  31: 'ReplaceableTextures/LordaeronTree/LordaeronSummerTree.blp',
  32: 'ReplaceableTextures/AshenvaleTree/AshenTree.blp',
  33: 'ReplaceableTextures/BarrensTree/BarrensTree.blp',
  34: 'ReplaceableTextures/NorthrendTree/NorthTree.blp',
  35: 'ReplaceableTextures/Mushroom/MushroomTree.blp',
};

/** Player 0 as the rasteriser makes it: red, or a glow that fades to its rim. As TGA. */
function teamPicture(solid) {
  const side = solid ? 8 : 64;
  return tga(side, (x, y) => {
    const dx = 2 * x - side + 1, dy = 2 * y - side + 1;
    const share = Math.floor(Math.max(0, 4 * 961 - dx * dx - dy * dy) * 255 / (4 * 961));
    return [255, 3, 3, solid ? 255 : Math.floor(Math.floor(share * share / 255) * 150 / 255)];
  });
}

await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
});
const rows = [];
for (const [index, file] of files.entries()) {
  const ours = join(options.out, `${index}-thaw.png`);
  const theirs = join(options.out, `${index}-viewer.png`);
  const standIns = join(options.out, 'stand-ins', String(index));
  await mkdir(standIns, { recursive: true });
  await writeStandIns(file, standIns);
  const told = JSON.parse(execFileSync(options.thaw, ['render', file, '-o', ours, '-f', '--json', '--size', String(size), '--light', 'overhead',
    '--no-emitters', '--samples', '4', '--source', standIns, '--time', options.time], { stdio: ['ignore', 'pipe', 'ignore'] }).toString());
  const tab = await browser.newPage({ viewport: { width: size, height: size } });
  const messages = [];
  tab.on('pageerror', (error) => messages.push(String(error)));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  const shown = await tab.evaluate(([i, seconds, clip, camera, color]) => window.shown(i, seconds, clip, camera, color),
    [index, told.time, told.clip, told.camera, background]).catch((error) => ({ errors: [String(error)] }));
  if (shown.url) {
    await writeFile(theirs, Buffer.from(shown.url.split(',')[1], 'base64'));
    const [a, b] = await tab.evaluate((urls) => window.decode(urls), [`data:image/png;base64,${(await readFile(ours)).toString('base64')}`, shown.url]);
    const { ssim, difference } = similarity(a, b, size, background);
    rows.push({ name: basename(file, extname(file)), clip: told.clip, ssim, difference, index });
    console.log(`${ssim.toFixed(3)}  ${difference.toFixed(1).padStart(5)}  ${basename(file)}  ${told.clip ?? ''} ${told.time.toFixed(2)} s  ${messages.join(' ')}`);
  } else {
    console.log(`-      ${basename(file)}  ${[...shown.errors, ...messages].join(' ')}`);
  }
  await tab.close();
}
await browser.close();
server.close();
const figures = rows.map((row) => `<tr><td>${row.name}<br>${row.clip ?? ''}<br>SSIM ${row.ssim.toFixed(3)}<br>difference ${row.difference.toFixed(1)}</td>
<td><img src="${row.index}-thaw.png"></td><td><img src="${row.index}-viewer.png"></td></tr>`).join('\n');
await writeFile(join(options.out, 'index.html'), `<!doctype html><meta charset="utf-8"><title>thaw beside mdx-m3-viewer</title>
<style>body{font:15px system-ui;background:#222;color:#ddd}</style><table><tr><th>model<th>thaw<th>mdx-m3-viewer</tr>\n${figures}\n</table>`);
const mean = rows.reduce((sum, row) => sum + row.ssim, 0) / Math.max(rows.length, 1);
console.log(`mean SSIM ${mean.toFixed(3)} of ${rows.length} models`);
if (!existsSync(join(options.out, 'index.html')) || rows.length === 0) process.exit(1);
