// Errors of the library, on either side of a worker.

/** Thrown when the library says that something cannot be done; the message is its own. */
export class ThawError extends Error {}

/** A call on a closed model. The page ignores it. */
export class Closed extends Error {
  constructor() {
    super('the model is closed');
  }
}

/** An error from within the library, whose memory can be in any state then. */
class Crash extends Error {}

export const isCrash = (error) =>
  error instanceof Crash || error instanceof WebAssembly.RuntimeError || /call stack|recursion/i.test(error?.message);

/** What a message holds of an error: classes do not pass. */
export const packed = (error) => ({
  message: error?.message ?? String(error),
  stack: error?.stack ?? '',
  kind: isCrash(error) ? 'crash' : error instanceof ThawError ? 'thaw' : 'other',
});

export function unpacked({ message, stack, kind }) {
  const error = new ({ crash: Crash, thaw: ThawError }[kind] ?? Error)(message);
  return Object.assign(error, { stack });
}
