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
   */
  constructor(library, { reading, read }) {
    this.library = library;
    this.reading = reading;
    this.read = read;
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
      const lacks = failure || scene.textures.some((texture) => texture.missing);
      const next = lacks && [...this.unread.values()].find((file) => !file.passed);
      if (!next) {
        if (failure) throw failure;
        return { model, scene };
      }
      model?.close();
      await this.openArchive(next, this.unasked).catch((error) => {
        if (isCrash(error)) throw error;
        if (!(error instanceof TooLarge)) console.warn(error);
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

  async #fetch(name) {
    const file = this.known.get(name);
    try {
      const bytes = await file.bytes();
      if (file === this.known.get(name)) this.library.addFile(name, bytes); // else it is known anew by now
    } catch (error) {
      if (isCrash(error)) throw error;
      this.library.dropFile(name);
      console.warn(`${name}: ${error.message}`);
    }
  }
}
