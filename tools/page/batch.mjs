// Several models of the list at once: chosen with Ctrl and Shift, checked with one report, downloaded as one archive.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import axe from 'axe-core';

export function batchParts({ options, out, check, openPage, shot, settle, url }) {
  const NAMES = ['chest.mdx', 'house.wmo', 'knight.mdx', 'waystone_v3.m3'];
  const sample = (name) => resolve(options.samples, name);
  const selected = (page) => page.locator('#models [aria-selected=true]').evaluateAll((all) => all.map((row) => row.dataset.path).join());

  async function testSelecting(page) {
    const row = (name) => page.locator(`#models [data-path="${name}"]`);
    await row('chest.mdx').click();
    await page.waitForFunction(() => window.thawViewer.path === 'chest.mdx');
    check(await page.locator('#selection').isHidden(), 'a click alone opens');
    await row('knight.mdx').click({ modifiers: ['Shift'] });
    check(await selected(page) === 'chest.mdx,house.wmo,knight.mdx' && await page.evaluate(() => window.thawViewer.path) === 'chest.mdx', `Shift selects up to there and opens nothing: ${await selected(page)}`);
    await row('house.wmo').click({ modifiers: ['ControlOrMeta'] });
    check(await selected(page) === 'chest.mdx,knight.mdx', `Ctrl takes one out: ${await selected(page)}`);
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+Space');
    check(await selected(page) === 'knight.mdx', `Ctrl and Space does, too: ${await selected(page)}`);
    await page.keyboard.press('Shift+ArrowRight');
    check((await selected(page)).startsWith('chest.mdx,house.wmo'), `Shift and an arrow selects: ${await selected(page)}`);
    await page.click('#clear-selected');
    await page.locator('#models [tabindex="0"]').focus();
    await page.keyboard.press('Control+a');
    check(await selected(page) === NAMES.join() && await page.locator('#selected-count').innerText() === '4 selected', `Ctrl+A all: ${await page.locator('#selected-count').innerText()}`);
    await shot(page, 'selected');
  }

  async function testReport(page) {
    await page.click('#check-selected');
    await page.waitForFunction(() => /^4 files: /.test(document.getElementById('batch-told').textContent));
    const rows = await page.locator('#batch-report tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.innerText)));
    const counts = await Promise.all(NAMES.map(async (name) => {
      const { stdout } = await promisify(execFile)(options.thaw, ['validate', '--json', sample(name)]).catch((error) => error);
      const { findings } = JSON.parse(stdout);
      return findings.filter(({ severity }) => severity === 'error' || severity === 'severe').length;
    }));
    check(rows.map(([name]) => name).join() === NAMES.join() && rows.every(([, errors], i) => Number(errors) === counts[i]),
      `a report with the errors of the command: ${rows.map((cells) => cells.join(' ')).join(' | ')}`);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => window.axe.run());
    check(violations.length === 0, `the report: ${violations.map(({ id, nodes }) => `${id} ${nodes[0].html.slice(0, 80)}`).join(' | ') || 'axe is content'}`);
    await shot(page, 'report');
    await page.locator('#batch-report button', { hasText: 'house.wmo' }).click();
    await page.waitForFunction(() => window.thawViewer.path === 'house.wmo');
    check(await page.locator('#batch').isHidden(), 'a row opens its file');
  }

  async function testArchive(page) {
    await page.locator('#models [tabindex="0"]').focus();
    await page.keyboard.press('Control+a');
    const archive = async (kind, name) => {
      await page.click('#download-selected');
      await page.selectOption('#batch-to', kind);
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#batch-start')]);
      await download.saveAs(join(out, name));
      const told = await page.locator('#batch-told').innerText();
      await page.locator('#batch form button').click();
      const { stdout } = await promisify(execFile)('python3', ['-c', `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
print(z.testzip())
for i in z.infolist(): print(i.filename)
z.extractall(sys.argv[1] + '.d')`, join(out, name)]);
      return { told, names: stdout.trim().split('\n').slice(1).join() };
    };
    const plain = await archive('as they are', 'plain.zip');
    const same = await Promise.all(NAMES.map(async (name) => (await readFile(sample(name))).equals(await readFile(join(out, 'plain.zip.d', name)))));
    check(plain.names === NAMES.join() && same.every(Boolean), `one archive of the files as they are: ${plain.told}`);
    const glb = await archive('GLB (.glb)', 'glb.zip');
    check(glb.names === NAMES.map((name) => name.replace(/\..*/, '.glb')).join(), `and of what is made of them: ${glb.names}: ${glb.told}`);
    const mdl = await archive('text (.mdl)', 'mdl.zip');
    check(/; \d failed\./.test(mdl.told), `what a file cannot become is reported: ${mdl.told}`);
  }

  async function testBatch() {
    const { context, page, messages } = await openPage(url);
    await page.setInputFiles('#file-input', NAMES.map(sample));
    await page.waitForFunction(() => window.thawViewer.model);
    await page.evaluate(() => window.thawViewer.player.setPlaying(false));
    await settle(page);
    await testSelecting(page);
    await testReport(page);
    await testArchive(page);
    check(messages.length === 0, `the console is silent ${messages.slice(0, 5).join(' | ')}`);
    await context.close();
  }

  return { batch: testBatch };
}
