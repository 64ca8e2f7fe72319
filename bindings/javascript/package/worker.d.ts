// Types of worker.js.
import type { Bytes } from './thaw.js';

/** A worker with the library, in browsers and node. */
export class ThawWorker {
  /** What a method of a document gives: `run(bytes, 'a.mdx', 'convert', ['glb', { teamColor: 3 }])`. An abort ends it at once. */
  run(bytes: Bytes, name: string, method: string, given?: unknown[], settings?: { signal?: AbortSignal }): Promise<any>;
  close(): void;
}
