// The page: which model is shown, when, and how; everything else is in the modules beside it.

import { addressOf, readAddress } from './address.js';
import { Browser } from './browser.js';
import { Collection } from './collection.js';
import { Downloads } from './downloads.js';
import { beginOnServer, filesOfDrop, filesOfInput, isArchive, isModel, isServed, listOnServer, searchOnServer, whereOnServer } from './files.js';
import { Manual } from './manual.js';
import { Library, ThawError, isCrash } from './module.js';
import { describe, explain } from './notices.js';
import { PANELS, element, isWithin } from './panels.js';
import { Picking } from './picking.js';
import { isPicture, readPicture, showPicture } from './pictures.js';
import { Orbit, Stage, attachHands, moves } from './stage.js';
import { Thumbnails } from './thumbnails.js';

const at = (id) => document.getElementById(id);
const TEAMS = ['red', 'blue', 'teal', 'purple', 'yellow', 'orange', 'green', 'pink', 'gray', 'light blue', 'dark green', 'brown',
  'maroon', 'navy', 'turquoise', 'violet', 'wheat', 'peach', 'mint', 'lavender', 'coal', 'snow', 'emerald', 'peanut'];
const BACKGROUNDS = { dark: [0.15, 0.16, 0.18, 1], light: [0.93, 0.94, 0.96, 1], green: [0, 0.7, 0.2, 1], transparent: [0, 0, 0, 0] };

/** Milliseconds once around. */
const TURN = 6000;

/** Bytes of a model up to which its findings are looked for before anybody asks. */
const MOST_CHECKED = 8 * 1024 * 1024;

/** What can have the focus in a panel. */
const CONTROLS = 'button, input, select, pre';

