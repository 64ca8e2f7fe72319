// One canvas with one model: the camera that hands move, and the picture.

import { Backend } from './backend.js';
import { Closed } from './errors.js';

const LIMIT = Math.PI / 2 - 0.01;

/** From where a model is looked at first. */
const AZIMUTH = 0.61;
const ELEVATION = 0.35;

/**
 * Azimuth and elevation of a camera. Until hands move it, it shows all of a clip; then it keeps its distance from a pivot.
 * Shared by canvases side by side.
 */
export class Orbit {
  constructor() {
    this.flies = false; // hands that drag look around instead of turning the model
    this.reset();
  }

  reset() {
    this.azimuth = AZIMUTH;
    this.elevation = ELEVATION;
    this.distance = 1; // until there is a pivot; 1: all of the clip is in the picture
    this.shift = [0, 0]; // in heights of the picture, until there is a pivot
    this.pivot = null; // where the camera looks; null: the middle of the clip
    this.away = 0; // units from the pivot
    this.fit = 1; // units from which all of the clip is in the picture
    this.own = null; // index of a camera of the model
    this.parallel = false;
    this.seen = null; // the camera of the last picture
  }

  /** From in front, from the model's left, from above. */
  from(side) {
    const { parallel } = this;
    const distance = this.pivot ? this.away / this.fit : this.distance;
    this.reset();
    const [azimuth, elevation] = { front: [0, 0], left: [Math.PI / 2, 0], top: [0, LIMIT] }[side];
    Object.assign(this, { azimuth, elevation, distance, parallel });
  }

  turn(dx, dy) {
    this.#hold();
    this.azimuth -= dx * 0.008;
    this.elevation = Math.min(LIMIT, Math.max(-LIMIT, this.elevation + dy * 0.008));
  }

