// What is no longer shown is given back: memory after many models is about that after one.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const MODELS = 31;
/** Bytes that more models than one may take. */
const MOST_MORE = 30_000_000;

export function memoryParts({ out, check, openPage, drop, show, cloth, url }) {
  /** Bytes of the library and of the page's own values, and what is on the card. */
  async function held(page) {
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    await session.detach();
    const { library, onCard } = await page.evaluate(async () => ({ library: await window.thawViewer.library.memorySize(), onCard: window.onCard }));
    return { bytes: library + usedSize, onCard };
  }

  /** From here on `onCard` counts what a page has on the graphics card, and does not give back. */
  function countOnCard() {
    window.onCard = 0;
    const { prototype } = window.WebGL2RenderingContext;
    for (const kind of ['Buffer', 'Texture', 'VertexArray']) {
      const [create, remove] = [prototype[`create${kind}`], prototype[`delete${kind}`]];
      prototype[`create${kind}`] = function counted() { window.onCard += 1; return create.call(this); };
      prototype[`delete${kind}`] = function counted(thing) { window.onCard -= thing ? 1 : 0; return remove.call(this, thing); };
    }
  }

  async function testMemory() {
    const folder = join(out, 'many');
    await mkdir(folder, { recursive: true });
    const text = cloth(180, 90, 32);
    const names = Array.from({ length: MODELS }, (_, i) => `many${i}.mdl`);
    for (const name of names) await writeFile(join(folder, name), text);
    const { context, page } = await openPage(url);
    await page.evaluate(countOnCard);
    await drop(page, names.map((name) => join(folder, name)), names[0]);
    await page.evaluate(() => { window.thawViewer.shell.fold('browser', false); window.thawViewer.player.setPlaying(false); }); // without thumbnails and pictures
    const one = await held(page);
    for (const name of names.slice(1)) await show(page, name);
    const all = await held(page);
    const more = all.bytes - one.bytes;
    check(more <= MOST_MORE, `${MODELS} models of ${text.length.toLocaleString()} bytes take ${more.toLocaleString()} bytes more than one, which takes ${one.bytes.toLocaleString()}`);
    check(all.onCard === one.onCard && one.onCard > 0, `and ${all.onCard} buffers, textures and arrays are on the graphics card, ${one.onCard} after the first`);
    await show(page, names[0]);
    check(await page.evaluate(() => window.thawViewer.cost.triangles) > 30000, 'what was given back is read again');
    await page.evaluate(() => window.thawViewer.edit('MODL.name=Edited'));
    for (const name of names.slice(1, 12)) await show(page, name);
    await show(page, names[0]);
    check(await page.evaluate(() => window.thawViewer.model.edits) === 1, 'but not what is edited');
    await context.close();
  }

  return { memory: testMemory };
}
