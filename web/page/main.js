// The page: which model is shown, when, and how; everything else is in the modules beside it.

import { addressOf, readAddress } from './address.js';
import { Batch } from './batch.js';
import { Browser } from './browser.js';
import { Collection, inPieces } from './collection.js';
import { Downloads } from './downloads.js';
import { Closed, ThawError, isCrash } from './errors.js';
import { filmOnceAround } from './film.js';
import { Fly } from './fly.js';
import { attachFocus } from './focus.js';
import {
  beginOnServer,
  fetchLinks,
  findByLink,
  isArchive,
  isModel,
  isServed,
  listOnServer,
  searchOnServer,
  whereOnServer,
} from './files.js';
import { Inspector } from './inspector.js';
import { Library } from './library.js';
import { describe, explain } from './notices.js';
import { at, element } from './panels.js';
import { Picking } from './picking.js';
import { isPicture, readPicture, showPicture } from './pictures.js';
import { Player } from './player.js';
import { colourOf, keep, kept } from './settings.js';
import { Shell, TEAMS } from './shell.js';
import { Orbit, Stage, attachHands, differing, moves } from './stage.js';
import { Thumbnails } from './thumbnails.js';

/** Bytes of a model up to which it is validated when it opens; on the page's thread; by a worker. */
const MOST_CHECKED = 8 * 1024 * 1024;
const MOST_AT_ONCE = 512 * 1024;
const MOST_ELSEWHERE = 64 * 1024 * 1024;

