// The page's list of files, its first picture, and another browser. Parts of test-page.mjs, which gives `kit`.
import { spawn } from 'node:child_process';
import { access, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firefox } from 'playwright-core';
import { similarity } from './similarity.mjs';

/** Rows of the list that may be in the page at once. */
const MOST_ROWS = 80;
/** Milliseconds of a search among 2,000 models (the fastest, because machines have other things to do, too), and until a model of 5 MB is seen. */
const MOST_SEARCH = 100;
const MOST_FIRST = 1500;
/** Of the same picture in two browsers. */
const LEAST_ALIKE = 0.93;

export function browserParts(kit) {
  return {
    'many-files': () => testManyFiles(kit),
    'many-dropped': () => testManyDropped(kit),
    folders: () => testFolders(kit),
    'first-picture': () => testFirstPicture(kit),
    firefox: () => testFirefox(kit),
  };
}

/** What the keyboard is on: its name, level, place and how many there are. */
const focused = (page) => page.evaluate(() => {
  const node = document.activeElement;
  return { path: node.dataset.key, level: node.ariaLevel, position: Number(node.ariaPosInSet), size: Number(node.ariaSetSize), role: node.getAttribute('role') };
});

/** A folder of two thousand models: of its rows those in sight exist. */
async function testManyFiles({ options, out, check, timely, view, shot, settle }) {
  const folder = join(out, 'many');
  await mkdir(folder, { recursive: true });
  const model = await readFile(join(options.samples, 'banner.mrf'));
  for (let i = 0; i < 2000; i += 1) await writeFile(join(folder, `model ${i}.mrf`), model);
  await view(folder, async (page) => {
    await page.evaluate(() => window.thawViewer.player.setPlaying(false));
    await settle(page);
    const { most, long, drawing, frames } = await page.evaluate(async () => {
      const tasks = [];
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['longtask'] });
      const list = document.getElementById('models');
      const found = { most: 0, frames: 0, drawing: 0 };
      for (let top = 0; top < list.scrollHeight; top += list.scrollHeight / 60) {
        list.scrollTop = top;
        await new Promise((next) => { requestAnimationFrame(next); });
        found.most = Math.max(found.most, list.querySelectorAll('[role=treeitem]').length);
        found.frames += 1;
      }
      for (let top = 0; top < list.scrollHeight; top += list.scrollHeight / 60) {
        const start = performance.now();
        list.scrollTop = top;
        list.dispatchEvent(new Event('scroll'));
        found.drawing = Math.max(found.drawing, performance.now() - start);
      }
      await new Promise((next) => { setTimeout(next, 300); });
      return { ...found, long: tasks };
    });
    const told = await page.locator('#found').innerText();
    check(told === '2,000 models' && most > 4 && most <= MOST_ROWS, `${told}, of which at most ${most} rows are in the page; ${frames} steps through them, ` +
      `${long.length} tasks over 50 ms (${long.map(Math.round).join(', ')}), the slowest change of rows ${drawing.toFixed(1)} ms`);
    await page.evaluate(() => { document.getElementById('models').scrollTop = 0; });
    await page.waitForFunction(() => document.querySelectorAll('#models .thumb canvas').length > 3, null, { timeout: 120000 });
    await shot(page, 'many');
    const made = await page.evaluate(() => window.thawViewer.thumbnails.made.size);
    check(made < 200, `pictures of what was in sight alone: ${made}`);

    await page.locator('#models [aria-current]').focus();
    const steps = [['Home', 0], ['ArrowRight', 1], ['ArrowDown', null], ['ArrowUp', 1], ['PageDown', null], ['PageUp', 1], ['End', 1999], ['ArrowLeft', 1998], ['Home', 0]];
    for (const [key, wanted] of steps) {
      await page.keyboard.press(key);
      const { path, level, position, size, role } = await focused(page);
      const inSight = await page.evaluate(() => {
        const [row, pane] = [document.activeElement, document.getElementById('models')].map((node) => node.getBoundingClientRect());
        return row.top >= pane.top - 1 && row.bottom <= pane.bottom + 1;
      });
      check((wanted === null ? position > 2 : position === wanted + 1) && path === `model ${position - 1}.mrf` && size === 2000 && level === '1' && role === 'treeitem' && inSight,
        `${key} leads to ${path}, ${position} of ${size}`);
    }
    const times = [];
    for (const word of ['7', '77', '777', '1']) {
      times.push(await page.locator('#search').evaluate((input, text) => {
        input.value = text;
        const start = performance.now();
        input.dispatchEvent(new Event('input'));
        return performance.now() - start;
      }, word));
    }
    const shown = await page.locator('#found').innerText();
    check(shown.startsWith('1,271 models'), `a search finds ${shown}`);
    timely(Math.min(...times) < MOST_SEARCH, `a search takes ${times.map((time) => time.toFixed(1)).join(', ')} ms`);
  });
}

