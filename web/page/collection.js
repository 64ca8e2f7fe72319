// The files that the page knows: their bytes are read when a model asks for them.

import { TooLarge, isArchive, isModel } from './files.js';
import { isCrash } from './errors.js';
import { isPicture } from './pictures.js';

/** Of files that a model asks for, files that those ask for, and so on. */
const MOST_ROUNDS = 12;

/** Bytes of archives that are fetched although nobody chose them, because a model lacks something. */
const MOST_UNASKED = 256 * 1024 * 1024;

/** Bytes of files that the library keeps for whoever opens something next. */
const MOST_HELD = 8 * 1024 * 1024;

/** Bytes from which a file is handed over in pieces. */
const LARGE = 4 * 1024 * 1024;

/** Archives that lie in each other; those in the last of them stay closed. */
const MOST_NESTED = 4;

/** What MPQ has of itself. */
const OF_MPQ = /^\((listfile|attributes|signature|user data)\)$/;

/** Of a folder that becomes known: more of them hold up what moves. */
const FILES_AT_ONCE = 2000;

/** Milliseconds until the server is asked again whether it has looked everywhere. */
const PAUSE = 250;

const folderOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);

/** Does something with many files, while the page answers. */
export async function inPieces(files, act) {
  for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
    if (at > 0)
      await new Promise((next) => {
        setTimeout(next);
      });
    act(files.slice(at, at + FILES_AT_ONCE));
  }
}

/** A path as the library knows it. */
const nameOf = (path) => path.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll('\\', '/');

export class Collection {
  /**
   * @param library {import('./library.js').Library|import('./module.js').Library}
   * @param reading is called with the path of an archive that is about to be read
   * @param read is called with the models and textures in an archive that has been
   * @param list gives what the server has in a folder, see files.js
   * @param where gives what the server has by the names that a model asks for, see files.js
   * @param find looks elsewhere for textures that a model lacks: (model's path, texture's path) → bytes or null
   * @param searches whether archives that nobody chose are read when a model lacks something
   * @param opening is told how much of a large file is read, 0 to 1
   * @param isPatient whether a model that lacks something waits until the server has looked everywhere
   * @param warn is told of files that cannot be read
   */
  constructor(
    library,
    {
      reading,
      read,
      opening = /** @type {(path: string, share: number) => void} */ (() => {}),
      list = null,
      where = null,
      find = null,
      searches = true,
      isPatient = false,
      warn = console.warn,
    },
  ) {
    this.library = library;
    this.reading = reading;
    this.read = read;
    this.opening = opening;
    this.list = list;
    this.where = where;
    this.find = find;
    this.searches = searches;
    this.isPatient = isPatient;
    this.warn = warn;
    this.listings = new Map(); // folder of the server's → what is in it
    this.sought = new Map(); // folder of a model → names that were looked for there: true until everything was looked through
    this.lastParts = new Map(); // bare name → folders that have such a file
    this.archiveOf = new Map(); // path of a file in an archive → that of the archive
    this.passedOver = new Map(); // path of an archive → how many files in it nobody can open
    this.known = new Map(); // name → file, see files.js
    this.unread = new Map(); // the archives among them that nobody needed yet
    this.unasked = MOST_UNASKED;
    this.isAltered = false; // whether a file is otherwise than it came: other workers do not have it so
    this.held = new Map(); // name → bytes that the library has of a file, the oldest first; archives and edited files stay beside
  }

  /** Makes files known, anew if they were. */
  add(files) {
    for (const file of files) {
      const name = nameOf(file.path);
      if (!this.known.has(name)) this.#index(name);
      else if (isArchive(file.path)) this.#forgetIn(file.path);
      this.known.set(name, file);
      if (isArchive(file.path)) this.unread.set(name, file);
    }
    this.library.knowFiles(files.map(({ path }) => path));
  }

