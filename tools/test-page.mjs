// The page in a real browser: everything that people do with it, and its pictures beside those of the rasteriser.
//
//   node tools/test-page.mjs --thaw BINARY --samples DIR --page DIR [--out DIR] [--only PART,…]
//
// Writes what it sees to DIR. Parts are those of the list at the end. Exit code 1 if anything is not as it should be. Needs the chromium package.
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import axe from 'axe-core';
import validator from 'gltf-validator';
import { browserParts } from './test-browsers.mjs';
import { inspectorParts } from './test-inspector.mjs';
import { archiveParts } from './page/archives.mjs';
import { batchParts } from './page/batch.mjs';
import { cameraParts } from './page/camera.mjs';
import { framesParts } from './page/frames.mjs';
import { handsParts } from './page/hands.mjs';
import { kindsParts } from './page/kinds.mjs';
import { memoryParts } from './page/memory.mjs';
import { scenesParts } from './page/scenes.mjs';
import { shellParts } from './page/shell.mjs';
import { skeletonParts } from './page/skeleton.mjs';
import { similarity } from './similarity.mjs';

const { values: options } = parseArgs({
  options: {
    thaw: { type: 'string' },
    samples: { type: 'string' },
    page: { type: 'string' },
    out: { type: 'string', default: 'build/page-test' },
    only: { type: 'string', default: '' },
    corpus: { type: 'string', default: '' },
    timed: { type: 'boolean', default: false },
  },
});
for (const name of ['thaw', 'samples', 'page']) {
  if (!options[name]) throw new Error(`--${name} is missing`);
}
const out = resolve(options.out);
await rm(out, { recursive: true, force: true });
await mkdir(join(out, 'broken'), { recursive: true });

let failures = 0;
function check(good, text) {
  if (!good) failures += 1;
  console.log(`${good ? 'ok    ' : 'FAILED'} ${text}`);
}

/** What depends on the machine and on what else it does: told, and asked for with --timed alone. */
function timely(good, text) {
  check(good || !options.timed, good ? text : `${text}: slow`);
}

// --- limits

/** Bytes of the library that travel. */
const MOST_BYTES = 1_500_000; // as brotli has them, which every browser takes
/** For 50,000 triangles; of the fastest quarter of evaluations, because machines have other things to do, too. */
const MOST_MILLISECONDS = 8;
/** Mean difference of channels (0 to 255) and structural similarity, where a picture shows anything. */
const MOST_DIFFERENCE = 4;
const LEAST_SIMILARITY = 0.93;
/** Of what the shader moves and lights beside what the library does. */
const LEAST_BY_SHADER = 0.99;

// --- a server as simple as any

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json', '.svg': 'image/svg+xml', '.png': 'image/png' };
const pages = new Map(); // of other people, by name
const asked = [];
const server = createServer(async (request, response) => {
  const name = new URL(request.url, 'http://localhost').pathname.slice(1) || 'index.html';
  asked.push(`${request.method} ${name}`);
  const place = /^[\w.-]+$/.test(name) ? join(options.page, name) : /^samples\/[\w./-]+$/.test(name) ? join(options.samples, name.slice(8)) : null;
  const bytes = pages.get(name) ?? (place ? await readFile(place).catch(() => null) : null);
  if (bytes) response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream', 'access-control-allow-origin': '*' }).end(bytes);
  else response.writeHead(404).end();
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
});

async function openPage(url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
  context.setDefaultTimeout(120000); // machines have other things to do, too
  const page = await context.newPage();
  const messages = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/GPU stall|GL Driver|CONTEXT_LOST/.test(message.text())) messages.push(message.text());
  });
  page.on('pageerror', (error) => messages.push(String(error)));
  const requests = [];
  page.on('request', (request) => {
    requests.push(request.url());
    if (!request.url().startsWith(new URL(url).origin) && !/^(blob|data):/.test(request.url())) messages.push(`asks ${request.url()}`);
  });
  // Lists of a million numbers take seconds on their way out of a browser, texts do not.
  await page.addInitScript(() => {
    window.packPixels = (pixels) => {
      let text = '';
      for (let at = 0; at < pixels.length; at += 32768) text += String.fromCharCode(...pixels.subarray(at, at + 32768));
      return btoa(text);
    };
  });
  await page.goto(url);
  await page.waitForFunction(() => window.thawViewer !== undefined, null, { timeout: 120000 });
  return { context, page, messages, requests };
}

/** Drops files as a file manager does. */
async function drop(page, paths, model, pause = 0) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
    if (type === 'dragOver') await page.waitForTimeout(pause);
  }
  await page.waitForFunction((name) => window.thawViewer.path?.endsWith(name) && window.thawViewer.model, model, { timeout: 60000 });
  await session.detach();
}

const show = async (page, path) => {
  await page.evaluate((name) => window.thawViewer.show(name), path); // a file that is shown already is read again
  await page.waitForFunction((name) => window.thawViewer.path === name, path, { timeout: 60000 });
};
const shot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });
/** Until the page has drawn what it was asked for, and the library has answered what it was asked. */
const settle = (page) => page.evaluate(async () => {
  const pictures = () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
  await pictures();
  await window.thawViewer?.library.memorySize();
  await pictures();
});

/** Sums of red, green, blue and alpha of what is in the canvas, and a number that depends on each pixel. */
const look = (page) => page.evaluate(async () => {
  await window.thawViewer.draw();
  const canvas = document.getElementById('canvas');
  const gl = canvas.getContext('webgl2');
  const pixels = new Uint8Array(canvas.width * canvas.height * 4);
  gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const sums = [0, 0, 0, 0];
  let hash = 7;
  pixels.forEach((value, i) => {
    sums[i & 3] += value;
    hash = (Math.imul(hash, 31) + value) | 0;
  });
  return { sums, hash };
});

// --- dropped files, no server behind them

async function testDropping() {
  const { context, page, messages } = await openPage(`http://127.0.0.1:${server.address().port}/`);
  await shot(page, 'empty');
  await drop(page, [resolve(options.samples, 'knight.mdx'), resolve(options.samples, 'Textures')], 'knight.mdx');
  const textures = await page.evaluate(() => window.thawViewer.scene.textures.map((texture) => [texture.path, texture.missing]));
  check(textures.length > 2 && textures.every(([, missing]) => !missing), `a dropped file and folder: ${textures.length} textures, all found`);
  await shot(page, 'knight-light');
  await testPlaying(page);
  await testTeamColour(page);
  await testOptions(page);
  await testPanels(page);
  await testEditing(page, options.thaw, options.samples);
  await testKeyboard(page);
  await testAccessibility(page);
  await testScreenshot(page);
  await testDownload(page);
  await testFindings(page);
  await testColourSchemes(page);
  await testEditedFiles(page);
  await testMessages(page);
  await testMemory(page);
  await testLostPicture(page);
  check(asked.every((line) => line.startsWith('GET ')), 'nothing is uploaded');
  check(messages.length === 0, `the console is silent ${messages.slice(0, 5).join(' | ')}`);
  await context.close();
}

async function testPlaying(page) {
  const time = () => page.evaluate(() => window.thawViewer.player.clock);
  const before = await time();
  await page.waitForTimeout(600);
  const after = await time();
  check(after > before, `plays: ${(after - before).toFixed(2)} s in 0.6 s`);
  await page.click('#play');
  const stopped = await time();
  await page.waitForTimeout(300);
  check(await time() === stopped, 'stops');
  await page.selectOption('#clip', { index: 2 });
  const scrub = (share) => page.locator('#scrub').evaluate((slider, value) => {
    slider.value = value;
    slider.dispatchEvent(new Event('input'));
  }, share);
  await scrub(0);
  const start = await look(page);
  await scrub(0.5);
  const middle = await look(page);
  const at = await page.evaluate(() => window.thawViewer.player.time / window.thawViewer.player.duration);
  check(Math.abs(at - 0.5) < 0.001 && start.hash !== middle.hash, `scrubs to ${at.toFixed(3)}, which looks otherwise`);
}

