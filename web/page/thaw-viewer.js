// <thaw-viewer src="knight.mdx">: a model in a page of somebody else (docs/user/page.md#in-a-page-of-your-own).

import { Collection } from './collection.js';
import { Closed } from './errors.js';
import { below } from './files.js';
import { Library } from './library.js';
import { colourOf } from './settings.js';
import { Orbit, Stage, attachHands, moves } from './stage.js';

const SHADOW = `<style>
:host { display: inline-block; position: relative; width: 300px; height: 300px; }
:host([hidden]), [hidden] { display: none; }
canvas { width: 100%; height: 100%; display: block; touch-action: pan-y; }
canvas:focus { touch-action: none; }
:host([fixed]) canvas { pointer-events: none; }
img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; pointer-events: none; }
p { position: absolute; inset: auto 0 0; margin: 0; padding: 0.25em 0.5em; font: 0.8rem system-ui, sans-serif;
  color: #fff; background: #000b; overflow-wrap: anywhere; pointer-events: none; }
</style><canvas tabindex="0" role="img"></canvas><img alt="" hidden><p role="status" hidden></p>`;

/** One context draws for all elements of a page: browsers keep only some of many alive. */
let surface = null;

/** How far from what is seen a model with loading="lazy" is opened. */
const NEARBY = '200px';

/** One library for all models of a page. */
let shared = null;
const library = () => {
  shared ??= Library.load();
  return shared;
};

/** Several elements open their models one after the other: what a model asks for is known by the last one. */
let turn = /** @type {Promise<any>} */ (Promise.resolve());
const inTurn = (work) => {
  const mine = turn.then(work);
  turn = mine.catch(() => {});
  return mine;
};

const fetchBytes = async (url) => {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
};

