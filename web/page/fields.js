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
  constructor(model, openPaths) {
    this.model = model;
    this.openPaths = openPaths;
    const { count, ends, complete } = model.tree();
    this.count = count;
    this.ends = ends;
    this.complete = complete;
    this.open = new Set();
    this.known = new Map();
    this.chosen = null;
    for (const path of openPaths) {
      const part = model.way({ path }).at(-1);
      if (part !== undefined && this.part(part).path === path) this.open.add(part);
    }
  }

  part(index) {
    if (!this.known.has(index)) this.fetch([index]);
    return this.known.get(index);
  }

  /** Makes these parts known with one question. */
  fetch(indices) {
    const wanted = indices.filter((index) => !this.known.has(index));
    for (let i = 0; i < wanted.length; i += PAGE) {
      const some = wanted.slice(i, i + PAGE);
      this.model.rows(some).forEach((row, k) => this.known.set(some[k], row));
    }
  }

  hasParts(index) {
    return this.ends[index] > index;
  }

  toggle(index) {
    const on = !this.open.has(index);
    this.open[on ? 'add' : 'delete'](index);
    this.openPaths[on ? 'add' : 'delete'](this.part(index).path);
  }

  /** Opens the way to an offset or a path, and marks where it ends. */
  openTo(place) {
    const way = this.model.way(place);
    this.chosen = way.at(-1) ?? null;
    for (const index of way) {
      if (!this.open.has(index) && (index !== this.chosen || this.hasParts(index))) this.toggle(index);
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
      for (const value of this.#values(index)) rows.push(value);
      index += 1;
    }
    return rows;
  }

  /** The values of an opened object, which can be changed. */
  #values(index) {
    const part = this.part(index);
    part.values ??=
      part.count === null
        ? Object.entries(this.model.field(part.path) ?? {}).flatMap(([name, value]) => {
            const text = name === 'tag' ? null : typed(value);
            return text === null ? [] : [{ part, name, text }];
          })
        : [];
    return part.values;
  }
}