async function testTeamColour(page) {
  const red = await look(page);
  const before = await page.evaluateHandle(() => window.thawViewer.model);
  await page.selectOption('#team', { label: 'blue' });
  await page.waitForFunction((old) => window.thawViewer.model !== old, before);
  await settle(page);
  const blue = await look(page);
  check(blue.sums[2] > red.sums[2] && blue.sums[0] < red.sums[0], 'the team colour goes from red to blue');
}

async function testOptions(page) {
  const plain = await look(page);
  for (const name of ['wireframe', 'bones', 'collision', 'extents', 'grid', 'surfaces']) {
    const flip = () => page.evaluate((option) => {
      const { options } = window.thawViewer;
      options[option] = option === 'surfaces' ? options[option] === false : !options[option];
    }, name);
    await flip();
    check((await look(page)).hash !== plain.hash, `${name} can be seen`);
    await flip();
  }
  check((await look(page)).hash === plain.hash, 'and goes again');
  await choosePanel(page, 'Model');
  const channels = await page.getByLabel('Part of the picture').locator('option').allInnerTexts();
  const seen = new Set();
  for (const channel of channels) {
    await page.getByLabel('Part of the picture').selectOption(channel);
    seen.add((await look(page)).hash);
  }
  // A model without HD materials shows the same, which is nothing, for each of their parts.
  check(channels.length === 11 && seen.size >= 7, `${seen.size} of ${channels.length} parts of the picture differ`);
  await page.getByLabel('Part of the picture').selectOption('picture');
  const fog = (value) => page.getByLabel('Fog').evaluate((input, to) => {
    input.value = to;
    input.dispatchEvent(new Event('input'));
  }, value);
  await fog('0.8');
  check((await look(page)).hash !== plain.hash, 'fog can be seen');
  await fog('0');
  check((await look(page)).hash === plain.hash, 'and lifts');
}

async function choosePanel(page, name) {
  await page.getByRole('tab', { name, exact: true }).click();
}

/** Types the second model's name, as people do. */
async function showBeside(page, path) {
  if (!(await page.locator('#beside').isVisible())) await page.click('#toggle-more');
  await page.fill('#beside', path);
  await page.press('#beside', 'Enter');
}

async function testPanels(page) {
  await choosePanel(page, 'Parts');
  const plain = await look(page);
  await page.locator('#panel input[type=checkbox]').first().uncheck();
  check((await look(page)).hash !== plain.hash, 'a part goes');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  check((await look(page)).hash === plain.hash, 'and comes back');
  await choosePanel(page, 'Nodes');
  const nodes = await page.locator('#nodes li').count();
  check(nodes === await page.evaluate(() => window.thawViewer.scene.nodes.length), `${nodes} nodes are listed`);
  await page.locator('#panel li button').nth(5).click();
  check((await look(page)).hash !== plain.hash && await page.locator('#panel .chosen').count() === 1, 'a node is marked');
  await page.locator('#panel li button').nth(5).click();
  check((await look(page)).hash === plain.hash, 'and not any more');
  await choosePanel(page, 'Textures');
  const picture = () => page.locator('#panel canvas').first().evaluate((canvas) =>
    canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.reduce((sum, value) => sum + value, 0));
  const plainTexture = await picture();
  await page.getByLabel('texture coordinates').check();
  check(await picture() !== plainTexture, 'texture coordinates lie over the pictures');
  await shot(page, 'textures');
  await page.getByLabel('texture coordinates').uncheck();
  await page.getByLabel('Channels').selectOption('alpha');
  check(await picture() !== plainTexture, 'alpha alone can be seen');
  await choosePanel(page, 'Text');
  check(/^\s*\/\/|Version/.test(await page.locator('#panel pre').innerText()), 'the model as text');
  await choosePanel(page, 'Fields');
  const first = await page.locator('#panel .tree li').first().innerText();
  check(/^0x000004 \+12\s*VERS/.test(first), `fields begin behind the magic: ${first.replace(/\s+/g, ' ')}`);
  const rows = await page.locator('#panel .tree li').count();
  await page.locator('#panel .tree button[aria-expanded=false]').first().click();
  await settle(page);
  check(await page.locator('#panel .tree li').count() > rows, 'and open');
}

/** A field is changed, seen, taken back and saved. */
async function testEditing(page, thaw, samples) {
  await choosePanel(page, 'Fields');
  const open = async (name) => {
    const row = page.locator('#panel .tree button[aria-expanded]').filter({ hasText: name }).first();
    if (await row.getAttribute('aria-expanded') === 'false') await row.click();
  };
  const changed = async (label, old, value) => {
    const inputs = page.locator('#panel .value label').filter({ hasText: new RegExp(`^${label} $`) }).locator('input');
    const values = await inputs.evaluateAll((all) => all.map((input) => input.value));
    const input = inputs.nth(values.indexOf(old)); // other things that are open have fields of that name, too
    await input.fill(value);
    await input.press('Enter');
    await page.waitForFunction(() => /^(Changed|.*:)/.test(document.getElementById('status').textContent));
  };
  await open('SEQS');
  const clips = () => page.locator('#clip option').allInnerTexts();
  const before = await clips();
  await page.locator('#panel .tree button[aria-expanded]').filter({ hasText: `“${before[1]}”` }).first().click();
  await shot(page, 'fields');
  await changed('name', before[1], 'Renamed by hand');
  check((await clips())[1] === 'Renamed by hand', `a clip has another name: ${(await clips())[1]}`);
  await shot(page, 'edited');
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save file' }).click()]);
  const wanted = join(out, 'edited.mdx');
  spawnSync(thaw, ['set', join(samples, 'knight.mdx'), 'SEQS[0].name=Renamed by hand', '-q', '-f', '-o', wanted]);
  check((await readFile(await saved.path())).equals(await readFile(wanted)), 'the saved file is that of `thaw set`');
  await changed('moveSpeed', '0', 'fast');
  check(/moveSpeed/.test(await page.locator('#status').innerText()), `what cannot be is told: ${await page.locator('#status').innerText()}`);
  check((await clips())[1] === 'Renamed by hand', 'and changes nothing');
  await page.getByRole('button', { name: /^Undo/ }).click();
  await page.waitForFunction(() => /^Undone/.test(document.getElementById('status').textContent));
  await settle(page);
  check((await clips())[1] === before[1] && await page.getByRole('button', { name: /^Undo/ }).isDisabled(), 'Undo takes it back');
  await page.evaluate(() => { window.thawViewer.openPaths.clear(); window.thawViewer.comingTree = undefined; window.thawViewer.inspector.refresh(); });
}

async function testKeyboard(page) {
  await choosePanel(page, 'Model');
  await page.locator('#canvas').focus();
  const before = await look(page);
  await page.keyboard.press('w');
  check((await look(page)).hash !== before.hash, 'the key w draws edges');
  await page.keyboard.press('w');
  await page.keyboard.press('ArrowLeft');
  check((await look(page)).hash !== before.hash, 'an arrow turns');
  await page.keyboard.press('f');
  check((await look(page)).hash === before.hash, 'f turns back');
  await page.keyboard.press('?');
  check(await page.locator('#keys').isVisible(), '? lists the keys');
  await shot(page, 'keys');
  await page.keyboard.press('Escape');
  const reached = new Set();
  for (let i = 0; i < 80; i += 1) {
    await page.keyboard.press('Tab');
    const names = await page.evaluate(() => [document.activeElement.id, document.activeElement.getAttribute('role'), document.activeElement.className]);
    names.forEach((name) => reached.add(name));
  }
  const missed = ['open', 'search', 'model', 'toggle-browser', 'toggle-inspector', 'download', 'canvas', 'tab', 'play', 'clip', 'scrub', 'team'].filter((id) => !reached.has(id));
  check(missed.length === 0, `Tab reaches everything ${missed.join(' ')}`);
}

