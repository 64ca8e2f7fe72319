// What works in the worker of worker.js.
import { open, Picture } from './thaw.js';

async function perform({ bytes, name, method, given }) {
  const document = await open(bytes, name);
  try {
    const result = typeof document[method] === 'function' ? document[method](...given) : document[method];
    if (!(result instanceof Picture)) return result;
    const { width, height, data } = result;
    result.close();
    return { width, height, data };
  } finally {
    document.close();
  }
}

const port = globalThis.postMessage ? globalThis : (await import('node:worker_threads')).parentPort;
const hear = async (message) => {
  try {
    port.postMessage({ result: await perform(message) });
  } catch ({ name, message: text, code, path, offset }) {
    port.postMessage({ error: { name, message: text, code, path, offset } });
  }
};
if (port === globalThis) port.onmessage = ({ data }) => hear(data);
else port.on('message', hear);
