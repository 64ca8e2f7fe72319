// jobs.mjs PACKAGE SAMPLES ARCHIVE OUT: the ten jobs of tests/capi/jobs.c with the npm package.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , where, samples, archivePath, out] = process.argv;
const thaw = await import(where);

const severities = ['info', 'unused', 'warning', 'severe', 'error'];
const place = (finding) => `${finding.code} ${severities.indexOf(finding.severity)} [${finding.path}] ${finding.offset ?? '-'}\n`;
const read = (name) => readFileSync(join(samples, name));
const write = (name, data) => writeFileSync(join(out, name), data);
const sampleNames = new Map(readdirSync(samples, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(
  (entry) => join(entry.parentPath ?? entry.path, entry.name).slice(samples.length + 1)).map((name) => [name.toLowerCase(), name]));
/** The files of the samples, as a folder of the game. */
const folder = (name) => {
  const found = sampleNames.get(name);
  return found && read(found);
};
const openSample = (name, settings) => thaw.open(read(name), name, { sources: folder, ...settings });

const jobs = {
  async facts() {
    write('facts.json', JSON.stringify((await openSample('knight.mdx')).facts));
  },
  async fields() {
    const { sequences } = (await openSample('knight.mdx')).fields;
    write('fields.txt', sequences.map(({ name, start, end }) => `${name} ${start} ${end}\n`).join(''));
  },
  async setAndSave() {
    const model = await openSample('knight.mdx');
    model.set('SEQS[0].name', 'Stand Ready');
    write('set.mdx', model.save());
  },
  async validateAndFix() {
    const model = await openSample('everything_v800.mdx');
    write('validate.txt', [...model.findings, ...model.validate()].map(place).join(''));
    write('fixes.txt', model.fix().map(({ code, path }) => `${code} [${path}]\n`).join(''));
    write('fixed.mdx', model.save());
  },
  async glb() {
    write('knight.glb', (await openSample('knight.mdx')).convert('glb', { teamColor: 3, scale: 0.02 }).data);
  },
  async picture() {
    write('knight.png', (await openSample('knight.mdx')).render({ size: '96x64', clip: 'Walk', time: '50%' }).png());
  },
  async batch() {
    let steps = 0;
    for (const name of ['knight.mdx', 'chest.mdx', 'house.wmo', 'waystone_v3.m3']) {
      const model = await openSample(name);
      const stem = name.split('.')[0].replace('_v3', '');
      const output = `batch-${stem}.glb`; // which scenes without a name of their own go by
      write(output, model.convert('glb', { name: output, progress: () => { ++steps; } }).data);
      model.close();
    }
    if (steps < 4) throw new Error(`${steps} steps`);
  },
  async cancel() {
    const controller = new AbortController();
    const model = await openSample('knight.mdx');
    try {
      model.convert('glb', { signal: controller.signal, progress: () => controller.abort() });
    } catch (error) {
      write('cancel.txt', error.name === 'AbortError' ? 'limit.stopped\n' : `${error}\n`);
    }
  },
  async damaged() {
    const data = read('knight.mdx');
    const half = data.subarray(0, data.length >> 1);
    let text = (await thaw.open(half, 'half.mdx')).findings.map(place).join('');
    try {
      await thaw.open(half, 'half.mdx', { strict: true });
    } catch (error) {
      text += `strict: ${error.code} ${error.offset}\n`;
    }
    write('damaged.txt', text);
  },
  async fromArchive() {
    const archive = await thaw.openArchive(readFileSync(archivePath));
    write('archive.glb', (await archive.open('units/knight.mdx')).convert('glb').data);
  },
};

for (const job of Object.values(jobs)) await job();
