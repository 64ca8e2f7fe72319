// What is done with several models at once: one archive of them, and one report.

import { isCrash } from './errors.js';
import { at, element } from './panels.js';
import { zipOf } from './zip.js';

/** What files can become: the words of Model.make, or null for files as they are. */
const TARGETS = {
  'as they are': null,
  'GLB (.glb)': { to: 'glb' },
  'Warcraft III (.mdx)': { to: 'mdx' },
  'text (.mdl)': { to: 'mdl' },
  'fixed, what is safe': { fix: 'safe' },
};

const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);
const counted = (count, word) => `${count.toLocaleString()} ${word}${count === 1 ? '' : 's'}`;
const isSevere = ({ severity }) => severity === 'error' || severity === 'severe';
const isWarning = ({ severity }) => severity === 'warning';
const pause = () =>
  new Promise((next) => {
    setTimeout(next);
  });

/** Name and bytes of what a model becomes, and findings on the way. */
async function made(model, path, how) {
  const { files, findings } = how ? await model.make(how) : { files: [{ name: nameOf(path), bytes: await model.bytes() }], findings: [] };
  return { files: files.map(({ name, bytes }) => ({ name: folderOf(path) + name, bytes })), findings };
}

/** A name that no other file has. */
function unique(name, names) {
  let other = name;
  for (let count = 2; names.has(other); ++count) other = name.replace(/(\.[^./]*)?$/, ` (${count})$1`);
  names.add(other);
  return other;
}

export class Batch {
  /** @param viewer the state in main.js */
  constructor(viewer) {
    this.viewer = viewer;
    this.dialog = at('batch');
    this.told = at('batch-told');
    at('batch-to').append(...Object.keys(TARGETS).map((name) => element('option', {}, name)));
    at('batch-start').onclick = () => this.#download();
    this.dialog.addEventListener('close', () => (this.running = null));
  }

  #open(title, paths) {
    this.paths = paths;
    at('batch-title').textContent = `${title} ${counted(paths.length, 'file')}`;
    this.told.textContent = '';
    at('batch-report').replaceChildren();
    this.dialog.showModal();
  }

  askDownload(paths) {
    this.#open('Download', paths);
    at('batch-choice').hidden = false;
  }

  async check(paths) {
    this.#open('Check', paths);
    at('batch-choice').hidden = true;
    await this.#each((model) => model.findings());
  }

  async #download() {
    const how = TARGETS[at('batch-to').value];
    const files = [];
    const names = new Set();
    const findings = await this.#each(async (model, path) => {
      const result = await made(model, path, how);
      for (const { name, bytes } of result.files) files.push({ name: unique(name, names), bytes });
      return result.findings;
    });
    if (!findings || files.length === 0) return;
    this.viewer.saveAs(await zipOf(files), 'models.zip');
    this.told.textContent += ` models.zip has ${counted(files.length, 'file')}.`;
  }

  /** Opens one after the other and reports what `work` finds of it; null if the dialog was closed meanwhile. */
  async #each(work) {
    const mine = (this.running = {});
    const rows = [];
    const report = at('batch-report');
    report.replaceChildren(
      element('thead', {}, element('tr', {}, ...['File', 'Errors', 'Warnings'].map((name) => element('th', { scope: 'col' }, name)))),
      element('tbody'),
    );
    for (const path of this.paths) {
      this.told.textContent = `${rows.length + 1} of ${this.paths.length}: ${nameOf(path)}`;
      await pause(); // so that the page shows it
      const row = await this.#one(path, work);
      if (mine !== this.running) return null;
      rows.push(row);
      report.tBodies[0].append(this.#row(path, row));
    }
    const sum = (of) => rows.reduce((all, { findings }) => all + findings.filter(of).length, 0);
    const failed = rows.filter(({ failure }) => failure).length;
    this.told.textContent = `${counted(rows.length, 'file')}: ${counted(sum(isSevere), 'error')}, ${counted(sum(isWarning), 'warning')}${failed > 0 ? `; ${failed} failed` : ''}.`;
    return rows;
  }

  /** @returns {Promise<{findings: any[], failure?: string}>} */
  async #one(path, work) {
    const { viewer } = this;
    try {
      const { model } = await viewer.files.open(path, { teamColor: viewer.team });
      try {
        return { findings: await work(model, path) };
      } finally {
        model.close();
      }
    } catch (error) {
      if (isCrash(error)) {
        this.dialog.close();
        throw error;
      }
      return { findings: [], failure: error.message };
    }
  }

  #row(path, { findings, failure = '' }) {
    const open = () => {
      this.dialog.close();
      this.viewer.show(path);
    };
    const count = (of, kind) => {
      const number = findings.filter(of).length;
      return element('td', { class: number > 0 ? `number ${kind}` : 'number' }, number.toLocaleString());
    };
    const name = element('td', {}, element('button', { type: 'button', class: 'finding', title: path, onclick: open }, nameOf(path)));
    return failure
      ? element('tr', {}, name, element('td', { colspan: 2, class: 'error' }, failure))
      : element('tr', {}, name, count(isSevere, 'error'), count(isWarning, 'warning'));
  }
}