async function testAccessibility(page) {
  await choosePanel(page, 'Model');
  const state = () => page.evaluate(() => {
    const tabs = [...document.getElementById('tabs').children];
    const selected = tabs.filter((tab) => tab.getAttribute('aria-selected') === 'true');
    return {
      name: selected.map((tab) => tab.textContent).join(),
      inOrder: tabs.filter((tab) => tab.tabIndex === 0).map((tab) => tab.textContent).join(),
      focused: document.activeElement.textContent,
      controls: tabs.every((tab) => document.getElementById(tab.getAttribute('aria-controls')) !== null),
      label: document.getElementById(document.getElementById('panel').getAttribute('aria-labelledby'))?.textContent,
    };
  });
  for (const [key, name] of [['ArrowRight', 'Parts'], ['ArrowLeft', 'Model'], ['ArrowLeft', 'Text'], ['Home', 'Model'], ['End', 'Text'], ['ArrowRight', 'Model']]) {
    await page.keyboard.press(key);
    await settle(page);
    const { controls, ...names } = await state();
    check(controls && Object.values(names).every((each) => each === name), `${key} in the row of tabs: ${name}`);
  }
  await choosePanel(page, 'Fields');
  const row = page.locator('#panel .tree button[aria-expanded=false]').first();
  const text = await row.innerText();
  await row.focus();
  const focus = () => page.evaluate(() => [document.activeElement.innerText, document.activeElement.getAttribute('aria-expanded')]);
  await page.keyboard.press('Enter');
  await settle(page);
  const opened = await focus();
  await page.keyboard.press('Enter');
  await settle(page);
  const closed = await focus();
  check(opened[0].slice(2) === text.slice(2) && opened[1] === 'true' && closed[1] === 'false', `Enter opens and closes ${text.slice(2)}, and stays there`);
  await choosePanel(page, 'Nodes');
  await page.locator('#panel li button').nth(3).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const marked = await page.evaluate(() => window.thawViewer.options.markedNode);
  check(await page.locator('#panel .chosen').evaluate((node) => node === document.activeElement), `by keyboard from node to node, to ${marked}`);
  await page.keyboard.press('Enter');
  await choosePanel(page, 'Textures');
  const pictures = await page.locator('canvas:not([aria-hidden] *)').evaluateAll((all) => all.map((canvas) => canvas.getAttribute('role') === 'img' && canvas.getAttribute('aria-label') !== ''));
  check(pictures.length > 4 && pictures.every(Boolean), `${pictures.length} canvases are pictures with names`);
  const play = page.locator('#play');
  const label = await play.innerText();
  await play.click();
  check(await play.innerText() !== label && await play.getAttribute('aria-pressed') === null, 'the button to play says one thing');
  await play.click();
}

async function testScreenshot(page) {
  await choosePanel(page, 'Model');
  await page.getByLabel('Background', { exact: true }).selectOption('transparent');
  await page.click('#download');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#screenshot')]);
  const path = join(out, 'screenshot.png');
  await download.saveAs(path);
  const url = `data:image/png;base64,${(await readFile(path)).toString('base64')}`;
  const [clear, solid] = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let counts = [0, 0];
    for (let i = 3; i < data.length; i += 4) counts = [counts[0] + (data[i] === 0), counts[1] + (data[i] === 255)];
    return counts;
  }, url);
  check(clear > 1000 && solid > 1000, `screenshot: ${clear} pixels clear, ${solid} solid`);
  await page.getByLabel('Background', { exact: true }).selectOption('dark');
  await page.locator('#canvas').evaluate((canvas) => { canvas.captureStream = () => { throw new Error('no camera'); }; });
  await page.click('#download');
  await page.click('#turntable');
  await page.waitForFunction(() => document.getElementById('status').textContent === 'Not filmed: no camera');
  await page.locator('#canvas').evaluate((canvas) => {
    delete canvas.captureStream;
    canvas.captureStream = (rate) => { window.filmStream = HTMLCanvasElement.prototype.captureStream.call(canvas, rate); return window.filmStream; };
  });
  await page.click('#download');
  const [film] = await Promise.all([page.waitForEvent('download', { timeout: 60000 }), page.click('#turntable')]);
  await page.waitForFunction(() => !window.thawViewer.filming);
  const tracks = await page.evaluate(() => window.filmStream.getTracks().map((track) => track.readyState));
  check(tracks.length > 0 && tracks.every((state) => state === 'ended'), 'a film that fails is followed by one that does not, whose track ends');
  await film.saveAs(join(out, film.suggestedFilename()));
  const bytes = await readFile(join(out, film.suggestedFilename()));
  check(/^knight\.(webm|mp4)$/.test(film.suggestedFilename()) && bytes.length > 20000, `${film.suggestedFilename()}: ${bytes.length} bytes`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.click('#copy');
  await page.waitForFunction(() => /opied/.test(document.getElementById('status').textContent));
  const copied = await page.evaluate(async () => (await navigator.clipboard.read())[0].types.join());
  check(copied === 'image/png', `copied: ${copied}`);
}

async function testDownload(page) {
  await page.click('#download');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-to=glb]')]);
  await page.click('#downloads form button');
  const path = join(out, download.suggestedFilename());
  await download.saveAs(path);
  const report = await validator.validateBytes(new Uint8Array(await readFile(path)));
  const { numErrors, numWarnings } = report.issues;
  const { animationCount, materialCount, totalTriangleCount } = report.info;
  check(download.suggestedFilename() === 'knight.glb' && numErrors === 0 && numWarnings === 0 && animationCount > 0 && totalTriangleCount > 0,
    `${download.suggestedFilename()}: ${numErrors} errors, ${numWarnings} warnings; ${animationCount} animations, ${materialCount} materials`);
  // The model beside what was made of it: the same body with the same pictures, but glTF has no emitters, one layer
  // for several, and no geosets that come and go.
  await drop(page, [path], 'knight.glb');
  await show(page, 'knight.mdx');
  await showBeside(page, 'knight.mdx');
  const difference = async () => {
    await page.waitForFunction(() => window.thawViewer.beside !== null);
    await page.evaluate(() => window.thawViewer.player.setPlaying(false));
    await page.evaluate(async () => { window.thawViewer.player.setTime(0); await window.thawViewer.draw(); });
    return Number.parseFloat(await page.locator('#difference').innerText());
  };
  const same = await difference();
  check(same === 0, `beside itself ${same} % differ`);
  await showBeside(page, 'knight.glb');
  const converted = await difference();
  check(converted > 0 && converted < 50, `beside its GLB ${converted} % differ`);
  await page.selectOption('#how', 'difference');
  await settle(page);
  await shot(page, 'difference');
  check(await page.locator('#canvas-beside').evaluate((canvas) => getComputedStyle(canvas).mixBlendMode) === 'difference', 'two models over each other as their difference');
  await page.selectOption('#how', 'beside');
  await showBeside(page, 'knight.mdx');
  await page.waitForFunction(() => window.thawViewer.beside?.path === 'knight.mdx');
  await choosePanel(page, 'Difference');
  await page.waitForFunction(() => document.getElementById('panel').innerText === 'No differences.');
  const model = await page.evaluateHandle(() => window.thawViewer.model);
  await page.evaluate(() => window.thawViewer.edit('SEQS[0].name=Another name'));
  await page.waitForFunction((old) => window.thawViewer.model !== old && document.querySelector('#differences li'), model);
  const rows = await page.locator('#differences li').allInnerTexts();
  check(rows.length === 1 && /^SEQS\[0\].name\s+"?Another name"? → "?Stand/.test(rows[0]), `what differs, field by field: ${rows.join(' | ').replace(/\s+/g, ' ')}`);
  await shot(page, 'difference-fields');
  await page.evaluate(() => window.thawViewer.undo());
  await page.waitForFunction(() => /^Undone/.test(document.getElementById('status').textContent));
  await choosePanel(page, 'Model');
  await shot(page, 'beside');
  await showBeside(page, '');
}

