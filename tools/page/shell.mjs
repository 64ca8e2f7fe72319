// What stands around the model: textures on the stage, notices, edits, the example, and whether the page installs.

import { readFile, readdir, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import axe from 'axe-core';

export function shellParts({ options, out, check, openPage, shot, settle, choosePanel, url }) {
  const sample = (name) => resolve(options.samples, name);
  const choose = (page, path) => page.setInputFiles('#file-input', path);
  const notice = async (page) => {
    await page.locator('#notice').waitFor();
    return page.locator('#notice p').innerText();
  };

  async function testWidths(page, name) {
    for (const [side, colorScheme] of [[1600, 'dark'], [1600, 'light'], [1000, 'light'], [390, 'dark'], [390, 'light']]) {
      await page.setViewportSize({ width: side, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.evaluate((wide) => { for (const pane of ['browser', 'inspector']) window.thawViewer.shell.fold(pane, wide); }, side > 800);
      await settle(page);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => window.axe.run());
      const outside = await page.evaluate(() => [...document.querySelectorAll('header > *, footer > *')].filter((control) => {
        const { left, right, width } = control.getBoundingClientRect();
        return width > 0 && (left < 0 || right > window.innerWidth);
      }).map(({ id, tagName }) => id || tagName));
      check(violations.length === 0 && outside.length === 0,
        `${name} at ${side} pixels, ${colorScheme}: ${violations.map(({ id, nodes }) => `${id} ${nodes[0].html.slice(0, 80)}`).join(' | ') || 'axe is content'}; outside of the screen: ${outside.join() || 'nothing'}`);
      await shot(page, `${name}-${side}-${colorScheme}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate(() => { for (const pane of ['browser', 'inspector']) window.thawViewer.shell.fold(pane, true); });
  }

  async function testManual(page) {
    await page.locator('#help').click();
    await page.locator('#open-manual').click();
    const text = page.locator('#manual article');
    await text.locator('h2').first().waitFor();
    check(await text.locator('h2').first().innerText() === 'The page in the browser', 'the manual begins with the page');
    const names = (await readdir('docs/user')).map((name) => name.replace('.md', ''));
    const strange = [];
    for (const name of names) {
      const answer = await page.evaluate(async (of) => (await fetch(`manual-${of}.md`)).text(), name);
      await page.evaluate((of) => window.thawViewer.shell.manual.show(of), name);
      const shown = await text.innerText();
      if (!answer.startsWith('# ') || /(^|\n)(#|\||```)|\]\([a-z./]/.test(shown) || shown.length < answer.length / 2) strange.push(name);
    }
    check(names.length > 20 && strange.length === 0, `${names.length} pages of the manual, with markup or not whole: ${strange.join() || 'none'}`);
    await page.locator('#manual .contents').click();
    await text.getByRole('button', { name: 'check and fix' }).first().click();
    await text.getByText('Check and fix', { exact: true }).waitFor();
    check(await text.locator('td, li').count() > 5 && await text.locator('pre').count() > 1, 'links of the manual lead to its pages');
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => window.axe.run('#manual'));
    check(violations.length === 0, `the manual: ${violations.map(({ id }) => id).join() || 'axe is content'}`);
    await page.keyboard.press('Escape');
  }

  async function testPictures(page) {
    await choose(page, sample('Textures/knight.blp'));
    await page.locator('#texture canvas').waitFor();
    const facts = await page.locator('#picture-facts').innerText();
    check(/^\d+ × \d+ pixels · \d+ mip levels? · .+ bytes$/.test(facts), `a texture on the stage: ${facts}`);
    const hash = () => page.locator('#texture canvas').evaluate((canvas) => {
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
      copy.drawImage(canvas, 0, 0);
      return copy.getImageData(0, 0, canvas.width, canvas.height).data.reduce((sum, value, i) => (Math.imul(sum, 31) + value + i) | 0, 7);
    });
    check(!await page.locator('footer').isVisible(), 'a texture has no clip, team or time');
    const seen = new Set();
    for (const channel of ['colour and alpha', 'alpha', 'red', 'green', 'blue']) {
      await page.getByLabel('Channels of the texture').selectOption(channel);
      seen.add(await hash());
    }
    check(seen.size >= 4, `${seen.size} of 5 choices of channels differ`);
    await page.getByLabel('Zoom', { exact: true }).selectOption('2');
    const [shown, own] = await page.locator('#texture canvas').evaluate((canvas) => [canvas.getBoundingClientRect().width, canvas.width]);
    check(Math.round(shown) === 2 * own, `at 200 % ${own} pixels are ${shown} wide`);
    await page.getByLabel('Zoom', { exact: true }).selectOption('fit');
    await testWidths(page, 'texture');
    const path = join(out, 'broken', 'cut.blp');
    await writeFile(path, (await readFile(sample('Textures/knight.blp'))).subarray(0, 90));
    await choose(page, path);
    const said = await notice(page);
    check(/^cut.blp cannot be shown: /.test(said), said);
  }

  async function testNotices(page) {
    const whole = await readFile(sample('knight.mdx'));
    const path = join(out, 'broken', 'torn.mdx');
    await writeFile(path, whole.subarray(0, 9000));
    await choose(page, path);
    await page.waitForFunction(() => window.thawViewer.path === 'torn.mdx');
    const said = await notice(page);
    check(/^torn.mdx is damaged at byte [\d,]+ of 9,000: .*What was read: 0 parts, 1 node, 7 clips\.$/.test(said), said);
    check(Number(await page.locator('#tab-findings').getAttribute('data-count')) > 0, 'the Findings tab has a count');
    const parted = async (to, name) => {
      const made = join(out, 'broken', to, name);
      await promisify(execFile)(options.thaw, ['convert', sample(to === 'gltf' ? 'knight.mdx' : 'house.wmo'), '--to', to, '-f', '-o', made]);
      await choose(page, made);
      await page.waitForFunction((text) => document.querySelector('#notice p').textContent.startsWith(text), name);
      return notice(page);
    };
    const root = await parted('wmo-v17', 'house.wmo');
    check(root === 'house.wmo is the root of a WMO with 2 groups. Drop the group files, too: house_000.wmo to house_001.wmo.', root);
    const alone = await parted('gltf', 'knight.gltf');
    check(/^knight.gltf keeps its data in other files. Drop its whole folder/.test(alone), alone);
    const archive = join(out, 'broken', 'torn.mpq');
    await writeFile(archive, Buffer.concat([Buffer.from('MPQ\x1a'), Buffer.alloc(600)]));
    await choose(page, archive);
    await page.waitForFunction(() => document.querySelector('#notice p').textContent.includes('torn.mpq'));
    const words = await notice(page);
    check(!/`|ARCHIVE\/\/|-r /.test(words), `an archive without names: ${words}`);
    await testRefused(page);
  }

  async function testClipEnd(page) {
    await page.selectOption('#loop', 'never');
    await page.evaluate(() => { const viewer = window.thawViewer; viewer.player.setClip(1); viewer.player.setPlaying(true); viewer.player.setTime(viewer.player.duration - 0.05); });
    await page.waitForFunction(() => !window.thawViewer.player.playing);
    check(await page.locator('#play').innerText() === 'Play', 'a clip that has ended stands, and the button says so');
    await page.click('#play');
    const [playing, time, duration] = await page.evaluate(() => [window.thawViewer.player.playing, window.thawViewer.player.time, window.thawViewer.player.duration]);
    check(playing && time < duration, `it plays again from its start: ${time.toFixed(3)} of ${duration.toFixed(3)} s`);
    await page.selectOption('#loop', 'turn');
    const before = await page.evaluate(() => { const viewer = window.thawViewer; viewer.player.setPlaying(true); viewer.player.setTime(viewer.player.duration); return viewer.player.clip; });
    await page.waitForFunction((clip) => window.thawViewer.player.clip !== clip, before);
    check(true, `all in turn: from clip ${before} to ${await page.evaluate(() => window.thawViewer.player.clip)}`);
    check(await page.evaluate(() => localStorage.getItem('thaw-loop')) === 'turn', 'and the choice is remembered');
    await page.selectOption('#team', { label: 'peanut' });
    check(await page.locator('#team option').count() === 24, '24 team colours');
  }

  /** What shows nothing says why in a sentence, and the status line says the same. */
  async function testRefused(page) {
    const house = await readFile(sample('house.wmo'));
    for (const [name, bytes, wanted] of [
      ['cut.wmo', house.subarray(0, 5000), /^cut.wmo is damaged at byte/],
      ['none.w3x', 'no archive', /^none.w3x is not in a format that thaw reads.$/],
      ['cut.glb', 'glTF\x02\0\0\0', /^cut.glb ends too early: /],
      ['notes.txt', 'some words', /^notes.txt is not in a format that thaw reads.$/],
      ['empty.mdx', '', /^empty.mdx cannot be shown: the file is empty$/],
    ]) {
      const path = join(out, 'broken', name);
      await writeFile(path, bytes);
      await choose(page, path);
      await page.waitForFunction((text) => document.querySelector('#notice p').textContent.startsWith(text), name);
      const said = await notice(page);
      check(wanted.test(said), said);
    }
    await choose(page, sample('forgelight/Human.adr'));
    await page.waitForFunction(() => document.querySelector('#notice p').textContent.startsWith('Human.adr'));
    const actor = await notice(page);
    check(/^Human.adr is an actor, which has no geometry. Drop its model, too: .+\.dme\.$/i.test(actor), actor);
    check(await page.locator('#status').innerText() === actor, 'the status line says the same');
  }

  async function testRedo(page) {
    const name = () => page.evaluate(() => window.thawViewer.scene.clips[0].name);
    const old = await name();
    await page.evaluate(() => window.thawViewer.edit('SEQS[0].name=Other'));
    const asks = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
    check(await name() === 'Other' && await asks(), 'who leaves with an edit is asked');
    await choosePanel(page, 'Fields');
    await page.getByRole('button', { name: /^Undo/ }).click();
    await page.waitForFunction((text) => window.thawViewer.scene.clips[0].name === text, old);
    check(!await asks(), 'and not without one');
    await page.getByRole('button', { name: /^Redo/ }).click();
    await page.waitForFunction(() => window.thawViewer.scene.clips[0].name === 'Other');
    await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save file' }).click()]);
    check(!await asks(), 'Redo brings it back; what is saved is not asked about');
    await page.locator('#canvas').focus();
    await page.keyboard.press('Control+z');
    await page.waitForFunction((text) => window.thawViewer.scene.clips[0].name === text, old);
    await page.keyboard.press('Control+Shift+Z');
    await page.waitForFunction(() => window.thawViewer.scene.clips[0].name === 'Other');
    check(await asks(), 'Ctrl+Z takes it back, with Shift it is there again, and who leaves is asked');
  }

  /** The phone's layout: one row of tools, a sheet that is dragged, and the player under it. */
  async function testPhone(page) {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.evaluate(() => { for (const pane of ['browser', 'inspector']) window.thawViewer.shell.fold(pane, false); });
    const height = (selector) => page.locator(selector).evaluate((node) => Math.round(node.getBoundingClientRect().height));
    check(await height('header') <= 60 && await height('#stage') >= 560, `at 390 × 800 pixels the header has ${await height('header')}, the stage ${await height('#stage')}, the player ${await height('footer')} pixels`);
    const small = await page.evaluate(() => [...document.querySelectorAll('header button, footer button, footer select')].filter((node) => node.offsetWidth > 0 && Math.min(node.offsetHeight, node.offsetWidth) < 32).map(({ id }) => id));
    check(small.length === 0, `every control is large enough for a thumb ${small.join()}`);
    await page.click('#toggle-more');
    check(await page.locator('#copy').isVisible() && await page.locator('#beside').isVisible(), 'the other tools are a tap away');
    await page.click('#toggle-more');
    await page.click('#toggle-inspector');
    await settle(page);
    const half = await height('#inspector');
    for (const pane of ['inspector', 'browser']) {
      if (pane === 'browser') await page.click('#toggle-browser');
      await settle(page);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => window.axe.run());
      check(violations.length === 0 && await page.evaluate(() => document.scrollingElement.scrollWidth) <= 390, `the sheet ${pane}: ${violations.map(({ id, nodes }) => `${id} ${nodes[0].html.slice(0, 80)}`).join(' | ') || 'axe is content'}`);
    }
    await page.click('#toggle-inspector');
    await settle(page);
    const drag = async (to) => {
      const { x, y, width, height: own } = await page.locator('#inspector .grip').boundingBox();
      await page.mouse.move(x + width / 2, y + own / 2);
      await page.mouse.down();
      await page.mouse.move(x + width / 2, to, { steps: 4 });
      await page.mouse.up();
      await settle(page);
    };
    await drag(200);
    const high = await height('#inspector');
    check(half > 250 && high > half + 100 && await height('#stage') > 50, `a sheet of ${half} pixels is dragged to ${high}`);
    await page.locator('#inspector .grip').press('Enter');
    await settle(page);
    check(await height('#inspector') !== high, `Enter changes it, too: ${await height('#inspector')}`);
    await drag(740);
    check(await page.locator('#inspector').isHidden() && await page.locator('#toggle-inspector').getAttribute('aria-expanded') === 'false', 'and dragged down it is closed');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate(() => { for (const pane of ['browser', 'inspector']) window.thawViewer.shell.fold(pane, true); });
  }

  async function testShell() {
    const { context, page, messages } = await openPage(url);
    await testWidths(page, 'empty');
    await testManual(page);
    await page.click('#example');
    await page.waitForFunction(() => window.thawViewer.path === 'knight.mdx' && window.thawViewer.model);
    const missing = await page.evaluate(() => window.thawViewer.scene.textures.filter((texture) => texture.missing).length);
    check(missing === 0, `the example opens, ${missing} textures missing`);
    const facts = await page.locator('#panel table').first().innerText();
    check(/Vertices\s+[\d,]+/.test(facts) && /Texture animations\s+1\b/.test(facts), 'the facts are headed in the plural');
    await testWidths(page, 'example');
    await testPhone(page);
    await testClipEnd(page);
    await testRedo(page);
    await testPictures(page);
    await testNotices(page);
    const session = await context.newCDPSession(page);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    const reasons = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'); // as every context of a test is
    check(reasons.length === 0, `the page can be installed ${reasons.join()}`);
    check(messages.length === 0, `the console is silent ${messages.slice(0, 5).join(' | ')}`);
    await context.close();
  }

  return { shell: testShell };
}
