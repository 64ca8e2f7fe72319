// The skeleton over the picture, attachments, and the triangles of a part over its textures.

import { resolve } from 'node:path';

export function skeletonParts({ options, check, openPage, settle, shot, url }) {
  const labels = (page, kind) => page.locator(`#labels text.${kind}`).allTextContents();

  async function testNodes(page) {
    await page.locator('#canvas').focus();
    await page.keyboard.press('b');
    await page.keyboard.press('a');
    await page.getByRole('tab', { name: 'Nodes', exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll('#labels circle.attachment').length === 5);
    check((await labels(page, 'attachment')).includes('Hand Right Ref '), `attachments are named where they are: ${await labels(page, 'attachment')}`);
    const off = await page.evaluate(async () => {
      const { model, player, cost } = window.thawViewer;
      const moment = { ...player.moment, camera: cost.camera };
      const { places } = await model.places(moment, []);
      const distances = [];
      for (const [node, place] of places) {
        const axes = await model.evaluate({ ...moment, options: { surfaces: false, emitters: false, attachments: false, markedNode: node } }, true);
        distances.push(Math.hypot(...place.map((value, i) => value - axes.positions[i])));
      }
      return { count: places.size, most: Math.max(...distances) };
    });
    check(off.count === 18 && off.most < 1e-4, `${off.count} bones are where their axes are: ${off.most.toExponential(1)} off`);
    const plume = page.locator('#nodes button', { hasText: 'Plume' });
    await plume.hover();
    await page.waitForFunction(() => document.querySelector('#labels line.chosen'));
    check((await labels(page, 'chosen')).join() === 'Plume', `a bone under the mouse is marked: ${await labels(page, 'chosen')}`);
    await shot(page, 'skeleton');
    await page.mouse.move(5, 5);
    await page.waitForFunction(() => !document.querySelector('#labels .chosen'));
    await plume.click();
    await page.mouse.move(5, 5);
    await page.waitForFunction(() => document.querySelector('#labels circle.chosen'));
    await plume.click();
    await page.mouse.move(5, 5);
    await page.locator('#canvas').focus();
    await page.keyboard.press('j');
    await page.waitForFunction(() => document.querySelectorAll('#labels circle.bone').length === 18);
    check((await labels(page, 'bone')).includes('Sword Tip'), 'and all have their names');
    for (const key of ['a', 'b', 'j']) await page.keyboard.press(key);
    await page.waitForFunction(() => document.getElementById('labels').childNodes.length === 0);
  }

  async function testUvs(page) {
    await page.getByRole('tab', { name: 'Parts', exact: true }).click();
    const lines = async (part) => {
      await page.locator(`#mesh-${part} > button`).click();
      await page.locator(`#mesh-${part} .uvs canvas`).first().waitFor();
      // The image and its triangles come in two answers.
      await settle(page);
      await settle(page);
      const found = await page.locator(`#mesh-${part} .uvs canvas`).evaluateAll((all) => all.map((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let i = 0; i < data.length; i += 4) count += data[i] === 255 && data[i + 1] === 47 && data[i + 2] === 208 ? 1 : 0;
        return count;
      }));
      await shot(page, `uvs-${part}`);
      return found;
    };
    const [first, second] = [await lines(0), await lines(1)];
    check(first.length > 0 && second.length > 0 && first.every((count) => count > 100) && first.join() !== second.join(), `the triangles of a part over its textures: ${first} and ${second} pixels`);
  }

  async function testSkeleton() {
    const { context, page, messages } = await openPage(url);
    await page.setInputFiles('#file-input', ['knight.mdx', 'Textures/knight.blp', 'Textures/knight_cloth.blp'].map((name) => resolve(options.samples, name)));
    await page.waitForFunction(() => window.thawViewer.scene && window.thawViewer.cost);
    await page.evaluate(() => window.thawViewer.player.setPlaying(false));
    await testNodes(page);
    await testUvs(page);
    check(messages.length === 0, `the console is silent ${messages.slice(0, 5).join(' | ')}`);
    await context.close();
  }

  return { skeleton: testSkeleton };
}
