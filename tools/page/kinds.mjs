// One file of each kind that people drop: it shows a picture, a folder, or a sentence that says what to do.

import { spawnSync } from 'node:child_process';
import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Pixels of a picture that are not background. */
const LEAST = 150;

export function kindsParts({ options, out, check, openPage, browser, url }) {
  const folder = join(out, 'kinds');
  const sample = (name) => resolve(options.samples, name);
  const thaw = (...words) => {
    const { status, stderr } = spawnSync(options.thaw, [...words, '-q', '-f'], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`thaw ${words.join(' ')}: ${stderr}`);
  };

  /** Kinds that no sample is, made of those that are. */
  async function make() {
    await mkdir(join(folder, 'map'), { recursive: true });
    const at = (name) => join(folder, name);
    thaw('convert', sample('knight.mdx'), '-o', at('knight.mdl'));
    thaw('convert', sample('chest.mdx'), '-o', at('chest.glb'));
    thaw('convert', sample('chest.mdx'), '-o', at('box.gltf'));
    thaw('convert', at('chest.glb'), '--to', 'wmo', '--format-version', '17', '-o', at('hall.wmo'));
    for (const kind of ['png', 'tga', 'jpg']) thaw('render', sample('knight.mdx'), '-o', at(`knight.${kind}`));
    await cp(sample('knight.mdx'), at('map/knight.mdx'));
    thaw('pack', at('map'), '-o', at('map.mpq'));
    for (const kind of ['w3x', 'w3m', 'w3n']) await copyFile(at('map.mpq'), at(`map.${kind}`));
    const header = (tag, size) => Buffer.concat([Buffer.from(tag), Buffer.alloc(size)]);
    await writeFile(at('land.adt'), header('REVM\x04\0\0\0\x12\0\0\0RDHM\x40\0\0\0', 64));
    await writeFile(at('beast.m2'), header('MD20\x08\x01\0\0', 300));
    await writeFile(at('models.zip'), header('PK\x03\x04', 60));
    await writeFile(at('notes.txt'), 'some words');
    await writeFile(at('cut.mdx'), (await readFile(sample('knight.mdx'))).subarray(0, 40000));
  }

  /** Name, files, what has to be there: those that lie alone come first. */
  const KINDS = (at) => [
    ['ADR alone', ['forgelight/Human.adr'], /Drop its model, too/],
    ['NSA alone', ['forgelight/Human_Walk.nsa'], /Drop it together with its network/],
    ['glTF alone', [at('box.gltf')], /Drop its whole folder/],
    ['WMO 17 root', [at('hall.wmo')], /Drop the group files, too/],
    ['ADT', [at('land.adt')], /not in a format|cannot be shown/],
    ['M2', [at('beast.m2')], /not in a format|cannot be shown/],
    ['ZIP', [at('models.zip')], /Unpack it/],
    ['text', [at('notes.txt')], /not in a format/],
    ['damaged', [at('cut.mdx')], /is damaged at byte|ends too early/],
    ['MDX', ['knight.mdx', 'Textures/knight.blp'], 'picture'],
    ['MDX of the alpha', ['Creature/Beetle/Beetle.mdx', 'Creature/Beetle/BeetleSkin.blp'], 'picture'],
    ['MDL', [at('knight.mdl')], 'picture'],
    ['MRF', ['banner.mrf'], 'picture'],
    ['M3', ['waystone_v3.m3'], 'picture'],
    ['WMO', ['house.wmo'], 'picture'],
    ['WDT', ['World/Maps/Island/Island.wdt', 'Tileset/Thaw/Grass.blp'], 'picture'],
    ['DME', ['forgelight/Human_LOD0.dme', 'forgelight/Human_C.dds'], 'picture'],
    ['MRN', ['forgelight/human.mrn'], 'picture'],
    ['GLB', [at('chest.glb')], 'picture'],
    ['BLP', ['Textures/banner.blp'], 'texture'],
    ['DDS', ['forgelight/Human_S.dds'], 'texture'],
    ['TGA', [at('knight.tga')], 'texture'],
    ['PNG', [at('knight.png')], 'texture'],
    ['JPEG', [at('knight.jpg')], 'texture'],
    ['MPQ', [at('map.mpq')], 'folder'],
    ['W3X', [at('map.w3x')], 'folder'],
    ['W3M', [at('map.w3m')], 'folder'],
    ['W3N', [at('map.w3n')], 'folder'],
    ['PACK', ['forgelight/human.pack'], 'folder'],
    ['PACK2', ['forgelight/human.pack2'], 'folder'],
  ];

  /** What the page shows of files that were just chosen. */
  const seen = (page, name) => page.evaluate(async (file) => {
    const viewer = window.thawViewer;
    const shown = (id) => !document.getElementById(id).hidden;
    let pixels = 0;
    if (viewer.model) {
      await viewer.draw();
      const { gl } = viewer.stage.backend;
      const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
      const all = new Uint32Array(width * height);
      gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(all.buffer));
      pixels = all.filter((pixel) => pixel !== all[0]).length;
    }
    return {
      pixels,
      path: viewer.path ?? '',
      texture: shown('texture') && document.querySelector('#texture canvas').width > 0,
      folder: viewer.browser.folders.has(`${file}/`),
      notice: shown('notice') ? document.querySelector('#notice p').textContent : '',
      status: document.getElementById('status').textContent,
    };
  }, name);

  const isThere = (wanted, name, { pixels, path, texture, folder: isFolder, notice }) => {
    if (wanted instanceof RegExp) return wanted.test(notice);
    if (wanted === 'folder') return isFolder && path.startsWith(`${name}/`) && pixels > LEAST;
    return path === name && (wanted === 'texture' ? texture : !texture && pixels > LEAST);
  };

  async function sheet(pictures) {
    const page = await browser.newPage({ viewport: { width: 1560, height: 900 } });
    const cells = pictures.map(({ kind, image }) => `<figure><img src="data:image/png;base64,${image.toString('base64')}"><figcaption>${kind}</figcaption></figure>`);
    await page.setContent(`<style>body{display:grid;grid-template-columns:repeat(6,1fr);gap:6px;font:13px sans-serif;margin:6px}figure{margin:0}img{width:100%}</style>${cells.join('')}`);
    await page.screenshot({ path: join(out, 'kinds.png'), fullPage: true });
    await page.close();
  }

  async function testKinds() {
    await make();
    const { context, page, messages } = await openPage(url);
    await page.setViewportSize({ width: 900, height: 560 });
    for (const pane of ['browser', 'inspector']) await page.click(`#toggle-${pane}`);
    const pictures = [];
    for (const [kind, files, wanted] of KINDS((name) => join(folder, name))) {
      const name = files[0].replace(/.*\//, '');
      await page.evaluate(() => window.thawViewer.notice(''));
      await page.setInputFiles('#file-input', files.map(sample));
      const until = Date.now() + 30000;
      let found = await seen(page, name);
      while (!isThere(wanted, name, found) && Date.now() < until) {
        await page.waitForTimeout(200);
        found = await seen(page, name);
      }
      check(isThere(wanted, name, found), `${kind}: ${wanted instanceof RegExp ? found.notice || JSON.stringify(found) : isThere(wanted, name, found) ? wanted : JSON.stringify(found)}`);
      pictures.push({ kind, image: await page.screenshot() });
    }
    await sheet(pictures);
    check(messages.length === 0, `the console is silent ${messages.slice(0, 5).join(' | ')}`);
    await context.close();
  }

  return { kinds: testKinds };
}
