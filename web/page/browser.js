// The left pane: a tree of the folders, models and archives that are open. Of its rows only those in sight are in the
// page, with their pictures: a folder may hold a hundred thousand.

import { isModel } from './files.js';
import { at as byId, element } from './panels.js';
import { isPicture } from './pictures.js';

const folderOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);
const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1);

/** In pixels: the least width of a picture, the room around it, what its name takes, a row of one line, and what is made beyond the edges. */
const LEAST = 80;
const GAP = 4;
const NAME = 40;
const LINE = 30;
const SPARE = 240;

const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Numbers in names count as numbers. */
const sortKey = (name) => name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0'));
const byKey = (a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.path < b.path ? -1 : 1);

/** The last one for which that is so; the first one if it is of none. */
function lastWhere(list, holds) {
  let [from, to] = [0, list.length];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (holds(list[middle])) from = middle;
    else to = middle;
  }
  return list[from];
}

export class Browser {
  /**
   * @param chosen is called with the path that somebody wants to see
   * @param thumbnails {import('./thumbnails.js').Thumbnails}
   * @param list gives what is in a folder of the server's: {folders, models}
   * @param search gives what the server has elsewhere: {models, isWhole, count}
   */
  constructor(chosen, thumbnails, { list, search }) {
    this.chosen = chosen;
    this.thumbnails = thumbnails;
    this.ask = list;
    this.searchElsewhere = search;
    this.folders = new Map(); // name, with its slash → what is in it
    this.items = new Map(); // path → {path, name, low, key}
    this.archives = new Set(); // folders that nobody opened yet
    this.passedOver = 0; // files in archives that are not listed
    this.current = null;
    this.active = null; // the key of the row that Tab leads to
    this.made = new Map(); // key → element
    this.selected = new Set(); // paths of models
    this.anchor = null; // from where Shift selects
    this.blocks = [];
    this.view = byId('models');
    this.search = byId('search');
    this.paper = element('div', { role: 'none' });
    this.view.append(this.paper);
    this.search.oninput = () => {
      this.view.scrollTop = 0;
      this.#fill();
      this.#searchElsewhere();
    };
    this.search.addEventListener(
      'keydown',
      (event) => event.key === 'ArrowDown' && this.blocks.length > 0 && (event.preventDefault(), this.#go(0)),
    );
    this.view.addEventListener('scroll', () => this.#render());
    const keyAt = ({ target }) => target.closest('[role=treeitem]')?.dataset.key;
    this.view.addEventListener('click', (event) => {
      if (event.shiftKey) this.#selectTo(keyAt(event));
      else if (event.ctrlKey || event.metaKey) this.#toggle(keyAt(event));
      else this.#choose(keyAt(event));
    });
    this.view.addEventListener('contextmenu', (event) => {
      event.preventDefault(); // a finger that stays has no Ctrl
      this.#toggle(keyAt(event));
    });
    byId('clear-selected').onclick = () => this.select([]);
    this.view.addEventListener('keydown', (event) => this.#key(event));
    new ResizeObserver(() => this.#fill()).observe(this.view);
    this.#folder('', true);
  }

  // --- what there is

  /** What is met open is known; what is closed may hold more than what is known of it. */
  #folder(name, open) {
    let folder = this.folders.get(name);
    if (!folder) {
      folder = { name, open, items: [], folders: new Map(), isListed: open, isSorted: true };
      this.folders.set(name, folder);
      if (name !== '') this.#folder(folderOf(name.slice(0, -1)), open).folders.set(name, { path: name, key: sortKey(name), folder });
    }
    return folder;
  }

  #put(path, open) {
    if (this.items.has(path)) return;
    const item = { path, name: nameOf(path), low: path.toLowerCase(), key: sortKey(nameOf(path)) };
    this.items.set(path, item);
    const folder = this.#folder(folderOf(path), open);
    folder.items.push(item);
    folder.isSorted = false;
  }

  add(models, archives, passedOver = 0) {
    for (const path of models) {
      this.#put(path, !isPicture(path)); // folders of textures alone are closed
      this.folders.get(folderOf(path)).isListed = true;
      this.#drop(path); // what came anew looks otherwise
    }
    const before = this.archives;
    this.archives = new Set(archives.map((path) => `${path}/`));
    for (const name of before) if (!this.archives.has(name)) Object.assign(this.folders.get(name), { open: true, isListed: true });
    for (const name of this.archives) {
      if (this.folders.get(name)?.isListed) this.#forget(name); // it came anew
      this.#folder(name, false);
    }
    this.passedOver = passedOver;
    this.#later();
  }

  #forget(name) {
    for (const known of [this.items, this.folders]) for (const path of known.keys()) if (path.startsWith(name)) known.delete(path);
    this.folders.get(folderOf(name.slice(0, -1))).folders.delete(name);
  }

  /** What the server has in a folder; the folders below it are closed, and not known yet. */
  addListing(name, { folders, models }) {
    const folder = this.#folder(name, true);
    folder.isListed = true;
    models.forEach((path) => this.#put(path, true));
    for (const child of folders) this.#folder(`${name}${child}/`, false);
    this.#later();
  }

  /** Opens a folder; what is in it is asked for when that is done for the first time. */
  async open(name, on = true) {
    const folder = this.folders.get(name);
    if (!folder) return;
    folder.open = on;
    this.#fill();
    if (!on || folder.isListed) return;
    folder.isListed = true; // not again
    const said = await this.ask(name.slice(0, -1)).catch(() => null);
    if (said) this.addListing(name, said);
    else folder.isListed = false;
  }

  /** Opens the folders that lead to a model. */
  async reveal(path) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const name = path.slice(0, at + 1);
      if (this.folders.get(name)?.open === false) await this.open(name);
    }
  }