  /** Moves what is in the pivot's plane by shares of the picture's height: right and down. */
  move(dx, dy) {
    if (!this.#hold()) return;
    const { right, up, height } = frameOf(this.seen);
    this.#slide(add(add([0, 0, 0], right, -dx * height), up, dy * height));
  }

  /** @param at a place of the picture that stays where it is: heights right of its middle and above it */
  zoom(steps, at = [0, 0]) {
    if (!this.#hold()) return;
    const away = Math.min(50 * this.fit, Math.max(0.02 * this.fit, this.away * 1.0015 ** steps));
    const factor = away / this.away;
    const { right, up, height } = frameOf(this.seen);
    const share = (1 - factor) * height;
    this.#slide(add(add([0, 0, 0], right, at[0] * share), up, at[1] * share));
    this.away = away;
    const { eye, target } = this.seen; // several steps may come before the next picture
    this.seen = { ...this.seen, eye: add(target, subtract(eye, target), factor), height: this.seen.height * factor };
  }

  /** Turns the view about the eye. */
  look(dx, dy) {
    if (!this.#hold()) return;
    const { eye, target } = this.seen;
    const [x, , z] = subtract(eye, target);
    const before = this.azimuth;
    this.turn(dx, dy);
    this.pivot = subtract(eye, backwards(Math.atan2(x, z) + this.azimuth - before, this.elevation, this.away));
    this.seen = { ...this.seen, target: this.pivot };
  }

  /** Moves eye and pivot by units to the right, up, and ahead. */
  fly([aside, up, ahead]) {
    if (!this.#hold()) return;
    const { eye, target } = this.seen;
    this.#slide(add(add([0, up, 0], frameOf(this.seen).right, aside), unit(subtract(target, eye)), ahead));
  }

  /** Moves the pivot by a share of the way to a point, and the eye with it. */
  approach(point, share) {
    if (this.#hold()) this.#slide(subtract(point, this.pivot).map((value) => value * share));
  }

  /** From now on the camera turns about what it looks at. */
  #hold() {
    this.own = null;
    if (!this.seen) return false;
    if (!this.pivot) {
      this.pivot = this.seen.target;
      this.away = length(subtract(this.seen.eye, this.pivot));
    }
    return true;
  }

  #slide(by) {
    this.pivot = add(this.pivot, by, 1);
    this.seen = { ...this.seen, eye: add(this.seen.eye, by, 1), target: add(this.seen.target, by, 1) };
  }
}

/** Whether a later moment of a clip (-1: the rest pose) shows something else. */
export const moves = (scene, clip) => scene.moves || (clip >= 0 && scene.clips[clip].duration > 0);

export class Stage {
  /**
   * @param {(lost: boolean) => void} told is called when the graphics card has lost the picture, and when it is there again
   * @param surface the canvas with the WebGL context, from which `canvas` takes the picture if it is another
   */
  constructor(canvas, orbit, told = () => {}, surface = canvas) {
    this.canvas = canvas;
    this.surface = surface;
    this.orbit = orbit;
    this.backend = new Backend(surface);
    this.model = null; // of the pictures
    this.wanted = null; // that is shown or on its way to the card
    this.framed = null; // the camera around the model, and for what
    this.lost = false;
    this.ended = new AbortController();
    const { signal } = this.ended;
    surface.addEventListener(
      'webglcontextlost',
      (event) => {
        event.preventDefault(); // else it never comes back
        this.lost = true;
        told(true);
      },
      { signal },
    );
    surface.addEventListener(
      'webglcontextrestored',
      () => {
        this.lost = false;
        this.backend = new Backend(surface);
        this.show(this.wanted).then(() => told(false));
      },
      { signal },
    );
  }

  /** Nothing is drawn any more. */
  close() {
    this.show(null);
    this.ended.abort();
  }

  /**
   * Takes another model once all of it is on the card; whether it still is the one that is wanted then.
   * @param model {import('./library.js').Model|null}
   */
  async show(model) {
    this.wanted = model;
    let loaded = /** @type {any} */ (null);
    while (model && !this.lost && loaded?.backend !== this.backend) {
      const { backend } = this;
      loaded = await backend.load(model);
      if (this.wanted === model) continue;
      backend.free(loaded);
      return false;
    }
    this.model = model;
    this.framed = null;
    if (!this.lost) this.backend.take(loaded);
    return true;
  }

  async camera(clip, time, [width, height] = this.#size) {
    const { orbit, model } = this;
    const aspect = width / height;
    const own = orbit.own === null ? null : await model.ownCamera(orbit.own, clip, time, aspect);
    if (own) return own;
    const { azimuth, elevation, distance } = orbit;
    const held = orbit.pivot !== null;
    const framed = await this.#framing(clip, ...(held ? [AZIMUTH, ELEVATION, 1] : [azimuth, elevation, distance]), aspect);
    orbit.fit = length(subtract(framed.eye, framed.target)) / (held ? 1 : distance);
    return (orbit.seen = held ? around(framed, orbit) : shifted(framed, orbit));
  }

  /** The camera that shows all of a clip, which takes a look at many moments: hands that turn it do not ask for another. */
  #framing(...asked) {
    const key = asked.join();
    if (this.framed?.key !== key) this.framed = { key, camera: this.model.autoCamera(...asked) };
    return this.framed.camera;
  }

  /** From the eye to what it looks at. */
  async distance(clip, time) {
    const { eye, target } = await this.camera(clip, time);
    return length(subtract(eye, target));
  }

  /** Pixels of the picture. */
  get #size() {
    const scale = window.devicePixelRatio || 1;
    return [this.canvas.clientWidth, this.canvas.clientHeight].map((side) => Math.max(1, Math.round(side * scale)));
  }

  /** What a moment looks like, for `draw`: {camera, frame}; null if the model has gone meanwhile. @param given a camera */
  async evaluate(moment, options, given = null) {
    const { model } = this;
    const size = this.#size;
    const start = performance.now();
    try {
      const camera = given ?? (await this.camera(moment.clip, moment.time, size));
      const frame = await model.evaluate({ ...moment, camera, options }, true);
      if (options.lightFrom) turnLights(frame.illumination.lights, (options.lightFrom * Math.PI) / 180);
      return { model, size, camera, frame, options, evaluation: performance.now() - start };
    } catch (error) {
      if (!(error instanceof Closed)) throw error;
      return null;
    }
  }

  /**
   * Draws what was evaluated; what that took: {evaluation, drawing} in ms, {triangles, particles}, and the camera. null if the
   * stage has another model now.
   */
  draw(picture, background) {
    if (!picture || picture.model !== this.model || this.lost) return null;
    const { frame, camera, options, evaluation } = picture;
    const [width, height] = picture.size;
    for (const canvas of [this.canvas, this.surface]) {
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    }
    const start = performance.now();
    this.backend.draw(frame, background, options.channel ?? 0, options.selected ?? null);
    if (this.surface !== this.canvas) {
      const flat = this.canvas.getContext('2d');
      flat.clearRect(0, 0, width, height);
      flat.drawImage(this.surface, 0, 0);
    }
    const { triangles, particles } = frame;
    return { evaluation, drawing: performance.now() - start, triangles, particles, camera };
  }
}

/** Share of pixels that differ visibly between two pictures. */
export function differing(...canvases) {
  const [a, b] = canvases.map((canvas) => {
    const small = new OffscreenCanvas(128, 128);
    small.getContext('2d').drawImage(canvas, 0, 0, 128, 128);
    return small.getContext('2d').getImageData(0, 0, 128, 128).data;
  });
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    count += Math.max(...[0, 1, 2, 3].map((c) => Math.abs(a[i + c] - b[i + c]))) > 12 ? 1 : 0;
  }
  return count / (a.length / 4);
}

