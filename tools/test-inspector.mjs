// The page's stage and inspector: what is downloaded, what is under the mouse, what differs, liquids, large files.
// Parts of test-page.mjs, which gives `kit`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { similarity } from './similarity.mjs';

/** Milliseconds that a look under the mouse may take with 50,000 triangles (median). */
const MOST_PICKING = 5;
/** Of pixels where both the pick and the picture say what is there. */
const LEAST_AGREEMENT = 0.99;
/** Milliseconds of one task with a large file; those above 50 are counted and told. The machine may be busy. */
const MOST_FROZEN = 5000;
/** Of pictures of liquids by WebGL and by the rasteriser. */
const LEAST_LIQUID = 0.98;

export function inspectorParts(kit) {
  return {
    downloads: () => testDownloads(kit),
    picking: () => testPicking(kit),
    difference: () => testDifference(kit),
    liquids: () => testLiquids(kit),
    'large-file': () => testLargeFile(kit),
    'large-map': () => testLargeMap(kit),
  };
}

const sha = (bytes) => createHash('sha256').update(bytes).digest('hex');

// --- downloads

/** Name and digest of each file that the page makes, or why it makes none; and what it tells. */
const madeByPage = (page, how) => page.evaluate(async (order) => {
  const { model } = window.thawViewer;
  try {
    const { files, fixed, findings } = await model.make(order);
    const digests = await Promise.all(files.map(async ({ name, bytes }) =>
      [name, [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')]));
    return { digests, fixed: fixed.length, findings: findings.length };
  } catch (error) {
    return { digests: [], error: error.message };
  }
}, how);

/** The same by the command. */
async function madeByCommand({ options, out }, samples, path, how) {
  const folder = join(out, 'by-command');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const input = resolve(samples, path);
  const words = how.fix ? ['validate', `--fix=${how.fix}`, input, '-o', `${folder}/${basename(path)}`]
    : ['convert', input, '--to', how.to, ...(how.version ? ['--format-version', String(how.version)] : []), '-o', `${folder}/`];
  const { stdout } = spawnSync(options.thaw, [...words, '--json']);
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const digests = await Promise.all(names.filter((entry) => entry.isFile()).map(async ({ name }) => [name, sha(await readFile(join(folder, name)))]));
  const told = JSON.parse(String(stdout).split('\n')[0] || '{}');
  return { digests, fixed: told.fixed?.length ?? 0 };
}

const sorted = (digests) => JSON.stringify([...digests].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Every way of a file, in every version, is as the command writes it. */
async function testWays(kit, page, folder, path) {
  await kit.show(page, path);
  await page.evaluate(() => window.thawViewer.player.setPlaying(false));
  const ways = await page.evaluate(() => window.thawViewer.model.downloads());
  const orders = ways.flatMap(({ versions = [], extension, ...way }) => [way, ...versions.map((version) => ({ ...way, version }))]);
  const unlike = [];
  let files = 0;
  let fixed = '';
  for (const order of orders) {
    const ours = await madeByPage(page, order);
    const theirs = await madeByCommand(kit, folder, path, order);
    files += theirs.digests.length;
    if (order.fix) fixed += ` ${order.fix}: ${ours.fixed} fixed, ${ours.findings} left;`;
    if (sorted(ours.digests) !== sorted(theirs.digests) || (order.fix && ours.fixed !== theirs.fixed)) {
      unlike.push(`${JSON.stringify(order)} ${ours.error ?? ''} ${ours.digests.map(([name]) => name)} / ${theirs.digests.map(([name]) => name)}`);
    }
  }
  kit.check(orders.length > 0 && files > 0 && unlike.length === 0, `${path}: ${orders.length} ways, ${files} files, as the command writes them;${fixed} ${unlike.join(' | ')}`);
}

async function testDownloads(kit) {
  const { options, out, view } = kit;
  await view(options.samples, async (page) => {
    for (const path of ['knight.mdx', 'everything_v800.mdx', 'everything_v1800.mdx', 'alpha_everything_v1300.mdx', 'house.wmo', 'waystone_v3.m3', 'banner.mrf', 'forgelight/Human.adr']) {
      await testWays(kit, page, options.samples, path);
    }
    await testDownloadDialog(kit, page);
  });
  const scenes = join(out, 'scenes');
  for (const [path, to] of [['knight.mdx', 'glb'], ['chest.mdx', 'gltf'], ['house.wmo', 'glb']]) {
    spawnSync(options.thaw, ['convert', join(options.samples, path), '--to', to, '-q', '-f', '-o', `${scenes}/`]);
  }
  await copyFile(new URL('../fuzz/corpus/mdx_change/damaged-shapes', import.meta.url), join(scenes, 'damaged.mdx'));
  await view(scenes, async (page) => {
    for (const path of ['knight.glb', 'chest.gltf', 'house.glb']) await testWays(kit, page, scenes, path);
    await testFixOfDamage(kit, page, scenes);
  });
  // Blender's own exporter, with its buffer beside it.
  const foreign = resolve(process.env.THAW_CORPUS || '../shared/corpus', 'gltf/blender-io/roundtrip/03_animated_cube');
  if (!existsSync(foreign)) {
    console.log(`skipped scenes of others: ${foreign} is not there`);
    return;
  }
  await view(foreign, (page) => testWays(kit, page, foreign, '03_animated_cube.gltf'));
}

/** What no fix may touch comes as it was, and the dialog says so. */
async function testFixOfDamage({ check, show }, page, folder) {
  const damaged = await readFile(join(folder, 'damaged.mdx'));
  await show(page, 'damaged.mdx');
  await page.locator('#canvas').focus();
  await page.keyboard.press('e');
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('[data-fix=safe]')]);
  const told = await page.locator('#download-told').innerText();
  check(/^fix\.damaged /m.test(told) && (await readFile(await file.path())).equals(damaged), `damaged.mdx stays: ${told.split('\n')[0]}`);
  await page.keyboard.press('Escape');
}

async function testDownloadDialog({ check, shot, show, options, out }, page) {
  await show(page, 'everything_v1800.mdx');
  await page.evaluate(() => window.thawViewer.player.setPlaying(false));
  await page.locator('#canvas').focus();
  await page.keyboard.press('e');
  await page.locator('#downloads').waitFor();
  check(true, 'the key e offers downloads');
  await page.getByLabel('Version of mdx', { exact: true }).selectOption('800');
  const [older] = await Promise.all([page.waitForEvent('download'), page.click('[data-to=mdx]')]);
  const told = await page.locator('#download-told').innerText();
  const losses = await page.locator('#download-told li').count();
  check(older.suggestedFilename() === 'everything_v1800.mdx' && /1800 → 800/.test(told) && losses > 3, `${older.suggestedFilename()}: ${told.split('\n')[0]}; ${losses} losses are told`);
  await shot(page, 'downloads');
  const wanted = join(out, 'older.mdx');
  spawnSync(options.thaw, ['convert', join(options.samples, 'everything_v1800.mdx'), '--format-version', '800', '-q', '-f', '-o', wanted]);
  check((await readFile(await older.path())).equals(await readFile(wanted)), 'and the file is that of `thaw convert`');
  const [mended] = await Promise.all([page.waitForEvent('download'), page.click('[data-fix=safe]')]);
  const lists = await page.locator('#download-told h3').allInnerTexts();
  check(lists.join() === 'Fixed,Remaining' && (await readFile(await mended.path())).length > 0, `mended: ${(await page.locator('#download-told p').first().innerText())}`);
  await shot(page, 'mended');
  await page.keyboard.press('Escape');
  check(await page.locator('#downloads').isHidden(), 'Escape closes them');
}

// --- what is under the mouse

/** A grid of places of the stage: what the pick says, and what a picture in which each part has a colour of its own. */
const picked = (page) => page.evaluate(async () => {
  const viewer = window.thawViewer;
  viewer.player.setPlaying(false);
  await viewer.draw();
  const { width, height } = document.getElementById('canvas');
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const { Backend } = await import('./backend.js');
  const backend = new Backend(canvas);
  backend.take(await backend.load(viewer.model));
  const frame = await viewer.model.evaluate({ ...viewer.player.moment, camera: await viewer.stage.camera(viewer.player.clip, viewer.player.time), options: viewer.options });
  const none = { image: null };
  const solid = frame.draws.filter(({ blend, origin }) => blend === 0 && origin === 0);
  const inPicture = new Set(solid.map(({ object }) => object));
  backend.draw({ ...frame, fog: { ...frame.fog, enabled: false }, draws: solid.map((draw) => ({ ...draw, color: [(draw.object + 1) / 255, 0, 0, 1], texture: draw.alphaCutoff > 0 ? draw.texture : none, baseColor: null, baseNormal: null, physicallyBased: false })) }, [0, 0, 1, 1]);
  const gl = canvas.getContext('webgl2');
  const pixels = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  let [same, other, parts] = [0, 0, new Set()];
  for (let y = 2; y < height; y += 5) {
    const row = Array.from({ length: Math.ceil((width - 2) / 5) }, (_, i) => 5 * i + 2);
    const hits = await Promise.all(row.map((x) => viewer.model.pick((x + 0.5) / width * 2 - 1, (y + 0.5) / height * 2 - 1)));
    for (const [i, x] of row.entries()) {
      const [red, , blue] = pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 4);
      const hit = hits[i];
      if (hit && (hit.kind !== 'mesh' || !inPicture.has(hit.object))) continue; // what is seen through is not in that picture
      if (blue === 255 || blue === 0) { // else at an edge
        const seen = blue === 255 ? -1 : red - 1;
        if (seen === (hit ? hit.object : -1)) same += 1; else other += 1;
        if (seen >= 0) parts.add(seen);
      }
    }
  }
  return { same, other, parts: parts.size };
});

/** The groups of a building are chunks of the same tag: a place, and an edit, are of the one that is meant. */
async function testGroups({ check, show }, page) {
  await show(page, 'house.wmo');
  const places = await page.evaluate(() => {
    const { model, scene } = window.thawViewer;
    return Promise.all(scene.meshes.map(async ({ place }) => [place, (await model.rows(await model.way({ path: place }))).at(-1)?.path]));
  });
  check(places.map(([place]) => place).join() === 'MOGP,MOGP.MLIQ,MOGP#2' && places.every(([place, found]) => place === found), `places of a building's groups: ${places.join(' | ')}`);
  const model = await page.evaluateHandle(() => window.thawViewer.model);
  const flags = () => page.evaluate(async () => (await Promise.all(['MOGP', 'MOGP#2'].map((group) => window.thawViewer.model.field(`${group}.header.flags`)))).join());
  const before = (await flags()).split(',');
  await page.evaluate(() => window.thawViewer.edit('MOGP#2.header.flags=8193'));
  await page.waitForFunction((old) => window.thawViewer.model !== old, model);
  check(before[1] !== '8193' && await flags() === `${before[0]},8193`, `an edit of the second leaves the first: ${before} to ${await flags()}`);
  await page.evaluate(() => window.thawViewer.undo());
  await page.waitForFunction(() => /^Undone/.test(document.getElementById('status').textContent));
}

async function testPicking(kit) {
  const { check, choosePanel, options, shot, show, settle, look, view } = kit;
  await view(options.samples, async (page) => {
    for (const [path, moment] of [['knight.mdx', [2, 0.4]], ['banner.mrf', [0, 0.5]], ['waystone_v3.m3', [-1, 0]], ['forgelight/Human.adr', [0, 0.3]]]) {
      await show(page, path);
      await page.evaluate(([clip, share]) => {
        const viewer = window.thawViewer;
        viewer.player.setClip(Math.min(clip, viewer.scene.clips.length - 1));
        viewer.player.setTime(viewer.player.duration * share);
        viewer.orbit.reset();
      }, moment);
      const { same, other, parts } = await picked(page);
      check(parts > 0 && same / (same + other) >= LEAST_AGREEMENT, `${path}: ${(same / (same + other) * 100).toFixed(2)} % of ${same + other} places are of the part that the picture shows there (${parts} parts)`);
    }
    await show(page, 'knight.mdx');
    await page.evaluate(() => { window.thawViewer.player.setPlaying(false); window.thawViewer.orbit.reset(); window.thawViewer.select(null); });
    await settle(page);
    const plain = await look(page);
    const { left, top, width, height } = await page.locator('#canvas').evaluate((canvas) => canvas.getBoundingClientRect().toJSON());
    const [x, y] = [left + width / 2, top + height / 2];
    await page.mouse.move(x, y);
    await page.locator('#hover').waitFor();
    const lines = await page.locator('#hover div').allInnerTexts();
    check(lines.length === 3 && /Geoset/.test(lines[0]) && /\.blp|replaceable/.test(lines[1]) && /^bone /.test(lines[2]), `the mouse rests on ${lines.join(' · ')}`);
    await shot(page, 'hover');
    await testPlaces(kit, page, { left, top, width, height });
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 5, { steps: 4 });
    await page.mouse.up();
    check(await page.evaluate(() => window.thawViewer.selected) === null, 'a drag turns, and chooses nothing');
    await page.evaluate(() => { window.thawViewer.orbit.reset(); window.thawViewer.changed(); });
    await settle(page);
    await choosePanel(page, 'Model');
    await page.mouse.click(x, y);
    await settle(page);
    const chosen = await page.evaluate(() => window.thawViewer.selected);
    check(chosen !== null && await page.locator('#panel .part .chosen').count() === 1 && (await page.locator('#panel .part .chosen').innerText()).startsWith(lines[0]), `a click chooses ${lines[0]}, and Parts shows it`);
    check((await look(page)).hash !== plain.hash, 'and so does the stage');
    await shot(page, 'selected');
    await page.locator('#panel .part').getByRole('button', { name: /^Findings/ }).click();
    await settle(page);
    const paths = await page.evaluate(() => [...document.querySelectorAll('#findings .quiet')].map((line) => line.textContent));
    check(paths.length > 0 && paths.every((text) => text.startsWith(`GEOS[${chosen}]`)), `it leads to its ${paths.length} findings: ${paths[0]}`);
    await choosePanel(page, 'Parts');
    await page.locator('#panel .part').getByRole('button', { name: 'Fields' }).click();
    await settle(page);
    const row = await page.locator('#panel .tree .chosen').innerText();
    check(row.includes(`[${chosen}]`), `and to its fields: ${row.trim()}`);
    await page.mouse.click(x, y);
    await settle(page);
    check(await page.locator('#panel .tree .chosen').count() === 1, 'who clicks while Fields shows stays there');
    await page.mouse.click(left + 8, top + height / 3);
    await settle(page);
    check(await page.evaluate(() => window.thawViewer.selected) === null && (await look(page)).hash === plain.hash, 'a click beside the model chooses nothing');
    await choosePanel(page, 'Parts');
    await page.locator('#panel .part button').nth(1).focus();
    await page.keyboard.press('Enter');
    check(await page.evaluate(() => window.thawViewer.selected) === 1 && (await look(page)).hash !== plain.hash, 'by keyboard from its row, too');
    await page.evaluate(() => window.thawViewer.select(null));
    await testGroups(kit, page);
  });
  await testPickingSpeed(kit);
}

/** What the mouse rests on, above and below the middle, right and left of it, is what the library has there. */
async function testPlaces({ check, settle }, page, { left, top, width, height }) {
  const named = [];
  const unlike = [];
  for (const [right, up] of [[0, 0.45], [0, -0.45], [0.15, 0.2], [-0.15, -0.2], [0, 0.9]]) {
    await page.mouse.move(left + (width * (1 + right)) / 2, top + (height * (1 - up)) / 2);
    await settle(page);
    const wanted = await page.evaluate(async ([x, y]) => {
      const { model, scene } = window.thawViewer;
      const hit = await model.pick(x, y);
      return hit ? scene.meshes[hit.object].name || `part ${hit.object}` : null;
    }, [right, up]);
    const tip = page.locator('#hover');
    const shown = await tip.isVisible() ? await tip.locator('div').first().innerText() : null;
    named.push(shown);
    if (shown !== wanted) unlike.push(`${shown} instead of ${wanted}`);
  }
  check(new Set(named).size > 1 && unlike.length === 0, `above, below and beside the middle the mouse rests on ${named.join(', ')} ${unlike.join('; ')}`);
}

async function testPickingSpeed({ check, timely, out, cloth, openPage, drop, url }) {
  const path = join(out, 'picked.mdl');
  await writeFile(path, cloth(250, 100, 32));
  const { context, page } = await openPage(url);
  await drop(page, [path], 'picked.mdl');
  const { times, hits, triangles } = await page.evaluate(async () => {
    const viewer = window.thawViewer;
    viewer.player.setPlaying(false);
    await viewer.draw();
    const taken = [];
    let found = 0;
    for (let i = 0; i < 80; i += 1) {
      const start = performance.now();
      found += await viewer.model.pick((i % 9) / 10 - 0.4, (i % 7) / 10 - 0.3) ? 1 : 0;
      taken.push(performance.now() - start);
    }
    return { times: taken.slice(20).sort((a, b) => a - b), hits: found, triangles: viewer.cost.triangles };
  });
  const median = times[Math.floor(times.length / 2)];
  check(triangles >= 50000 && hits > 20, `${hits} of 80 looks under the mouse hit something`);
  timely(median <= MOST_PICKING, `a look under the mouse among ${triangles} triangles takes ${median.toFixed(2)} ms (median), ${times.at(-1).toFixed(2)} ms at most`);
  await context.close();
}

// --- what differs

async function testDifference({ check, choosePanel, options, settle, shot, show, showBeside, view }) {
  await view(options.samples, async (page) => {
    await show(page, 'everything_v800.mdx');
    await page.evaluate(() => window.thawViewer.player.setPlaying(false));
    await showBeside(page, 'everything_v900.mdx');
    await page.waitForFunction(() => window.thawViewer.beside?.path === 'everything_v900.mdx');
    await choosePanel(page, 'Difference');
    await settle(page);
    const ours = await page.evaluate(async () => (await window.thawViewer.differences).rows);
    const { stdout } = spawnSync(options.thaw, ['diff', '--json', '--limit', '100000', ...['800', '900'].map((version) => join(options.samples, `everything_v${version}.mdx`))], { maxBuffer: 1 << 28 });
    const theirs = JSON.parse(stdout).differences.map(({ path, left, right }) => [path, left ?? '', right ?? '']);
    check(ours.length > 20 && JSON.stringify(ours) === JSON.stringify(theirs), `${ours.length} differences, those of \`thaw diff\``);
    await shot(page, 'difference-versions');
    const at = ours.findIndex(([path]) => /^GEOS|^MTLS/.test(path));
    await page.locator('#differences button').nth(at).click();
    await settle(page);
    const row = await page.locator('#panel .tree .chosen').innerText();
    check(await page.locator('#panel .tree .chosen').isVisible(), `${ours[at][0]} leads to ${row.trim()}`);
    await showBeside(page, 'house.wmo');
    await page.waitForFunction(() => window.thawViewer.beside?.path === 'house.wmo');
    await choosePanel(page, 'Difference');
    await settle(page);
    check(/^1 difference from .*format/s.test(await page.locator('#panel').innerText()), 'of two formats that is all that is told');
    await showBeside(page, '');
  });
}

// --- liquids

/** A picture of the water and its rim by both, from straight ahead of it. */
const liquidPictures = (page, word, clock, background) => page.evaluate(async ([name, now, ground]) => {
  const viewer = window.thawViewer;
  const side = 384;
  const { Backend } = await import('./backend.js');
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: side, height: side });
  const backend = new Backend(canvas);
  backend.take(await backend.load(viewer.model));
  await viewer.draw(); // what follows is the frame's alone
  const mesh = viewer.scene.meshes.findIndex((each) => each.name.toLowerCase().includes(name));
  const hiddenMeshes = [];
  const whole = await viewer.model.autoCamera(-1, 0.61, 0.6, 1, 1);
  const first = await viewer.model.evaluate({ clip: -1, time: 0, clock: now, camera: whole, options: { hiddenMeshes } });
  const draw = first.draws.find(({ ownMesh, object }) => ownMesh && object === mesh);
  let [low, high] = [[1e9, 1e9, 1e9], [-1e9, -1e9, -1e9]];
  for (let i = draw.firstIndex; i < draw.firstIndex + draw.indexCount; i += 1) {
    const at = (draw.basePosition + first.indices[i]) * 3;
    for (let c = 0; c < 3; c += 1) {
      low[c] = Math.min(low[c], first.positions[at + c]);
      high[c] = Math.max(high[c], first.positions[at + c]);
    }
  }
  const middle = low.map((value, c) => (value + high[c]) / 2);
  const reach = Math.max(...low.map((value, c) => high[c] - value)) * 0.8;
  const camera = { ...whole, target: middle, eye: [middle[0] + reach * 0.5, middle[1] + reach * 0.8, middle[2] + reach * 0.5], near: reach * 0.02, far: reach * 20, aspect: 1 };
  const frame = await viewer.model.evaluate({ clip: -1, time: 0, clock: now, camera, options: { hiddenMeshes } }, true);
  backend.draw(frame, ground.map((value) => value / 255));
  const gl = canvas.getContext('webgl2');
  const flipped = new Uint8Array(side * side * 4);
  gl.readPixels(0, 0, side, side, gl.RGBA, gl.UNSIGNED_BYTE, flipped);
  const ours = (await viewer.model.rasterise(side, side, 4, ground)).data;
  const theirs = new Uint8ClampedArray(side * side * 4);
  for (let y = 0; y < side; y += 1) theirs.set(flipped.subarray((side - 1 - y) * side * 4, (side - y) * side * 4), y * side * 4);
  const both = document.createElement('canvas');
  Object.assign(both, { width: 2 * side, height: side });
  both.getContext('2d').putImageData(new ImageData(theirs, side, side), 0, 0);
  both.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(ours), side, side), side, 0);
  return { side, theirs: window.packPixels(theirs), ours: window.packPixels(ours), png: both.toDataURL('image/png') };
}, [word, clock, background]).then((result) => ({ ...result, theirs: Buffer.from(result.theirs, 'base64'), ours: Buffer.from(result.ours, 'base64') }));

