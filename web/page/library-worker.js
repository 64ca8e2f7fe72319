// The page's library: does what the page asks for in library.js, and answers.

import { packed } from './errors.js';
import { Library } from './module.js';

const models = new Map(); // by number
let last = 0;

let start = /** @type {(compiled: WebAssembly.Module) => void} */ (() => {});
const started = new Promise((resolve) => {
  start = resolve;
}).then(Library.load);

/** An answer whose arrays go to the page; those that lie in the library's memory are copied. */
function send(call, result) {
  const buffers = [];
  const away = (value) => {
    if (Array.isArray(value) && value.some(ArrayBuffer.isView)) return value.map(away);
    if (!ArrayBuffer.isView(value)) return value;
    const array = /** @type {Uint8Array} */ (value);
    const alone = array.byteLength === array.buffer.byteLength ? array : array.slice();
    buffers.push(alone.buffer);
    return alone;
  };
  const isPlain = result?.constructor === Object;
  const answer = isPlain ? Object.fromEntries(Object.entries(result).map(([key, value]) => [key, away(value)])) : away(result);
  postMessage({ call, answer }, { transfer: buffers });
}

/** What a model is asked of that is no function of it alone. */
const ofModels = {
  close(number) {
    models.get(number).close();
    models.delete(number);
  },
  compare: (number, other) => models.get(number).compare(models.get(other)),
};

async function open(library, call, path, options) {
  const { model, failure, ...looked } = await library.openAsking(path, options, (share) => postMessage({ call, share }));
  if (!model) return { ...looked, model: null, failure: packed(failure) };
  models.set((last += 1), model);
  const { info, scene, imageCount, restMeshCount, edits } = model;
  return { ...looked, model: { number: last, info, scene, imageCount, restMeshCount, edits } };
}

function carryOut(library, { call, model, name, given }) {
  if (model !== undefined) return ofModels[name] ? ofModels[name](model, ...given) : models.get(model)[name](...given);
  return name === 'open' ? open(library, call, ...given) : library[name](...given);
}

onmessage = async ({ data }) => {
  if (data.start) {
    start(data.start);
    return;
  }
  try {
    send(data.call, await carryOut(await started, data));
  } catch (error) {
    postMessage({ call: data.call, failure: packed(error) });
  }
};