class Viewer {
  constructor(library) {
    this.library = library;
    this.orbit = new Orbit();
    this.stage = new Stage(at('canvas'), this.orbit, (lost) => this.#pictureLost(lost));
    this.beside = null;
    this.options = {};
    this.openPaths = new Set(); // of the tree of fields
    this.undone = []; // edits that Undo took back, and those that it can take back
    this.done = [];
    this.unsaved = new Set(); // paths of files with edits that nobody saved
    this.choices = {}; // what decides how a file is opened: tile, doodad set
    this.background = 'dark';
    this.fog = 0; // 0 none to 1 thick
    this.clip = -1;
    this.time = 0;
    this.clock = 0;
    this.playing = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.panel = 0;
    this.files = new Collection(library, {
      reading: (path) => this.say(`Reading ${path}…`),
      read: (models) => this.#list(models),
      opening: (path, share) => this.say(`Opening ${path}… ${Math.round(share * 100)} %`),
      ...(isServed ? { list: listOnServer, where: whereOnServer } : {}),
    });
    this.thumbnails = new Thumbnails(this.files);
    this.browser = new Browser((path) => this.show(path), this.thumbnails, { list: (folder) => this.#openFolder(folder), search: searchOnServer });
    this.asked = readAddress(); // what a link asks for, until it is shown
    this.dirty = true;
    this.last = performance.now();
    this.downloads = new Downloads(this);
    this.picking = new Picking(at('canvas'), at('hover'), () => (this.model ? this : null), (hit) => this.selectHit(hit));
    attachHands(at('canvas'), this.orbit, () => this.changed());
    attachHands(at('canvas-beside'), this.orbit, () => this.changed());
    this.#wire();
    this.refreshPanel();
    requestAnimationFrame((now) => this.#frame(now));
  }

  changed() {
    this.dirty = true;
  }

  /** A message stays until the next one; what is said all the time goes to #cost, which nobody reads aloud. */
  say(text) {
    at('status').textContent = text;
  }

  /** Says what went wrong. */
  fail(error, subject = '') {
    const text = [subject, error?.message ?? String(error)].filter(Boolean).join(': ');
    if (isCrash(error)) this.#stop(text);
    else this.say(text);
    if (!(error instanceof ThawError)) console.info(error); // with the way that led there
  }

  /** After a crash of the library nothing it says is certain: the page can only begin again. */
  #stop(text) {
    this.stopped = true;
    this.say('');
    at('trouble').querySelector('p').textContent = `The page has stopped. ${text}`;
    at('trouble').hidden = false;
  }

  #pictureLost(lost) {
    this.say(lost ? 'The graphics card has lost the picture. It will be drawn again as soon as the card allows.' : '');
    this.changed();
  }

  // --- files

  /**
   * Makes files known, anew if they were, and shows `first`, or the first model among them. Archives are read at once,
   * those of `thaw view` when someone needs them: they may be those of a whole game.
   */
  async take(files, first = '') {
    if (this.stopped) return;
    const renewed = files.map((file) => file.path).filter((path) => this.files.has(path));
    this.files.add(files);
    this.thumbnails.renew(files);
    const models = files.map((file) => file.path).filter(isModel);
    const archives = files.filter((file) => isArchive(file.path));
    const complaints = [];
    for (const file of archives.filter(({ served }) => !served)) {
      try {
        models.push(...await this.files.openArchive(file));
      } catch (error) {
        if (isCrash(error)) throw error;
        complaints.push(`${file.path}: ${error.message}`);
      }
    }
    if (models.length === 0 && archives.length === 0 && this.path && renewed.length > 0) {
      await this.show(this.path); // what belongs to it was edited
      return;
    }
    const pictures = files.map((file) => file.path).filter(isPicture);
    if (models.length === 0 && pictures.length > 0) models.push(...pictures);
    if (models.length === 0 && archives.some(({ served }) => !served)) {
      this.say('');
      this.notice(complaints.length > 0 ? complaints.join(' · ') : explain(archives[0].path, 'this is an archive'));
      return;
    }
    if (models.length === 0 && files.length === 1) models.push(files[0].path); // whatever it is: its content may tell
    this.#list(models);
    if (this.beside && renewed.includes(this.beside.path)) this.showBeside(this.beside.path);
    const link = this.asked?.file && this.files.has(this.asked.file) ? this.asked.file : '';
    const path = link || first || models[0] || archives.find((file) => file.served)?.path;
    if (path) await this.show(path, false);
    else this.say('No model among these files. They are known now; drop a model that uses them.');
    if (complaints.length > 0) this.say(complaints.join(' · '));
  }

  async #openFolder(folder) {
    const listing = await this.files.openFolder(folder);
    this.#list([]);
    this.#listBeside(listing.models);
    return listing;
  }

  /** Shows what `thaw view` was called with, or a link says. */
  async takeServed() {
    const { first, ...listing } = await this.#openFolder('');
    this.browser.addListing('', listing);
    const linked = this.asked?.file;
    if (linked) await this.files.openFolder(linked.slice(0, Math.max(0, linked.lastIndexOf('/')))).catch(() => {});
    const path = linked && this.files.has(linked) ? linked : first || await this.#firstModel('', listing) || [...this.files.unread.values()][0]?.path;
    if (path) await this.show(path, false);
    else this.say('No model here. Open a folder on the left, or search.');
  }

  /** The first model of a folder, or of one of those below it; nobody waits for more than a few of them. */
  async #firstModel(folder, listing, few = { left: 40 }) {
    if (listing.models.length > 0) return listing.models[0];
    for (const child of listing.folders) {
      if (--few.left < 0) return null;
      const name = folder === '' ? child : `${folder}/${child}`;
      const found = await this.#firstModel(name, await this.files.openFolder(name), few);
      if (found) return found;
    }
    return null;
  }