async function testLiquids({ check, options, out, show, view, background }) {
  await view(options.samples, async (page) => {
    for (const path of ['house.wmo', 'World/Maps/Island/Island.wdt']) {
      await show(page, path);
      await page.evaluate(() => window.thawViewer.player.setPlaying(false));
      const names = await page.evaluate(() => window.thawViewer.scene.meshes.map(({ name }) => name.toLowerCase()));
      const liquids = ['water', 'ocean', 'river', 'magma', 'lava', 'slime'].filter((word) => names.some((name) => name.includes(word)));
      check(liquids.length > 0, `${path} has ${liquids.join(', ')}`);
      for (const word of liquids) {
        const pictures = [];
        for (const clock of [0.1, 1.37]) {
          const result = await liquidPictures(page, word, clock, background);
          pictures.push(result.theirs);
          const name = `liquid-${basename(path)}-${word}-${clock}`;
          await writeFile(join(out, `${name}.png`), Buffer.from(result.png.split(',')[1], 'base64'));
          const { ssim, difference, windows } = similarity(result.theirs, result.ours, result.side, background);
          check(windows > 50 && ssim >= LEAST_LIQUID, `${name}: WebGL beside the rasteriser: SSIM ${ssim.toFixed(3)}, mean difference ${difference.toFixed(2)}`);
        }
        const moved = pictures[0].filter((value, i) => Math.abs(value - pictures[1][i]) > 4).length;
        check(moved > 500, `${word} moves: ${moved} values of its picture`);
      }
    }
  });
}

