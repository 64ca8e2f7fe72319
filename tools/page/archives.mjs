// Archives that are dropped: folders of the list, whose files open, have pictures and find their textures inside.

import { execFileSync } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
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
    const other = await context.newPage();
    await other.goto(`${url}#file=two.mpq/hero.mdx`);
    await other.waitForFunction(() => window.thawViewer);
    await drop(other, archives, 'two.mpq/hero.mdx');
    check(true, 'a link leads to a file in an archive');
    check(messages.length === 0, `the console is silent ${messages.slice(0, 5).join(' | ')}`);
    await context.close();
  }

  return { dropped: testArchives };
}