async function testFindings(page) {
  const whole = await readFile(join(options.samples, 'knight.mdx'));
  const path = join(out, 'broken', 'broken.mdx');
  await writeFile(path, whole.subarray(0, Math.floor(whole.length * 0.6)));
  await drop(page, [path], 'broken.mdx');
  await choosePanel(page, 'Findings');
  const findings = await page.evaluate(() => window.thawViewer.findings.filter((finding) => finding.offset !== null));
  check(findings.length > 0, `a broken file: ${findings.length} findings with a place`);
  const { code, offset } = findings[0];
  await page.locator('#findings button', { hasText: code }).first().click();
  const chosen = page.locator('#panel .chosen');
  await settle(page);
  check(await chosen.count() === 1 && await chosen.isVisible(), `${code} leads to its field`);
  const [start, size] = (await page.locator('#panel li', { has: page.locator('.chosen') }).innerText()).match(/0x([0-9a-f]+) \+(\d+)/).slice(1);
  const from = Number.parseInt(start, 16);
  check(offset >= from && offset < from + Math.max(1, Number(size)), `0x${offset.toString(16)} lies in 0x${start} +${size}`);
  await shot(page, 'finding');
  const all = await page.evaluate(() => window.thawViewer.findings.length);
  await choosePanel(page, 'Findings');
  for (const box of await page.locator('#panel input[type=checkbox]').all()) await box.uncheck().catch(() => {});
  check(all > 0 && await page.locator('#findings').count() === 0, 'filters hide them');
}

async function testColourSchemes(page) {
  await show(page, 'knight.mdx');
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await ground();
  check(light !== dark, `light is ${light}, dark is ${dark}`);
  await choosePanel(page, 'Fields');
  await shot(page, 'knight-dark');
}

/** A file that was chosen again counts as it is now. */
async function testEditedFiles(page) {
  await mkdir(join(out, 'edited'), { recursive: true });
  const path = join(out, 'edited', 'model.mdx');
  const choose = async (sample) => {
    await writeFile(path, await readFile(join(options.samples, sample)));
    const before = await page.evaluateHandle(() => window.thawViewer.model);
    await page.setInputFiles('#file-input', path);
    await page.waitForFunction((old) => window.thawViewer.path === 'model.mdx' && window.thawViewer.model !== old, before);
    return page.evaluate(() => [window.thawViewer.info.name, document.getElementById('file-input').value]);
  };
  const [[first], [second, left]] = [await choose('knight.mdx'), await choose('chest.mdx')];
  check(first === 'Knight' && second === 'Chest', `a file edited and chosen again: ${first}, then ${second}`);
  check(left === '', 'the same file can be chosen again');
  await show(page, 'knight.mdx');
  await page.evaluate(() => window.thawViewer.player.setPlaying(false));
  const plain = await look(page);
  const model = await page.evaluateHandle(() => window.thawViewer.model);
  await cp(join(options.samples, 'Textures'), join(out, 'edited', 'Textures'), { recursive: true });
  await cp(join(options.samples, 'Textures', 'banner.blp'), join(out, 'edited', 'Textures', 'knight.blp'));
  await drop(page, [join(out, 'edited', 'Textures')], 'knight.mdx');
  await page.waitForFunction((old) => window.thawViewer.model !== old, model);
  check((await look(page)).hash !== plain.hash, 'and so does a texture of the model that is shown');
}

async function testMessages(page) {
  await show(page, 'knight.mdx');
  await page.evaluate(() => window.thawViewer.player.setPlaying(true));
  const path = join(out, 'broken', 'bad.mdx');
  await writeFile(path, 'nothing that anyone knows');
  await page.setInputFiles('#file-input', path);
  const said = () => page.locator('#status').innerText();
  await page.waitForFunction(() => document.getElementById('status').textContent.startsWith('bad.mdx '));
  const message = await said();
  await page.evaluate(() => { document.getElementById('cost').textContent = ''; });
  await page.waitForFunction(() => document.getElementById('cost').textContent.includes('triangles'));
  check(await said() === message, `an error stays while a model plays: ${message}`);
  await show(page, 'model.mdx');
  check(await said() === '', 'until something else is opened');
}

/** What the page opens it closes, and what does not fit is told. */
async function testMemory(page) {
  const counts = await page.evaluate(async () => {
    const viewer = window.thawViewer;
    const { library } = viewer;
    const { openAsking } = library;
    let opened = 0, closed = 0;
    library.openAsking = async (...values) => {
      const result = await openAsking.apply(library, values);
      const { model } = result;
      const { close } = model;
      opened += 1;
      model.close = () => { closed += 1; return close.call(model); };
      return result;
    };
    await Promise.all([viewer.showBeside('knight.mdx'), viewer.showBeside('model.mdx')]);
    const during = viewer.besideStage.backend.textures.length + viewer.besideStage.backend.meshes.length;
    await viewer.showBeside('');
    delete library.openAsking;
    const { textures, meshes } = viewer.besideStage.backend;
    return { opened, closed, during, after: textures.length + meshes.length };
  });
  check(counts.opened >= 2 && counts.closed === counts.opened, `two quick choices beside: ${counts.opened} models opened, ${counts.closed} closed`);
  check(counts.during > 0 && counts.after === 0, `${counts.during} pictures and meshes on the graphics card, then ${counts.after}`);
  const refused = await page.evaluate(async () => {
    try {
      await window.thawViewer.library.addFile('huge.w3x', { length: 2_500_000_000 });
      return '';
    } catch (error) {
      return `${error.constructor.name}: ${error.message}`;
    }
  });
  check(refused === 'ThawError: the page has no memory left for 2,500,000,000 bytes', refused);
}

async function testLostPicture(page) {
  await show(page, 'knight.mdx');
  await page.evaluate(() => window.thawViewer.player.setPlaying(false));
  const before = await look(page);
  await page.evaluate(() => {
    window.loss = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
    window.loss.loseContext();
  });
  await page.waitForFunction(() => /lost the picture/.test(document.getElementById('status').textContent));
  await page.evaluate(async () => { await window.thawViewer.draw(); window.loss.restoreContext(); });
  await page.waitForFunction(() => document.getElementById('status').textContent === '');
  check((await look(page)).hash === before.hash, 'a picture that the graphics card lost comes back');
}

// --- what the page says when it cannot work

async function testRefusal() {
  const withoutWebGl = (page) => page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function get(kind, ...rest) { return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest); };
  });
  const withoutLibrary = (page) => page.route('**/*.wasm', (route) => route.fulfill({ status: 404 }));
  for (const [prepare, reason] of [[withoutWebGl, /WebGL2/], [withoutLibrary, /wasm/i]]) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await prepare(page);
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const alert = page.locator('#drop [role=alert]');
    await alert.waitFor({ timeout: 60000 });
    const text = await alert.innerText();
    check(text.startsWith('The page cannot work here: ') && reason.test(text) && await page.locator('#open').isDisabled(), text);
    await context.close();
  }
}

async function testCrash() {
  const { context, page } = await openPage(`http://127.0.0.1:${server.address().port}/`);
  await drop(page, [resolve(options.samples, 'knight.mdx'), resolve(options.samples, 'chest.mdx')], 'knight.mdx');
  const place = new URL('.', page.url()).href;
  await page.workers().find((worker) => /library-worker/.test(worker.url())).evaluate(async (folder) => {
    const { call } = await import(`${folder}thaw-module.js`);
    const { Library } = await import(`${folder}module.js`);
    Library.prototype.open = () => call.findings_count(0x7f000000); // far beyond its memory
  }, place);
  await page.evaluate(() => { window.thawViewer.show('chest.mdx'); });
  await page.locator('#trouble').waitFor();
  const text = await page.locator('#trouble p').innerText();
  check(/^The page has stopped. chest.mdx: /.test(text) && await page.locator('#status').innerText() === '', text);
  await shot(page, 'crash');
  await page.locator('#trouble button').click();
  await page.waitForFunction(() => window.thawViewer && !window.thawViewer.model && !window.thawViewer.stopped);
  check(await page.locator('#trouble').isHidden(), 'and begins again');
  await context.close();
}