// --- large files

/** Runs something in the page; how long it took, and the tasks of more than 50 ms. */
const watched = (page, work, ...given) => page.evaluate(async ([source, values]) => {
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => Math.round(duration))));
  observer.observe({ entryTypes: ['longtask'] });
  await new Promise((next) => { setTimeout(next, 60); });
  tasks.length = 0;
  const start = performance.now();
  const result = await (0, eval)(`(${source})`)(...values);
  await new Promise((next) => { requestAnimationFrame(() => setTimeout(next, 60)); });
  observer.disconnect();
  return { result, took: Math.round(performance.now() - start - 60), tasks };
}, [work.toString(), given]);

const panelOf = async (name) => {
  await window.thawViewer.inspector.choose(name);
  await new Promise((next) => { requestAnimationFrame(next); });
  return document.querySelectorAll('#panel li, #panel pre > div').length;
};
const scrolling = async () => {
  const panel = document.getElementById('panel');
  for (let step = 0; step < 60; step += 1) {
    panel.scrollTop = panel.scrollHeight * step / 60;
    await new Promise((next) => { requestAnimationFrame(next); });
  }
  return document.querySelectorAll('#panel li, #panel pre > div').length;
};

async function testLargeFile({ check, timely, out, cloth, openPage, drop, options, settle, shot, url }) {
  const text = join(out, 'large.mdl');
  const path = join(out, 'large.mdx');
  await writeFile(text, cloth(600, 500, 4000));
  spawnSync(options.thaw, ['convert', text, '-q', '-f', '-o', path]);
  const { length } = await readFile(path);
  const { context, page } = await openPage(url);
  await page.evaluate(() => {
    window.tasks = [];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)))).observe({ entryTypes: ['longtask'] });
  });
  const begun = Date.now();
  await drop(page, [path], 'large.mdx');
  await page.waitForFunction(() => window.thawViewer.cost);
  const opening = { took: Date.now() - begun, tasks: await page.evaluate(() => window.tasks) };
  await page.evaluate(() => window.thawViewer.player.setPlaying(false));
  const tell = (what, { took, tasks }, extra = '') => timely(tasks.every((task) => task < MOST_FROZEN), `large file, ${(length / 1e6).toFixed(1)} MB, ${what}: ${took} ms, ${tasks.length} tasks over 50 ms (${tasks.join(', ')}) ${extra}`);
  tell('the model opens', opening);
  for (const name of ['Findings', 'Fields', 'Text']) {
    const opened = await watched(page, panelOf, name);
    tell(`${name} opens`, opened, `${opened.result} rows in the page`);
    if (name === 'Findings') {
      await page.waitForFunction(() => Array.isArray(window.thawViewer.findings));
      const { theirs, ours } = await page.evaluate(async () => {
        const { findings, model } = window.thawViewer;
        return { theirs: JSON.stringify(findings), ours: JSON.stringify(await model.findings()) };
      });
      check(theirs === ours && theirs.length > 2, `a worker finds what the page would: ${JSON.parse(theirs).length} findings`);
      check(await page.locator('#findings').isVisible(), 'and the panel shows them');
    }
    if (name === 'Fields') {
      const open = await watched(page, async () => {
        const { tree } = window.thawViewer;
        const rows = tree.rows().filter(Number.isInteger);
        await tree.fetch(rows);
        for (const index of rows.filter((row) => /BONE|GEOS/.test(tree.part(row).name))) await tree.toggle(index);
        await window.thawViewer.inspector.refresh();
        return tree.rows().length;
      });
      tell('two lists open', open, `${open.result} rows in all`);
      check(open.result > 4000, `${open.result} rows can be scrolled through`);
    }
    const scrolled = await watched(page, scrolling);
    tell(`${name} scrolls`, scrolled, `${scrolled.result} rows in the page`);
    await settle(page);
    const rows = await page.locator('#panel li, #panel pre > div').count();
    check(rows > 0 && rows < 2500, `${name} keeps ${rows} rows`);
    if (name === 'Text') {
      const longest = await page.evaluate(() => Math.max(...[...document.querySelectorAll('#panel pre > div')].map((line) => line.textContent.length)));
      const told = await page.locator('#panel').innerText();
      check(longest > 4000 && longest < 4100 && /more characters/.test(told), `of lines ${longest} characters are shown, and how many more there are`);
    }
    await shot(page, `large-${name}`);
  }
  await context.close();
}