  /** One fill for many files that come one after another. */
  #later() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.#fill();
    });
  }

  /** The model that comes so many after the one that is shown. */
  neighbour(by) {
    const kind = isPicture(this.current ?? ''); // from model to model, from texture to texture
    const shown = this.blocks.flatMap(({ items }) => items).filter(({ path }) => isPicture(path) === kind);
    const at = shown.findIndex(({ path }) => path === this.current);
    return shown.length === 0 ? null : shown[(at + by + shown.length) % shown.length].path;
  }

  /** The model that is shown. */
  mark(path) {
    this.current = path;
    this.active = path;
    this.reveal(path).then(() => {
      this.#fill();
      const at = this.#indexOf(path);
      if (at >= 0 && !this.view.contains(document.activeElement)) this.#scrollTo(at);
    });
  }

  async #searchElsewhere() {
    const asked = this.search.value;
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const pause = (time) =>
      new Promise((done) => {
        setTimeout(done, time);
      });
    this.looking = null;
    for (await pause(150); turn === this.turn && asked.trim() !== ''; await pause(500)) {
      const said = await this.searchElsewhere(this.words).catch(() => null);
      if (!said || turn !== this.turn) break;
      said.models.forEach((path) => this.#put(path, false));
      this.looking = said.isWhole ? null : said.count;
      this.#fill();
      if (said.isWhole) break;
    }
  }

  // --- where it lies

  get words() {
    return wordsOf(this.search.value);
  }

  /** The first models that hold all words. */
  modelsWith(text, most) {
    const words = wordsOf(text);
    const found = [];
    for (const { path, low } of this.items.values()) {
      if (found.length === most) break;
      if (isModel(path) && words.every((word) => low.includes(word))) found.push(path);
    }
    return found;
  }

  /** Folders in their order, each with what is shown of it. */
  #listed() {
    const { words } = this;
    const sorted = (folder) => {
      if (!folder.isSorted) folder.items.sort(byKey);
      folder.isSorted = true;
      return folder.items;
    };
    const list = [];
    const visit = (folder, depth, position, count) => {
      const inside = [...folder.folders.values()].sort(byKey);
      const items =
        words.length > 0
          ? sorted(folder).filter(({ low }) => words.every((word) => low.includes(word)))
          : folder.open
            ? sorted(folder)
            : [];
      const size = folder.items.length + inside.length;
      if (words.length === 0 || items.length > 0)
        list.push({ folder, depth, position, count, items, size: words.length > 0 ? items.length : size });
      if (folder.open || words.length > 0) inside.forEach((child, i) => visit(child.folder, depth + 1, folder.items.length + i + 1, size));
    };
    visit(this.folders.get(''), 0, 1, 1);
    return list;
  }

  #layOut() {
    const flat = this.words.length > 0;
    const width = this.view.clientWidth - 2 * GAP;
    this.columns = Math.max(1, Math.floor((width + GAP) / (LEAST + GAP)));
    this.side = Math.floor((width - (this.columns - 1) * GAP) / this.columns);
    let top = GAP;
    let first = 0;
    this.blocks = this.#listed()
      .map((block) => {
        const header = flat || block.folder.name !== '' ? 1 : 0;
        const [columns, height] = [this.columns, this.side + NAME];
        const placed = { ...block, flat, header, top, first, columns, height };
        top += header * LINE + Math.ceil(block.items.length / columns) * (height + GAP);
        first += header + block.items.length;
        return placed;
      })
      .filter(({ header, items }) => header + items.length > 0);
    this.total = first;
    this.paper.style.height = `${top + GAP}px`;
  }

  /** What row number `index` shows. */
  #row(index) {
    const block = lastWhere(this.blocks, ({ first }) => first <= index);
    const i = index - block.first - block.header;
    return { block, i, key: i < 0 ? block.folder.name : block.items[i].path };
  }

  #box({ block, i }) {
    if (i < 0) return { left: GAP, top: block.top, width: this.view.clientWidth - 2 * GAP, height: LINE };
    const [column, line] = [i % block.columns, Math.floor(i / block.columns)];
    return {
      left: GAP + column * (this.side + GAP),
      top: block.top + block.header * LINE + line * (block.height + GAP),
      width: this.side,
      height: block.height,
    };
  }

  #indexOf(key) {
    for (const block of this.blocks) {
      if (block.header && block.folder.name === key) return block.first;
      if (block.folder.name !== folderOf(key) || key.endsWith('/')) continue;
      const i = block.items.findIndex(({ path }) => path === key);
      if (i >= 0) return block.first + block.header + i;
    }
    return -1;
  }

  // --- what is in the page of it

  #fill() {
    this.#layOut();
    const shown = this.blocks.flatMap(({ items }) => items);
    const found = shown.length;
    const kind = shown.some(({ path }) => isPicture(path)) ? 'file' : 'model';
    const looking = this.looking !== null && this.looking !== undefined ? ` · looking through ${this.looking.toLocaleString()} files…` : '';
    byId('found').textContent =
      (found > 0
        ? `${found.toLocaleString()} ${kind}${found === 1 ? '' : 's'}`
        : this.words.length === 0
          ? ''
          : looking
            ? 'None yet'
            : 'No model has this name.') +
      looking +
      (this.passedOver > 0 && this.words.length === 0
        ? ` · ${this.passedOver.toLocaleString()} other file${this.passedOver === 1 ? '' : 's'} in archives not shown`
        : '');
    for (const [name, value] of [
      ['role', 'tree'],
      ['aria-label', 'Models'],
      ['aria-multiselectable', 'true'],
    ]) {
      if (this.total > 0) this.view.setAttribute(name, value);
      else this.view.removeAttribute(name);
    }
    for (const row of this.made.values()) row.stale = true;
    this.#render();
  }

  #render() {
    const { scrollTop, clientHeight } = this.view;
    const wanted = new Map(); // key → row, in order
    let active = this.active === null ? -1 : this.#indexOf(this.active);
    if (active < 0 && this.total > 0) {
      active = 0;
      this.active = this.#row(0).key;
    }
    const keepActive = () => active >= 0 && wanted.set(this.active, this.#row(active));
    for (const block of this.blocks) {
      const low = Math.max(0, Math.floor((scrollTop - SPARE - block.top - block.header * LINE) / (block.height + GAP)));
      const high = Math.ceil((scrollTop + clientHeight + SPARE - block.top - block.header * LINE) / (block.height + GAP));
      const [from, to] = [low * block.columns, Math.min(block.items.length, high * block.columns)];
      if (active >= 0 && active < block.first + block.header + from) {
        keepActive();
        active = -1;
      }
      if (block.header && block.top + LINE > scrollTop - SPARE && block.top < scrollTop + clientHeight + SPARE)
        wanted.set(block.folder.name, { block, i: -1, key: block.folder.name });
      for (let i = from; i < to; ++i) wanted.set(block.items[i].path, { block, i, key: block.items[i].path });
    }
    if (active >= 0 && !wanted.has(this.active)) keepActive();
    for (const key of this.made.keys()) if (!wanted.has(key)) this.#drop(key);
    let before = null; // in the page rows stand in their order, for those who have them read
    for (const [key, row] of wanted) {
      let node = this.made.get(key);
      if (!node) {
        node = row.i < 0 ? element('div', { class: 'folder' }) : this.#model(row);
        node.dataset.key = key;
        node.setAttribute('role', 'treeitem');
        node.stale = true;
        this.made.set(key, node);
      }
      if (node.previousElementSibling !== before || !node.parentNode) {
        if (before) before.after(node);
        else this.paper.prepend(node);
      }
      if (node.stale) this.#dress(node, row);
      node.tabIndex = key === this.active ? 0 : -1;
      before = node;
    }
  }

  #drop(key) {
    this.thumbnails.leave(key);
    this.made.get(key)?.remove();
    this.made.delete(key);
  }

  #model({ block, i }) {
    const { path, name } = block.items[i];
    const node = element(
      'div',
      { class: 'model', title: path, 'data-path': path },
      element('span', { class: 'thumb', 'aria-hidden': 'true' }),
      element('span', { class: 'name' }, name),
    );
    this.thumbnails.want(path, node);
    return node;
  }

  /** Place and state, which change when something opens. */
  #dress(node, row) {
    const { block, i, key } = row;
    const box = this.#box(row);
    node.stale = false;
    for (const side of ['left', 'top', 'width', 'height']) node.style[side] = `${box[side]}px`;
    node.ariaLevel = block.flat ? (i < 0 ? 1 : 2) : Math.max(1, block.depth + (i < 0 ? 0 : 1));
    node.ariaSetSize = i < 0 && !block.flat ? block.count : i < 0 ? this.blocks.length : block.size;
    node.ariaPosInSet = i < 0 ? (block.flat ? this.blocks.indexOf(block) + 1 : block.position) : i + 1;
    if (key === this.current) node.setAttribute('aria-current', 'true');
    else node.removeAttribute('aria-current');
    if (isModel(key)) node.ariaSelected = String(this.selected.has(key));
    if (i >= 0) return;
    const { folder } = block;
    const open = folder.open || block.flat;
    node.ariaExpanded = String(open);
    node.title = folder.name;
    node.style.paddingLeft = block.flat ? '' : `${(block.depth - 1) * 0.8 + 0.2}rem`;
    const isArchive = this.archives.has(folder.name);
    node.toggleAttribute('data-archive', isArchive);
    const count = block.flat ? block.items.length : folder.isListed ? folder.items.length : 0;
    const name = block.flat ? folder.name.slice(0, -1) || 'here' : nameOf(folder.name.slice(0, -1));
    node.replaceChildren(
      element('span', { class: 'quiet', 'aria-hidden': 'true' }, open ? '▾ ' : '▸ '),
      name,
      element('span', { class: 'quiet' }, isArchive ? ' archive' : count > 0 ? ` ${count.toLocaleString()}` : ''),
    );
  }

  // --- several at once

  /** Selects these models alone. */
  select(paths) {
    this.selected = new Set(paths);
    byId('selection').hidden = this.selected.size === 0;
    byId('selected-count').textContent = `${this.selected.size.toLocaleString()} selected`;
    this.#fill();
  }

  /** Selected models as they stand in the list. */
  get selection() {
    const shown = this.#models();
    return [...shown.filter((path) => this.selected.has(path)), ...[...this.selected].filter((path) => !shown.includes(path))];
  }

  #models() {
    return this.blocks.flatMap(({ items }) => items.map(({ path }) => path)).filter(isModel);
  }

  #toggle(key) {
    if (!isModel(key ?? '') || this.folders.has(key)) return;
    this.active = this.anchor = key;
    const others = [...this.selected].filter((path) => path !== key);
    this.select(this.selected.has(key) ? others : [...others, key]);
    this.made.get(key)?.focus();
  }

  /** From the model that was chosen last to this one. */
  #selectTo(key) {
    const models = this.#models();
    const [from, to] = [models.indexOf(this.anchor ?? this.current), models.indexOf(key)];
    if (to < 0) return;
    this.anchor = models[Math.max(0, from)];
    this.active = key;
    this.select(models.slice(Math.min(Math.max(0, from), to), Math.max(from, to) + 1));
    this.made.get(key)?.focus();
  }

  // --- hands and keys

  #choose(key) {
    if (key === undefined) return;
    this.active = key;
    const folder = this.folders.get(key);
    if (!folder) {
      this.anchor = key;
      if (this.selected.size > 0) this.select([]);
      this.chosen(key);
    } else if (this.archives.has(key)) this.chosen(key.slice(0, -1));
    else if (this.words.length === 0) this.open(key, !folder.open);
    this.#render();
    this.made.get(key)?.focus();
  }

  #scrollTo(index) {
    const { top, height } = this.#box(this.#row(index));
    const { scrollTop, clientHeight } = this.view;
    if (top < scrollTop) this.view.scrollTop = top - GAP;
    else if (top + height > scrollTop + clientHeight) this.view.scrollTop = top + height + GAP - clientHeight;
    this.#render();
  }

  #go(index) {
    const at = Math.min(Math.max(0, index), this.total - 1);
    this.active = this.#row(at).key;
    this.#scrollTo(at);
    this.made.get(this.active).focus({ preventScroll: true });
  }

  /** The row so many lines below, in the same column if there is one. */
  #below(index, lines) {
    const { block, i } = this.#row(index);
    const to = i + lines * block.columns;
    if (i >= 0 && to >= 0 && to < block.items.length) return index + lines * block.columns;
    if (lines < 0) return i < 0 ? index - 1 : block.header ? block.first : block.first - 1;
    const isLastLine = i >= 0 && Math.floor(i / block.columns) < Math.floor((block.items.length - 1) / block.columns);
    return i < 0
      ? index + 1
      : isLastLine
        ? block.first + block.header + block.items.length - 1
        : block.first + block.header + block.items.length;
  }

  /** The row that is a pane's height away. */
  #page(index, by) {
    const start = this.#box(this.#row(index)).top;
    let at = index;
    while (at >= 0 && at < this.total && Math.abs(this.#box(this.#row(at)).top - start) < this.view.clientHeight - this.side) {
      const next = this.#below(at, by);
      if (next < 0 || next >= this.total || next === at) break;
      at = next;
    }
    return at;
  }

  /** As in a tree, and within a folder as in a grid. */
  #key(event) {
    const at = this.active === null ? -1 : this.#indexOf(this.active);
    if (at < 0 || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key === ' ') this.#toggle(this.active);
      else if (event.key === 'a') this.select(this.#models());
      else return;
      event.preventDefault();
      return;
    }
    const { block, i } = this.#row(at);
    const folder = i < 0 && !block.flat ? block.folder : null;
    const acts = {
      ArrowDown: () => this.#go(this.#below(at, 1)),
      ArrowUp: () => this.#go(this.#below(at, -1)),
      ArrowRight: () => (folder && !folder.open ? this.open(folder.name) : this.#go(at + 1)),
      ArrowLeft: () => (folder?.open ? this.open(folder.name, false) : this.#go(at - 1)),
      PageDown: () => this.#go(this.#page(at, 1)),
      PageUp: () => this.#go(this.#page(at, -1)),
      Home: () => this.#go(0),
      End: () => this.#go(this.total - 1),
      Enter: () => this.#choose(this.active),
      ' ': () => this.#choose(this.active),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    this.anchor = this.selected.size > 0 && event.shiftKey ? this.anchor : this.active;
    acts[event.key]();
    if (event.shiftKey) this.#selectTo(this.active);
  }
}
