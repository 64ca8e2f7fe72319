// package_test.mjs PACKAGE SAMPLES ARCHIVE: what the npm package promises beyond the ten jobs.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , where, samples, archivePath] = process.argv;
const thaw = await import(where);
const knight = readFileSync(join(samples, 'knight.mdx'));
const skin = readFileSync(join(samples, 'Textures/knight.blp'));

const tests = {
  async 'closed documents throw'() {
    const model = await thaw.open(knight, 'knight.mdx');
    model.close();
    assert.throws(() => model.facts, /closed/);
    assert.throws(() => model.set('SEQS[0].name', 'x'), /closed/);
  },
  async 'errors have codes'() {
    await assert.rejects(thaw.open(new Uint8Array([1, 2, 3]), 'x.mdx'), { code: 'format.unknown', name: 'ThawError' });
    const model = await thaw.open(knight, 'knight.mdx');
    assert.throws(() => model.convert('glb', { teamColour: 3 }), { code: 'option.value' });
    for (const clip of ['(', '(?<a>b)', '\\p{L}']) assert.throws(() => model.convert('glb', { clip }), SyntaxError);
    assert.match(model.convert('glb', { clip: '^(?:walk|stand)' }).note, /2 clips/);
    assert.throws(() => model.render({ clip: '(' }), { code: 'scene.no-clip' });
    model.set('SEQS[0].name', 'x'.repeat(100));
    assert.throws(() => model.save(), { code: 'build.value', path: 'SEQS[0].name' });
    assert.equal(model.undo(), true);
    assert.deepEqual(Buffer.from(model.save()), knight);
  },
  async 'progress and signals end the work'() {
    const model = await thaw.open(knight, 'knight.mdx');
    assert.throws(() => model.convert('glb', { progress: () => { throw new RangeError('enough'); } }), { name: 'RangeError' });
    assert.throws(() => model.convert('glb', { signal: AbortSignal.abort() }), { name: 'AbortError' });
    await assert.rejects(thaw.open(knight, 'knight.mdx', { signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.ok(model.convert('glb').data.length > 1000);
  },
  async 'sources of every kind'() {
    const archive = await thaw.openArchive(readFileSync(archivePath));
    const function_ = (name) => (name === 'textures/knight.blp' ? skin : null);
    for (const sources of [undefined, function_, { 'Textures\\knight.blp': skin }, new Map([['textures/knight.blp', skin]]), archive]) {
      const model = await thaw.open(knight, 'units/knight.mdx', { sources });
      assert.equal(model.scene().images[0].placeholder, sources === undefined);
    }
    assert.ok(archive.names.includes('units/knight.mdx'));
    assert.equal(archive.read('absent'), null);
    assert.deepEqual(archive.findings, []);
    await assert.rejects(thaw.openArchive(readFileSync(archivePath), { encodingOfNames: 'latin' }), { code: 'option.value' });
    const wanted = (await thaw.open(knight, 'knight.mdx')).dependencies();
    assert.equal(wanted.find(({ path }) => path === 'Textures/knight.blp').state, 'missing');
  },
  async 'fields follow edits and dumps come back'() {
    const model = await thaw.open(knight, 'knight.mdx');
    assert.equal(model.fields.SEQS.Walk.moveSpeed, 180);
    assert.equal(model.fields.GEOS[0].positions.length, 2442);
    model.set('SEQS[1].moveSpeed', 200);
    assert.equal(model.fields.sequences[1].moveSpeed, 200);
    assert.deepEqual((await thaw.build(model.dump(), 'knight.mdx')).save().length, model.save().length);
  },
  async 'every sample has fields'() {
    let count = 0;
    for (const entry of readdirSync(samples, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      let document;
      try {
        document = await thaw.open(readFileSync(join(entry.parentPath ?? entry.path, entry.name)), entry.name);
      } catch (error) {
        assert.ok(error.code, error);
        continue;
      }
      assert.equal(typeof document.fields, 'object');
      document.close();
      ++count;
    }
    assert.ok(count > 30, `${count}`);
  },
  async 'edits come back onto their original'() {
    const model = await thaw.open(knight, 'knight.mdx');
    const edited = await thaw.open(model.convert('glb').data, 'knight.glb');
    assert.deepEqual(Buffer.from(edited.convert('mdx', { onto: model }).data), knight);
  },
  async 'broken pictures are errors'() {
    // libjpeg and libspng leave by longjmp; afterwards the module is whole.
    const jpeg = (await thaw.open(skin, 'knight.blp')).convert('blp', { encoding: 'jpeg' }).data;
    let broken = 0;
    for (let at = 150; at < 1200; at += 7) {
      const changed = Uint8Array.from(jpeg);
      changed.fill(0xff, at, at + 5);
      try {
        // A level that does not decode is a finding, and the next is taken.
        broken += (await thaw.open(changed, 'knight.blp')).image().findings.length > 0 ? 1 : 0;
      } catch (error) {
        assert.ok(error.code, error);
        ++broken;
      }
    }
    const picture = (await thaw.open(knight, 'knight.mdx')).render({ size: 32 });
    const png = Uint8Array.from(picture.png());
    png.fill(7, 60, 200);
    await assert.rejects(async () => (await thaw.open(png, 'x.png')).image(), (error) => Boolean(error.code));
    assert.ok(broken > 100 && (await thaw.open(skin, 'knight.blp')).image().data.length > 0);
  },
  async 'workers answer and are aborted'() {
    const { ThawWorker } = await import(new URL('./worker.js', pathToFileURL(where)));
    const worker = new ThawWorker();
    const model = await thaw.open(knight, 'knight.mdx');
    const { data } = await worker.run(knight, 'knight.mdx', 'convert', ['glb']);
    assert.deepEqual(data, model.convert('glb').data);
    await assert.rejects(worker.run(knight.subarray(0, 3), 'x.mdx', 'facts'), { code: 'format.unknown' });
    const controller = new AbortController();
    const drawn = worker.run(knight, 'knight.mdx', 'render', [{ size: 4096, samples: 16 }], { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    await assert.rejects(drawn, { name: 'AbortError' });
    assert.equal((await worker.run(knight, 'knight.mdx', 'render', [{ size: 8 }])).width, 8);
    worker.close();
  },
  async 'options have names'() {
    const { convert, render, validate } = await thaw.options();
    assert.match(convert.teamColor, /RRGGBB/);
    assert.ok(render.size && validate.target);
  },
};

for (const [name, test] of Object.entries(tests)) {
  await test();
  console.log(`ok       ${name} (node)`);
}
