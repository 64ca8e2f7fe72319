// What can be had of a model as a file, and what was lost or mended on the way.

import { isCrash } from './errors.js';
import { at, element } from './panels.js';
import { growingList } from './rows.js';

const FIXES = { safe: 'what is safe', all: 'also what is missing' };

const counted = (count, word) => `${count.toLocaleString()} ${word}${count === 1 ? '' : 's'}`;

export class Downloads {
  constructor(viewer) {
    this.viewer = viewer;
    this.dialog = at('downloads');
    this.told = at('download-told');
    for (const [id, make] of Object.entries({ screenshot: () => viewer.screenshot(), turntable: () => viewer.turntable() })) {
      at(id).onclick = () => {
        this.dialog.close();
        make();
      };
    }
  }

  async open() {
    const ways = await this.viewer.model.downloads();
    const [others, fixes] = [ways.filter(({ to }) => to), ways.filter(({ fix }) => fix)];
    at('download-ways').replaceChildren(...others.map((way) => this.#way(way)));
    const mended = at('download-fixes');
    mended.hidden = fixes.length === 0;
    mended.replaceChildren(
      element('h3', {}, 'Fixed file'),
      element(
        'p',
        {},
        ...fixes.flatMap(({ fix }) => [
          element('button', { type: 'button', 'data-fix': fix, onclick: () => this.make({ fix }) }, `Fix ${FIXES[fix]}`),
          ' ',
        ]),
      ),
    );
    this.told.replaceChildren();
    this.dialog.showModal();
  }

  #way({ to, extension, versions = [] }) {
    const other = extension === `.${to}` ? '' : ` (${to})`;
    const choice =
      versions.length === 0
        ? null
        : element(
            'select',
            { 'aria-label': `Version of ${to}` },
            element('option', { value: '' }, 'version as it is'),
            ...versions.map((version) => element('option', { value: version }, `version ${version}`)),
          );
    return element(
      'li',
      {},
      element(
        'button',
        { type: 'button', 'data-to': to, onclick: () => this.make({ to, version: choice?.value ? Number(choice.value) : null }) },
        `${extension}${other}`,
      ),
      ' ',
      choice,
    );
  }

  /** Makes files and gives them out; tells in the dialog, if that is open, what came of it. */
  async make(how) {
    const { viewer } = this;
    viewer.say('');
    this.told.replaceChildren();
    try {
      const made = await viewer.model.make(how);
      for (const { name, bytes } of made.files) viewer.saveAs(new Blob([bytes]), name);
      this.#tell(made, how);
    } catch (error) {
      if (isCrash(error)) this.dialog.close();
      this.told.replaceChildren(element('p', { class: 'error' }, error.message));
      viewer.fail(error);
    }
  }

  #tell({ files, note, findings, fixed }, how) {
    const names = files.length > 3 ? `${files[0].name} and ${files.length - 1} more` : files.map(({ name }) => name).join(', ');
    const lost = how.fix
      ? `${counted(fixed.length, 'finding')} fixed, ${counted(findings.length, 'finding')} left`
      : findings.length === 0
        ? 'nothing lost'
        : `${findings.length.toLocaleString()} ${findings.length === 1 ? 'loss' : 'losses'}`;
    const text = [names, note, note ? '' : lost].filter(Boolean).join(' · ');
    this.viewer.say(text);
    const list = (title, items) =>
      items.length === 0
        ? []
        : [
            element('h3', {}, title),
            growingList({}, items, ({ code, severity, path, message, summary }) =>
              element(
                'li',
                {},
                element('span', { class: severity ?? 'come' }, code),
                ' ',
                [path, message || summary].filter(Boolean).join(': '),
              ),
            ),
          ];
    this.told.replaceChildren(
      element('p', {}, element('strong', {}, text)),
      ...list('Fixed', fixed),
      ...list(how.fix ? 'Remaining' : 'Losses', findings),
    );
  }
}
