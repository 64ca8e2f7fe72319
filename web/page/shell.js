// What surrounds the stage: buttons, keys, files that are dropped, panes that fold, and settings that are kept.

import { filesOfDrop, filesOfInput } from './files.js';
import { Manual } from './manual.js';
import { at, element } from './panels.js';
import { keep, kept } from './settings.js';

export const TEAMS = [
  'red',
  'blue',
  'teal',
  'purple',
  'yellow',
  'orange',
  'green',
  'pink',
  'gray',
  'light blue',
  'dark green',
  'brown',
  'maroon',
  'navy',
  'turquoise',
  'violet',
  'wheat',
  'peach',
  'mint',
  'lavender',
  'coal',
  'snow',
  'emerald',
  'peanut',
];

/** Names of models that the field of the second one lists. */
const MOST_OFFERED = 50;

/** Where panes are sheets, as style.css has it. */
const NARROW = '(max-width: 50rem)';

export class Shell {
  /** @param viewer the state in main.js, which does what is asked for */
  constructor(viewer) {
    this.viewer = viewer;
    at('team').append(...TEAMS.map((name, i) => element('option', { value: String(i) }, name)));
    if (TEAMS[viewer.asked.team]) at('team').value = viewer.asked.team;
    document.addEventListener('dragenter', () => viewer.thumbnails.start(), { once: true });
    for (const [button, input] of [
      ['open', 'file-input'],
      ['open-folder', 'folder-input'],
    ])
      at(button).onclick = () => {
        viewer.thumbnails.start();
        at(input).click();
      };
    for (const id of ['file-input', 'folder-input']) {
      at(id).onchange = (event) => {
        const files = filesOfInput(event.target.files);
        event.target.value = ''; // else the same file, edited, could not be chosen again
        viewer.take(files);
      };
    }
    at('texture-input').onchange = async (event) => {
      const [file] = event.target.files;
      event.target.value = '';
      if (file) await viewer.tryTexture(viewer.sought, file);
    };
    for (const pane of ['browser', 'inspector']) at(`toggle-${pane}`).onclick = () => this.fold(pane);
    if (matchMedia(NARROW).matches) for (const pane of ['browser', 'inspector']) this.fold(pane, false);
    at('toggle-more').onclick = () => this.#more();
    for (const pane of ['browser', 'inspector']) this.#sheet(at(pane));
    at('how').onchange = (event) => {
      at('stage').dataset.how = event.target.value;
      viewer.changed();
    };
    window.addEventListener('beforeunload', (event) => viewer.unsaved.size > 0 && !viewer.stopped && event.preventDefault());
    window.addEventListener('hashchange', () => viewer.addressChanged());
    this.#offerSecond();
    at('download').onclick = () => viewer.downloads.open();
    at('check-selected').onclick = () => viewer.batch.check(viewer.browser.selection);
    at('download-selected').onclick = () => viewer.batch.askDownload(viewer.browser.selection);
    at('copy').onclick = () => viewer.copy();
    at('team').onchange = () => {
      if (viewer.path) viewer.show(viewer.path);
      if (viewer.beside) viewer.showBeside(viewer.beside.path);
    };
    this.#keepSettings();
    at('example').onclick = () => this.#showExample();
    at('notice').querySelector('button').onclick = () => viewer.notice('');
    at('help').onclick = () => at('keys').showModal();
    this.manual = new Manual(at('manual'));
    at('open-manual').onclick = () => {
      at('keys').close();
      this.manual.show('page');
    };
    at('key-list').append(
      ...Object.values(this.keys)
        .filter(([key]) => key !== '')
        .flatMap(([key, text]) => [element('dt', {}, key), element('dd', {}, text)]),
    );
    document.addEventListener('keydown', (event) => this.#key(event));
    const stage = at('stage');
    document.addEventListener('dragover', (event) => {
      event.preventDefault();
      stage.classList.add('over');
    });
    document.addEventListener('dragleave', () => stage.classList.remove('over'));
    document.addEventListener('drop', async (event) => {
      event.preventDefault();
      stage.classList.remove('over');
      await viewer.take(await filesOfDrop(event.dataTransfer, (count) => count > 500 && viewer.say(`Listing ${count} files…`)));
    });
    at('trouble').querySelector('button').onclick = () => location.reload();
    // Whatever nobody else has caught, such as a crash of the library in a panel.
    window.addEventListener('unhandledrejection', (event) => viewer.fail(event.reason));
    window.addEventListener('error', (event) => event.error && viewer.fail(event.error));
    new ResizeObserver(() => viewer.changed()).observe(stage);
  }

  /** The second model is typed or chosen: a list of all of a folder's would hold up the page. */
  #offerSecond() {
    const { viewer } = this;
    const field = at('beside');
    const offer = () => {
      const paths = viewer.browser.modelsWith(field.value, MOST_OFFERED);
      at('others').replaceChildren(...paths.map((path) => element('option', { value: path })));
    };
    field.onfocus = field.oninput = offer;
    field.onchange = () => {
      if (field.value !== '' && !viewer.browser.items.has(field.value)) {
        viewer.say(`No model is called ${field.value}. Choose one of the list.`);
        return;
      }
      viewer.showBeside(field.value);
      at('canvas').focus();
    };
  }