  async #showArchive(file) {
    const turn = this.turn = (this.turn ?? 0) + 1;
    try {
      const models = await this.files.openArchive(file);
      if (turn !== this.turn) return;
      if (models.length > 0) await this.show(models[0], false);
      else this.say(`No model in ${file.path}. Its files are known now.`);
    } catch (error) {
      this.fail(error, file.path);
    }
  }

  /** What decides how a file is opened. */
  get #opening() {
    return { teamColor: at('team').value, ...this.choices };
  }

  #list(models) {
    this.browser.add(models, [...this.files.unread.values()].map(({ path }) => path));
    this.#listBeside(models);
  }

  #listBeside(models) {
    const list = at('beside');
    const names = new Set([...list.options].map((option) => option.value));
    if (!names.has('')) list.append(element('option', { value: '' }, 'nothing'));
    for (const path of models) if (!names.has(path)) list.append(element('option', { value: path }, path));
  }

  // --- the model

  /** @param again whether it is the same model as before, otherwise opened: camera, clip and choices stay */
  async show(path, again = path === this.path) {
    if (this.stopped) return;
    const archive = this.files.unreadArchive(path);
    if (archive) {
      await this.#showArchive(archive);
      return;
    }
    const turn = this.turn = (this.turn ?? 0) + 1; // who asks last is shown
    if (!again) this.choices = {};
    this.say(`Opening ${path}…`);
    this.notice('');
    if (isPicture(path)) {
      await this.#showPicture(path, turn);
      return;
    }
    try {
      const { model, scene, isOpen } = await this.files.open(path, this.#opening);
      if (turn === this.turn) this.#present(path, model, scene, again);
      else model.close();
      if (isOpen && turn === this.turn) this.#settle(path, turn);
    } catch (error) {
      if (turn !== this.turn && !isCrash(error)) return;
      this.fail(error, path);
      if (!isCrash(error)) this.notice(explain(path, error.message));
    }
  }

  /** A texture takes the stage; the model that was shown goes. */
  async #showPicture(path, turn) {
    try {
      const picture = await readPicture(this.files, path);
      if (turn !== this.turn) return;
      this.stage.show(null);
      this.model?.close();
      this.model = null;
      this.path = path;
      this.#closeBeside();
      at('beside').value = '';
      for (const id of ['download', 'copy']) at(id).disabled = true;
      at('drop').hidden = at('missing').hidden = true;
      at('tab-findings').removeAttribute('data-count');
      document.querySelector('footer').hidden = true; // a texture has no clip
      showPicture(at('texture'), path, picture);
      this.browser.mark(path);
      document.title = `${path.split('/').pop()} – thaw`;
      this.refreshPanel();
      this.say('');
      at('cost').textContent = '';
    } catch (error) {
      if (turn !== this.turn && !isCrash(error)) return;
      this.fail(error, path);
      if (!isCrash(error)) this.notice(explain(path, error.message));
    }
  }

  /** A sentence on the stage, until something else is shown; '': none. */
  notice(text) {
    at('notice').hidden = text === '';
    at('notice').querySelector('p').textContent = text;
    if (text !== '') at('drop').hidden = true;
  }

  /** What is wrong stands on the stage, and the tab counts it. Large files are looked through when somebody asks. */
  #tellFindings() {
    const tab = at('tab-findings');
    tab.ariaLabel = 'Findings'; // the count is its description
    tab.removeAttribute('data-count');
    if (this.info.size > MOST_CHECKED) return;
    this.findings = this.model.report('findings');
    const count = this.findings.filter(({ severity }) => severity !== 'info').length;
    if (count > 0) tab.dataset.count = count;
    tab.title = `${count} finding${count === 1 ? '' : 's'}`;
    this.notice(describe(this));
  }

  /** What a model lacks may be anywhere: it is shown as it is, and anew when it was found. */
  async #settle(path, turn) {
    const isShown = () => turn === this.turn && path === this.path;
    const found = await this.files.settle(path, (count) => isShown() && this.say(`Looking for what it lacks: ${count.toLocaleString()} files…`));
    if (!isShown()) return;
    this.#list([]);
    if (found || this.files.unread.size > 0) await this.show(path, true);
    else this.say('');
  }

  #present(path, model, scene, again) {
    this.model?.close();
    this.model = model;
    this.path = path;
    this.info = model.report('info');
    this.scene = scene;
    this.findings = this.tree = this.differences = this.textRead = undefined;
    this.stage.show(model);
    at('drop').hidden = at('texture').hidden = true;
    document.querySelector('footer').hidden = false;
    for (const id of ['download', 'copy']) at(id).disabled = false;
    this.browser.mark(path);
    document.title = `${path.split('/').pop()} – thaw`;
    if (!again) {
      this.undone = [];
      this.done = [];
      this.options.hiddenMeshes = [];
      this.options.markedNode = null;
      this.selected = null;
      this.openPaths.clear();
      this.orbit.reset();
      if (scene.isPortrait) this.orbit.own = scene.portrait;
      this.#listClips();
      this.#follow();
    }
    this.#tellFindings();
    this.refreshPanel();
    this.#tellMissing();
    const missing = scene.textures.filter((texture) => texture.missing).length;
    this.say(missing > 0 && this.files.unread.size > 0
      ? `${missing} textures were not found. Large archives are searched only if you choose them in Files.` : '');
    this.changed();
  }

  // --- the address

  get team() {
    return at('team').value;
  }

  /** Shows what a link says of this file. */
  #follow() {
    const { asked } = this;
    this.asked = null;
    if (asked?.file !== this.path) return;
    const clip = this.scene.clips.findIndex(({ name, global }) => name === asked.clip && !global);
    if (clip >= 0) this.setClip(clip);
    if (asked.time !== null) {
      this.setPlaying(false);
      this.setTime(asked.time);
      this.clock = asked.clock;
    }
    if (asked.camera) {
      const [azimuth, elevation, distance, ...place] = asked.camera;
      Object.assign(this.orbit, { azimuth, elevation, distance, own: null, ...(place.length === 3 ? { pivot: place } : { shift: place, pivot: null }) });
    } else if (asked.own !== null && asked.own < this.scene.cameras.length) {
      this.orbit.own = asked.own;
    }
  }

  /** Somebody has changed the address by hand, or opened a link into this page. */
  async #addressChanged() {
    if (!this.model || location.hash === addressOf(this)) return;
    this.asked = readAddress();
    if (TEAMS[this.asked.team]) at('team').value = this.asked.team;
    const { file } = this.asked;
    if (file && file !== this.path) await this.show(file, false);
    else this.#follow();
    this.changed();
  }

  #keepAddress() {
    if (!this.model || this.addressTimer) return;
    this.addressTimer = setTimeout(() => {
      this.addressTimer = null;
      const address = addressOf(this);
      if (!this.stopped && !this.asked && address !== location.hash) history.replaceState(null, '', address);
    }, 400);
  }

  // --- textures

  /** Names on the stage what the model lacks. */
  #tellMissing() {
    const MOST = 3;
    const lost = [...new Set(this.scene.textures.filter(({ missing, path }) => missing && path).map(({ path }) => path))];
    const place = at('missing');
    place.hidden = lost.length === 0 || this.untold === this.path;
    place.replaceChildren(
      element('p', {}, `${lost.length} texture${lost.length === 1 ? ' is' : 's are'} missing `, element('button', {
        type: 'button', 'aria-label': 'Close', onclick: () => { this.untold = this.path; place.hidden = true; },
      }, '×')),
      element('ul', { class: 'plain' }, ...lost.slice(0, MOST).map((path) => {
        const line = element('li', {}, element('span', {}, path), ' ', element('button', {
          type: 'button', 'aria-label': `Find ${path}`, onclick: () => this.findTexture(path),
        }, 'Find it…'));
        this.takesPictures(line, path);
        return line;
      })),
      lost.length > MOST ? element('p', {}, `and ${lost.length - MOST} more, in Textures`) : '',
    );
  }

  /** Asks for a picture that takes the place of a texture. */
  findTexture(path) {
    this.sought = path;
    at('texture-input').click();
  }

  takesPictures(place, path) {
    place.addEventListener('drop', async (event) => {
      const [file] = event.dataTransfer.files;
      if (!file) return;
      event.preventDefault();
      event.stopPropagation();
      at('stage').classList.remove('over');
      await this.tryTexture(path, file);
    });
  }

  async tryTexture(path, file) {
    this.files.put(path, new Uint8Array(await file.arrayBuffer()));
    await this.show(this.path);
    const still = this.scene.textures.some((texture) => texture.path === path && texture.missing);
    this.say(still ? `thaw cannot read ${file.name} as an image.` : `${path} is ${file.name} now, in this page only.`);
  }

  /** Opens the same file otherwise. */
  async choose(choices) {
    Object.assign(this.choices, choices);
    await this.show(this.path);
    this.orbit.reset();
  }

  async showBeside(path) {
    if (this.stopped) return;
    const turn = this.turnBeside = (this.turnBeside ?? 0) + 1; // as in show()
    this.#closeBeside();
    if (path === '') return;
    this.say(`Opening ${path}…`);
    try {
      const { model, scene } = await this.files.open(path, this.#opening);
      if (turn === this.turnBeside) this.#presentBeside(path, model, scene);
      else model.close();
    } catch (error) {
      if (turn !== this.turnBeside && !isCrash(error)) return;
      at('beside').value = '';
      this.fail(error, path);
    }
  }

  #presentBeside(path, model, scene) {
    const canvas = at('canvas-beside');
    canvas.hidden = at('difference').hidden = at('how').hidden = false;
    this.besideStage ??= new Stage(canvas, this.orbit, (lost) => this.#pictureLost(lost));
    this.besideStage.show(model);
    this.beside = { path, model, stage: this.besideStage, scene, clips: scene.clips };
    this.differences = undefined;
    this.say('');
    this.refreshPanel();
    this.changed();
  }

  #closeBeside() {
    at('canvas-beside').hidden = at('difference').hidden = at('how').hidden = true;
    if (!this.beside) return;
    this.beside.stage.show(null);
    this.beside.model.close();
    this.beside = null;
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
    if (on && this.duration > 0 && !this.loops && this.time >= this.duration) this.time = 0; // again from its start
    this.playing = on;
    at('play').textContent = on ? 'Pause' : 'Play';
    this.changed();
  }

  lookFrom(side) {
    this.orbit.from(side);
    this.changed();
  }

  /** The next of the model's own cameras. */
  lookThroughOwn() {
    const count = this.scene?.cameras.length ?? 0;
    if (count === 0) return;
    this.orbit.own = this.orbit.own === null ? this.scene.portrait ?? 0 : (this.orbit.own + 1) % count;
    this.changed();
  }

  /** Shows or hides a pane; where there is room for one alone, the other goes. */
  fold(pane, on = at(pane).hidden) {
    const narrow = matchMedia('(max-width: 50rem)').matches;
    for (const id of ['browser', 'inspector']) {
      if (id === pane) at(id).hidden = !on;
      else if (narrow && on) at(id).hidden = true;
      at(`toggle-${id}`).setAttribute('aria-expanded', String(!at(id).hidden));
    }
    if (on) at(pane).querySelector('input, [tabindex="0"]')?.focus();
  }

  setBackground(name) {
    this.background = name;
    at('stage').classList.toggle('checkered', name === 'transparent');
    this.changed();
  }

  // --- time

  #frame(now) {
    if (this.stopped) return;
    const passed = Math.min(0.25, (now - this.last) / 1000) * Number(at('speed').value);
    this.last = now;
    if (this.model) {
      if (this.playing) {
        this.#advance(passed);
        this.dirty ||= moves(this.scene, this.clip) || (this.beside !== null && moves(this.beside.scene, this.#momentBeside().clip));
      }
      try {
        if (this.dirty) this.draw();
        this.picking.look(now);
      } catch (error) { // it would be the same a sixtieth of a second later
        console.warn(error);
        this.#stop(error.message);
      }
    }
    requestAnimationFrame((next) => this.#frame(next));
  }

  #advance(passed) {
    this.clock += passed;
    if (this.duration <= 0) return;
    const next = this.time + passed;
    if (next < this.duration || this.loops) {
      this.time = next % this.duration;
    } else if (at('loop').value === 'turn') {
      this.#nextClip();
    } else {
      this.time = this.duration;
      this.setPlaying(false);
    }
  }

  get loops() {
    const how = at('loop').value;
    return how === 'always' || (how === 'file' && this.clip >= 0 && this.scene.clips[this.clip].looping);
  }

  /** All clips in turn, without the rest pose. */
  #nextClip() {
    const clips = [...at('clip').options].map(({ value }) => Number(value)).filter((clip) => clip >= 0);
    this.setClip(clips[(clips.indexOf(this.clip) + 1) % clips.length]);
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
    if (this.stage.lost) return;
    this.#keepAddress();
    const background = BACKGROUNDS[this.background];
    if (!this.cost) performance.mark('first-picture');
    this.cost = this.stage.draw(this.moment, { ...this.#optionsFor(this.stage), selected: this.selected }, background);
    if (this.beside && !this.beside.stage.lost) {
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
    if (this.filming) return;
    const { triangles, particles, evaluation, drawing } = this.cost;
    at('cost').textContent = `${triangles.toLocaleString()} triangles${particles > 0 ? `, ${particles} particles` : ''} · ` +
      `evaluated in ${evaluation.toFixed(1)} ms, drawn in ${drawing.toFixed(1)} ms`;
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

  /** Fills the panel anew. Who is in it with the keyboard stays where they are. */
  refreshPanel() {
    const [, fill] = PANELS[this.panel];
    const panel = at('panel');
    const { scrollTop } = panel;
    const inside = panel.contains(document.activeElement);
    const place = [...panel.querySelectorAll(CONTROLS)].indexOf(document.activeElement);
    panel.onscroll = null;
    panel.replaceChildren(...(this.model ? fill(this).filter(Boolean) : []));
    panel.scrollTop = scrollTop;
    panel.onscroll?.();
    if (inside) (panel.querySelectorAll(CONTROLS)[place] ?? panel).focus({ preventScroll: true });
    [...at('tabs').children].forEach((tab, i) => {
      tab.setAttribute('aria-selected', String(i === this.panel));
      tab.tabIndex = i === this.panel ? 0 : -1;
    });
    panel.setAttribute('aria-labelledby', at('tabs').children[this.panel].id);
  }

  get panelElement() {
    return at('panel');
  }

  /** @param which its number or its name */
  choosePanel(which) {
    const index = Number.isInteger(which) ? which : PANELS.findIndex(([name]) => name === which);
    const panel = at('panel');
    if (panel.contains(document.activeElement)) panel.focus();
    panel.scrollTop = 0;
    this.panel = (index + PANELS.length) % PANELS.length;
    this.refreshPanel();
  }

  /** In the row of tabs arrows go from one to the next. */
  #tabKey(event) {
    const target = { ArrowLeft: this.panel - 1, ArrowRight: this.panel + 1, Home: 0, End: PANELS.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.choosePanel(target);
    at('tabs').children[this.panel].focus();
  }

  /** Leads from a finding, or whatever else has a path and perhaps an offset, to the fields that it is about. */
  goTo({ path, offset }) {
    this.choosePanel('Fields');
    const chosen = this.tree.openTo(offset === null ? { path } : { offset });
    const mesh = this.scene.meshes.findIndex(({ place }) => place && isWithin(path, place));
    if (mesh >= 0) this.selected = mesh;
    this.refreshPanel();
    const row = chosen === null ? null : at('panel').querySelector('.rows').show(this.tree.rows().indexOf(chosen));
    row?.querySelector('button')?.focus({ preventScroll: true });
    this.changed();
  }

  /** Marks a part of the model on the stage and in the panels; null: none. */
  select(mesh) {
    this.selected = mesh;
    this.allFindings = false;
    if (['Parts', 'Findings'].includes(PANELS[this.panel][0])) this.refreshPanel();
    this.changed();
  }

  /** Leads from what a click has hit to where the panels tell of it. */
  selectHit(hit) {
    const mesh = hit?.kind === 'mesh' && !hit.within ? hit.object : null;
    this.select(mesh);
    const { place } = this.scene.meshes[mesh] ?? {};
    const shown = PANELS[this.panel][0];
    if (mesh === null) return;
    if (shown === 'Fields' && place) this.goTo({ path: place, offset: null });
    else if (shown !== 'Findings') this.choosePanel('Parts');
    at(`mesh-${mesh}`)?.scrollIntoView({ block: 'nearest' });
    at('canvas').focus();
  }

  /** Draws the axes of a node, or takes them away. */
  mark(node) {
    this.options.markedNode = this.options.markedNode === node ? null : node;
    this.refreshPanel();
    this.changed();
  }

  // --- editing

  /** Changes a field and shows what has come of it. */
  async edit(text) {
    try {
      this.model.edit(text);
    } catch (error) {
      this.fail(error);
      this.refreshPanel(); // shows what still is
      return;
    }
    this.done.push(text);
    this.undone = [];
    await this.#showEdited('Changed');
  }

  async undo() {
    this.model.undo();
    if (this.done.length > 0) this.undone.push(this.done.pop());
    await this.#showEdited('Undone');
  }

  async redo() {
    const text = this.undone.pop();
    this.model.edit(text);
    this.done.push(text);
    await this.#showEdited('Done again');
  }

  async #showEdited(word) {
    const clip = at('clip').value;
    await this.show(this.path);
    this.unsaved[this.model.edits === 0 ? 'delete' : 'add'](this.path);
    if (this.model.edits === 0) this.say(`${word}: the file is as it was.`);
    else this.say(`${word}. Save file keeps it.`);
    this.#listClips();
    if ([...at('clip').options].some((option) => option.value === clip)) this.setClip(Number(clip));
  }

  saveFile() {
    this.say('');
    const name = this.path.split('/').pop();
    this.save(new Blob([this.model.bytes()]), name.slice(name.lastIndexOf('.')));
    this.unsaved.delete(this.path);
  }

  // --- out of the page

  saveAs(blob, name) {
    const link = element('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  /** Under the name of the model. */
  save(blob, extension) {
    this.saveAs(blob, this.path.split('/').pop().replace(/\.[^.]*$/, '') + extension);
  }

  screenshot() {
    this.say('');
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
      this.fail(error, 'Not copied');
    }
  }

  /** Once around the model, with its clip, as a film. */
  async turntable() {
    if (this.filming) return;
    this.filming = true;
    this.say('Filming…');
    const { azimuth, own } = this.orbit;
    let stream = null;
    try {
      stream = at('canvas').captureStream(30);
      const film = await this.#film(stream, azimuth);
      this.save(film, film.type.includes('mp4') ? '.mp4' : '.webm');
      this.say('');
    } catch (error) {
      this.fail(error, 'Not filmed');
    } finally {
      stream?.getTracks().forEach((track) => track.stop());
      Object.assign(this.orbit, { azimuth, own });
      this.filming = false;
      this.changed();
    }
  }

  async #film(stream, from) {
    const film = new MediaRecorder(stream, { videoBitsPerSecond: 8_000_000 });
    const parts = [];
    film.ondataavailable = (event) => parts.push(event.data);
    const ended = new Promise((done, failed) => {
      film.onstop = done;
      film.onerror = (event) => failed(event.error ?? new Error('the recorder stopped'));
    });
    film.start();
    this.orbit.own = null;
    await Promise.race([this.#turnAround(from), ended]);
    if (film.state !== 'inactive') film.stop();
    await ended;
    return new Blob(parts, { type: film.mimeType });
  }

  async #turnAround(from) {
    const start = performance.now();
    for (let share = 0; share < 1; share = (performance.now() - start) / TURN) {
      if (!this.filming) return; // the recorder has failed
      this.orbit.azimuth = from + share * 2 * Math.PI;
      this.changed();
      at('cost').textContent = `${Math.round(share * 100)} % of the film`;
      await new Promise((next) => { requestAnimationFrame(next); });
    }
  }

  // --- hands and keys

  #wire() {
    at('tabs').append(...PANELS.map(([name], i) => element('button', { type: 'button', role: 'tab', id: `tab-${name.toLowerCase()}`, 'aria-controls': 'panel', onclick: () => this.choosePanel(i) }, name)));
    at('tabs').addEventListener('keydown', (event) => this.#tabKey(event));
    at('team').append(...TEAMS.map((name, i) => element('option', { value: String(i) }, name)));
    if (TEAMS[this.asked.team]) at('team').value = this.asked.team;
    at('open').onclick = () => at('file-input').click();
    at('open-folder').onclick = () => at('folder-input').click();
    for (const id of ['file-input', 'folder-input']) {
      at(id).onchange = (event) => {
        const files = filesOfInput(event.target.files);
        event.target.value = ''; // else the same file, edited, could not be chosen again
        this.take(files);
      };
    }
    at('texture-input').onchange = async (event) => {
      const [file] = event.target.files;
      event.target.value = '';
      if (file) await this.tryTexture(this.sought, file);
    };
    for (const pane of ['browser', 'inspector']) at(`toggle-${pane}`).onclick = () => this.fold(pane);
    if (matchMedia('(max-width: 50rem)').matches) for (const pane of ['browser', 'inspector']) this.fold(pane, false);
    at('how').onchange = (event) => { at('stage').dataset.how = event.target.value; this.changed(); };
    window.addEventListener('beforeunload', (event) => this.unsaved.size > 0 && !this.stopped && event.preventDefault());
    window.addEventListener('hashchange', () => this.#addressChanged());
    this.setPlaying(this.playing);
    at('beside').onchange = (event) => this.showBeside(event.target.value);
    at('download').onclick = () => this.downloads.open();
    at('copy').onclick = () => this.copy();
    at('play').onclick = () => this.setPlaying(!this.playing);
    at('clip').onchange = (event) => this.setClip(Number(event.target.value));
    at('team').onchange = () => {
      if (this.path) this.show(this.path);
      if (this.beside) this.showBeside(this.beside.path);
    };
    at('scrub').oninput = (event) => {
      this.setPlaying(false);
      this.setTime(Number(event.target.value) * this.duration);
    };
    this.#keepSettings();
    at('example').onclick = () => this.#showExample();
    at('notice').querySelector('button').onclick = () => this.notice('');
    at('help').onclick = () => at('keys').showModal();
    this.manual = new Manual(at('manual'));
    at('open-manual').onclick = () => {
      at('keys').close();
      this.manual.show('page');
    };
    at('key-list').append(...Object.values(this.keys).filter(([key]) => key !== '').flatMap(([key, text]) => [element('dt', {}, key), element('dd', {}, text)]));
    document.addEventListener('keydown', (event) => this.#key(event));
    const stage = at('stage');
    document.addEventListener('dragover', (event) => { event.preventDefault(); stage.classList.add('over'); });
    document.addEventListener('dragleave', () => stage.classList.remove('over'));
    document.addEventListener('drop', async (event) => {
      event.preventDefault();
      stage.classList.remove('over');
      await this.take(await filesOfDrop(event.dataTransfer));
    });
    at('trouble').querySelector('button').onclick = () => location.reload();
    // Whatever nobody else has caught, such as a crash of the library in a panel.
    window.addEventListener('unhandledrejection', (event) => this.fail(event.reason));
    window.addEventListener('error', (event) => event.error && this.fail(event.error));
    new ResizeObserver(() => this.changed()).observe(stage);
    new ResizeObserver(() => at('panel').onscroll?.()).observe(at('panel'));
  }

  /** What was chosen below the picture is there again next time, where the browser keeps anything. */
  #keepSettings() {
    for (const id of ['loop', 'speed']) {
      try {
        const kept = localStorage.getItem(`thaw-${id}`);
        if ([...at(id).options].some(({ value }) => value === kept)) at(id).value = kept;
      } catch { /* it keeps nothing */ }
      at(id).addEventListener('change', () => {
        try { localStorage.setItem(`thaw-${id}`, at(id).value); } catch { /* neither now */ }
      });
    }
  }

  /** The knight that lies beside the page. */
  async #showExample() {
    const names = { 'example-knight.mdx': 'knight.mdx', ...Object.fromEntries(['', '_cloth', '_glow', '_rune'].map((part) => [`example-knight${part}.blp`, `Textures/knight${part}.blp`])) };
    try {
      const files = await Promise.all(Object.entries(names).map(async ([address, path]) => {
        const answer = await fetch(address);
        if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
        const bytes = new Uint8Array(await answer.arrayBuffer());
        return { path, bytes: async () => bytes };
      }));
      await this.take(files, 'knight.mdx');
    } catch (error) {
      this.fail(error, 'The example');
    }
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
      n: ['n', 'next model', () => this.#step(1)],
      N: ['N', 'model before', () => this.#step(-1)],
      1: ['1 3 7', 'from in front, from the left, from above', () => this.lookFrom('front')],
      3: ['', '', () => this.lookFrom('left')],
      7: ['', '', () => this.lookFrom('top')],
      0: ['0', "the model's next camera", () => this.lookThroughOwn()],
      o: ['o', 'files: show or hide', () => this.fold('browser')],
      i: ['i', 'panels: show or hide', () => this.fold('inspector')],
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
      g: ['g', 'download as GLB', () => this.model && this.downloads.make({ to: 'glb' })],
      e: ['e', 'download as something else', () => this.model && this.downloads.open()],
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

  #step(by) {
    const path = this.browser.neighbour(by);
    if (path) this.show(path);
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
    if (event.target.closest('button, #panel, #models, input') && /^(Arrow| |Enter)/.test(event.key)) return;
    const action = this.keys[event.key];
    if (action) {
      event.preventDefault();
      action[2]();
    }
  }
}

/** Of a browser in which the page cannot work. */
function refuse(error) {
  at('drop').replaceChildren(element('p', { role: 'alert' }, element('strong', {}, 'The page cannot work here: '), error.message));
  for (const control of document.querySelectorAll('header button, footer button')) control.disabled = true;
}

/** Where the page lies on a server of its own; `thaw view` is there as long as it runs. */
function keepForOffline() {
  if (!isServed && window.isSecureContext) navigator.serviceWorker?.register('offline.js').catch((error) => console.info(error));
}

async function start() {
  let viewer = null;
  beginOnServer(readAddress().file);
  try {
    viewer = new Viewer(await Library.load());
  } catch (error) {
    console.warn(error);
    refuse(error);
    return;
  }
  window.thawViewer = viewer; // for scripts that drive the page
  keepForOffline();
  if (isServed) await viewer.takeServed();
}

await start();
