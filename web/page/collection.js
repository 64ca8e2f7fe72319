// The files that the page knows: their bytes are read when a model asks for them.

import { TooLarge, isArchive, isModel } from './files.js';
import { ThawError, isCrash } from './module.js';

/** Of files that a model asks for, files that those ask for, and so on. */
const MOST_ROUNDS = 12;

/** Bytes of archives that are fetched although nobody chose them, because a model lacks something. */
const MOST_UNASKED = 256 * 1024 * 1024;

/** A path as the library knows it. */
const nameOf = (path) => path.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll('\\', '/');

export class Collection {
  /**
   * @param library {import('./module.js').Library}
   * @param reading is called with the path of an archive that is about to be read
   * @param read is called with the models in an archive that has been
   * @param find looks elsewhere for what a model lacks: (model's path, texture's path) → bytes or null
   * @param searches whether archives that nobody chose are read when a model lacks something
   * @param warn is told of files that cannot be read
   */
  constructor(library, { reading, read, find, searches = true, warn = console.warn }) {
    this.library = library;
    this.reading = reading;
    this.read = read;
    this.find = find;
    this.searches = searches;
    this.warn = warn;
    this.sought = new Set(); // names that were looked for elsewhere
    this.archiveOf = new Map(); // model → path of the archive that it is in
    this.known = new Map(); // name → file, see files.js
    this.unread = new Map(); // the archives among them that nobody needed yet
    this.unasked = MOST_UNASKED;
  }

  /** Makes files known, anew if they were. */
  add(files) {
    for (const file of files) {
      this.known.set(nameOf(file.path), file);
      this.library.knowFile(file.path);
      if (isArchive(file.path)) this.unread.set(nameOf(file.path), file);
    }
  }

  has(path) {
    return this.known.has(nameOf(path));
  }

  /** The bytes of a known file. */
  bytesOf(path, most) {
    const file = this.known.get(nameOf(path));
    return file ? file.bytes(most) : Promise.reject(new Error(`${path} is not known`));
  }

  /** A picture under the name by which models ask for it. */
  put(name, bytes) {
    this.library.addFile(name, bytes);
  }

  unreadArchive(path) {
    return this.unread.get(nameOf(path));
  }

  /** Reads an archive of at most so many bytes; returns the models in it. */
  openArchive(file, most = Infinity) {
    file.arriving ??= this.#readArchive(file, most).finally(() => { file.arriving = null; });
    return file.arriving;
  }

  async #readArchive(file, most) {
    this.reading(file.path);
    try {
      const bytes = await file.bytes(most);
      this.library.addFile(file.path, bytes);
      if (most !== Infinity) this.unasked -= bytes.length;
    } catch (error) {
      file.passed = true; // not again unless someone chooses it
      throw error;
    }
    this.unread.delete(nameOf(file.path));
    const models = this.library.list(file.path).filter(isModel);
    models.forEach((model) => this.archiveOf.set(model, file.path));
    this.read(models);
    return models;
  }

  /** Opens a model; what is not among the known files is looked for in archives that were not read yet. */
  async open(path, options) {
    for (;;) {
      let failure = null;
      const model = await this.#openWithFiles(path, options).catch((error) => {
        if (!(error instanceof ThawError)) throw error;
        failure = error;
      });
      const scene = model?.report('scene');
      if (scene && await this.#findElsewhere(path, scene)) {
        model.close();
        continue;
      }
      const lacks = failure || scene.textures.some((texture) => texture.missing);
      const next = this.searches && lacks && [...this.unread.values()].find((file) => !file.passed);
      if (!next) {
        if (failure) throw failure;
        return { model, scene };
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
      let model = null;
      let failure = null;
      try {
        model = this.library.open(path, options);
      } catch (error) {
        if (!(error instanceof ThawError)) throw error;
        failure = error;
      }
      const wanted = this.library.takeWanted();
      if (wanted.length === 0 || round === MOST_ROUNDS) {
        if (failure) throw failure;
        return model;
      }
      model?.close();
      await Promise.all(wanted.map((name) => this.#fetch(name)));
    }
  }

  /** Whether something that the model lacks is there now. */
  async #findElsewhere(path, scene) {
    const file = this.known.get(nameOf(this.archiveOf.get(path) ?? path));
    if (!file?.served) return false;
    const lost = scene.textures.filter((texture) => texture.missing && texture.path && !this.sought.has(nameOf(texture.path)));
    const found = await Promise.all(lost.map(async (texture) => {
      this.sought.add(nameOf(texture.path));
      const bytes = await this.find(path, texture.path).catch(() => null);
      if (bytes) this.put(texture.path, bytes);
      return bytes !== null;
    }));
    return found.includes(true);
  }

  async #fetch(name) {
    const file = this.known.get(name);
    try {
      const bytes = await file.bytes();
      if (file === this.known.get(name)) this.library.addFile(name, bytes); // else it is known anew by now
    } catch (error) {
      if (isCrash(error)) throw error;
      this.library.dropFile(name);
      this.warn(`${name}: ${error.message}`);
    }
  }
}
