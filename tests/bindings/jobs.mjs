// The ten jobs of tests/capi/jobs.c with the npm package, in node and browsers alike.

const severities = ['info', 'unused', 'warning', 'severe', 'error'];
const place = (finding) => `${finding.code} ${severities.indexOf(finding.severity)} [${finding.path}] ${finding.offset ?? '-'}\n`;

/** `samples` are their bytes by path in lower case, `archive` is one with a model; `write` takes names and bytes or texts. */
export async function run(thaw, samples, archive, write) {
  const read = (name) => samples.get(name.toLowerCase());
  const openSample = (name, settings) => thaw.open(read(name), name, { sources: samples, ...settings });

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
      const opened = await thaw.openArchive(archive);
      write('archive.glb', (await opened.open('units/knight.mdx')).convert('glb').data);
    },
  };

  for (const job of Object.values(jobs)) await job();
}
