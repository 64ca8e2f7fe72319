// The left pane: all models and archives that are open, by folder, with pictures of those in sight.

import { element } from './panels.js';

/** Beyond that nobody scrolls, and the page is slow; a search finds the rest. */
const MOST_ITEMS = 3000;

const folderOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);
const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1);

export class Browser {
  /**
   * @param chosen is called with the path that somebody wants to see
   * @param thumbnails {import('./thumbnails.js').Thumbnails}
   */
  constructor(chosen, thumbnails) {
    this.chosen = chosen;
    this.thumbnails = thumbnails;
    this.models = new Set();
    this.archives = [];
    this.closed = new Set(); // folders
    this.current = null;
    this.list = document.getElementById('models');
    this.search = document.getElementById('search');
    this.search.oninput = () => this.#fill();
    this.list.addEventListener('keydown', (event) => this.#key(event));
    this.sight = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) =>
      this.thumbnails[isIntersecting ? 'want' : 'leave'](target.dataset.path, target)), { root: this.list, rootMargin: '120px' });
  }

  add(models, archives) {
    models.forEach((path) => this.models.add(path));
    this.archives = archives;
    this.#later();
  }

  /** One fill for many files that come one after another. */
  #later() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.#fill();
    });
  }

  /** The models that are listed, in order. */
  get shown() {
    return this.#groups().flatMap(([, paths]) => paths);
  }

  /** The model that comes so many after the one that is shown. */
  neighbour(by) {
    const { shown } = this;
    const at = shown.indexOf(this.current);
    return shown.length === 0 ? null : shown[(at + by + shown.length) % shown.length];
  }

  /** One of the buttons can be reached with Tab; from there arrows lead on. */
  #rove(button) {
    for (const other of this.list.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    if (button) button.tabIndex = 0;
  }

  mark(path) {
    this.current = path;
    for (const button of this.list.querySelectorAll('[aria-current]')) button.removeAttribute('aria-current');
    const button = this.#button(path);
    button?.setAttribute('aria-current', 'true');
    this.#rove(button ?? this.list.querySelector('button'));
    if (!this.list.contains(document.activeElement)) button?.scrollIntoView({ block: 'nearest' });
  }

  #button(path) {
    return path === null ? null : this.list.querySelector(`[data-path="${CSS.escape(path)}"]`);
  }

  #groups() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const groups = new Map();
    for (const path of this.models) {
      const low = path.toLowerCase();
      if (words.every((word) => low.includes(word))) {
        const folder = folderOf(path);
        if (!groups.has(folder)) groups.set(folder, []);
        groups.get(folder).push(path);
      }
    }
    const order = new Intl.Collator(undefined, { numeric: true }).compare;
    for (const paths of groups.values()) paths.sort(order);
    return [...groups].sort(([a], [b]) => order(a, b));
  }

  #fill() {
    this.sight.disconnect();
    const groups = this.#groups();
    const rows = [];
    let left = MOST_ITEMS;
    let found = 0;
    for (const [folder, paths] of groups) {
      found += paths.length;
      const open = !this.closed.has(folder);
      if (left > 0 && (folder !== '' || groups.length > 1)) rows.push(this.#folder(folder, paths.length, open));
      if (!open) continue;
      rows.push(...paths.slice(0, left).map((path) => this.#item(path)));
      left = Math.max(0, left - paths.length);
    }
    rows.push(...this.archives.map((path) => element('li', { class: 'wide' }, element('button', {
      type: 'button', class: 'archive', 'data-path': path, 'data-archive': true, title: path, onclick: () => this.chosen(path),
    }, nameOf(path), element('span', { class: 'quiet' }, ' archive')))));
    this.list.replaceChildren(...rows);
    document.getElementById('found').textContent = found === 0 && this.models.size > 0 ? 'None has such a name.'
      : found > MOST_ITEMS ? `${found.toLocaleString()} models; a search shows those beyond ${MOST_ITEMS.toLocaleString()}.`
        : found === 0 ? '' : `${found.toLocaleString()} model${found === 1 ? '' : 's'}`;
    for (const button of this.list.querySelectorAll('.model')) this.sight.observe(button);
    for (const button of this.list.querySelectorAll('button')) button.tabIndex = -1;
    this.mark(this.current);
  }

  #folder(folder, count, open) {
    return element('li', { class: 'wide' }, element('button', {
      type: 'button', class: 'folder', 'aria-expanded': String(open), title: folder, onclick: () => {
        this.closed[open ? 'add' : 'delete'](folder);
        this.#fill();
        this.list.querySelector(`.folder[title="${CSS.escape(folder)}"]`)?.focus();
      },
    }, open ? '▾ ' : '▸ ', folder === '' ? 'here' : folder.slice(0, -1), element('span', { class: 'quiet' }, ` ${count}`)));
  }

  #item(path) {
    return element('li', {}, element('button', {
      type: 'button', class: 'model', 'data-path': path, title: path, onclick: () => this.chosen(path),
    }, element('span', { class: 'thumb', 'aria-hidden': 'true' }), element('span', { class: 'name' }, nameOf(path))));
  }

  /** Arrows go through the list, as in a list box. */
  #key(event) {
    const buttons = [...this.list.querySelectorAll('button')];
    const at = buttons.indexOf(document.activeElement);
    const columns = getComputedStyle(this.list).gridTemplateColumns.split(' ').length;
    const step = { ArrowDown: columns, ArrowUp: -columns, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? buttons.length - 1 : step === undefined ? null : at + step;
    if (at < 0 || to === null) return;
    event.preventDefault();
    const next = buttons[Math.min(Math.max(0, to), buttons.length - 1)];
    this.#rove(next);
    next.focus();
  }
}