// --- `thaw view`, and the same frames by the rasteriser

/** Runs `thaw view` while `use` looks at its page. */
async function view(path, use) {
  const child = spawn(options.thaw, ['view', '--no-browser', path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((done, failed) => {
    child.stdout.once('data', (text) => done(String(text).trim()));
    child.once('exit', (status) => failed(new Error(`thaw view ends with ${status}`)));
  });
  const { context, page, messages, requests } = await openPage(url);
  const ended = new Promise((done) => child.once('exit', done));
  try {
    await page.waitForFunction(() => window.thawViewer.model);
    await use(page, requests);
    check(messages.length === 0, `the console is silent ${messages.slice(0, 5).join(' | ')}`);
  } finally {
    await context.close();
    child.kill('SIGINT');
  }
  check(await ended === 130, 'thaw view ends');
}

const testServed = () => view(options.samples, async (page) => {
  for (const [path, clip] of [
    ['knight.mdx', 1], ['chest.mdx', 0], ['house.wmo', -1], ['forgelight/Human.adr', 0], ['World/Maps/Island/Island.wdt', -1],
    ['Creature/Beetle/Beetle.mdx', 0], ['waystone_v3.m3', -1], ['banner.mrf', 0], ['everything_v1800.mdx', 0],
  ]) await compare(page, path, clip);
});

/** Without the picture of occlusion, roughness, metal and team colour a model is neither shiny nor in the team's colour. */
async function testMissingOrm() {
  const folder = join(out, 'without-orm');
  for (const name of ['Textures', 'ReplaceableTextures']) await cp(join(options.samples, name), join(folder, name), { recursive: true });
  await rm(join(folder, 'Textures', 'chest_orm.dds'));
  await cp(join(options.samples, 'chest.mdx'), join(folder, 'chest-without-orm.mdx'));
  await view(folder, async (page) => {
    await compare(page, 'chest-without-orm.mdx', 0);
    const missing = await page.evaluate(() => window.thawViewer.scene.textures.filter((texture) => texture.missing).map((texture) => texture.path));
    check(missing.length === 1 && /orm/.test(missing[0]), `what is missing is ${missing}`);
    const told = page.locator('#missing');
    check(await told.isVisible() && (await told.innerText()).includes(missing[0]), `the stage names it: ${(await told.innerText()).replace(/\s+/g, ' ')}`);
    await shot(page, 'missing');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: `Find ${missing[0]}` }).click()]);
    await chooser.setFiles(join(options.samples, 'Textures', 'chest_orm.dds'));
    await page.waitForFunction(() => document.getElementById('missing').hidden);
    check(await page.evaluate(() => window.thawViewer.scene.textures.every((texture) => !texture.missing)), `and takes what is found for it: ${await page.locator('#status').innerText()}`);
  });
  // What `thaw convert` would find above a folder, the page finds, too.
  const units = join(folder, 'units', 'hero');
  await mkdir(units, { recursive: true });
  await cp(join(options.samples, 'knight.mdx'), join(units, 'knight.mdx'));
  await view(units, async (page) => {
    const textures = await page.evaluate(() => window.thawViewer.scene.textures.map((texture) => texture.missing));
    check(textures.length > 2 && !textures.includes(true), `${textures.length} textures of a model are found in folders above the one that is shown`);
  });
}

/** The list of files, its pictures, the panes, links, and what a checker of accessibility says of them. */
async function testBrowser() {
  await view(options.samples, async (page) => {
    await page.waitForFunction(() => document.querySelectorAll('#models .thumb canvas').length >= 8, null, { timeout: 120000 });
    const painted = await page.locator('#models .thumb canvas').evaluateAll((all) => all.map((canvas) => {
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
      copy.drawImage(canvas, 0, 0);
      return copy.getImageData(0, 0, canvas.width, canvas.height).data.filter((value, i) => i % 4 === 3 && value > 0).length;
    }));
    check(painted.every((pixels) => pixels > 50), `${painted.length} pictures in the list, the emptiest with ${Math.min(...painted)} pixels`);
    await page.fill('#search', 'knig');
    await settle(page);
    const found = await page.locator('#models .model').evaluateAll((all) => all.map((button) => button.dataset.path).join());
    check(found === 'knight.mdx', `a search finds ${found}: ${await page.locator('#found').innerText()}`);
    await page.click('#models .model');
    await page.waitForFunction(() => window.thawViewer.path === 'knight.mdx');
    await page.fill('#search', 'no such');
    check(await page.locator('#found').innerText() === 'No model has this name.', 'or says that there is none');
    await page.fill('#search', '');
    await settle(page);
    await page.locator('#models [aria-current]').focus();
    await page.keyboard.press('Home');
    const first = await page.evaluate(() => document.activeElement.className);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.thawViewer.path !== 'knight.mdx');
    check(first === 'model', `arrows and Enter open ${await page.evaluate(() => window.thawViewer.path)}`);
    for (const [key, pane] of [['o', '#browser'], ['i', '#inspector']]) {
      await page.locator('#canvas').focus();
      await page.keyboard.press(key);
      const folded = await page.locator(pane).isHidden();
      await page.locator('#canvas').focus();
      await page.keyboard.press(key);
      check(folded && await page.locator(pane).isVisible(), `${key} folds ${pane} and unfolds it`);
    }
    await testStill(page);
    await testLink(page);
    await testAxe(page);
  });
}

/** What does not move is drawn once. */
async function testStill(page) {
  await show(page, 'forgelight/Human_LOD0.dme');
  await page.evaluate(() => window.thawViewer.player.setPlaying(true));
  await settle(page);
  const draws = await page.evaluate(async () => {
    const viewer = window.thawViewer;
    const before = viewer.player.clock;
    let count = 0;
    const { draw } = viewer.stage;
    viewer.stage.draw = function counted(...words) { count += words[0] ? 1 : 0; return draw.apply(this, words); };
    for (let i = 0; i < 20; i += 1) await new Promise((next) => { requestAnimationFrame(next); });
    const still = count;
    viewer.orbit.turn(20, 0);
    viewer.changed();
    await new Promise((next) => { requestAnimationFrame(() => requestAnimationFrame(next)); });
    await viewer.drawing;
    viewer.stage.draw = draw;
    return [still, count - still, viewer.player.clock > before];
  });
  check(draws[0] <= 1 && draws[1] === 1 && draws[2], `a mesh in twenty frames is drawn ${draws[0]} times, turned ${draws[1]} time`);
}

/** A link opens the same view. */
async function testLink(page) {
  await show(page, 'knight.mdx');
  await page.selectOption('#team', { label: 'teal' });
  await page.evaluate(() => {
    const viewer = window.thawViewer;
    viewer.player.setPlaying(false);
    viewer.player.setClip(1);
    viewer.player.setTime(0.25);
    viewer.lookFrom('left');
    viewer.orbit.zoom(-150);
    viewer.changed();
  });
  await page.waitForFunction(() => /team=2/.test(location.hash) && /time=0.25/.test(location.hash), null, { timeout: 20000 });
  await settle(page);
  const before = await look(page);
  const link = page.url();
  const other = await page.context().newPage();
  await other.setViewportSize(page.viewportSize());
  await other.goto(link);
  await other.waitForFunction(() => window.thawViewer?.path === 'knight.mdx' && window.thawViewer.model, null, { timeout: 60000 });
  await settle(other);
  const same = await look(other);
  check(same.sums.every((sum, i) => Math.abs(sum - before.sums[i]) < 0.002 * sum + 500), `a link opens the same view: ${link.replace(/.*#/, '')}`);
  await other.close();
}

