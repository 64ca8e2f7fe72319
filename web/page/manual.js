// The pages for users (docs/user), as the page's help shows them: the texts of `thaw help pages`.

import { element } from './panels.js';

const START = 'README';
const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)]+)\)|<br>/;

export class Manual {
  constructor(dialog) {
    this.dialog = dialog;
    this.text = dialog.querySelector('article');
    dialog.querySelector('.contents').onclick = () => this.show(START);
  }

  async show(name) {
    const answer = await fetch(`manual-${name}.md`);
    const text = answer.ok ? await answer.text() : '# Manual\n\nThis page comes without the manual.';
    this.text.replaceChildren(...this.#blocks(text.split('\n')));
    if (!this.dialog.open) this.dialog.showModal();
    this.text.scrollTop = 0;
  }

  #blocks(lines) {
    const made = [];
    while (lines.length > 0) {
      const line = lines[0];
      if (line.startsWith('```')) made.push(this.#code(lines));
      else if (line.startsWith('#')) made.push(this.#heading(lines.shift()));
      else if (line.startsWith('|')) made.push(this.#table(lines));
      else if (/^(- |\d+\. )/.test(line)) made.push(this.#list(lines));
      else if (line.trim() === '') lines.shift();
      else made.push(element('p', {}, ...this.#inline(taken(lines, (next) => next.trim() !== '').join(' '))));
    }
    return made;
  }

  #heading(line) {
    const level = line.indexOf(' ');
    return element(`h${level + 1}`, {}, ...this.#inline(line.slice(level + 1)));
  }

  #code(lines) {
    lines.shift();
    const text = taken(lines, (line) => !line.startsWith('```')).join('\n');
    lines.shift();
    return element('pre', { tabindex: 0 }, text);
  }

  #table(lines) {
    const [head, , ...rows] = taken(lines, (line) => line.startsWith('|')).map((line) => line.slice(1, -1).split(/(?<!\\)\|/));
    const row = (cells, kind) =>
      element('tr', {}, ...cells.map((cell) => element(kind, {}, ...this.#inline(cell.trim().replaceAll('\\|', '|')))));
    const named = head.some((cell) => cell.trim() !== '');
    return element('table', {}, named ? row(head, 'td') : null, ...rows.map((cells) => row(cells, 'td')));
  }

  #list(lines) {
    const kind = lines[0].startsWith('- ') ? 'ul' : 'ol';
    const items = [];
    for (const line of taken(lines, (next) => /^(- |\d+\. |\s+\S)/.test(next))) {
      if (line.startsWith(' ')) items.push(`${items.pop()} ${line.trim()}`);
      else items.push(line.replace(/^(- |\d+\. )/, ''));
    }
    return element(kind, {}, ...items.map((item) => element('li', {}, ...this.#inline(item))));
  }

  /** Links lead to other pages of the manual; of those that lead elsewhere the text stays, and of images nothing. */
  #inline(text) {
    const made = [];
    for (let found = INLINE.exec(text); found; found = INLINE.exec(text)) {
      const [whole, code, bold, italic, image, label, target] = found;
      made.push(text.slice(0, found.index));
      if (code) made.push(element('code', {}, code));
      else if (bold) made.push(element('b', {}, ...this.#inline(bold)));
      else if (italic) made.push(element('i', {}, italic));
      else if (target && !image) made.push(...this.#link(label, target));
      else if (whole === '<br>') made.push(element('br'));
      text = text.slice(found.index + whole.length);
    }
    return [...made, text];
  }

  #link(label, target) {
    const page = /^([\w-]+)\.md(#.*)?$/.exec(target);
    const inside = this.#inline(label);
    return page ? [element('button', { type: 'button', class: 'link', onclick: () => this.show(page[1]) }, ...inside)] : inside;
  }
}

/** Takes the lines from the front as long as they are fitting. */
function taken(lines, fits) {
  const end = lines.findIndex((line) => !fits(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}
