// Where files come from: dropped, chosen, or listed by `thaw view`.

/** Extensions that are models or archives of models; everything else is only a companion. */
const MODELS = /\.(mdx|mdl|mrf|m3|wmo|wdt|wdl|mrn|dme|adr|glb|gltf)(\.mpq)?$/i;
const ARCHIVES = /\.(mpq|w3x|w3m|w3n|pack|pack2)$/i;

export const isModel = (path) => MODELS.test(path);
export const isArchive = (path) => ARCHIVES.test(path) && !MODELS.test(path);

/** Every file below what was dropped, as [{path, bytes()}]; those of `thaw view` are also `served`. */
export async function filesOfDrop(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const files = [];
  for (const entry of entries) await walk(entry, '', files);
  return files;
}

async function walk(entry, folder, files) {
  const path = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    files.push(fromFile(file, path));
    return;
  }
  const reader = entry.createReader();
  for (;;) { // a reader gives a hundred entries at a time
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return;
    for (const child of batch) await walk(child, `${path}/`, files);
  }
}

export function filesOfInput(list) {
  return [...list].map((file) => fromFile(file, file.webkitRelativePath || file.name));
}

function fromFile(file, path) {
  return { path, bytes: async () => new Uint8Array(await file.arrayBuffer()) };
}

/** The page of `thaw view` lies below its token; on other servers there is nothing to ask for. */
export const isServed = /^\/[0-9a-f]{32}\/$/.test(location.pathname);

/** What `thaw view` offers: {files, first}, first being the path of the one that was named. */
export async function filesOfServer() {
  if (!isServed) return { files: [], first: '' };
  const answer = await fetch('files.json');
  if (!answer.ok) return { files: [], first: '' };
  const { files, first } = await answer.json();
  return { first, files: files.map((path) => ({ path, served: true, bytes: (most) => fetchFile(path, most) })) };
}

/** What `thaw convert` would find of a model's in the folders above it and in the sources; null if nothing. */
export async function findOnServer(model, path) {
  if (!isServed) return null;
  const answer = await fetch(`find?model=${encodeURIComponent(model)}&path=${encodeURIComponent(path)}`);
  return answer.status === 200 ? new Uint8Array(await answer.arrayBuffer()) : null; // 204: no source has it
}

/** A file is not worth its transfer. */
export class TooLarge extends Error {}

async function fetchFile(path, most = Infinity) {
  const stop = new AbortController();
  const answer = await fetch(`file?path=${encodeURIComponent(path)}`, { signal: stop.signal });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  const size = Number(answer.headers.get('content-length'));
  if (size > most) {
    stop.abort();
    throw new TooLarge(`${path} has ${size.toLocaleString()} bytes`);
  }
  return new Uint8Array(await answer.arrayBuffer());
}