/** The element of one server in a page of another, which may start workers of its own alone. */
async function testComponentElsewhere(page) {
  const there = `http://127.0.0.1:${server.address().port}`;
  pages.set('elsewhere.html', `<!doctype html><html lang="en"><title>elsewhere</title><script type="module" src="${there}/thaw-viewer.js"></script>
    <thaw-viewer id="a" src="${there}/samples/knight.mdx" paused></thaw-viewer></html>`);
  await page.goto(`http://localhost:${server.address().port}/elsewhere.html`);
  await page.waitForFunction(() => document.getElementById('a').scene, null, { timeout: 60000 });
  const { missing, size } = await page.evaluate(async () => {
    const element = document.getElementById('a');
    return { missing: element.missing.length, size: (await element.toBlob()).size };
  });
  check(missing === 0 && size > 2000, `the element of another server shows its model: a picture of ${size} bytes`);
}

/** A model of another server, by ?url=, with its textures; and what is said of one that does not let others read. */
async function testLinkedFiles() {
  const open = createServer(async (request, response) => {
    const name = new URL(request.url, 'http://localhost').pathname;
    const bytes = await readFile(join(options.samples, name.replace(/^\/closed/, ''))).catch(() => null);
    const allowed = name.startsWith('/closed') ? {} : { 'access-control-allow-origin': '*' };
    response.writeHead(bytes ? 200 : 404, allowed).end(bytes ?? '');
  });
  await new Promise((done) => open.listen(0, '127.0.0.1', done));
  const other = `http://127.0.0.1:${open.address().port}`;
  const context = await browser.newContext();
  const page = await context.newPage();
  const visit = async (query, until) => {
    await page.goto(`http://127.0.0.1:${server.address().port}/${query}`);
    await page.waitForFunction(until, null, { timeout: 60000 });
    return page.evaluate(() => {
      const { path, scene, player, background } = window.thawViewer;
      return { path, background, clip: scene?.clips[player.clip]?.name, missing: scene?.textures.filter(({ missing }) => missing).length,
        said: document.getElementById('status').textContent };
    });
  };
  const shown = await visit(`?url=${encodeURIComponent(`${other}/knight.mdx`)}#clip=Walk&background=light`, () => window.thawViewer?.model);
  check(shown.path === 'knight.mdx' && shown.clip === 'Walk' && shown.background === 'light' && shown.missing === 0,
    `a link opens a model of another server with its textures: ${JSON.stringify(shown)}`);
  const refused = await visit(`?url=${encodeURIComponent(`${other}/closed/knight.mdx`)}`, () => /CORS/.test(document.getElementById('status')?.textContent));
  check(/does not let other pages read/.test(refused.said), `of a server that does not allow it the page says so: ${refused.said}`);
  await context.close();
  open.close();
}