  /** What was chosen below the picture is there again next time. */
  #keepSettings() {
    for (const id of ['loop', 'speed']) {
      const before = kept(id);
      if ([...at(id).options].some(({ value }) => value === before)) at(id).value = before;
      at(id).addEventListener('change', () => keep(id, at(id).value));
    }
  }

  /** The knight that lies beside the page. */
  async #showExample() {
    const { viewer } = this;
    const names = {
      'example-knight.mdx': 'knight.mdx',
      ...Object.fromEntries(['', '_cloth', '_glow', '_rune'].map((part) => [`example-knight${part}.blp`, `Textures/knight${part}.blp`])),
    };
    try {
      const files = await Promise.all(
        Object.entries(names).map(async ([address, path]) => {
          const answer = await fetch(address);
          if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
          const bytes = new Uint8Array(await answer.arrayBuffer());
          return { path, bytes: async () => bytes };
        }),
      );
      await viewer.take(files, 'knight.mdx');
    } catch (error) {
      viewer.fail(error, 'The example');
    }
  }

  get keys() {
    const { viewer } = this;
    const toggle = (name) => () => {
      viewer.options[name] = !viewer.options[name];
      viewer.inspector.refresh();
      viewer.changed();
    };
    const choose = (id, by) => () => {
      const list = at(id);
      if (list.options.length === 0) return;
      list.selectedIndex = (list.selectedIndex + by + list.options.length) % list.options.length;
      list.dispatchEvent(new Event('change'));
    };
    return /** @type {Record<string, [string, string, () => any]>} */ ({
      ' ': ['Space', 'play or pause', () => viewer.player.setPlaying(!viewer.player.playing)],
      ',': [',', 'one sixtieth of a second back', () => viewer.player.step(-1)],
      '.': ['.', 'one sixtieth of a second on', () => viewer.player.step(1)],
      '<': ['< >', 'event before, next event of the clip', () => this.#toEvent(-1)],
      '>': ['', '', () => this.#toEvent(1)],
      c: ['c', 'next clip', choose('clip', 1)],
      C: ['C', 'clip before', choose('clip', -1)],
      n: ['n', 'next model', () => this.#step(1)],
      N: ['N', 'model before', () => this.#step(-1)],
      1: ['1 3 7', 'from in front, from the left, from above', () => viewer.lookFrom('front')],
      3: ['', '', () => viewer.lookFrom('left')],
      7: ['', '', () => viewer.lookFrom('top')],
      v: ['v', 'fly: W A S D and the pointer, wheel for the speed, Esc ends', () => viewer.model && viewer.fly.start()],
      focus: ['double click', 'bring what it hits into the middle', () => {}],
      0: ['0', "the model's next camera", () => viewer.lookThroughOwn()],
      o: ['o', 'files: show or hide', () => this.fold('browser')],
      i: ['i', 'panels: show or hide', () => this.fold('inspector')],
      t: ['t', 'next team colour', choose('team', 1)],
      f: [
        'f',
        'all of the model in the picture',
        () => {
          viewer.orbit.reset();
          viewer.changed();
        },
      ],
      w: ['w', 'wireframe', toggle('wireframe')],
      b: ['b', 'bones', toggle('bones')],
      j: ['j', 'names of bones', toggle('names')],
      a: ['a', 'attachments: places and names', toggle('points')],
      k: ['k', 'collision shapes', toggle('collision')],
      x: ['x', 'extents', toggle('extents')],
      d: ['d', 'grid', toggle('grid')],
      s: ['s', 'screenshot', () => viewer.model && viewer.screenshot()],
      y: ['y', 'copy the picture', () => viewer.model && viewer.copy()],
      r: ['r', 'film once around', () => viewer.model && viewer.turntable()],
      g: ['g', 'download as GLB', () => viewer.model && viewer.downloads.make({ to: 'glb' })],
      e: ['e', 'download as something else', () => viewer.model && viewer.downloads.open()],
      ArrowLeft: ['← → ↑ ↓', 'turn', () => this.#turn(-24, 0)],
      ArrowRight: ['', '', () => this.#turn(24, 0)],
      ArrowUp: ['', '', () => this.#turn(0, -24)],
      ArrowDown: ['', '', () => this.#turn(0, 24)],
      '+': ['+ −', 'nearer, farther', () => this.#zoom(-200)],
      '-': ['', '', () => this.#zoom(200)],
      ']': ['[ ]', 'panel before, next panel', () => viewer.inspector.choose(viewer.inspector.panel + 1)],
      '[': ['', '', () => viewer.inspector.choose(viewer.inspector.panel - 1)],
      '?': ['?', 'this list', () => at('keys').showModal()],
      'Ctrl+A': ['Ctrl+A', 'select all models of the list; Ctrl or Shift and a click some', () => {}],
      'Ctrl+Z': ['Ctrl+Z', 'undo an edit; with Shift, redo it', () => {}],
    });
  }

  #step(by) {
    const { viewer } = this;
    const path = viewer.browser.neighbour(by);
    if (path) viewer.show(path);
  }

  #toEvent(by) {
    const { player } = this.viewer;
    const event = player.timeline.step(by);
    this.viewer.say(event ? `${event.name} at ${event.time.toFixed(3)} s` : `No event ${by < 0 ? 'before' : 'after'} this in the clip.`);
  }

  #turn(dx, dy) {
    const { viewer } = this;
    viewer.orbit.turn(dx, dy);
    viewer.changed();
  }

  #zoom(steps) {
    const { viewer } = this;
    viewer.orbit.zoom(steps);
    viewer.changed();
  }

  #key(event) {
    const busy = event.target.closest('input:not([type=range]):not([type=checkbox]), select, dialog');
    if (!busy && (event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key)) this.#takeBack(event);
    if (busy || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('button, #panel, #models, input') && /^(Arrow| |Enter)/.test(event.key)) return;
    const action = this.keys[event.key];
    if (action) {
      event.preventDefault();
      action[2]();
    }
  }

  /** Ctrl+Z, and Ctrl+Shift+Z or Ctrl+Y. */
  #takeBack(event) {
    const { viewer } = this;
    const again = event.shiftKey || event.key.toLowerCase() === 'y';
    if (!viewer.model || (again ? viewer.undone.length : viewer.model.edits) === 0) return;
    event.preventDefault();
    if (again) viewer.redo();
    else viewer.undo();
  }

  /** Where the header has room for the first tools only, the others are a row below it. */
  #more(on = at('toggle-more').getAttribute('aria-expanded') === 'false') {
    at('toggle-more').setAttribute('aria-expanded', String(on));
  }

  /** On a phone a pane is a sheet: its grip is dragged, down to close it; a click or Enter makes it high or low. */
  #sheet(pane) {
    const grip = pane.querySelector('.grip');
    const main = pane.parentElement;
    const set = (share) => main.style.setProperty('--sheet', `${Math.round(Math.min(1, share) * 100)}%`);
    const shareAt = ({ clientY }) => (main.getBoundingClientRect().bottom - clientY) / main.clientHeight;
    let dragged = false;
    grip.onpointerdown = (event) => {
      grip.setPointerCapture(event.pointerId);
      dragged = false;
    };
    grip.onpointermove = (event) => {
      if (!grip.hasPointerCapture(event.pointerId)) return;
      dragged ||= Math.abs(shareAt(event) * main.clientHeight - pane.clientHeight) > 16;
      if (dragged) set(Math.max(0.1, shareAt(event)));
    };
    grip.onclick = (event) => {
      if (!dragged) set(pane.clientHeight < main.clientHeight * 0.7 ? 1 : 0.5);
      else if (shareAt(event) < 0.2) {
        this.fold(pane.id, false);
        set(0.5);
      }
      dragged = false;
    };
  }

  /** Shows or hides a pane; where there is room for one alone, the other goes. */
  fold(pane, on = at(pane).hidden) {
    const narrow = matchMedia(NARROW).matches;
    for (const id of ['browser', 'inspector']) {
      if (id === pane) at(id).hidden = !on;
      else if (narrow && on) at(id).hidden = true;
      at(`toggle-${id}`).setAttribute('aria-expanded', String(!at(id).hidden));
    }
    if (on)
      at(pane)
        .querySelector(narrow ? '[tabindex="0"]' : 'input, [tabindex="0"]')
        ?.focus(); // no keyboard over a phone's sheet
  }
}