class Viewer {
  constructor(library) {
    this.library = library;
    this.orbit = new Orbit();
    this.stage = new Stage(at('canvas'), this.orbit, (lost) => this.#pictureLost(lost));
    this.besideStage = null;
    this.beside = null;
    this.opening = 0; // models on their way, for which the one that is shown stands still
    this.options = {};
    this.openPaths = new Set(); // of the tree of fields
    this.undone = []; // edits that Undo took back, and those that it can take back
    this.done = [];
    this.unsaved = new Set(); // paths of files with edits that nobody saved
    this.choices = {}; // what decides how a file is opened: tile, doodad set
    this.fog = 0; // 0 none to 1 thick
    this.player = new Player(() => this.changed());
    this.files = new Collection(library, {
      reading: (path) => this.say(`Reading ${path}…`),
      read: (models) => this.#list(models),
      opening: (path, share) => this.say(`Opening ${path}… ${Math.round(share * 100)} %`),
      ...(isServed ? { list: listOnServer, where: whereOnServer } : { find: findByLink }),
    });
    this.thumbnails = new Thumbnails(this.files, library.compiled);
    this.browser = new Browser((path) => this.show(path), this.thumbnails, {
      list: (folder) => this.#openFolder(folder),
      search: searchOnServer,
    });
    this.asked = readAddress(); // what a link asks for, until it is shown
    this.#paper([this.asked.background, kept('background')].find(colourOf) ?? 'dark');
    this.last = performance.now();
    this.downloads = new Downloads(this);
    this.batch = new Batch(this);
    this.picking = new Picking(
      at('canvas'),
      at('hover'),
      () => (this.model ? this : null),
      (hit) => this.selectHit(hit),
    );
    attachHands(at('canvas'), this.orbit, () => this.changed());
    attachHands(at('canvas-beside'), this.orbit, () => this.changed());
    attachFocus(at('canvas'), this);
    this.fly = new Fly(
      at('canvas'),
      this.orbit,
      () => this.changed(),
      (text) => this.say(text),
    );
    this.inspector = new Inspector(this);
    this.shell = new Shell(this);
    this.inspector.refresh();
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
    if (error instanceof Closed) return;
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
    await inPieces(files, (some) => {
      this.files.add(some);
      this.thumbnails.renew(some);
    });
    const models = files.map((file) => file.path).filter(isModel);
    const archives = files.filter((file) => isArchive(file.path));
    const complaints = [];
    for (const file of archives.filter(({ served }) => !served)) {
      try {
        models.push(...(await this.files.openArchive(file)));
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
      this.#list([]);
      this.say('');
      if (complaints.length > 0) this.notice(complaints.join(' · '));
      else await this.#refuseArchive(archives[0].path);
      return;
    }
    if (models.length === 0 && files.length === 1) models.push(files[0].path); // whatever it is: its content may tell
    this.#list(models);
    if (this.beside && renewed.includes(this.beside.path)) this.showBeside(this.beside.path);
    const link = this.asked?.file && (await this.files.reaches(this.asked.file)) ? this.asked.file : '';
    const path = link || first || models[0] || archives.find((file) => file.served)?.path;
    if (path) await this.show(path, false);
    else this.say('These files contain no model. Drop a model that uses them.');
    if (complaints.length > 0) this.say(complaints.join(' · '));
  }

  async #openFolder(folder) {
    const archive = this.files.unreadArchive(folder);
    if (archive) {
      await this.files.openArchive(archive).catch((error) => this.#refuse(folder, error));
      return { folders: [], models: [] };
    }
    const listing = await this.files.openFolder(folder);
    this.#list([]);
    return listing;
  }

  /** Shows what `thaw view` was called with, or a link says. */
  async takeServed() {
    const { first, ...listing } = await this.#openFolder('');
    this.browser.addListing('', listing);
    const linked = this.asked?.file;
    if (linked) await this.files.openFolder(linked.slice(0, Math.max(0, linked.lastIndexOf('/')))).catch(() => {});
    const path =
      linked && (await this.files.reaches(linked))
        ? linked
        : first || (await this.#firstModel('', listing)) || [...this.files.unread.values()][0]?.path;
    if (this.turn) return; // somebody has chosen a model meanwhile
    if (path) await this.show(path, false);
    else this.say('No model here. Open a folder on the left, or search.');
  }

  /** Shows what the page's address names of other servers. */
  async takeLinks() {
    try {
      const files = await fetchLinks();
      if (files.length > 0) await this.take(files);
    } catch (error) {
      this.fail(error);
      this.notice(error.message);
    }
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
    const turn = (this.turn = (this.turn ?? 0) + 1);
    try {
      const models = await this.files.openArchive(file);
      if (turn !== this.turn) return;
      if (models.length > 0) await this.show(models[0], false);
      else this.say(`${file.path} contains no model or texture that thaw shows.`);
    } catch (error) {
      this.fail(error, file.path);
    }
  }

  /** What decides how a file is opened. */
  get #opening() {
    return { teamColor: at('team').value, ...this.choices };
  }

  #list(models) {
    this.browser.add(
      models,
      [...this.files.unread.values()].map(({ path }) => path),
      [...this.files.passedOver.values()].reduce((sum, count) => sum + count, 0),
    );
  }

  // --- the model

  /** @param again whether it is the same model as before, otherwise opened: camera, clip and choices stay */
  async show(path, again = path === this.path) {
    if (this.stopped) return;
    this.opening += 1;
    try {
      await this.#show(path, again);
    } finally {
      this.opening -= 1;
    }
  }

  async #show(path, again) {
    const archive = this.files.unreadArchive(path);
    if (archive) {
      await this.#showArchive(archive);
      return;
    }
    const turn = (this.turn = (this.turn ?? 0) + 1); // who asks last is shown
    if (!again) this.choices = {};
    this.say(`Opening ${path}…`);
    this.notice('');
    if (isPicture(path)) {
      await this.#showPicture(path, turn);
      return;
    }
    try {
      const { model, isOpen } = await this.files.open(path, this.#opening);
      if (turn === this.turn && (await this.stage.show(model))) this.#present(path, model, again);
      else model.close();
      if (isOpen && turn === this.turn) this.#settle(path, turn);
    } catch (error) {
      if (turn !== this.turn && !isCrash(error)) return;
      this.#refuse(path, error);
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
      this.inspector.refresh();
      this.say('');
      at('cost').textContent = '';
    } catch (error) {
      if (turn !== this.turn && !isCrash(error)) return;
      this.#refuse(path, error);
    }
  }

  /** Says why a file shows nothing, on the stage and to who does not see it. */
  #refuse(path, error) {
    this.fail(error, path);
    if (isCrash(error)) return;
    const text = explain(path, error.message);
    this.notice(text);
    this.say(text);
  }

