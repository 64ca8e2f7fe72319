// The structure of a document: what of it is open, and the values of what is open.

/** Rows of the tree that are fetched at once. */
const PAGE = 64;

/** Beyond that many numbers a list is no value that one types. */
const MOST_NUMBERS = 16;

const isPlain = (value) => typeof value === 'number' || typeof value === 'string';

/** What an input shows of a value, or null. */
function typed(value) {
  if (isPlain(value)) return String(value);
  if (Array.isArray(value) && value.length <= MOST_NUMBERS && value.every(isPlain)) return JSON.stringify(value);
  return typeof value?.text === 'string' ? value.text : null;
}

export class FieldTree {
  /** @param openPaths {Set<string>} what is open, which outlives the model */
  static async of(model, openPaths) {
    const tree = new FieldTree(model, openPaths, await model.tree());
    for (const path of openPaths) {
      const part = (await model.way({ path })).at(-1);
      if (part === undefined) continue;
      await tree.fetch([part]);
      if (tree.part(part).path === path) tree.open.add(part);
    }
    await tree.settle();
    return tree;
  }

  constructor(model, openPaths, { count, ends, complete }) {
    this.model = model;
    this.openPaths = openPaths;
    this.count = count;
    this.ends = ends;
    this.complete = complete;
    this.open = new Set();
    this.known = new Map();
    this.chosen = null;
  }

  /** Of a part that was fetched. */
  part(index) {
    return this.known.get(index);
  }

  /** Makes parts known; null if they are. */
  fetch(indices) {
    const wanted = indices.filter((index) => !this.known.has(index));
    return wanted.length === 0 ? null : this.#fetch(wanted);
  }

  async #fetch(wanted) {
    for (let i = 0; i < wanted.length; i += PAGE) {
      const some = wanted.slice(i, i + PAGE);
      (await this.model.rows(some)).forEach((row, k) => this.known.set(some[k], row));
    }
  }

  /** Reads the values of the open parts, which `rows` needs. */
  async settle() {
    await this.fetch([...this.open]);
    await Promise.all([...this.open].map((index) => this.#read(this.part(index))));
  }

  hasParts(index) {
    return this.ends[index] > index;
  }

  async toggle(index) {
    await this.fetch([index]);
    const on = !this.open.has(index);
    this.open[on ? 'add' : 'delete'](index);
    this.openPaths[on ? 'add' : 'delete'](this.part(index).path);
    await this.settle();
  }

  /** Opens the way to an offset or a path, and marks where it ends. */
  async openTo(place) {
    const way = await this.model.way(place);
    this.chosen = way.at(-1) ?? null;
    for (const index of way) {
      if (!this.open.has(index) && (index !== this.chosen || this.hasParts(index))) await this.toggle(index);
    }
    return this.chosen;
  }

  /** What is in sight if one scrolls: numbers of parts, and values as {part, name, text}. */
  rows() {
    const rows = [];
    for (let index = 0; index < this.count;) {
      rows.push(index);
      if (!this.open.has(index)) {
        index = this.ends[index] + 1;
        continue;
      }
      for (const value of this.part(index).values) rows.push(value);
      index += 1;
    }
    return rows;
  }

  /** The values of an opened object, which can be changed. */
  async #read(part) {
    if (part.values) return;
    const fields = part.count === null ? await this.model.field(part.path) : null;
    part.values = Object.entries(fields ?? {}).flatMap(([name, value]) => {
      const text = name === 'tag' ? null : typed(value);
      return text === null ? [] : [{ part, name, text }];
    });
  }
}