export class ThawViewer extends HTMLElement {
  static observedAttributes = ['src', 'textures', 'clip', 'time', 'camera', 'team', 'background', 'alt', 'poster', 'loading'];

  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).innerHTML = SHADOW;
    this.canvas = this.shadowRoot.querySelector('canvas');
    this.image = this.shadowRoot.querySelector('img');
    this.status = this.shadowRoot.querySelector('p');
    this.shown = null; // of the model, see `scene`
    this.orbit = new Orbit();
    this.clock = 0;
    this.seconds = 0;
    // The wheel scrolls the page until somebody clicks the model.
    attachHands(
      this.canvas,
      this.orbit,
      () => this.#draw(),
      () => this.shadowRoot.activeElement === this.canvas,
    );
    this.canvas.addEventListener('keydown', (event) => this.#key(event));
    new ResizeObserver(() => this.#draw()).observe(this);
    this.sight = new IntersectionObserver(([{ isIntersecting }]) => this.#see(isIntersecting), { rootMargin: NEARBY });
  }

  connectedCallback() {
    this.last = performance.now();
    this.loop = requestAnimationFrame((now) => this.#frame(now));
    this.inSight = false;
    this.sight.observe(this);
    this.#begin();
  }

  disconnectedCallback() {
    cancelAnimationFrame(this.loop);
    this.sight.disconnect();
    this.opening = this.drawing = null;
    this.stage?.close();
    this.model?.close();
    this.stage = this.model = null;
  }

  attributeChangedCallback(name, before, now) {
    if (before === now || !this.isConnected) return;
    if (['src', 'textures', 'team', 'loading'].includes(name)) this.#begin();
    else this.#apply();
  }

  /** What is far from the window is not drawn, and with loading="lazy" not opened. */
  #see(isNear) {
    this.inSight = isNear;
    if (isNear && !this.model && !this.opening) this.#begin();
  }

  #begin() {
    this.image.hidden = !this.hasAttribute('poster') || Boolean(this.model);
    if (!this.image.hidden) this.image.src = this.getAttribute('poster');
    if (this.getAttribute('src') && (this.inSight || this.getAttribute('loading') !== 'lazy')) this.#open();
  }

  /** A line over the picture; '': none. */
  #say(text) {
    this.status.textContent = text;
    this.status.hidden = text === '';
  }

  /** What the model is: clips, cameras, nodes, textures; null until `load`. */
  get scene() {
    return this.model ? this.shown : null;
  }

  get paused() {
    return this.hasAttribute('paused') || (matchMedia('(prefers-reduced-motion: reduce)').matches && !this.hasAttribute('autoplay'));
  }

  /** Seconds into the clip. */
  get currentTime() {
    return this.seconds;
  }

  set currentTime(seconds) {
    this.seconds = seconds;
    this.#draw();
  }

  /** The picture as it is now, as a PNG. */
  async toBlob() {
    await this.drawing; // which may be of a moment before
    await this.#draw();
    return new Promise((done) => {
      this.canvas.toBlob(done);
    });
  }

  /** The model as thaw converts it. */
  async toGlb() {
    const { files } = await this.model.make({ to: 'glb' });
    return new Blob([files[0].bytes], { type: 'model/gltf-binary' });
  }

  // --- opening

  async #open() {
    const src = this.getAttribute('src');
    const opening = (this.opening = Symbol(src));
    this.#say('Loading…');
    try {
      const { model, scene } = await inTurn(() => this.#read(src));
      surface ??= document.createElement('canvas');
      if (opening === this.opening) this.stage ??= new Stage(this.canvas, this.orbit, (lost) => lost || this.#draw(), surface);
      if (opening !== this.opening || !(await this.stage.show(model))) {
        model.close();
        return;
      }
      this.model?.close();
      Object.assign(this, { model, shown: scene, seconds: 0 });
      this.orbit.reset();
      if (scene.isPortrait) this.orbit.own = scene.portrait;
      this.#apply();
      this.image.hidden = true;
      this.#say('');
      this.dispatchEvent(new CustomEvent('load', { detail: { clips: scene.clips.map(({ name }) => name), missing: this.missing } }));
    } catch (error) {
      if (opening !== this.opening || error instanceof Closed) return;
      this.#say(error.message);
      this.dispatchEvent(new CustomEvent('error', { detail: error }));
    }
  }

  /** Textures are asked for by their game path below `textures`, which is the model's folder without it. */
  async #read(src) {
    const url = new URL(src, document.baseURI);
    const folder = new URL(this.getAttribute('textures') ?? '.', this.hasAttribute('textures') ? document.baseURI : url);
    const name = decodeURIComponent(url.pathname.replace(/^\//, ''));
    const files = new Collection(await library(), {
      reading: () => {},
      read: () => {},
      searches: false,
      opening: (path, share) => this.#say(`Loading… ${Math.round(share * 100)} %`),
      find: (model, path) => fetchBytes(below(folder, path)).catch(() => null),
    });
    files.add([{ path: name, served: true, bytes: () => fetchBytes(url) }]);
    return files.open(name, { teamColor: this.getAttribute('team') ?? '0' });
  }

  get missing() {
    return this.shown.textures.filter(({ missing }) => missing).map(({ path }) => path);
  }

  // --- attributes

  #apply() {
    this.canvas.setAttribute('aria-label', this.getAttribute('alt') ?? `Model ${this.getAttribute('src') ?? ''}`);
    if (!this.model) return;
    const wanted = this.getAttribute('clip');
    const named = this.shown.clips.findIndex(({ name, global }) => name === wanted && !global);
    this.clip = wanted === 'none' ? -1 : named >= 0 ? named : (this.shown.defaultClip ?? -1);
    if (this.hasAttribute('time')) this.seconds = Number(this.getAttribute('time'));
    const camera = this.getAttribute('camera');
    const own = this.shown.cameras.findIndex(({ name }) => name === camera);
    if (own >= 0) this.orbit.own = own;
    else if (camera) {
      const [azimuth, elevation, distance = 1] = camera.split(',').map(Number);
      const radians = Math.PI / 180;
      Object.assign(this.orbit, { azimuth: azimuth * radians, elevation: elevation * radians, distance, own: null, pivot: null });
    }
    this.#draw();
  }

  get #background() {
    return colourOf(this.getAttribute('background')) ?? colourOf('transparent');
  }

  // --- time

  #frame(now) {
    const passed = Math.min(0.25, (now - this.last) / 1000);
    this.last = now;
    if (this.model && this.inSight && !this.paused && moves(this.shown, this.clip)) {
      const { duration, looping } = this.clip < 0 ? { duration: 0, looping: false } : this.shown.clips[this.clip];
      this.clock += passed;
      this.seconds = looping && duration > 0 ? (this.seconds + passed) % duration : Math.min(this.seconds + passed, duration);
      this.#draw();
    }
    this.loop = requestAnimationFrame((next) => this.#frame(next));
  }

  /** Draws what is to be seen now; while the library answers, only the last call counts. */
  #draw() {
    this.dirty = true;
    this.drawing ??= this.#drawNow().finally(() => {
      this.drawing = null;
      if (this.dirty) this.#draw();
    });
    return this.drawing;
  }

  async #drawNow() {
    this.dirty = false;
    const { stage } = this;
    if (!this.model || stage.lost) return;
    stage.draw(await stage.evaluate({ clip: this.clip, time: this.seconds, clock: this.clock }, {}), this.#background);
  }

  #key(event) {
    const angles = { ArrowLeft: [-24, 0], ArrowRight: [24, 0], ArrowUp: [0, -24], ArrowDown: [0, 24] }[event.key];
    const steps = { '+': -200, '-': 200 }[event.key];
    if (angles) this.orbit.turn(...angles);
    else if (steps) this.orbit.zoom(steps);
    else if (event.key === ' ') this.toggleAttribute('paused');
    else return;
    event.preventDefault();
    this.#draw();
  }
}

customElements.define('thaw-viewer', ThawViewer);