  /** What an archive had that comes anew. */
  #forgetIn(archive) {
    for (const path of this.archiveOf.keys()) {
      if (!path.startsWith(`${archive}/`)) continue;
      this.archiveOf.delete(path);
      this.passedOver.delete(path);
      if (this.known.delete(nameOf(path))) this.library.dropFile(path);
      this.unread.delete(nameOf(path));
    }
  }

  #index(name) {
    const bare = name.slice(folderOf(name).length);
    if (!this.lastParts.has(bare)) this.lastParts.set(bare, []);
    this.lastParts.get(bare).push(folderOf(name));
  }

  #addNew(files) {
    const fresh = files.filter((file) => !this.has(file.path));
    this.add(fresh);
    return fresh;
  }

  /** What the server has in a folder, which is asked for once: {folders, models, first}. */
  openFolder(folder) {
    if (!this.listings.has(folder)) {
      const listing = this.#readFolder(folder);
      listing.catch(() => this.listings.delete(folder));
      this.listings.set(folder, listing);
    }
    return this.listings.get(folder);
  }

  async #readFolder(folder) {
    const { folders, files, first } = await this.list(folder);
    await inPieces(files, (some) => this.#addNew(some));
    return { folders, first, models: files.map(({ path }) => path).filter(isModel) };
  }

  has(path) {
    return this.known.has(nameOf(path));
  }

  /** The bytes of a known file, or of one in an archive. */
  async bytesOf(path, most) {
    const file = this.known.get(nameOf(path));
    if (file) return file.bytes(most);
    await this.#unpack(path);
    if (!this.archiveOf.has(path)) throw new Error(`${path} is not known`);
    return this.library.read(path);
  }

  /** A picture under the name by which a model asks for it. */
  async put(name, bytes, model) {
    const archive = this.archiveOf.get(model);
    this.isAltered = true;
    await this.library.addFile(archive ? `${archive}/${name}` : name, bytes);
  }

  /** A file stays as the library has it: with edits. */
  pin(path) {
    this.isAltered = true;
    this.held.delete(nameOf(path));
  }

  /** Forgets what was read longest ago; it is read again when somebody asks for it. */
  #giveBack(shown) {
    let size = [...this.held.values()].reduce((sum, bytes) => sum + bytes, 0);
    const left = [];
    for (const [name, bytes] of this.held) {
      if (size <= MOST_HELD) break;
      if (name === shown) continue;
      left.push(name);
      this.held.delete(name);
      size -= bytes;
    }
    if (left.length > 0) this.library.knowFiles(left);
  }

  /** Whether there is such a file. */
  async reaches(path) {
    await this.#unpack(path).catch(() => {});
    return this.has(path) || this.archiveOf.has(path);
  }

  /** Reads the archives in which a file lies, the outermost first. */
  async #unpack(path) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const archive = this.unreadArchive(path.slice(0, at));
      if (archive) await this.openArchive(archive);
    }
  }

  /** The archive that has a file, or has the archive that has it, and so on; null of other files. */
  outermost(path) {
    const archive = this.archiveOf.get(path);
    return archive === undefined ? null : (this.outermost(archive) ?? archive);
  }

  #depth(path) {
    const archive = this.archiveOf.get(path);
    return archive === undefined ? 1 : 1 + this.#depth(archive);
  }

  unreadArchive(path) {
    return this.unread.get(nameOf(path));
  }

  /** Reads an archive of at most so many bytes; returns the models in it, then the textures. */
  openArchive(file, most = Infinity) {
    file.arriving ??= this.#readArchive(file, most).finally(() => {
      file.arriving = null;
    });
    return file.arriving;
  }

  async #readArchive(file, most) {
    this.reading(file.path);
    try {
      const { size } = await this.#take(file.path, file, most);
      if (most !== Infinity) this.unasked -= size;
    } catch (error) {
      file.passed = true; // not again unless someone chooses it
      throw error;
    }
    this.unread.delete(nameOf(file.path));
    const names = (await this.library.list(file.path)).filter((name) => !OF_MPQ.test(name));
    const enter = (kind) =>
      names.filter(kind).map((name) => {
        const path = `${file.path}/${name}`;
        this.archiveOf.set(path, file.path);
        return path;
      });
    const inside = this.#depth(file.path) < MOST_NESTED ? enter(isArchive) : [];
    this.add(inside.map((path) => ({ path, passed: true, bytes: async () => this.library.read(path) })));
    const paths = [...enter(isModel), ...enter(isPicture)];
    this.passedOver.set(file.path, names.length - paths.length - inside.length);
    this.read(paths);
    return paths;
  }

  /**
   * Opens a model; what is not among the known files is asked of the server, and looked for in archives that were not read
   * yet. What comes of it `isOpen` if there may be more of what it lacks: see `settle`.
   */
  async open(path, options) {
    await this.#unpack(path);
    if (this.list && !this.archiveOf.has(path) && (this.#servedFile(path) || !this.has(path))) {
      await this.openFolder(folderOf(path).slice(0, -1)).catch(() => {}); // of what is not there the library tells
    }
    for (;;) {
      const { model, failure } = await this.#openWithFiles(path, options);
      const scene = model?.scene;
      if (scene && this.find && (await this.#findElsewhere(path, scene))) {
        model.close();
        continue;
      }
      this.#giveBack(nameOf(path));
      const lacks = failure || scene.textures.some((texture) => texture.missing);
      const isOpen = this.#isOpen(path, lacks);
      if (isOpen && model && !this.isPatient) return { model, scene, isOpen };
      if (isOpen && (await this.settle(path))) {
        model?.close();
        continue;
      }
      const next = this.searches && lacks && [...this.unread.values()].find((file) => !file.passed);
      if (!next) {
        if (failure) throw failure;
        return { model, scene, isOpen: false };
      }
      model?.close();
      await this.openArchive(next, this.unasked).catch((error) => {
        if (isCrash(error)) throw error;
        if (!(error instanceof TooLarge)) this.warn(error);
      });
    }
  }

  /** Opens a model with all files that it asks for and that are known; it may ask for more when it has some. */
  async #openWithFiles(path, options) {
    for (let round = 0; ; ++round) {
      const { model, failure, wanted, asked } = await this.library.openAsking(path, options, (share) => this.opening(path, share));
      const located = await this.#locate(path, asked);
      const names = new Set([...wanted, ...located.map((file) => nameOf(file.path))]);
      if (names.size === 0 || round === MOST_ROUNDS) return { model, failure };
      model?.close();
      await Promise.all([...names].map((each) => this.#fetch(each)));
    }
  }

  // --- what the server has

  /** The file on the server that a model is or lies in; none of one that was dropped. */
  #servedFile(path) {
    const file = this.known.get(nameOf(this.outermost(path) ?? path));
    return file?.served ? file : null;
  }

  #soughtBy(file) {
    const home = folderOf(nameOf(file.path));
    if (!this.sought.has(home)) this.sought.set(home, new Map());
    return this.sought.get(home);
  }

  /** Asks for names that no model of this folder has asked for yet; files that were not known before. */
  async #locate(path, asked) {
    const file = this.where && this.#servedFile(path);
    if (!file) return [];
    const sought = this.#soughtBy(file);
    const names = asked.filter((name) => !sought.has(name) && name !== nameOf(file.path));
    if (names.length === 0) return [];
    const { found, isWhole } = await this.where(file.path, names);
    for (const name of names) sought.set(name, !isWhole && !found.has(name));
    return this.#addNew([...found.values()]);
  }

  /** Whether the server may have more of what a model lacks, or something nearer than what it has by its bare name. */
  #isOpen(path, lacks) {
    const file = this.where && this.#servedFile(path);
    if (!file) return false;
    const home = folderOf(nameOf(file.path));
    return [...this.#soughtBy(file)].some(
      ([name, isOpen]) => isOpen && (lacks || this.lastParts.get(name.slice(folderOf(name).length))?.some((folder) => folder !== home)),
    );
  }

  /** Waits until the server has looked everywhere; whether it found something. @param looking is told how many files it has seen */
  async settle(path, looking = /** @type {(count: number) => void} */ (() => {})) {
    const file = this.#servedFile(path);
    const sought = this.#soughtBy(file);
    for (;;) {
      const names = [...sought].filter(([, isOpen]) => isOpen).map(([name]) => name);
      const { isWhole, count } = await this.where(file.path, [], true);
      if (isWhole) {
        const { found, archives } = await this.where(file.path, names, true);
        for (const name of names) sought.set(name, false);
        return this.#addNew([...found.values(), ...archives]).length > 0;
      }
      looking(count);
      await new Promise((next) => {
        setTimeout(next, PAUSE);
      });
    }
  }

  /** Whether something that the model lacks is there now. */
  async #findElsewhere(path, scene) {
    const sought = this.#soughtBy({ path });
    const lost = scene.textures.filter((texture) => texture.missing && texture.path && !sought.has(nameOf(texture.path)));
    const found = await Promise.all(
      lost.map(async (texture) => {
        sought.set(nameOf(texture.path), false);
        const bytes = await this.find(path, texture.path).catch(() => null);
        if (bytes) await this.put(texture.path, bytes, path);
        return bytes !== null;
      }),
    );
    return found.includes(true);
  }

  /** Gives the library the bytes of a file, unless it is known anew by then. */
  async #take(name, file, most) {
    const counts = () => file === this.known.get(nameOf(file.path));
    const opened = file.open ? await file.open(most) : { bytes: await file.bytes(most) };
    if (!opened.bytes) await this.#takeStream(name, opened, counts);
    else if (counts()) await this.library.addFile(name, opened.bytes);
    return { size: opened.size ?? opened.bytes.length };
  }

  /** As addFile, of a large file while its bytes come. @param counts whether the file is still wanted when all of them are there */
  async #takeStream(name, { size, body }, counts) {
    if (size <= LARGE) {
      const bytes = new Uint8Array(await new Response(body).arrayBuffer());
      if (bytes.length !== size) throw new Error(`its size is no longer ${size.toLocaleString()} bytes`);
      if (counts()) await this.library.addFile(name, bytes);
      return;
    }
    const reader = body.getReader();
    const arriving = await this.library.begin(size);
    let count = 0;
    try {
      for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
        count += value.length;
        if (count > size) break;
        await this.library.append(arriving, value);
      }
      if (count !== size) throw new Error(`its size is no longer ${size.toLocaleString()} bytes`);
      if (!counts()) throw new Error('it was opened again');
    } catch (error) {
      reader.cancel().catch(() => {}); // whoever still sends
      this.library.abandon(arriving);
      throw error;
    }
    await this.library.complete(arriving, name);
  }

  async #fetch(name) {
    const file = this.known.get(name);
    try {
      const { size } = await this.#take(name, file);
      this.held.delete(name);
      this.held.set(name, size);
    } catch (error) {
      if (file !== this.known.get(name)) return;
      if (isCrash(error)) throw error;
      this.library.dropFile(name);
      this.warn(`${name}: ${error.message}`);
    }
  }
}
