// The page: which model is shown, when, and how; everything else is in the modules beside it.

import { filesOfDrop, filesOfInput, filesOfServer, isArchive, isModel } from './files.js';
import { Library, ThawError } from './module.js';
import { PANELS, element, openTreeAt } from './panels.js';
import { Orbit, Stage, attachHands } from './stage.js';

const at = (id) => document.getElementById(id);
const TEAMS = ['red', 'blue', 'teal', 'purple', 'yellow', 'orange', 'green', 'pink', 'gray', 'light blue', 'dark green', 'brown'];
const BACKGROUNDS = { dark: [0.15, 0.16, 0.18, 1], light: [0.93, 0.94, 0.96, 1], green: [0, 0.7, 0.2, 1], transparent: [0, 0, 0, 0] };

/** Milliseconds once around. */
const TURN = 6000;

/** Of files that a model asks for, files that those ask for, and so on. */
const MOST_ROUNDS = 12;

class Viewer {
  constructor(library) {
    this.library = library;
    this.orbit = new Orbit();
    this.stage = new Stage(at('canvas'), this.orbit);
    this.beside = null;
    this.options = {};
    this.choices = {}; // what decides how a file is opened: tile, doodad set
    this.background = 'dark';
    this.fog = 0; // 0 none to 1 thick
    this.clip = -1;
    this.time = 0;
    this.clock = 0;
    this.playing = true;
    this.panel = 0;
    this.known = new Map(); // path → how to get its bytes
    this.dirty = true;
    this.last = performance.now();
    attachHands(at('canvas'), this.orbit, () => this.changed());
    attachHands(at('canvas-beside'), this.orbit, () => this.changed());
    this.#wire();
    requestAnimationFrame((now) => this.#frame(now));
  }

  changed() {
    this.dirty = true;
  }

  say(text) {
    at('status').textContent = text;
  }

  // --- files

  /** Makes files known and shows `first`, or the first model among them. Archives are read at once, the rest when asked for. */
  async take(files, first = '') {
    const models = [];
    for (const file of files) {
      this.known.set(file.path.toLowerCase().replaceAll('\\', '/'), file);
      this.library.knowFile(file.path);
      if (isArchive(file.path)) models.push(...await this.#openArchive(file));
      else if (isModel(file.path)) models.push(file.path);
    }
    if (models.length === 0 && files.length === 1) models.push(files[0].path); // whatever it is: its content may tell
    if (first !== '' && !models.includes(first)) models.unshift(first);
    this.#listModels(models);
    if (models.length === 0) {
      this.say('No model among these files. They are known now; drop a model that uses them.');
      return;
    }
    await this.show(first || models[0]);
  }

  async #openArchive(file) {
    this.say(`Reading ${file.path}…`);
    try {
      this.library.addFile(file.path, await file.bytes());
    } catch (error) {
      this.say(`${file.path}: ${error.message}`);
      return [];
    }
    return this.library.list(file.path).filter(isModel);
  }

  /** Opens a model with all files that it asks for and that are known; it may ask for more when it has some. */
  async #open(path) {
    const options = { teamColor: at('team').value, ...this.choices };
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
      await Promise.all(wanted.map((name) => this.#read(name)));
    }
  }

  async #read(name) {
    try {
      this.library.addFile(name, await this.known.get(name).bytes());
    } catch (error) {
      this.library.dropFile(name);
      console.warn(`${name}: ${error.message}`);
    }
  }

