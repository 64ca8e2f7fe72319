// Tasks of workers: thumbnails of models, and findings of large files.

const SIDE = 112;

/** Pictures that are kept: 50,000 bytes each. */
const MOST_KEPT = 600;

/** Files that workers have to ask the page for; those of the server they ask the server for. */
const dropped = (files) => files.filter(({ served }) => !served).map(({ path }) => path);

export class Thumbnails {
  /**
   * @param files {import('./collection.js').Collection} whose files the workers ask for
   * @param {WebAssembly.Module} compiled the library
   */
  constructor(files, compiled) {
    this.files = files;
    this.compiled = compiled;
    this.made = new Map(); // path → canvas, or the words in its place
    this.wanted = new Map(); // path → button, the last one first
    this.checks = []; // {path, options, answer}, which come before pictures
    this.busy = new Map(); // worker → {path, button} or {path, answer}
    this.workers = [];
    this.idle = [];
  }

  /** Files that came, or came anew. */
  renew(files) {
    for (const { path } of files) this.made.delete(path);
    for (const worker of this.workers) worker.postMessage({ know: dropped(files) });
  }

  want(path, button) {
    const place = button.querySelector('.thumb');
    if (place.childNodes.length > 0) return;
    if (this.made.has(path)) {
      this.#put(path, place);
      return;
    }
    this.wanted.delete(path);
    this.wanted.set(path, button);
    this.start();
    this.#next();
  }

  /** It has gone out of sight. */
  leave(path) {
    this.wanted.delete(path);
    for (const [worker, { path: drawn, button }] of this.busy) if (button && drawn === path) worker.postMessage({ drop: path });
  }

  /** Called when somebody is about to bring files: workers take half a second. */
  start() {
    if (this.workers.length > 0 || this.hasFailed) return;
    const count = (navigator.hardwareConcurrency ?? 2) > 3 ? 2 : 1;
    for (let i = 0; i < count; ++i) {
      const worker = new Worker(new URL('thumbnail-worker.js', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }) => this.#hear(worker, data);
      worker.onerror = (event) => {
        // it has no more to give
        event.preventDefault();
        this.#finish(worker, null);
        this.idle = this.idle.filter((other) => other !== worker);
        this.workers = this.workers.filter((other) => other !== worker);
        this.hasFailed = true;
      };
      worker.postMessage({ start: this.compiled });
      worker.postMessage({ know: dropped([...this.files.known.values()]) });
      this.workers.push(worker);
      this.idle.push(worker);
    }
  }

  /** Findings of a file as it lies; null if no worker can look for them. @param options as Collection.open has them */
  check(path, options) {
    this.start();
    if (this.workers.length === 0) return Promise.resolve(null);
    return new Promise((answer) => {
      this.checks.push({ path, options, answer });
      this.#next();
    });
  }

  #next() {
    while (this.idle.length > 0 && this.checks.length > 0) {
      const { path, options, answer } = this.checks.pop();
      const worker = this.idle.pop();
      this.busy.set(worker, { path, answer });
      worker.postMessage({ check: path, archive: this.files.outermost(path), options });
    }
    while (this.idle.length > 0 && this.wanted.size > 0) {
      const [path] = [...this.wanted].pop(); // who looks at the end of a list does not wait for its beginning
      const worker = this.idle.pop();
      this.busy.set(worker, { path, button: this.wanted.get(path) });
      this.wanted.delete(path);
      worker.postMessage({
        draw: path,
        archive: this.files.outermost(path),
        side: Math.round(SIDE * Math.min(2, window.devicePixelRatio || 1)),
      });
    }
  }

  async #hear(worker, data) {
    if (data.ask !== undefined) {
      const answer = await this.#read(data);
      worker.postMessage({ answer: data.ask, ...answer }, answer.bytes ? [answer.bytes.buffer] : []);
      return;
    }
    this.#finish(worker, data);
  }

  async #read({ path, most }) {
    try {
      return { bytes: await this.files.bytesOf(path, most ?? Infinity) };
    } catch (error) {
      return { failure: error.message };
    }
  }

  #finish(worker, data) {
    const { path, button, answer } = this.busy.get(worker) ?? {};
    this.busy.delete(worker);
    if (answer) answer(data?.findings ?? null);
    else if (data?.dropped) {
      if (button.isConnected) this.wanted.set(path, button); // it came back into sight meanwhile
    } else if (path !== undefined) {
      if (this.made.size >= MOST_KEPT) this.made.delete(this.made.keys().next().value);
      this.made.set(path, data?.picture ? this.#hang(data.picture) : (data?.words ?? 'no picture'));
      this.#put(path, button.querySelector('.thumb'));
    }
    this.idle.push(worker);
    this.#next();
  }

  /** A canvas of two dimensions would take 30 ms to begin. */
  #hang(picture) {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: picture.width, height: picture.height });
    canvas.getContext('bitmaprenderer').transferFromImageBitmap(picture);
    return canvas;
  }

  #put(path, place) {
    const made = this.made.get(path);
    if (typeof made === 'string') place.textContent = made;
    else place.replaceChildren(made);
  }
}