async function testAxe(page) {
  const { width, height } = page.viewportSize();
  for (const [side, colorScheme] of [[1600, 'dark'], [1000, 'light'], [390, 'dark'], [390, 'light']]) {
    await page.setViewportSize({ width: side, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.evaluate((narrow) => { for (const pane of ['browser', 'inspector']) window.thawViewer.shell.fold(pane, !narrow); }, side < 800);
    for (const pane of side < 800 ? ['none', 'browser', 'inspector'] : ['both']) {
      if (side < 800 && pane !== 'none') await page.evaluate((id) => window.thawViewer.shell.fold(id, true), pane);
      await settle(page);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => window.axe.run());
      const wide = await page.evaluate(() => document.scrollingElement.scrollWidth);
      check(violations.length === 0 && wide <= side, `axe at ${side} pixels, ${colorScheme}, ${pane}: ${violations.length} violations ${violations.map(({ id, nodes }) => `${id} ${nodes[0].html.slice(0, 80)}`).join(' | ')}; ${wide} pixels wide`);
      await shot(page, `page-${side}-${colorScheme}-${pane}`);
    }
  }
  await page.setViewportSize({ width, height });
}

/** Three models in a page of somebody else. */
async function testComponent() {
  pages.set('three.html', `<!doctype html><html lang="en"><title>three</title><script type="module" src="thaw-viewer.js"></script>
    <thaw-viewer id="a" src="samples/knight.mdx" clip="Walk" background="#334455" alt="A knight"></thaw-viewer>
    <thaw-viewer id="b" src="samples/banner.mrf" textures="samples/" camera="90,10,1.2" paused time="0.5"></thaw-viewer>
    <thaw-viewer id="c" src="samples/chest.mdx" paused></thaw-viewer>
    <thaw-viewer id="d"></thaw-viewer></html>`);
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/three.html`);
  await page.waitForFunction(() => ['a', 'b', 'c'].every((id) => document.getElementById(id).scene), null, { timeout: 60000 });
  const missing = await page.evaluate(() => ['a', 'b', 'c'].map((id) => document.getElementById(id).missing.length));
  check(missing.join() === '0,0,0', `three elements with all their textures (${missing})`);
  const picture = (id) => page.evaluate(async (name) => [...new Uint8Array(await (await document.getElementById(name).toBlob()).arrayBuffer())].join(), id);
  const names = await page.evaluate(() => document.getElementById('a').scene.clips.map(({ name }) => name));
  const first = await picture('b');
  check(await picture('b') === first && first.length > 5000, 'one that is paused stands still');
  await page.evaluate(() => document.getElementById('b').setAttribute('camera', '0,60'));
  check(await picture('b') !== first, 'another camera shows something else');
  const time = await page.evaluate(() => document.getElementById('a').currentTime);
  await page.waitForTimeout(400);
  check(await page.evaluate(() => document.getElementById('a').currentTime) !== time, 'one that is not plays');
  check((await picture('a')).length > 5000, 'and gives its picture meanwhile');
  await page.evaluate((clip) => { const a = document.getElementById('a'); a.toggleAttribute('paused', true); a.setAttribute('clip', clip); a.currentTime = 0; }, names[1]);
  const glb = await page.evaluate(async () => (await (await document.getElementById('a').toGlb()).arrayBuffer()).byteLength);
  check(glb > 10000, `it gives a GLB of ${glb} bytes`);
  const turned = await picture('a');
  await page.evaluate(() => document.getElementById('a').shadowRoot.querySelector('canvas').focus());
  await page.keyboard.press('ArrowLeft');
  check(await picture('a') !== turned, 'an arrow turns it');
  const error = await page.evaluate(() => new Promise((done) => {
    const element = document.getElementById('d');
    element.addEventListener('error', (event) => done(event.detail.message));
    element.setAttribute('src', 'samples/none.mdx');
  }));
  const inside = await page.evaluate(() => document.getElementById('d').shadowRoot.querySelector('p').textContent);
  check(/none.mdx/.test(error) && inside === error, `what is not there is an event, and stands inside: ${error}`);
  await shot(page, 'three');
  await testManyElements(page);
  await testComponentElsewhere(page);
  await context.close();
}

/** More elements than a browser keeps contexts alive; those far below wait; one that comes back has one loop. */
async function testManyElements(page) {
  pages.set('twenty.html', `<!doctype html><html lang="en"><title>twenty</title><script type="module" src="thaw-viewer.js"></script>
    ${Array.from({ length: 20 }, (_, i) => `<thaw-viewer id="e${i}" src="samples/chest.mdx" style="width:80px;height:80px" poster="icon-192.png" paused></thaw-viewer>`).join('')}
    <div style="height: 5000px"></div>
    <thaw-viewer id="far" src="samples/knight.mdx" loading="lazy" poster="icon-192.png"></thaw-viewer></html>`);
  await page.goto(`http://127.0.0.1:${server.address().port}/twenty.html`);
  await page.waitForFunction(() => Array.from({ length: 20 }, (_, i) => document.getElementById(`e${i}`)).every(({ scene }) => scene), null, { timeout: 120000 });
  await settle(page);
  const sums = await page.evaluate(() => Array.from({ length: 20 }, (_, i) => {
    const canvas = document.getElementById(`e${i}`).shadowRoot.querySelector('canvas');
    return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.reduce((sum, value) => sum + value, 0);
  }));
  check(sums.every((sum) => sum > 1000 && sum === sums[0]), `twenty elements show the same: ${[...new Set(sums)]}`);
  const far = await page.evaluate(() => {
    const element = document.getElementById('far');
    return [element.scene, element.shadowRoot.querySelector('img').hidden];
  });
  check(far[0] === null && !far[1], 'one far below waits behind its poster');
  await page.mouse.move(40, 40);
  await page.mouse.wheel(0, 400);
  await page.waitForFunction(() => window.scrollY > 0);
  check(true, 'the wheel over one that nobody has clicked scrolls the page');
  await page.evaluate(() => document.getElementById('far').scrollIntoView());
  await page.waitForFunction(() => document.getElementById('far').scene, null, { timeout: 60000 });
  const posters = () => [...document.querySelectorAll('thaw-viewer')].filter((element) => !element.shadowRoot.querySelector('img').hidden).map(({ id }) => id).join();
  await page.waitForFunction(`(${posters})() === ''`, null, { timeout: 10000 }).catch(() => null);
  const covered = await page.evaluate(posters);
  check(covered === '', `no poster is left over a model ${covered}`);
  const draws = await page.evaluate(async () => {
    const element = document.getElementById('far');
    element.remove();
    document.body.append(element);
    element.scrollIntoView();
    await new Promise((done) => { element.addEventListener('load', done, { once: true }); });
    let count = 0;
    const { draw } = element.stage;
    element.stage.draw = function counted(...words) { count += 1; return draw.apply(this, words); };
    for (let i = 0; i < 10; i += 1) await new Promise((next) => { requestAnimationFrame(next); });
    element.toggleAttribute('paused', true);
    await element.drawing;
    const playing = count;
    for (let i = 0; i < 10; i += 1) await new Promise((next) => { requestAnimationFrame(next); });
    return [playing, count - playing];
  });
  check(draws[0] >= 5 && draws[0] <= 11 && draws[1] <= 1, `after it was moved it draws ${draws[0]} times in ten frames, and ${draws[1]} times when paused`);
}

/** Without a network after the first visit. */
async function testOffline() {
  const { context, page } = await openPage(`http://127.0.0.1:${server.address().port}/`);
  const ready = await page.evaluate(() => Promise.race([
    navigator.serviceWorker.ready.then(() => true), // all is fetched by then
    new Promise((done) => { setTimeout(done, 60000, false); }),
  ]));
  check(ready, 'the page has what keeps its files');
  const kept = await page.evaluate(async () => (await (await caches.open('thaw-page')).keys()).map(({ url }) => url.replace(/.*\//, '')));
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.replace(/.*\//, '')).filter((name) => /\.(js|css|wasm)$/.test(name)));
  const forgotten = loaded.filter((name) => !kept.includes(name));
  check(loaded.length > 10 && forgotten.length === 0, `all ${loaded.length} files that the page loads are kept ${forgotten.join()}`);
  await context.setOffline(true);
  await page.reload();
  await page.waitForFunction(() => window.thawViewer !== undefined, null, { timeout: 60000 });
  await drop(page, [resolve(options.samples, 'knight.mdx')], 'knight.mdx');
  await page.waitForFunction(() => document.querySelector('#models .thumb canvas'), null, { timeout: 60000 });
  check(kept.length > 10 && !kept.some((name) => /mdx/.test(name)), `offline the page opens and shows a model; ${kept.length} files are kept, no model among them`);
  await context.close();
}

/** Archives are fetched when they are chosen, or while a model lacks something. */
async function testServedArchives() {
  const folder = join(out, 'served');
  await mkdir(folder, { recursive: true });
  for (const name of ['knight.mdx', 'Textures', 'Creature/Beetle/Beetle.mdx', 'forgelight/human.pack', 'forgelight/human.pack2']) {
    await cp(join(options.samples, name), join(folder, name.replace(/.*\//, '')), { recursive: true });
  }
  await view(join(folder, 'knight.mdx'), async (page, requests) => {
    const fetched = () => requests.filter((url) => /\.pack2?$/.test(url)).map((url) => url.replace(/.*=/, '')).join();
    const listed = async () => {
      await settle(page);
      return page.locator('#models [data-archive]').evaluateAll((all) => all.map((row) => row.dataset.key).join());
    };
    check(await listed() === 'human.pack/,human.pack2/' && fetched() === '', `archives are listed (${await listed()}) and not fetched (${fetched()})`);
    await page.evaluate(() => { window.thawViewer.files.unasked = 1000; });
    await show(page, 'Beetle.mdx');
    await page.waitForFunction(() => /choose them in Files/.test(document.getElementById('status').textContent));
    check(await listed() === 'human.pack/,human.pack2/', await page.locator('#status').innerText());
    await page.click('#models [data-key="human.pack2/"]');
    await page.waitForFunction(() => /^human/i.test(window.thawViewer.path));
    check(await listed() === 'human.pack/', `one that is chosen shows ${await page.evaluate(() => window.thawViewer.path)}`);
    await page.waitForFunction(() => document.querySelector('#models [data-path="human.pack2/human.adr" i] .thumb')?.childNodes.length > 0, null, { timeout: 60000 });
    const [words, drawn] = await page.locator('#models [data-path="human.pack2/human.adr" i] .thumb').evaluate((thumb) => [thumb.textContent, thumb.querySelector('canvas') !== null]);
    check(drawn, `and the list has a picture of it ${words}`);
    await page.evaluate(() => {
      const { files } = window.thawViewer;
      files.unasked = 1_000_000;
      files.unread.get('human.pack').passed = false;
    });
    await show(page, 'Beetle.mdx');
    check(await listed() === '', `one is searched for what a model lacks: ${fetched()}`);
  });
}

/**
 * The WebGL picture of a frame beside the rasteriser's: how alike they are, posed by the card and by the library. A model is
 * opened anew whenever something that it lacks is found: then once more.
 */
async function compareIn(page, path, clip = 0) {
  for (let more = 9; ; more -= 1) {
    try {
      return await comparison(page, path, clip);
    } catch (error) {
      if (more === 0 || !/the model is closed/.test(error.message)) throw error;
    }
  }
}

async function comparison(page, path, clip) {
  await show(page, path);
  await page.evaluate(() => window.thawViewer.player.setPlaying(false));
  const result = await page.evaluate(async ([index, background]) => {
    const viewer = window.thawViewer;
    const side = 384;
    viewer.player.setClip(Math.min(index, viewer.scene.clips.length - 1));
    viewer.player.setTime(viewer.player.duration * 0.35);
    await viewer.draw(); // what follows is the frame's alone
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: side, height: side });
    const { Backend } = await import('./backend.js');
    const backend = new Backend(canvas);
    backend.take(await backend.load(viewer.model));
    const camera = await viewer.model.autoCamera(viewer.player.clip, 0.61, 0.35, 1, 1);
    const gl = canvas.getContext('webgl2');
    const drawn = async (atRest) => {
      const frame = await viewer.model.evaluate({ ...viewer.player.moment, camera, options: {} }, atRest);
      backend.draw(frame, background.map((value) => value / 255));
      const flipped = new Uint8Array(side * side * 4);
      gl.readPixels(0, 0, side, side, gl.RGBA, gl.UNSIGNED_BYTE, flipped);
      const pixels = new Uint8ClampedArray(side * side * 4);
      for (let y = 0; y < side; y += 1) pixels.set(flipped.subarray((side - 1 - y) * side * 4, (side - y) * side * 4), y * side * 4);
      return { frame, pixels };
    };
    const posed = (await drawn(false)).pixels;
    const { frame, pixels: theirs } = await drawn(true);
    const ours = (await viewer.model.rasterise(side, side, 4, background)).data;
    const both = document.createElement('canvas');
    Object.assign(both, { width: 2 * side, height: side });
    both.getContext('2d').putImageData(new ImageData(theirs, side, side), 0, 0);
    both.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(ours), side, side), side, 0);
    const missing = viewer.scene.textures.filter((texture) => texture.missing).length;
    backend.take(null);
    const resting = frame.draws.filter(({ restMesh }) => restMesh !== null).length;
    const pack = window.packPixels;
    return { side, theirs: pack(theirs), posed: pack(posed), ours: pack(ours), png: both.toDataURL('image/png'), missing, resting, draws: frame.draws.length, triangles: frame.triangles };
  }, [clip, BACKGROUND]);
  for (const key of ['theirs', 'posed', 'ours']) result[key] = Buffer.from(result[key], 'base64');
  const name = path.replace(/.*\//, '');
  await writeFile(join(out, `both-${name}.png`), Buffer.from(result.png.split(',')[1], 'base64'));
  return { ...result, name, ...similarity(result.theirs, result.ours, result.side, BACKGROUND) };
}

async function compare(page, path, clip) {
  const result = await compareIn(page, path, clip);
  const { name, ssim, difference, windows } = result;
  await settle(page);
  await shot(page, `view-${name}`);
  check(windows > 50 && ssim >= LEAST_SIMILARITY && difference <= MOST_DIFFERENCE,
    `${name}: WebGL beside the rasteriser: SSIM ${ssim.toFixed(3)}, mean difference ${difference.toFixed(2)} (${result.triangles} triangles, ${result.missing} textures missing)`);
  const shader = similarity(result.theirs, result.posed, result.side, BACKGROUND);
  check(shader.ssim >= LEAST_BY_SHADER, `${name}: posed and lit by the card, ${result.resting} of ${result.draws} draws, beside the library: SSIM ${shader.ssim.toFixed(4)}`);
}

const BACKGROUND = [0x3c, 0x42, 0x48, 255];

// --- size and speed

async function testSize() {
  const bytes = await readFile(join(options.page, 'thaw-module.wasm'));
  const [gzip, brotli] = [gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  check(brotli < MOST_BYTES, `WebAssembly: ${bytes.length} bytes, ${gzip} by gzip, ${brotli} by brotli`);
}

/** A cloth of 50,000 triangles that 32 bones wave, as MDL. */
function cloth(columns, rows, bones) {
  const vertices = [], normals = [], uvs = [], groups = [], faces = [];
  for (let y = 0; y <= rows; y += 1) {
    for (let x = 0; x <= columns; x += 1) {
      vertices.push(`{ ${(x / columns * 200 - 100).toFixed(3)}, 0, ${(y / rows * 200).toFixed(3)} },`);
      normals.push('{ 0, 1, 0 },');
      uvs.push(`{ ${x / columns}, ${y / rows} },`);
      groups.push(`${Math.min(bones - 1, Math.floor(x / columns * bones))},`);
      const corner = y * (columns + 1) + x;
      if (x < columns && y < rows) faces.push(corner, corner + 1, corner + columns + 1, corner + 1, corner + columns + 2, corner + columns + 1);
    }
  }
  const bone = (i) => `Bone "Bone${i}" {\n\tObjectId ${i},\n\tGeosetId 0,\n\tGeosetAnimId None,\n\tRotation 3 {\n\t\tLinear,\n` +
    `\t\t0: { 0, 0, 0, 1 },\n\t\t500: { 0, ${(0.02 * i / bones).toFixed(4)}, 0, 0.9998 },\n\t\t1000: { 0, 0, 0, 1 },\n\t}\n}\n`;
  const count = (columns + 1) * (rows + 1);
  const range = Array.from({ length: bones }, (_, i) => i);
  return `Version {\n\tFormatVersion 800,\n}\nModel "Cloth" {\n\tNumGeosets 1,\n\tNumBones ${bones},\n\tBlendTime 150,\n}\n` +
    `Sequences 1 {\n\tAnim "Stand" {\n\t\tInterval { 0, 1000 },\n\t}\n}\nTextures 1 {\n\tBitmap {\n\t\tImage "",\n\t\tReplaceableId 1,\n\t}\n}\n` +
    'Materials 1 {\n\tMaterial {\n\t\tLayer {\n\t\t\tFilterMode None,\n\t\t\tTwoSided,\n\t\t\tstatic TextureID 0,\n\t\t}\n\t}\n}\n' +
    `Geoset {\n\tVertices ${count} {\n${vertices.join('\n')}\n\t}\n\tNormals ${count} {\n${normals.join('\n')}\n\t}\n\tTVertices ${count} {\n${uvs.join('\n')}\n\t}\n` +
    `\tVertexGroup {\n${groups.join('\n')}\n\t}\n\tFaces 1 ${faces.length} {\n\t\tTriangles {\n\t\t\t{ ${faces.join(', ')} },\n\t\t}\n\t}\n` +
    `\tGroups ${bones} ${bones} {\n${range.map((i) => `\t\tMatrices { ${i} },`).join('\n')}\n\t}\n\tMaterialID 0,\n\tSelectionGroup 0,\n}\n` +
    range.map(bone).join('') + `PivotPoints ${bones} {\n${range.map((i) => `\t{ ${i / bones * 200 - 100}, 0, 0 },`).join('\n')}\n}\n`;
}

async function testSpeed() {
  const path = join(out, 'cloth.mdl');
  await writeFile(path, cloth(250, 100, 32));
  const { context, page } = await openPage(`http://127.0.0.1:${server.address().port}/`);
  await drop(page, [path], 'cloth.mdl');
  const { triangles, times } = await page.evaluate(async () => {
    const viewer = window.thawViewer;
    viewer.player.setPlaying(false);
    const camera = await viewer.model.autoCamera(0, 0.61, 0.35, 1, 1);
    const taken = [];
    let count = 0;
    for (let i = 0; i < 120; i += 1) {
      const start = performance.now();
      count = (await viewer.model.evaluate({ clip: 0, time: i / 120, clock: 0, camera, options: {} })).triangles;
      taken.push(performance.now() - start);
    }
    return { triangles: count, times: taken.slice(20).sort((a, b) => a - b) };
  });
  const [quarter, half] = [times[Math.floor(times.length / 4)], times[Math.floor(times.length / 2)]];
  check(triangles >= 50000 && quarter <= MOST_MILLISECONDS,
    `${triangles} triangles are evaluated in ${quarter.toFixed(2)} ms (first quarter), ${half.toFixed(2)} ms (median)`);
  await shot(page, 'cloth');
  await context.close();
}

const kit = { options, out, check, compareIn, timely, openPage, drop, show, shot, settle, look, choosePanel, showBeside, view, cloth, pages, browser, background: BACKGROUND,
  url: `http://127.0.0.1:${server.address().port}/` };
const parts = {
  size: testSize,
  dropping: testDropping,
  refusal: testRefusal,
  crash: testCrash,
  served: testServed,
  'missing-orm': testMissingOrm,
  archives: testServedArchives,
  browser: testBrowser,
  component: testComponent,
  offline: testOffline,
  links: testLinkedFiles,
  speed: testSpeed,
  ...inspectorParts(kit),
  ...browserParts(kit),
  ...archiveParts(kit),
  ...batchParts(kit),
  ...cameraParts(kit),
  ...framesParts(kit),
  ...handsParts(kit),
  ...kindsParts(kit),
  ...memoryParts(kit),
  ...scenesParts(kit),
  ...shellParts(kit),
  ...skeletonParts(kit),
};
const only = options.only.split(',').filter(Boolean);
for (const name of only) {
  if (!parts[name]) throw new Error(`--only ${name}: there are ${Object.keys(parts).join(', ')}`);
}
for (const [name, run] of Object.entries(parts)) {
  if (only.length === 0 || only.includes(name)) await run().catch((error) => check(false, `${name}: ${error?.stack ?? error}`));
}
await browser.close();
server.close();
console.log(failures === 0 ? 'the page is as it should be' : `${failures} failures; pictures are in ${out}`);
process.exit(failures === 0 ? 0 : 1);
