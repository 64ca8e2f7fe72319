// Where files come from: dropped, chosen, or listed by `thaw view`.

/** Extensions that are models or archives of models; everything else is only a companion. */
const KINDS = ['mdx', 'mdl', 'mrf', 'm3', 'wmo', 'wdt', 'wdl', 'mrn', 'dme', 'adr', 'glb', 'gltf'];
const MODELS = new RegExp(`\\.(${KINDS.join('|')})(\\.mpq)?$`, 'i');
const ARCHIVES = /\.(mpq|w3x|w3m|w3n|pack|pack2)$/i;

export const isModel = (path) => MODELS.test(path);
export const isArchive = (path) => ARCHIVES.test(path) && !MODELS.test(path);

/** Bytes beyond which a file is not held as a whole beside the library's memory. */
const LARGE = 32 * 1024 * 1024;

const wholeOf = async ({ body }) => new Uint8Array(await new Response(body).arrayBuffer());

/** @param open gives {size, body}, a stream; `most` bytes are welcome */
const fileOf = (path, open, more = {}) => ({ path, ...more, open, bytes: async (most) => wholeOf(await open(most)) });

/**
 * Every file below what was dropped, as [{path, open(most), bytes(most)}]; those of `thaw view` are also `served`.
 * @param onCount is called with their number so far
 */
export async function filesOfDrop(transfer, onCount) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const files = [];
  for (const entry of entries) await walk(entry, '', files, onCount);
  return files;
}

async function walk(entry, folder, files, onCount) {
  const path = folder + entry.name;
  if (entry.isFile) {
    // The browser opens a file in a millisecond, ten thousand in ten seconds: each when somebody reads it.
    files.push(fromFile(() => new Promise((resolve, reject) => entry.file(resolve, reject)), path));
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // a reader gives a hundred entries at a time
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return;
    for (const child of batch) await walk(child, `${path}/`, files, onCount);
    onCount(files.length);
  }
}

export function filesOfInput(list) {
  return [...list].map((file) => fromFile(() => file, file.webkitRelativePath || file.name));
}

function fromFile(find, path) {
  return fileOf(path, async () => {
    const file = await find();
    return { size: file.size, body: file.stream() };
  });
}

/** The page of `thaw view` lies below its token; on other servers there is nothing to ask for. */
export const isServed = /^\/[0-9a-f]{32}\//.test(location.pathname);

/** Addresses of models in the page's own, ?url=… once for each; below ?textures=… lie their textures, else with them. */
const linked = new URLSearchParams(isServed ? '' : location.search);
const links = new Map(
  linked
    .getAll('url')
    .map(absolute)
    .filter(Boolean)
    .map((url) => [nameOfLink(url), url]),
);

function absolute(address) {
  try {
    const url = new URL(address, location.href);
    return /^https?:$/.test(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

function nameOfLink(url) {
  const name = url.pathname.split('/').pop();
  try {
    return decodeURIComponent(name) || 'model';
  } catch {
    return name;
  }
}

/** What ?url= names; nothing without it. */
export const fetchLinks = () =>
  Promise.all(
    [...links].map(async ([path, url]) => {
      const bytes = await wholeOf(await fetchLink(url));
      return { path, bytes: async () => bytes };
    }),
  );

/** A texture by its path in the game. */
export async function findByLink(model, path) {
  const folder = linked.has('textures') ? absolute(linked.get('textures')) : links.get(model);
  return folder ? wholeOf(await fetchLink(below(folder, path))) : null;
}

/** Where a path of the game is below an address. */
export const below = (folder, path) => new URL(path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/'), folder);

async function fetchLink(url, most) {
  try {
    return await fetchFile(url.href, url.href, most);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`${url.host} does not answer, or does not let other pages read its files (CORS).`);
  }
}

/** Characters of names in one question. */
const MOST_ASKED = 6000;

const target = (what, fields) => `${what}?${fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
const servedAt = (path, address) => fileOf(path, (most) => fetchFile(path, address, most), { served: true });
const served = (path) => servedAt(path, target('file', [['path', path]]));

async function ask(what, fields) {
  const answer = await fetch(target(what, fields));
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${answer.statusText}`);
  return answer.json();
}

/** What `thaw view` offers in a folder: {folders, files, first}, `first` being the path of the file that was named. */
export const listOnServer = (folder) => (folder === '' && begun ? begun : readList(folder));

let begun = null;

/** Asks for what the first picture needs while the library is still on its way. */
export function beginOnServer(wanted) {
  if (!isServed) return;
  begun = readList('').then((listing) => {
    const file = listing.files.find(({ path }) => path === (wanted || listing.first));
    if (file) {
      const { open } = file;
      const first = open()
        .then(async (opened) => (opened.size > LARGE ? opened : { ...opened, bytes: await wholeOf(opened) }))
        .catch(() => null);
      file.open = async (most) => {
        // the first time; who asks once more wants the file as it is then
        file.open = open;
        return (await first) ?? open(most);
      };
    }
    return listing;
  });
  begun.catch(() => {}); // who waits for it hears of it
}

async function readList(folder) {
  const { folders, files, first } = await ask('folder', [['path', folder]]);
  const start = folder === '' ? '' : `${folder}/`;
  return { folders, files: files.map((name) => served(start + name)), first };
}

/**
 * Which files a model means by names that it asks for: {found: name → file, isWhole, count, archives}. Unless it `isWhole`,
 * the server has looked along the model's folders alone; with `everywhere` it looks on, and has seen `count` files.
 */
export async function whereOnServer(model, names, everywhere = false) {
  const found = new Map();
  for (let from = 0, said = null; ;) {
    let [to, size] = [from, 0];
    while (to < names.length && (size += encodeURIComponent(names[to]).length + 6) < MOST_ASKED) ++to;
    if (to === from && from < names.length) ++to; // a name as long as that alone
    said = await ask('where', [
      ['model', model],
      ...(everywhere ? [['all', '1']] : []),
      ...names.slice(from, to).map((name) => ['path', name]),
    ]);
    for (const [name, path] of Object.entries(said.files)) found.set(name, served(path));
    for (const name of said.elsewhere)
      found.set(
        name,
        servedAt(
          name,
          target('find', [
            ['model', model],
            ['path', name],
          ]),
        ),
      );
    from = to;
    if (from >= names.length) return { found, isWhole: said.isWhole, count: said.count, archives: said.archives.map(served) };
  }
}

/** Models of which the path holds all words: {models, isWhole, count}. */
export async function searchOnServer(words) {
  if (!isServed) return { models: [], isWhole: true, count: 0 };
  const { files, isWhole, count } = await ask('search', [
    ...words.map((word) => ['word', word]),
    ...KINDS.flatMap((kind) => [
      ['ending', `.${kind}`],
      ['ending', `.${kind}.mpq`],
    ]),
  ]);
  return { models: files, isWhole, count };
}

/** A file is not worth its transfer. */
export class TooLarge extends Error {}

async function fetchFile(path, address, most = Infinity) {
  const stop = new AbortController();
  const answer = await fetch(address, { signal: stop.signal });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  const size = Number(answer.headers.get('content-length'));
  if (size > most) {
    stop.abort();
    throw new TooLarge(`${path} has ${size.toLocaleString()} bytes`);
  }
  return { size, body: answer.body };
}