  /** Of an archive that names no model or texture: the library knows whether it is one. */
  async #refuseArchive(path) {
    if ([...this.files.unread.values()].some((file) => this.files.outermost(file.path) === path)) {
      this.say(`${path} contains archives. Open them in Files.`);
      return;
    }
    try {
      (await this.files.open(path, {})).model.close();
    } catch (error) {
      this.#refuse(path, error);
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
    if (this.info.size <= MOST_CHECKED) this.lookForFindings();
  }

  /** Findings are undefined until somebody wants them, and null until they are there; a worker of its own looks through large files. */
  lookForFindings() {
    if (this.findings !== undefined) return;
    const { model, info } = this;
    if (this.files.isAltered || info.size <= MOST_AT_ONCE || info.size > MOST_ELSEWHERE) {
      this.#awaitFindings(model, model.findings());
    } else {
      this.#awaitFindings(
        model,
        this.thumbnails.check(this.path, this.#opening).then((found) => found ?? model.findings()),
      );
    }
  }

  async #awaitFindings(model, coming) {
    this.findings = null;
    const findings = await coming.catch((error) => {
      if (this.model === model) throw error;
    });
    if (this.model !== model) return;
    this.#takeFindings(findings);
    if (['Parts', 'Findings'].includes(this.inspector.shown)) this.inspector.refresh();
  }

  #takeFindings(findings) {
    this.findings = findings;
    if (this.info.size > MOST_CHECKED) return; // whoever asked sees them
    const tab = at('tab-findings');
    const count = findings.filter(({ severity }) => severity !== 'info').length;
    if (count > 0) tab.dataset.count = String(count);
    tab.title = `${count} finding${count === 1 ? '' : 's'}`;
    this.notice(describe(this));
  }

  /** What a model lacks may be anywhere: it is shown as it is, and anew when it was found. */
  async #settle(path, turn) {
    const isShown = () => turn === this.turn && path === this.path;
    const found = await this.files.settle(
      path,
      (count) => isShown() && this.say(`Searching ${count.toLocaleString()} files for missing textures and models…`),
    );
    if (!isShown()) return;
    this.#list([]);
    if (found || this.files.unread.size > 0) await this.show(path, true);
    else this.say('');
  }

  /** @param model that is on the stage */
  #present(path, model, again) {
    const { scene } = model;
    this.model?.close();
    this.model = model;
    this.path = path;
    this.info = model.info;
    this.scene = scene;
    this.findings = this.tree = this.comingTree = this.differences = this.text = this.textRead = undefined;
    at('drop').hidden = at('texture').hidden = true;
    document.querySelector('footer').hidden = false;
    for (const id of ['download', 'copy']) at(id).disabled = false;
    this.browser.mark(path);
    document.title = `${path.split('/').pop()} – thaw`;
    if (again) {
      this.player.listAgain(scene);
    } else {
      this.undone = [];
      this.done = [];
      this.options.hiddenMeshes = [];
      this.options.markedNode = null;
      this.selected = null;
      this.openPaths.clear();
      this.orbit.reset();
      if (scene.isPortrait) this.orbit.own = scene.portrait;
      this.player.list(scene);
      this.#follow();
    }
    model.events(scene.clips).then(
      (events) => this.model === model && this.player.timeline.setEvents(events),
      (error) => this.model === model && this.fail(error),
    );
    this.#tellFindings();
    this.inspector.refresh();
    this.#tellMissing();
    const missing = scene.textures.filter((texture) => texture.missing).length;
    this.say(
      missing > 0 && this.files.unread.size > 0
        ? `${missing} textures were not found. Closed archives are searched only if you choose them in Files.`
        : '',
    );
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
    if (!asked || (asked.file ?? this.path) !== this.path) return;
    const clip = this.scene.clips.findIndex(({ name, global }) => name === asked.clip && !global);
    if (clip >= 0) this.player.setClip(clip);
    if (asked.time !== null) {
      this.player.setPlaying(false);
      this.player.setTime(asked.time);
      this.player.clock = asked.clock;
    }
    if (asked.camera) {
      const [azimuth, elevation, distance, ...place] = asked.camera;
      Object.assign(this.orbit, {
        azimuth,
        elevation,
        own: null,
        ...(place.length === 3 ? { away: distance, pivot: place } : { distance, shift: place, pivot: null }),
      });
    } else if (asked.own !== null && asked.own < this.scene.cameras.length) {
      this.orbit.own = asked.own;
    }
  }

  /** Somebody has changed the address by hand, or opened a link into this page. */
  async addressChanged() {
    if (!this.model || location.hash === addressOf(this)) return;
    this.asked = readAddress();
    if (TEAMS[this.asked.team]) at('team').value = this.asked.team;
    if (colourOf(this.asked.background)) this.#paper(this.asked.background);
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
      element(
        'p',
        {},
        `${lost.length} texture${lost.length === 1 ? ' is' : 's are'} missing `,
        element(
          'button',
          {
            type: 'button',
            'aria-label': 'Close',
            onclick: () => {
              this.untold = this.path;
              place.hidden = true;
            },
          },
          '×',
        ),
      ),
      element(
        'ul',
        { class: 'plain' },
        ...lost.slice(0, MOST).map((path) => {
          const line = element(
            'li',
            {},
            element('span', {}, path),
            ' ',
            element('button', { type: 'button', 'aria-label': `Find ${path}`, onclick: () => this.findTexture(path) }, 'Find it…'),
          );
          this.takesPictures(line, path);
          return line;
        }),
      ),
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
    await this.files.put(path, new Uint8Array(await file.arrayBuffer()), this.path);
    await this.show(this.path);
    const still = this.scene.textures.some((texture) => texture.path === path && texture.missing);
    this.say(still ? `thaw cannot read ${file.name} as an image.` : `${path} is replaced with ${file.name} in this page only.`);
  }

  /** Opens the same file otherwise. */
  async choose(choices) {
    Object.assign(this.choices, choices);
    await this.show(this.path);
    this.orbit.reset();
  }

  async showBeside(path) {
    if (this.stopped) return;
    const turn = (this.turnBeside = (this.turnBeside ?? 0) + 1); // as in show()
    this.#closeBeside();
    if (path === '') return;
    this.say(`Opening ${path}…`);
    try {
      const { model } = await this.files.open(path, this.#opening);
      this.besideStage ??= new Stage(at('canvas-beside'), this.orbit, (lost) => this.#pictureLost(lost));
      if (turn === this.turnBeside && (await this.besideStage.show(model))) this.#presentBeside(path, model);
      else model.close();
    } catch (error) {
      if (turn !== this.turnBeside && !isCrash(error)) return;
      at('beside').value = '';
      this.fail(error, path);
    }
  }

  #presentBeside(path, model) {
    at('canvas-beside').hidden = at('difference').hidden = at('how').hidden = false;
    this.beside = { path, model, stage: this.besideStage, scene: model.scene };
    this.differences = undefined;
    this.say('');
    this.inspector.refresh();
    this.changed();
  }

  #closeBeside() {
    at('canvas-beside').hidden = at('difference').hidden = at('how').hidden = true;
    this.besideStage?.show(null);
    if (!this.beside) return;
    this.beside.model.close();
    this.beside = null;
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
    this.orbit.own = this.orbit.own === null ? (this.scene.portrait ?? 0) : (this.orbit.own + 1) % count;
    this.changed();
  }

  setBackground(name) {
    this.#paper(name);
    keep('background', name);
  }

  /** @param name as colourOf has it */
  #paper(name) {
    this.background = name;
    at('stage').classList.toggle('checkered', name === 'transparent');
    this.changed();
  }

  // --- time

  #frame(now) {
    if (this.stopped) return;
    const passed = Math.min(0.25, (now - this.last) / 1000);
    this.last = now;
    if (this.model) {
      if (this.player.playing && this.opening === 0) {
        this.player.advance(passed);
        this.dirty ||= moves(this.scene, this.player.clip) || (this.beside !== null && moves(this.beside.scene, this.#momentBeside.clip));
      }
      if (this.dirty && !this.drawing) this.draw().catch((error) => this.#endDrawing(error));
      this.picking.look(now).catch((error) => this.#endDrawing(error));
    }
    requestAnimationFrame((next) => this.#frame(next));
  }

  /** The second model plays its clip of the same name. */
  get #momentBeside() {
    return this.player.momentAmong(this.beside.scene.clips);
  }

  /** What fails now would fail a sixtieth of a second later. */
  #endDrawing(error) {
    if (this.stopped || error instanceof Closed) return;
    console.warn(error);
    this.#stop(error.message);
  }

  /** Draws what is to be seen now, after what is being drawn. The canvas has it when this ends, until the next task. */
  draw() {
    const drawing = (this.drawing ?? Promise.resolve()).then(() => this.#drawNow());
    const ended = () => {
      if (this.drawing === over) this.drawing = null;
    };
    const over = drawing.then(ended, ended);
    this.drawing = over;
    return drawing;
  }

  async #drawNow() {
    this.dirty = false;
    const { stage, beside, player, inspector } = this;
    const { moment } = player;
    if (stage.lost || !stage.model) return;
    this.#keepAddress();
    const picture = await stage.evaluate(moment, { ...(await this.#optionsFor(stage)), selected: this.selected });
    let other = null;
    if (picture && beside && beside === this.beside && !beside.stage.lost) {
      const options = { ...(await this.#optionsFor(beside.stage)), hiddenMeshes: [], markedNode: null };
      other = await beside.stage.evaluate(this.#momentBeside, options, picture.camera); // side by side, they compare
    }
    const labels = picture && (await inspector.skeleton.evaluate(moment, picture.camera));
    const background = colourOf(this.background);
    const cost = stage.draw(picture, background);
    beside?.stage.draw(other, background);
    if (!cost) return;
    if (!this.cost) performance.mark('first-picture');
    this.cost = cost;
    inspector.skeleton.draw(labels);
    player.tellTime();
    if (!player.playing || Math.random() < 0.1) this.#tellCost();
  }

  /** Fog of the background's colour: it ends nearer, the thicker it is. */
  async #optionsFor(stage) {
    if (this.fog === 0) return this.options;
    const distance = await stage.distance(this.player.clip, this.player.time);
    const end = distance * (3 - 2 * this.fog);
    const color = colourOf(this.background).slice(0, 3);
    return { ...this.options, fog: { enabled: true, start: end * 0.4 * (1 - this.fog * 0.5), end, color } };
  }

  #tellCost() {
    if (this.filming) return;
    const { triangles, particles, evaluation, drawing } = this.cost;
    at('cost').textContent =
      `${triangles.toLocaleString()} triangles${particles > 0 ? `, ${particles} particles` : ''} · ` +
      `evaluated in ${evaluation.toFixed(1)} ms, drawn in ${drawing.toFixed(1)} ms`;
    if (!this.beside) return;
    at('difference').textContent = `${(differing(at('canvas'), at('canvas-beside')) * 100).toFixed(1)} % of the pixels differ`;
  }

  /** Marks a part of the model on the stage and in the panels; null: none. */
  async select(mesh) {
    this.selected = mesh;
    this.allFindings = false;
    this.changed();
    if (['Parts', 'Findings'].includes(this.inspector.shown)) await this.inspector.refresh();
  }

  /** Leads from what a click has hit to where the panels tell of it. */
  async selectHit(hit) {
    const mesh = hit?.kind === 'mesh' && !hit.within ? hit.object : null;
    await this.select(mesh);
    const { place } = this.scene.meshes[mesh] ?? {};
    const { shown } = this.inspector;
    if (mesh === null) return;
    if (shown === 'Fields' && place) await this.inspector.goTo({ path: place, offset: null });
    else if (shown !== 'Findings') await this.inspector.choose('Parts');
    at(`mesh-${mesh}`)?.scrollIntoView({ block: 'nearest' });
    at('canvas').focus();
  }

  /** Draws the axes of a node, or takes them away. */
  mark(node) {
    this.options.markedNode = this.options.markedNode === node ? null : node;
    this.inspector.refresh();
    this.changed();
  }

  // --- editing

  /** Changes a field and shows what has come of it. */
  async edit(text) {
    try {
      await this.model.edit(text);
    } catch (error) {
      this.fail(error);
      this.inspector.refresh(); // shows what still is
      return;
    }
    this.files.pin(this.path);
    this.done.push(text);
    this.undone = [];
    await this.#showEdited('Changed');
  }

  async undo() {
    await this.model.undo();
    if (this.done.length > 0) this.undone.push(this.done.pop());
    await this.#showEdited('Undone');
  }

  async redo() {
    const text = this.undone.pop();
    await this.model.edit(text);
    this.done.push(text);
    await this.#showEdited('Done again');
  }

  async #showEdited(word) {
    await this.show(this.path);
    this.unsaved[this.model.edits === 0 ? 'delete' : 'add'](this.path);
    if (this.model.edits === 0) this.say(`${word}. The file has no changes.`);
    else this.say(`${word}. Press Save file to store the change.`);
  }

  async saveFile() {
    this.say('');
    const { path, model } = this;
    const name = path.split('/').pop();
    this.save(new Blob([await model.bytes()]), name.slice(name.lastIndexOf('.')));
    this.unsaved.delete(path);
  }

  // --- out of the page

  saveAs(blob, name) {
    const link = element('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  /** Under the name of the model. */
  save(blob, extension) {
    this.saveAs(
      blob,
      this.path
        .split('/')
        .pop()
        .replace(/\.[^.]*$/, '') + extension,
    );
  }

  async screenshot() {
    this.say('');
    await this.draw();
    at('canvas').toBlob((blob) => this.save(blob, '.png'), 'image/png');
  }

  /** The picture as it is, for pasting elsewhere. */
  async copy() {
    const blob = this.draw().then(
      () =>
        new Promise((done) => {
          at('canvas').toBlob(done, 'image/png');
        }),
    );
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
    try {
      const film = await filmOnceAround(
        at('canvas'),
        this.orbit,
        () => this.changed(),
        (share) => {
          at('cost').textContent = `${Math.round(share * 100)} % of the film`;
        },
      );
      this.save(film, film.type.includes('mp4') ? '.mp4' : '.webm');
      this.say('');
    } catch (error) {
      this.fail(error, 'Not filmed');
    } finally {
      this.filming = false;
    }
  }
}

/** Of a browser in which the page cannot work. */
function refuse(error) {
  at('drop').replaceChildren(element('p', { role: 'alert' }, element('strong', {}, 'The page cannot work here: '), error.message));
  for (const control of document.querySelectorAll('header button, footer button')) control.setAttribute('disabled', '');
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
  Object.assign(window, { thawViewer: viewer }); // for scripts that drive the page
  keepForOffline();
  if (isServed) await viewer.takeServed();
  else await viewer.takeLinks();
}

await start();