/** A map is read in steps, once: another tile of it does not read it again. */
async function testLargeMap({ check, timely, out, openPage, drop, options, url }) {
  const island = join(options.samples, 'World/Maps/Island/Island.wdt');
  const parts = [-6, -3, 0, 3, 6].map((by) => {
    const part = join(out, `island${by}.wdt`);
    spawnSync(options.thaw, ['convert', island, '--to', 'wdt', '--move-tiles', `${by},0`, '-q', '-f', '-o', part]);
    return part;
  });
  const path = join(out, 'archipelago.wdt');
  spawnSync(options.thaw, ['convert', ...parts, '--to', 'wdt', '-q', '-f', '-o', path]);
  const { length } = await readFile(path);
  const { context, page } = await openPage(url);
  await page.evaluate(() => {
    const { files } = window.thawViewer;
    const { opening } = files;
    window.steps = [];
    window.tasks = [];
    files.opening = (path, share) => {
      window.steps.push(share);
      opening(path, share);
    };
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)))).observe({ entryTypes: ['longtask'] });
  });
  await drop(page, [path, island], 'archipelago.wdt');
  const first = await page.evaluate(() => ({ steps: window.steps.splice(0), tasks: window.tasks.splice(0) }));
  // How many steps there are depends on the machine: each is as long as a task may be.
  check(first.steps.every((share, i) => i === 0 || share > first.steps[i - 1]), `a map of ${(length / 1e6).toFixed(1)} MB is read in ${first.steps.length + 1} steps`);
  timely(first.tasks.every((task) => task < MOST_FROZEN), `meanwhile ${first.tasks.length} tasks over 50 ms (${first.tasks.join(', ')})`);
  const { tiles, shown, steps } = await page.evaluate(async () => {
    const viewer = window.thawViewer;
    const { tiles } = viewer.scene;
    const before = viewer.model;
    await viewer.choose({ tile: tiles.at(-1) });
    return { tiles: tiles.length, shown: viewer.model !== before && viewer.scene.meshes.length > 0, steps: window.steps.splice(0) };
  });
  check(tiles === 10 && shown && steps.length === 0, `another of its ${tiles} tiles is shown without reading it again`);
  // Two at once: who asks last is shown, and neither waits for ever.
  const last = await page.evaluate(async () => {
    const viewer = window.thawViewer;
    await Promise.all([viewer.show('Island.wdt', false), viewer.show('archipelago.wdt', false)]);
    return { path: viewer.path, tiles: viewer.scene.tiles.length };
  });
  check(last.path === 'archipelago.wdt' && last.tiles === 10, `of two that are opened at once the last is shown: ${last.path}`);
  await context.close();
}
