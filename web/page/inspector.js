// The panels on the right: which one is shown, and what it shows of the model.

import { PANELS, at, element, isWithin } from './panels.js';
import { Skeleton } from './skeleton.js';

/** What can have the focus in a panel. */
const CONTROLS = 'button, input, select, pre';

export class Inspector {
  /** @param viewer the state in main.js, of which the panels tell */
  constructor(viewer) {
    this.viewer = viewer;
    this.panel = 0;
    this.shownPanel = 0; // that the page has
    this.turn = 0;
    this.skeleton = new Skeleton(viewer, at('labels'), at('canvas'));
    at('tabs').append(
      ...PANELS.map(([name], i) =>
        element(
          'button',
          { type: 'button', role: 'tab', id: `tab-${name.toLowerCase()}`, 'aria-controls': 'panel', onclick: () => this.choose(i) },
          name,
        ),
      ),
    );
    at('tabs').addEventListener('keydown', (event) => this.#tabKey(event));
    new ResizeObserver(() => at('panel').onscroll?.()).observe(at('panel'));
  }

  /** The name of the panel that is shown. */
  get shown() {
    return PANELS[this.panel][0];
  }

  /** Fills the panel anew, as soon as what it shows is known. Who is in it with the keyboard stays where they are. */
  async refresh() {
    const turn = (this.turn += 1);
    this.#markTab();
    const content = this.viewer.model ? await PANELS[this.panel][1](this.viewer) : [];
    if (turn === this.turn) await this.#fill(content.filter(Boolean));
  }

  async #fill(content) {
    const panel = at('panel');
    const scrollTop = this.shownPanel === this.panel ? panel.scrollTop : 0;
    this.shownPanel = this.panel;
    const inside = panel.contains(document.activeElement);
    const place = [...panel.querySelectorAll(CONTROLS)].indexOf(document.activeElement);
    this.skeleton.point(null);
    panel.replaceChildren(...content);
    panel.scrollTop = scrollTop;
    panel.onscroll = content.find(({ fill }) => fill)?.fill ?? null;
    await panel.onscroll?.(); // its rows
    if (inside) (panel.querySelectorAll(CONTROLS)[place] ?? panel).focus({ preventScroll: true });
  }

  #markTab() {
    [...at('tabs').children].forEach((tab, i) => {
      tab.setAttribute('aria-selected', String(i === this.panel));
      tab.tabIndex = i === this.panel ? 0 : -1;
    });
    at('panel').setAttribute('aria-labelledby', at('tabs').children[this.panel].id);
  }

  /** @param which its number or its name */
  choose(which) {
    const index = Number.isInteger(which) ? which : PANELS.findIndex(([name]) => name === which);
    const panel = at('panel');
    if (panel.contains(document.activeElement)) panel.focus();
    panel.scrollTop = 0;
    this.panel = (index + PANELS.length) % PANELS.length;
    return this.refresh();
  }

  /** In the row of tabs arrows go from one to the next. */
  #tabKey(event) {
    const target = { ArrowLeft: this.panel - 1, ArrowRight: this.panel + 1, Home: 0, End: PANELS.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.choose(target);
    at('tabs').children[this.panel].focus();
  }

  /** Leads from a finding, or whatever else has a path and perhaps an offset, to the fields that it is about. */
  async goTo({ path, offset }) {
    const { viewer } = this;
    await this.choose('Fields');
    const chosen = await viewer.tree.openTo(offset === null ? { path } : { offset });
    const mesh = viewer.scene.meshes.findIndex(({ place }) => place && isWithin(path, place));
    if (mesh >= 0) viewer.selected = mesh;
    await this.refresh();
    const row = chosen === null ? null : await at('panel').querySelector('.rows').show(viewer.tree.rows().indexOf(chosen));
    row?.querySelector('button')?.focus({ preventScroll: true });
    viewer.changed();
  }
}
