// Sixty scenes of real files: the picture of the card beside the rasteriser's.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const COUNT = 60;
/**
 * Of the structural similarity: what five of six scenes reach, and all. Below the first are checkers of lost textures in the
 * distance, where two samplers have two patterns, and glows of a few steps of brightness.
 */
const USUAL = 0.99;
const LEAST = 0.9;

const KINDS = /\.(mdx|mdl|mrf|m3|wmo|wdt|dme|adr|mrn|glb)(\.mpq)?$/i;

export function scenesParts({ options, check, compareIn, view }) {
  /** All files of rare kinds, and of the others so many, evenly over the list. */
  async function chosen(folder) {
    const all = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = all.filter((entry) => entry.isFile() && KINDS.test(entry.name)).map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1)).sort();
    const isUsual = (path) => /\.(mdx|mdl)$/i.test(path) && !/alpha/.test(path);
    const rare = paths.filter((path) => !isUsual(path)).filter((_, i, list) => i % Math.ceil(list.length / (COUNT / 2)) === 0);
    const usual = paths.filter(isUsual);
    return { rare, usual };
  }

  async function testScenes() {
    if (!options.corpus) {
      console.log('skipped real scenes: --corpus names their folder');
      return;
    }
    const { rare, usual } = await chosen(options.corpus);
    await view(options.corpus, async (page) => {
      const found = [];
      const failed = [];
      const look = async (path) => {
        const opens = await page.evaluate((name) => window.thawViewer.show(name).then(() => window.thawViewer.path === name && window.thawViewer.model !== null), path);
        if (!opens) return;
        const result = await compareIn(page, path).catch((error) => {
          failed.push(`${path}: ${error.message.split('\n')[0]}`);
          return {};
        });
        if (result.windows > 50) found.push({ path, ...result });
      };
      for (const path of rare) await look(path);
      // What shows nothing or is no model gives its place to the next one.
      for (let at = 0, step = 7; found.length < COUNT && at < usual.length; at += step) await look(usual[(at * 31) % usual.length]);
      check(failed.length === 0, `scenes that cannot be compared: ${failed.join(', ') || 'none'}`);
      found.sort((a, b) => a.ssim - b.ssim);
      const good = found.filter(({ ssim }) => ssim >= USUAL).length;
      for (const { path, ssim, difference } of found.slice(0, 12)) console.log(`       ${ssim.toFixed(4)} ${difference.toFixed(2)} ${path}`);
      check(found.length === COUNT && good >= (COUNT * 5) / 6 && found[0].ssim >= LEAST, `${found.length} real scenes, WebGL beside the rasteriser: ${good} with an SSIM of ${USUAL}, the lowest ${found[0]?.ssim.toFixed(4)}`);
    });
  }

  return { scenes: testScenes };
}
