// Work in a worker, so that a page stays fluid, and an AbortSignal ends it at once.

/** A worker with the library. Calls follow each other; one that is aborted ends the worker, and the next starts another. */
export class ThawWorker {
  #worker;
  #last = Promise.resolve();

  /** What a method of a document gives: `run(bytes, 'a.mdx', 'convert', ['glb', { teamColor: 3 }])`. Of pictures it is
   * { width, height, data }. Settings can have what can be sent: sources are Maps or objects of names and bytes. */
  run(bytes, name, method, given = [], { signal } = {}) {
    const done = this.#last.then(() => this.#perform({ bytes, name, method, given }, signal));
    this.#last = done.catch(() => {});
    return done;
  }

  close() {
    this.#worker?.then((worker) => worker.terminate());
    this.#worker = undefined;
  }

  async #perform(message, signal) {
    signal?.throwIfAborted();
    this.#worker ??= start();
    const worker = await this.#worker;
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.close();
        reject(signal.reason);
      };
      const finish = (settle, value) => {
        signal?.removeEventListener('abort', stop);
        settle(value);
      };
      worker.hear(({ result, error }) => (error ? finish(reject, Object.assign(new Error(error.message), error)) : finish(resolve, result)),
        (error) => {
          this.close();
          finish(reject, error);
        });
      signal?.addEventListener('abort', stop, { once: true });
      worker.postMessage(message);
    });
  }
}

/** A worker of a browser or of node, heard alike. */
async function start() {
  const place = new URL('./worker-thread.js', import.meta.url);
  if (globalThis.Worker) {
    const worker = new Worker(place, { type: 'module' });
    worker.hear = (hear, fail) => {
      worker.onmessage = ({ data }) => hear(data);
      worker.onerror = ({ message }) => fail(new Error(message));
    };
    return worker;
  }
  const { Worker: NodeWorker } = await import('node:worker_threads');
  const worker = new NodeWorker(place);
  worker.unref(); // nobody waits for it
  worker.hear = (hear, fail) => {
    worker.removeAllListeners('message').removeAllListeners('error').on('message', hear).on('error', fail);
  };
  return worker;
}