/** A dropped folder of ten thousand models: its list, a second model by its name, and how long the page did not answer. */
async function testManyDropped({ options, out, check, drop, openPage, showBeside, url }) {
  const folder = join(out, 'dropped');
  await mkdir(folder, { recursive: true });
  const model = await readFile(join(options.samples, 'banner.mrf'));
  for (let i = 0; i < 10000; i += 1) await writeFile(join(folder, `model ${i}.mrf`), model);
  const { context, page, messages } = await openPage(url);
  await page.evaluate(() => {
    const found = { tasks: [], listed: null, thumbnail: null };
    Object.assign(window, { found });
    new PerformanceObserver((list) => found.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['longtask'] });
    document.addEventListener('drop', () => {
      const start = performance.now();
      const look = () => {
        if (found.listed === null && /^10,000/.test(document.getElementById('found').textContent)) found.listed = performance.now() - start;
        if (document.querySelector('#models .thumb canvas')) found.thumbnail = performance.now() - start;
        else setTimeout(look, 5);
      };
      look();
    });
  });
  await drop(page, [folder], '.mrf', 700); // as long as a hand takes
  await page.waitForFunction(() => window.found.thumbnail !== null);
  const { tasks, listed, thumbnail } = await page.evaluate(() => window.found);
  check(listed !== null, `10,000 dropped files are listed after ${listed?.toFixed(0)} ms, the first small picture is there after ` +
    `${thumbnail.toFixed(0)} ms; ${tasks.length} tasks over 50 ms (${tasks.map(Math.round).join(', ')})`);
  await showBeside(page, 'dropped/model 9998.mrf');
  await page.waitForFunction(() => window.thawViewer.beside?.path === 'dropped/model 9998.mrf');
  const offered = await page.locator('#others option').count();
  check(offered === 1, `the field of the second model offers ${offered}`);
  await showBeside(page, 'dropped/none.mrf');
  check(/^No model is called/.test(await page.locator('#status').innerText()), 'a name that none has is said to be none');
  check(messages.length === 0, `nothing to complain of: ${messages.join(' | ')}`);
  await context.close();
}