const subtract = (a, b) => a.map((value, i) => value - b[i]);
const add = (a, b, factor) => a.map((value, i) => value + b[i] * factor);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(...a);
const unit = (a) => a.map((value) => value / (length(a) || 1));

/** Turns distant lights around the model, by radians to its right. */
function turnLights(lights, angle) {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  for (const light of lights) {
    const [x, y, z] = light.place;
    if (!light.near) light.place = [x * cos + z * sin, y, z * cos - x * sin];
  }
}

/** From what a camera looks at to its eye. */
function backwards(angle, elevation, away) {
  const level = Math.cos(elevation) * away;
  return [Math.sin(angle) * level, Math.sin(elevation) * away, Math.cos(angle) * level];
}

/** Moves a camera sideways and up in its own plane, and makes it parallel if that is wanted. */
function shifted(camera, orbit) {
  const ahead = subtract(camera.target, camera.eye);
  const right = unit(cross(ahead, camera.up));
  const up = unit(cross(right, ahead));
  const seen = 2 * length(ahead) * Math.tan(camera.fieldOfView / 2);
  const move = (point) => add(add(point, right, -orbit.shift[0] * seen), up, orbit.shift[1] * seen);
  return { ...camera, eye: move(camera.eye), target: move(camera.target), height: orbit.parallel ? seen : 0 };
}

/** Directions of a camera's picture, and how much it shows from bottom to top at what it looks at. */
function frameOf({ eye, target, up, fieldOfView, height }) {
  const ahead = subtract(target, eye);
  const right = unit(cross(ahead, up));
  return { right, up: unit(cross(right, ahead)), height: height || 2 * length(ahead) * Math.tan(fieldOfView / 2) };
}

/** The camera at its distance from the pivot; near and far leave room for what `framed` shows, from wherever it is seen. */
function around(framed, { azimuth, elevation, away, pivot, parallel }) {
  const back = subtract(framed.eye, framed.target);
  const angle = Math.atan2(back[0], back[2]) + azimuth - AZIMUTH;
  const eye = add(pivot, backwards(angle, elevation, away), 1);
  const slope = Math.tan(framed.fieldOfView / 2);
  const reach = length(back);
  const deep = Math.max(reach - framed.near, framed.far - reach);
  const room = Math.hypot(deep, framed.far * slope * Math.max(1, framed.aspect)) + length(subtract(pivot, framed.target));
  const near = Math.max(away - room, away * 0.01);
  return { ...framed, eye, target: pivot, near, far: away + room, height: parallel ? 2 * away * slope : 0 };
}

/**
 * Hands on a canvas: drag, touch, wheel. `changed` is called when there is something new to draw.
 * @param takesWheel whether the wheel zooms; else it scrolls the page
 */
export function attachHands(canvas, orbit, changed, takesWheel = () => true) {
  const pointers = new Map();
  const placeOf = (x, y) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return [(x - left - width / 2) / height, (top + height / 2 - y) / height];
  };
  canvas.addEventListener('pointerdown', (event) => {
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    canvas.setPointerCapture(event.pointerId);
    canvas.focus();
  });
  const away = (event) => pointers.delete(event.pointerId);
  canvas.addEventListener('pointerup', away);
  canvas.addEventListener('pointercancel', away);
  canvas.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    if (pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
      const span = (at) => Math.max(1, Math.hypot(at[0] - other[0], at[1] - other[1]));
      const ratio = span(before) / span([event.clientX, event.clientY]);
      orbit.move(dx / 2 / canvas.clientHeight, dy / 2 / canvas.clientHeight); // the fingers' middle
      orbit.zoom(Math.log(ratio) / Math.log(1.0015), placeOf((event.clientX + other[0]) / 2, (event.clientY + other[1]) / 2));
    } else if (event.shiftKey || event.buttons & 6) {
      orbit.move(dx / canvas.clientHeight, dy / canvas.clientHeight);
    } else {
      orbit[orbit.flies ? 'look' : 'turn'](dx, dy);
    }
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    changed();
  });
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (!takesWheel()) return;
      event.preventDefault();
      orbit.zoom(event.deltaY * (event.deltaMode === 1 ? 33 : 1), placeOf(event.clientX, event.clientY));
      changed();
    },
    { passive: false },
  );
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
}
