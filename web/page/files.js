// Where files come from: dropped, chosen, or listed by `thaw view`.

/** Extensions that are models or archives of models; everything else is only a companion. */
const MODELS = /\.(mdx|mdl|mrf|m3|wmo|wdt|wdl|adt|mrn|nsa|dme|adr)(\.mpq)?$/i;
const ARCHIVES = /\.(mpq|w3x|w3m|w3n|pack|pack2)$/i;

/** Bytes of models and archives that are read at once; textures are read with them. */
export const isModel = (path) => MODELS.test(path);
export const isArchive = (path) => ARCHIVES.test(path) && !MODELS.test(path);

/** Every file below what was dropped, as [{path, bytes()}]. */
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

/** The token with which `thaw view` lets this page see files; null for a page from elsewhere. */
function token() {
  return new URLSearchParams(location.search).get('token');
}

/** What `thaw view` offers, or an empty list. */
export async function filesOfServer() {
  if (token() === null) return [];
  const answer = await fetch(`files?token=${token()}`);
  if (!answer.ok) return [];
  const paths = await answer.json();
  return paths.map((path) => ({
    path,
    bytes: async () => {
      const file = await fetch(`file?token=${token()}&path=${encodeURIComponent(path)}`);
      if (!file.ok) throw new Error(`${path}: ${file.status} ${file.statusText}`);
      return new Uint8Array(await file.arrayBuffer());
    },
  }));
}