/** Folders are asked for when they are opened; what lies elsewhere is found. */
async function testFolders({ options, out, check, view, shot, settle }) {
  const folder = join(out, 'folders');
  for (const place of ['units/hero', 'units/other', 'far/away', 'zoo/deep', 'empty']) await mkdir(join(folder, place), { recursive: true });
  await cp(join(options.samples, 'knight.mdx'), join(folder, 'units', 'hero', 'knight.mdx'));
  await cp(join(options.samples, 'chest.mdx'), join(folder, 'units', 'other', 'chest.mdx'));
  for (const name of ['Textures', 'ReplaceableTextures']) await cp(join(options.samples, name), join(folder, 'far', 'away', name), { recursive: true });
  await cp(join(options.samples, 'banner.mrf'), join(folder, 'far', 'away', 'banner.mrf'));
  await cp(join(options.samples, 'banner.mrf'), join(folder, 'zoo', 'deep', 'flag.mrf'));
  await view(folder, async (page, requests) => {
    const asked = () => requests.filter((url) => /\/folder\?/.test(url)).map((url) => decodeURIComponent(url.replace(/.*=/, '')));
    await page.waitForFunction(() => document.querySelectorAll('#models .folder').length >= 3);
    const rows = () => page.locator('#models [role=treeitem]').evaluateAll((all) => all.map((node) => `${node.ariaLevel} ${node.dataset.key} ${node.ariaExpanded ?? ''}`.trim()));
    check(!asked().includes('units/other'), `folders are asked for as they are opened (${asked().join(', ')}): ${(await rows()).join(' | ')}`);
    await page.evaluate(() => { window.thawViewer.show('units/hero/knight.mdx'); });
    await page.waitForFunction(() => window.thawViewer.path === 'units/hero/knight.mdx' && window.thawViewer.scene.textures.every(({ missing }) => !missing), null, { timeout: 60000 });
    check(true, 'textures that lie elsewhere are found by the end of their path');
    await settle(page);
    await page.waitForFunction(() => document.querySelector('#models [data-path="units/hero/knight.mdx"][aria-current]'));
    await page.locator('#models [data-key="units/other/"]').click();
    await page.waitForFunction(() => document.querySelector('#models [data-path="units/other/chest.mdx"]'));
    const opened = await rows();
    check(opened.includes('3 units/other/chest.mdx') && opened.includes('2 units/other/ true'), `a folder opens: ${opened.join(' | ')}`);
    await page.locator('#models [data-key="units/other/"]').focus();
    await page.keyboard.press('ArrowLeft');
    check(!(await rows()).includes('3 units/other/chest.mdx'), 'ArrowLeft closes it');
    await shot(page, 'folders');
    const before = asked(); // the picture of what is found asks for its folder, too
    await page.fill('#search', 'fla deep');
    await page.waitForFunction(() => document.querySelector('#models [data-path="zoo/deep/flag.mrf"]'));
    check(!before.includes('zoo/deep'), `a search finds what is in no folder that is open: ${await page.locator('#found').innerText()}`);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.thawViewer.path === 'zoo/deep/flag.mrf');
  });
}

/** From the address to the first picture of a model of 5 MB. */
async function testFirstPicture({ out, timely, cloth, view }) {
  const path = join(out, 'first', 'cloth.mdl');
  await mkdir(join(out, 'first'), { recursive: true });
  await writeFile(path, cloth(340, 170, 32));
  const bytes = (await readFile(path)).length;
  await view(path, async (page) => {
    const times = [];
    for (let i = 0; i < 5; i += 1) {
      await page.reload();
      await page.waitForFunction(() => performance.getEntriesByName('first-picture').length > 0, null, { timeout: 60000 });
      times.push(await page.evaluate(() => performance.getEntriesByName('first-picture')[0].startTime));
    }
    times.sort((a, b) => a - b);
    timely(times[0] <= MOST_FIRST, `a model of ${bytes.toLocaleString()} bytes is seen after ${times.map((time) => Math.round(time)).join(', ')} ms`);
  });
}

// --- Firefox

/** A screen for a browser that draws with WebGL only where there is one: {display, stop}; null without Xvfb. */
function openScreen() {
  return new Promise((done) => {
    const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    child.once('error', () => done(null));
    child.once('exit', () => done(null));
    child.stdio[3].once('data', (text) => done({ display: `:${String(text).trim()}`, stop: () => child.kill() }));
  });
}

