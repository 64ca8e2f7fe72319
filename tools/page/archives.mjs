// Archives that are dropped: folders of the list, whose files open, have pictures and find their textures inside.

import { execFileSync } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export function archiveParts({ options, out, check, openPage, drop, show, shot, url }) {
  /** An archive of a model as hero.mdx with its textures. */
  async function pack(name, model) {
    const folder = join(out, 'packed', name);
    await mkdir(folder, { recursive: true });
    await cp(resolve(options.samples, model), join(folder, 'hero.mdx'));
    for (const textures of ['Textures', 'ReplaceableTextures']) await cp(resolve(options.samples, textures), join(folder, textures), { recursive: true });
    execFileSync(options.thaw, ['pack', folder, '-q', '-o', `${folder}.mpq`]);
    return `${folder}.mpq`;
  }

  const nameOf = (page) => page.evaluate(() => window.thawViewer.info.name);

  /** An edit, and a texture that is tried, stay in the archive in which they were made. */
  async function testIdentity(page) {
    await show(page, 'one.mpq/hero.mdx');
    await page.evaluate(() => window.thawViewer.edit('MODL.name=Edited'));
    await page.waitForFunction(() => window.thawViewer.info.name === 'Edited');
    const names = [];
    for (const path of ['two.mpq/hero.mdx', 'hero.mdx', 'one.mpq/hero.mdx']) {
      await show(page, path);
      names.push(await nameOf(page));
    }
    check(names.join() === 'Chest,Everything,Edited', `an edit of one.mpq/hero.mdx changes that alone: ${names.join(' | ')}`);
    await page.evaluate(() => window.thawViewer.undo());
    await page.waitForFunction(() => window.thawViewer.info.name === 'Knight');
    const first = () => page.evaluate(async () => {
      const { model, scene } = window.thawViewer;
      return (await model.image(scene.textures.find(({ path }) => /knight\.blp$/i.test(path)).image)).width;
    });
    const image = await first();
    await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(8, 8);
      canvas.getContext('2d');
      const blob = await canvas.convertToBlob();
      await window.thawViewer.tryTexture(window.thawViewer.scene.textures.find(({ path }) => /knight\.blp$/i.test(path)).path, blob);
    });
    const tried = await first().catch((error) => error.message);
    check(image === 256 && tried === 8, `a texture that is tried takes the place of the one in the archive: ${image} and ${tried} pixels wide`);
  }

  /** Archives in archives open when somebody asks for them, down to the fourth. */
  async function testNested(page) {
    let inner = await pack('inner', 'chest.mdx');
    for (const name of ['d', 'c', 'b', 'a']) {
      const folder = join(out, 'packed', name);
      await mkdir(folder, { recursive: true });
      await cp(inner, join(folder, 'inner.mpq'));
      await cp(resolve(options.samples, 'knight.mdx'), join(folder, 'hero.mdx'));
      await writeFile(join(folder, 'readme.txt'), 'nothing to see');
      execFileSync(options.thaw, ['pack', folder, '-q', '-o', `${folder}.mpq`]);
      inner = `${folder}.mpq`;
    }
    await drop(page, [inner], 'a.mpq/hero.mdx');
    const row = (path) => page.locator(`#models [data-key="${path}/"]`);
    const others = () => page.locator('#found').innerText();
    await page.waitForFunction(() => /· 1 other file in archives not shown/.test(document.getElementById('found').textContent));
    check(await row('a.mpq/inner.mpq').getAttribute('data-archive') !== null && await row('a.mpq/inner.mpq').getAttribute('aria-expanded') === 'false', `an archive within is a closed folder: ${await others()}`);
    const deep = 'a.mpq/inner.mpq/inner.mpq';
    await row('a.mpq/inner.mpq').click();
    await page.waitForFunction(() => window.thawViewer.path === 'a.mpq/inner.mpq/hero.mdx');
    await page.locator('#models [tabindex="0"]').focus();
    for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    await page.waitForFunction((path) => document.querySelector(`#models [data-key="${path}/hero.mdx"] canvas`), deep);
    await row(`${deep}/inner.mpq`).click();
    await page.waitForFunction((path) => window.thawViewer.path === path, `${deep}/inner.mpq/hero.mdx`);
    await shot(page, 'nested');
    check(await nameOf(page) === 'Knight' && await row(`${deep}/inner.mpq/inner.mpq`).count() === 0, 'four of them open, one within the other');
    check(/· 5 other files in archives not shown/.test(await others()), `the fifth is counted among the others: ${await others()}`);
    await drop(page, [inner], 'a.mpq/hero.mdx');
    await page.waitForFunction(() => document.querySelector('#models [data-key="a.mpq/inner.mpq/"]').hasAttribute('data-archive'));
    check(/^1 model · 1 other file in archives not shown/.test(await others()), `what is dropped again has what it has then: ${await others()}`);
  }

  async function testArchives() {
    const archives = [await pack('one', 'knight.mdx'), await pack('two', 'chest.mdx')];
    const loose = join(out, 'packed', 'hero.mdx');
    await cp(resolve(options.samples, 'everything_v800.mdx'), loose);
    const { context, page, messages } = await openPage(url);
    await drop(page, archives, 'one.mpq/hero.mdx');
    const rows = () => page.locator('#models [role=treeitem]').evaluateAll((all) => all.map((node) => node.dataset.key));
    await page.waitForFunction(() => window.thawViewer.browser.folders.has('two.mpq/') && document.querySelector('#models [data-key="one.mpq/"]'));
    const seen = await rows();
    check(seen.includes('one.mpq/') && seen.includes('one.mpq/hero.mdx') && seen.includes('one.mpq/textures/'), `an archive is a folder of the list: ${seen.slice(0, 6).join(' | ')}`);
    await drop(page, [loose], 'hero.mdx');
    const opened = async (path) => {
      await show(page, path);
      return page.evaluate(() => [window.thawViewer.info.name, window.thawViewer.scene.textures.filter(({ missing }) => missing).length].join());
    };
    const names = [];
    for (const path of ['one.mpq/hero.mdx', 'two.mpq/hero.mdx', 'hero.mdx', 'two.mpq/hero.mdx', 'one.mpq/hero.mdx']) names.push(await opened(path));
    check(new Set(names).size === 3 && names[0] === 'Knight,0' && names[0] === names[4] && names[1] === names[3], `three files called hero.mdx are three models: ${names.join(' | ')}`);
    await page.click('#models [data-key="one.mpq/textures/"]');
    await page.waitForFunction(() => ['one.mpq/hero.mdx', 'one.mpq/textures/knight.blp'].every((path) => document.querySelector(`#models [data-path="${path}"] canvas`)), null, { timeout: 60000 });
    await shot(page, 'archives');
    await page.click('#models [data-path="one.mpq/textures/knight.blp"]');
    await page.waitForFunction(() => document.getElementById('picture-facts')?.textContent.startsWith('256 × 128 pixels'));
    check(true, 'models and textures in it have pictures, and a texture opens');
    await testIdentity(page);
    const other = await context.newPage();
    await other.goto(`${url}#file=two.mpq/hero.mdx`);
    await other.waitForFunction(() => window.thawViewer);
    await drop(other, archives, 'two.mpq/hero.mdx');
    check(true, 'a link leads to a file in an archive');
    await other.reload();
    await other.waitForFunction(() => window.thawViewer);
    await testNested(other);
    check(messages.length === 0, `the console is silent ${messages.slice(0, 5).join(' | ')}`);
    await context.close();
  }

  return { dropped: testArchives };
}
