// Measures the npm peers: peers.mjs [--exact | --text] LIST, where each line of LIST is a file. Prints one JSON object. With
// --exact only what they parse and write back byte for byte, without times; with --text the files are MDL.
//
// Files are in memory, parsed in process on one thread; two passes warm up, the median of five counts. Only files
// that both peers can parse and write take part, so that all programs have the same work; their names go to stdout
// as `files`.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(import.meta.dirname, '../tools/package.json'));
const war3 = require('war3-model');
const viewerModule = require('mdx-m3-viewer');
const viewer = viewerModule.default ?? viewerModule;

const peers = {
  'war3-model': {
    parse: (buffer) => war3.parseMDX(buffer),
    write: (model) => new Uint8Array(war3.generateMDX(model)),
  },
  'mdx-m3-viewer': {
    parse: (buffer) => {
      const model = new viewer.parsers.mdlx.Model();
      model.load(buffer);
      return model;
    },
    write: (model) => model.saveMdx(),
  },
};

const textPeers = {
  'war3-model': { parse: (text) => war3.parseMDL(text), write: (model) => war3.generateMDL(model) },
  'mdx-m3-viewer': {
    parse: (text) => {
      const model = new viewer.parsers.mdlx.Model();
      model.load(text);
      return model;
    },
    write: (model) => model.saveMdl(),
  },
};

function attempt(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** Seconds of one pass: median of five after two. */
function seconds(pass) {
  const times = [];
  for (let i = 0; i < 7; i += 1) {
    const start = process.hrtime.bigint();
    pass();
    if (i >= 2) times.push(Number(process.hrtime.bigint() - start) / 1e9);
  }
  return times.sort((a, b) => a - b)[2];
}

const exactOnly = process.argv[2] === '--exact';
const textOnly = process.argv[2] === '--text';
const files = fs
  .readFileSync(process.argv[exactOnly || textOnly ? 3 : 2], 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((name) => {
    const bytes = fs.readFileSync(name);
    return { name, buffer: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) };
  });

/** MDL: both read the text as a string, which they get as one. */
function measureTexts() {
  const texts = files
    // These were made to hang parsers, and do.
    .filter((file) => !path.basename(file.name).startsWith('!'))
    .map((file) => ({ name: file.name, size: file.buffer.byteLength, text: Buffer.from(file.buffer).toString('latin1') }))
    .filter((file) => Object.values(textPeers).every((peer) => attempt(() => peer.parse(file.text))));
  const bytes = texts.reduce((sum, file) => sum + file.size, 0);
  const found = { total: files.length, files: texts.map((file) => file.name), bytes, peers: {} };
  for (const [name, peer] of Object.entries(textPeers)) {
    found.peers[name] = { read: bytes / seconds(() => texts.forEach((file) => peer.parse(file.text))) };
  }
  console.log(JSON.stringify(found));
  process.exit(0);
}
if (textOnly) measureTexts();

const result = { total: files.length, peers: {} };
for (const [name, peer] of Object.entries(peers)) {
  const counts = { parsed: 0, exact: 0 };
  for (const file of files) {
    const model = attempt(() => peer.parse(file.buffer));
    const written = model && attempt(() => peer.write(model));
    counts.parsed += model ? 1 : 0;
    counts.exact += written && Buffer.compare(Buffer.from(written), Buffer.from(file.buffer)) === 0 ? 1 : 0;
    file.usable = (file.usable ?? true) && Boolean(written);
  }
  result.peers[name] = counts;
}

if (exactOnly) {
  console.log(JSON.stringify(result));
  process.exit(0);
}

const common = files.filter((file) => file.usable);
result.files = common.map((file) => file.name);
result.bytes = common.reduce((sum, file) => sum + file.buffer.byteLength, 0);
for (const [name, peer] of Object.entries(peers)) {
  result.peers[name].read = result.bytes / seconds(() => common.forEach((file) => peer.parse(file.buffer)));
  const models = common.map((file) => peer.parse(file.buffer));
  result.peers[name].write = result.bytes / seconds(() => models.forEach((model) => peer.write(model)));
}
console.log(JSON.stringify(result));