/** The pictures of three elements and of the page, as pixels. */
async function picturesIn(browser, url, samples) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
  const page = await context.newPage();
  const pixels = (source) => page.evaluate(async (address) => {
    const side = 300;
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side });
    const context2d = canvas.getContext('2d');
    context2d.fillStyle = '#3c4248';
    context2d.fillRect(0, 0, side, side);
    context2d.drawImage(image, 0, 0, side, side);
    return [...context2d.getImageData(0, 0, side, side).data];
  }, source);
  const found = {};
  await page.goto(`${url}alike.html`);
  await page.waitForFunction(() => ['a', 'b', 'c'].every((id) => document.getElementById(id)?.scene), null, { timeout: 120000 });
  for (const id of ['a', 'b', 'c']) {
    found[`<thaw-viewer> ${id}`] = await pixels(await page.evaluate(async (name) => {
      const blob = await document.getElementById(name).toBlob();
      return new Promise((done) => { const reader = new FileReader(); reader.onload = () => done(reader.result); reader.readAsDataURL(blob); });
    }, id));
  }
  const three = await page.screenshot();
  await page.goto(url);
  await page.waitForFunction(() => window.thawViewer, null, { timeout: 120000 });
  const knight = (await readFile(join(samples, 'knight.mdx'))).toString('base64');
  const texture = (await readFile(join(samples, 'Textures', 'knight.blp'))).toString('base64');
  await page.evaluate(async (files) => {
    const list = Object.entries(files).map(([path, text]) => ({ path, bytes: async () => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)) }));
    window.thawViewer.player.setPlaying(false);
    await window.thawViewer.take(list);
    for (const pane of ['browser', 'inspector']) window.thawViewer.shell.fold(pane, false);
  }, { 'knight.mdx': knight, 'Textures/knight.blp': texture });
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  found['the page'] = await pixels(await page.evaluate(async () => { await window.thawViewer.draw(); return document.getElementById('canvas').toDataURL(); }));
  await page.evaluate(() => window.thawViewer.shell.fold('browser', true));
  await page.waitForFunction(() => document.querySelector('#models .thumb canvas'), null, { timeout: 60000 }).catch(() => {});
  const thumbnails = await page.locator('#models .thumb canvas').count();
  const whole = await page.screenshot();
  await context.close();
  return { found, three, whole, thumbnails };
}

/** Three elements side by side, and the page, as Chromium shows them. */
async function testFirefox({ options, out, check, url, pages, browser }) {
  const place = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
  if (!await access(place).then(() => true, () => false)) {
    console.log(`skipped Firefox: ${place} is not there`);
    return;
  }
  const screen = await openScreen();
  if (!screen) {
    console.log('skipped Firefox: it draws with WebGL only where there is a screen, and Xvfb is not there');
    return;
  }
  pages.set('alike.html', `<!doctype html><html lang="en"><title>three</title><script type="module" src="thaw-viewer.js"></script>
    <thaw-viewer id="a" src="samples/knight.mdx" paused background="#334455" alt="A knight"></thaw-viewer>
    <thaw-viewer id="b" src="samples/banner.mrf" textures="samples/" camera="90,10,1.2" paused time="0.5"></thaw-viewer>
    <thaw-viewer id="c" src="samples/chest.mdx" paused></thaw-viewer></html>`);
  let other = null;
  try {
    other = await firefox.launch({ channel: 'moz-firefox', executablePath: place, headless: false, timeout: 120000,
      env: { ...process.env, DISPLAY: screen.display, LIBGL_ALWAYS_SOFTWARE: '1' }, firefoxUserPrefs: { 'webgl.force-enabled': true } });
    const [here, there] = [await picturesIn(browser, url, options.samples), await picturesIn(other, url, options.samples)];
    for (const [name, result] of [['chromium', here], ['firefox', there]]) {
      await writeFile(join(out, `three-${name}.png`), result.three);
      await writeFile(join(out, `page-${name}.png`), result.whole);
    }
    for (const [name, pixels] of Object.entries(here.found)) {
      const { ssim, difference, windows } = similarity(there.found[name], pixels, 300, [0x3c, 0x42, 0x48, 255]);
      check(windows > 50 && ssim >= LEAST_ALIKE, `${name} in Firefox ${other.version()} as in Chromium: SSIM ${ssim.toFixed(3)}, mean difference ${difference.toFixed(2)}`);
    }
    check(there.thumbnails > 0, `and a picture in its list (${there.thumbnails})`);
  } finally {
    await other?.close();
    screen.stop();
  }
}