  #listModels(paths) {
    for (const [id, empty] of [['model', null], ['beside', 'nothing']]) {
      const list = at(id);
      const names = new Set([...list.options].map((option) => option.value));
      if (empty && !names.has('')) list.append(element('option', { value: '' }, empty));
      for (const path of paths) if (!names.has(path)) list.append(element('option', { value: path }, path));
    }
  }

  // --- the model

  async show(path) {
    const turn = this.turn = (this.turn ?? 0) + 1; // who asks last is shown
    if (path !== this.path) this.choices = {};
    this.say(`Opening ${path}…`);
    let model;
    try {
      model = await this.#open(path);
    } catch (error) {
      if (!(error instanceof ThawError)) throw error;
      this.say(`${path}: ${error.message}`);
      return;
    }
    if (turn !== this.turn) {
      model.close();
      return;
    }
    const again = this.path === path;
    this.model?.close();
    this.model = model;
    this.path = path;
    this.info = model.report('info');
    this.scene = model.report('scene');
    this.findings = this.tree = this.chosenOffset = undefined;
    this.stage.show(model);
    at('drop').hidden = true;
    for (const id of ['download', 'screenshot', 'copy', 'turntable']) at(id).disabled = false;
    at('model').value = path;
    document.title = `${path.split('/').pop()} – thaw`;
    if (!again) {
      this.options.hiddenMeshes = [];
      this.options.markedNode = null;
      this.orbit.reset();
      this.#listClips();
    }
    this.refreshPanel();
    this.say('');
    this.changed();
  }

  /** Opens the same file otherwise. */
  async choose(choices) {
    Object.assign(this.choices, choices);
    await this.show(this.path);
    this.orbit.reset();
  }

  async showBeside(path) {
    this.beside?.model.close();
    this.beside = null;
    const canvas = at('canvas-beside');
    canvas.hidden = at('difference').hidden = path === '';
    if (path !== '') {
      try {
        this.besideStage ??= new Stage(canvas, this.orbit);
        const model = await this.#open(path);
        this.besideStage.show(model);
        this.beside = { model, stage: this.besideStage, clips: model.report('scene').clips };
      } catch (error) {
        canvas.hidden = at('difference').hidden = true;
        this.say(`${path}: ${error.message}`);
      }
    }
    this.changed();
  }

  #listClips() {
    const { clips, defaultClip } = this.scene;
    at('clip').replaceChildren(element('option', { value: -1 }, 'rest'), ...clips.flatMap((clip, i) =>
      clip.global ? [] : [element('option', { value: i }, clip.name || `clip ${i}`)]));
    this.setClip(defaultClip ?? -1);
  }

  setClip(index) {
    this.clip = index;
    this.time = 0;
    at('clip').value = index;
    this.changed();
  }

  get duration() {
    return this.clip < 0 ? 0 : this.scene.clips[this.clip].duration;
  }

  setTime(seconds) {
    this.time = Math.min(Math.max(0, seconds), this.duration);
    this.changed();
  }

  setPlaying(on) {
    this.playing = on;
    at('play').textContent = on ? 'Pause' : 'Play';
    at('play').setAttribute('aria-pressed', String(on));
  }

  setBackground(name) {
    this.background = name;
    at('stage').classList.toggle('checkered', name === 'transparent');
    this.changed();
  }

  // --- time

  #frame(now) {
    const passed = Math.min(0.25, (now - this.last) / 1000) * Number(at('speed').value);
    this.last = now;
    if (this.model) {
      if (this.playing) {
        this.#advance(passed);
        this.dirty = true;
      }
      if (this.dirty) this.draw();
    }
    requestAnimationFrame((next) => this.#frame(next));
  }

  #advance(passed) {
    this.clock += passed;
    if (this.duration <= 0) return;
    const loops = at('loop').value === 'always' || (at('loop').value === 'file' && this.scene.clips[this.clip].looping);
    const next = this.time + passed;
    this.time = loops ? next % this.duration : Math.min(next, this.duration);
  }

  get moment() {
    return { clip: this.clip, time: this.time, clock: this.clock };
  }

  /** The second model plays its clip of the same name. */
  #momentBeside() {
    const name = this.clip < 0 ? '' : this.scene.clips[this.clip].name;
    return { ...this.moment, clip: this.beside.clips.findIndex((clip) => clip.name === name && name !== '') };
  }

  draw() {
    this.dirty = false;
    const background = BACKGROUNDS[this.background];
    this.cost = this.stage.draw(this.moment, this.#optionsFor(this.stage), background);
    if (this.beside) {
      const options = { ...this.#optionsFor(this.beside.stage), hiddenMeshes: [], markedNode: null };
      this.beside.stage.draw(this.#momentBeside(), options, background, this.cost.camera); // side by side, they compare
    }
    at('scrub').value = this.duration > 0 ? this.time / this.duration : 0;
    at('time').textContent = `${this.time.toFixed(3)} of ${this.duration.toFixed(3)} s`;
    if (!this.playing || Math.random() < 0.1) this.#tellCost();
  }

  /** Fog of the background's colour: it ends nearer, the thicker it is. */
  #optionsFor(stage) {
    if (this.fog === 0) return this.options;
    const distance = stage.distance(this.clip, this.time);
    const end = distance * (3 - 2 * this.fog);
    const color = BACKGROUNDS[this.background].slice(0, 3);
    return { ...this.options, fog: { enabled: true, start: end * 0.4 * (1 - this.fog * 0.5), end, color } };
  }

  #tellCost() {
    const { triangles, particles, evaluation, drawing } = this.cost;
    this.say(`${triangles.toLocaleString()} triangles${particles > 0 ? `, ${particles} particles` : ''} · ` +
      `evaluated in ${evaluation.toFixed(1)} ms, drawn in ${drawing.toFixed(1)} ms`);
    if (this.beside) at('difference').textContent = this.#difference();
  }

  /** Share of pixels that differ visibly between the two pictures. */
  #difference() {
    const [a, b] = [at('canvas'), at('canvas-beside')].map((canvas) => {
      const small = new OffscreenCanvas(128, 128);
      small.getContext('2d').drawImage(canvas, 0, 0, 128, 128);
      return small.getContext('2d').getImageData(0, 0, 128, 128).data;
    });
    let differing = 0;
    for (let i = 0; i < a.length; i += 4) {
      differing += Math.max(...[0, 1, 2, 3].map((c) => Math.abs(a[i + c] - b[i + c]))) > 12 ? 1 : 0;
    }
    return `${(differing / (a.length / 4) * 100).toFixed(1)} % of the picture differs`;
  }

  // --- panels

  refreshPanel() {
    const [, fill] = PANELS[this.panel];
    at('panel').replaceChildren(...(this.model ? fill(this).filter(Boolean) : []));
    [...at('tabs').children].forEach((tab, i) => tab.setAttribute('aria-selected', String(i === this.panel)));
  }

  choosePanel(index) {
    this.panel = (index + PANELS.length) % PANELS.length;
    this.refreshPanel();
  }

  /** Leads from a finding to what it is about. */
  goTo(finding) {
    this.choosePanel(PANELS.findIndex(([name]) => name === 'Fields'));
    if (finding.offset !== null) {
      this.chosenOffset = finding.offset;
      openTreeAt(this.tree, finding.offset);
    }
    const geoset = /^GEOS\[(\d+)\]/.exec(finding.path);
    if (geoset && Number(geoset[1]) < this.scene.meshes.length) {
      this.options.hiddenMeshes = this.scene.meshes.map((_, i) => i).filter((i) => i !== Number(geoset[1]));
      this.say(`Only ${this.scene.meshes[Number(geoset[1])].name} is shown; Parts shows all again.`);
    }
    this.refreshPanel();
    at('panel').querySelector('.chosen')?.scrollIntoView({ block: 'center' });
    this.changed();
  }

  /** Draws the axes of a node, or takes them away. */
  mark(node) {
    this.options.markedNode = this.options.markedNode === node ? null : node;
    this.refreshPanel();
    this.changed();
  }

  // --- out of the page

  save(blob, extension) {
    const link = element('a', { href: URL.createObjectURL(blob), download: this.path.split('/').pop().replace(/\.[^.]*$/, '') + extension });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  download() {
    try {
      this.save(new Blob([this.model.exportGlb()], { type: 'model/gltf-binary' }), '.glb');
    } catch (error) {
      this.say(error.message);
    }
  }

  screenshot() {
    this.draw();
    at('canvas').toBlob((blob) => this.save(blob, '.png'), 'image/png');
  }

  /** The picture as it is, for pasting elsewhere. */
  async copy() {
    this.draw();
    const blob = new Promise((done) => at('canvas').toBlob(done, 'image/png'));
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
      this.say('Copied.');
    } catch (error) {
      this.say(`Not copied: ${error.message}`);
    }
  }

  /** Once around the model, with its clip, as a film. */
  async turntable() {
    if (this.filming) return;
    this.filming = true;
    const film = new MediaRecorder(at('canvas').captureStream(30), { videoBitsPerSecond: 8_000_000 });
    const parts = [];
    film.ondataavailable = (event) => parts.push(event.data);
    const ended = new Promise((done) => { film.onstop = done; });
    const from = this.orbit.azimuth;
    this.orbit.own = null;
    film.start();
    const start = performance.now();
    for (let share = 0; share < 1; share = (performance.now() - start) / TURN) {
      this.orbit.azimuth = from + share * 2 * Math.PI;
      this.changed();
      this.say(`Filming: ${Math.round(share * 100)} %`);
      await new Promise((next) => { requestAnimationFrame(next); });
    }
    film.stop();
    await ended;
    this.orbit.azimuth = from;
    this.filming = false;
    this.changed();
    this.save(new Blob(parts, { type: film.mimeType }), film.mimeType.includes('mp4') ? '.mp4' : '.webm');
    this.say('');
  }

  // --- hands and keys

  #wire() {
    at('tabs').append(...PANELS.map(([name], i) => element('button', { type: 'button', role: 'tab', onclick: () => this.choosePanel(i) }, name)));
    at('team').append(...TEAMS.map((name, i) => element('option', { value: String(i) }, name)));
    at('open').onclick = () => at('file-input').click();
    at('open-folder').onclick = () => at('folder-input').click();
    for (const id of ['file-input', 'folder-input']) at(id).onchange = (event) => this.take(filesOfInput(event.target.files));
    at('model').onchange = (event) => this.show(event.target.value);
    at('beside').onchange = (event) => this.showBeside(event.target.value);
    at('download').onclick = () => this.download();
    at('screenshot').onclick = () => this.screenshot();
    at('copy').onclick = () => this.copy();
    at('turntable').onclick = () => this.turntable();
    at('play').onclick = () => this.setPlaying(!this.playing);
    at('clip').onchange = (event) => this.setClip(Number(event.target.value));
    at('team').onchange = () => this.path && this.show(this.path);
    at('scrub').oninput = (event) => {
      this.setPlaying(false);
      this.setTime(Number(event.target.value) * this.duration);
    };
    at('help').onclick = () => at('keys').showModal();
    at('key-list').append(...Object.values(this.keys).filter(([key]) => key !== '').flatMap(([key, text]) => [element('dt', {}, key), element('dd', {}, text)]));
    document.addEventListener('keydown', (event) => this.#key(event));
    const stage = at('stage');
    document.addEventListener('dragover', (event) => { event.preventDefault(); stage.classList.add('over'); });
    document.addEventListener('dragleave', () => stage.classList.remove('over'));
    document.addEventListener('drop', async (event) => {
      event.preventDefault();
      stage.classList.remove('over');
      this.take(await filesOfDrop(event.dataTransfer));
    });
    new ResizeObserver(() => this.changed()).observe(stage);
  }

  get keys() {
    const toggle = (name) => () => { this.options[name] = !this.options[name]; this.refreshPanel(); this.changed(); };
    const step = (frames) => () => { this.setPlaying(false); this.setTime(this.time + frames / 60); };
    const choose = (id, by) => () => {
      const list = at(id);
      if (list.options.length === 0) return;
      list.selectedIndex = (list.selectedIndex + by + list.options.length) % list.options.length;
      list.dispatchEvent(new Event('change'));
    };
    return {
      ' ': ['Space', 'play or pause', () => this.setPlaying(!this.playing)],
      ',': [',', 'one sixtieth of a second back', step(-1)],
      '.': ['.', 'one sixtieth of a second on', step(1)],
      c: ['c', 'next clip', choose('clip', 1)],
      C: ['C', 'clip before', choose('clip', -1)],
      n: ['n', 'next model', choose('model', 1)],
      N: ['N', 'model before', choose('model', -1)],
      t: ['t', 'next team colour', choose('team', 1)],
      f: ['f', 'all of the model in the picture', () => { this.orbit.reset(); this.changed(); }],
      w: ['w', 'wireframe', toggle('wireframe')],
      b: ['b', 'bones', toggle('bones')],
      k: ['k', 'collision shapes', toggle('collision')],
      x: ['x', 'extents', toggle('extents')],
      d: ['d', 'grid', toggle('grid')],
      s: ['s', 'screenshot', () => this.model && this.screenshot()],
      y: ['y', 'copy the picture', () => this.model && this.copy()],
      r: ['r', 'film once around', () => this.model && this.turntable()],
      g: ['g', 'download as GLB', () => this.model && this.download()],
      ArrowLeft: ['← → ↑ ↓', 'turn', () => this.#turn(-24, 0)],
      ArrowRight: ['', '', () => this.#turn(24, 0)],
      ArrowUp: ['', '', () => this.#turn(0, -24)],
      ArrowDown: ['', '', () => this.#turn(0, 24)],
      '+': ['+ −', 'nearer, farther', () => this.#zoom(-200)],
      '-': ['', '', () => this.#zoom(200)],
      ']': ['[ ]', 'panel before, next panel', () => this.choosePanel(this.panel + 1)],
      '[': ['', '', () => this.choosePanel(this.panel - 1)],
      '?': ['?', 'this list', () => at('keys').showModal()],
    };
  }

  #turn(dx, dy) {
    this.orbit.turn(dx, dy);
    this.changed();
  }

  #zoom(steps) {
    this.orbit.zoom(steps);
    this.changed();
  }

  #key(event) {
    const busy = event.target.closest('input:not([type=range]):not([type=checkbox]), select, dialog');
    if (busy || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('button, #panel, input') && /^(Arrow| |Enter)/.test(event.key)) return;
    const action = this.keys[event.key];
    if (action) {
      event.preventDefault();
      action[2]();
    }
  }
}

const viewer = new Viewer(await Library.load());
window.thawViewer = viewer; // for scripts that drive the page
const offered = await filesOfServer();
if (offered.files.length > 0) await viewer.take(offered.files, offered.first);
