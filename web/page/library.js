// The library as the page has it: in a worker, so that nothing it does holds up the page. Whatever is asked of it comes later,
// in the order of the questions.

import { Closed, unpacked } from './errors.js';
import { readFrame } from './frames.js';

/** Pages of other servers may start no worker of this one, but one of their own that loads it. */
function workerAt(url) {
  if (url.origin === location.origin) return new Worker(url, { type: 'module' });
  const own = URL.createObjectURL(new Blob([`import ${JSON.stringify(url.href)};`], { type: 'text/javascript' }));
  return new Worker(own, { type: 'module' });
}

async function compile() {
  const answer = await fetch(new URL('./thaw-module.wasm', import.meta.url));
  if (!answer.ok) throw new Error(`${answer.url} answered with HTTP status ${answer.status}`);
  // Browsers keep what they compiled for the next time only of what they compile as it comes.
  const isStream = answer.headers.get('content-type') === 'application/wasm';
  return isStream ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

export class Library {
  static async load() {
    const library = new Library(workerAt(new URL('./library-worker.js', import.meta.url)));
    library.compiled = await compile();
    library.worker.postMessage({ start: library.compiled });
    await library.memorySize(); // it answers
    return library;
  }

  /** @param {Worker} worker */
  constructor(worker) {
    this.worker = worker;
    this.compiled = null; // for other workers, too
    this.calls = new Map(); // number → {done, failed, told}
    this.last = 0;
    this.failure = null; // of the worker itself
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = (event) => {
      this.failure = new Error(event.message || 'the library does not load');
      for (const { failed } of this.calls.values()) failed(this.failure);
      this.calls.clear();
    };
  }

  #hear({ call, answer, failure, share }) {
    const { done, failed, told } = this.calls.get(call) ?? {};
    if (share !== undefined) {
      told?.(share);
      return;
    }
    this.calls.delete(call);
    if (failure) failed?.(unpacked(failure));
    else done?.(answer);
  }

  /**
   * @param {{name: string, given?: any[], model?: number}} question
   * @param {Transferable[]} [transfer]
   * @param {(share: number) => void} [told]
   * @returns {Promise<any>}
   */
  ask({ name, given = [], model }, transfer = [], told = undefined) {
    if (this.failure) return Promise.reject(this.failure);
    const call = (this.last += 1);
    return new Promise((done, failed) => {
      this.calls.set(call, { done, failed, told });
      this.worker.postMessage({ call, name, given, model }, transfer);
    });
  }

  #ask(name, ...given) {
    return this.ask({ name, given });
  }

  // --- as in module.js

  addFile(path, bytes) {
    return this.#ask('addFile', path, bytes);
  }

  begin(size) {
    return this.#ask('begin', size);
  }

  /** @param {Uint8Array} bytes which belong to the library from now on */
  append(number, bytes) {
    return this.ask({ name: 'append', given: [number, bytes] }, [bytes.buffer]);
  }

  complete(number, path) {
    return this.#ask('complete', number, path);
  }

  abandon(number) {
    return this.#ask('abandon', number);
  }

  knowFiles(paths) {
    return this.#ask('knowFiles', paths);
  }

  dropFile(path) {
    return this.#ask('dropFile', path);
  }

  list(path) {
    return this.#ask('list', path);
  }

  read(path) {
    return this.#ask('read', path);
  }

  memorySize() {
    return this.#ask('memorySize');
  }

  async openAsking(path, options, read) {
    const { model, failure, ...looked } = await this.ask({ name: 'open', given: [path, options] }, [], read);
    return { ...looked, model: model && new Model(this, model), failure: failure && unpacked(failure) };
  }
}

/** A model in the worker, see module.js; it ends there with `close`. */
export class Model {
  constructor(library, { number, info, scene, imageCount, restMeshCount, edits }) {
    this.library = library;
    this.number = number;
    this.info = info;
    this.scene = scene;
    this.imageCount = imageCount;
    this.restMeshCount = restMeshCount;
    this.edits = edits; // of its file
    this.isClosed = false;
  }

  #ask(name, ...given) {
    if (this.isClosed) return Promise.reject(new Closed());
    return this.library.ask({ name, given, model: this.number });
  }

  close() {
    const closing = this.#ask('close');
    this.isClosed = true;
    return closing;
  }

  findings() {
    return this.#ask('findings');
  }

  downloads() {
    return this.#ask('downloads');
  }

  make(how) {
    return this.#ask('make', how);
  }

  bytes() {
    return this.#ask('bytes');
  }

  events(clips) {
    return this.#ask('events', clips);
  }

  compare(other) {
    return this.#ask('compare', other.number);
  }

  // --- pictures

  image(index) {
    return this.#ask('image', index);
  }

  restMesh(index) {
    return this.#ask('restMesh', index);
  }

  uvs(image, only = null) {
    return this.#ask('uvs', image, only);
  }

  async evaluate(moment, atRest = false) {
    return readFrame(await this.#ask('evaluate', moment, atRest));
  }

  rasterise(...given) {
    return this.#ask('rasterise', ...given);
  }

  autoCamera(...given) {
    return this.#ask('autoCamera', ...given);
  }

  ownCamera(...given) {
    return this.#ask('ownCamera', ...given);
  }

  pick(x, y) {
    return this.#ask('pick', x, y);
  }

  places(moment, others) {
    return this.#ask('places', moment, others);
  }

  placeAt(moment, x, y) {
    return this.#ask('placeAt', moment, x, y);
  }

  // --- fields

  tree() {
    return this.#ask('tree');
  }

  rows(numbers) {
    return this.#ask('rows', numbers);
  }

  way(place) {
    return this.#ask('way', place);
  }

  field(path) {
    return this.#ask('field', path);
  }

  text(characters) {
    return this.#ask('text', characters);
  }

  async edit(text) {
    this.edits = await this.#ask('edit', text);
  }

  async undo() {
    this.edits = await this.#ask('undo');
  }
}
