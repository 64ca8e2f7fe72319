// Flying: the eye goes where it looks, by keys and the pointer, until Esc.

/** Right, up, ahead: by the place of a key, whatever letter it has. */
const DIRECTIONS = { KeyW: [0, 0, 1], KeyS: [0, 0, -1], KeyA: [-1, 0, 0], KeyD: [1, 0, 0], KeyE: [0, 1, 0], KeyQ: [0, -1, 0] };

/** Times the distance from which all of a model is seen, in a second. */
const SPEED = 0.5;

export class Fly {
  /**
   * @param {import('./stage.js').Orbit} orbit
   * @param changed is called when there is something new to draw
   * @param say is told what the keys do, and '' at the end
   */
  constructor(canvas, orbit, changed, say) {
    this.canvas = canvas;
    this.orbit = orbit;
    this.changed = changed;
    this.say = say;
    this.speed = SPEED;
    this.held = new Set();
    this.ended = null; // while it flies, what ends it
  }

  start() {
    if (this.ended) return;
    this.ended = new AbortController();
    this.orbit.flies = true;
    this.canvas.focus();
    const { signal } = this.ended;
    const listen = (target, type, act) => target.addEventListener(type, act, { signal, capture: true, passive: false });
    listen(document, 'keydown', (event) => this.#press(event));
    listen(document, 'keyup', ({ code }) => this.held.delete(code));
    listen(window, 'blur', () => this.held.clear());
    listen(this.canvas, 'wheel', (event) => this.#accelerate(event));
    const isLocked = () => document.pointerLockElement === this.canvas;
    for (const type of ['pointermove', 'pointerdown', 'pointerup', 'dblclick']) {
      listen(this.canvas, type, (event) => {
        if (!isLocked()) return; // without a lock one looks around by dragging
        event.stopImmediatePropagation();
        if (type === 'pointermove') this.#look(event);
      });
    }
    listen(document, 'pointerlockchange', () => !isLocked() && this.end());
    Promise.resolve(this.canvas.requestPointerLock?.()).catch(() => {});
    this.#tell();
    this.last = performance.now();
    requestAnimationFrame((now) => this.#advance(now));
  }

  end() {
    if (!this.ended) return;
    this.ended.abort();
    this.ended = null;
    this.held.clear();
    this.orbit.flies = false;
    if (document.pointerLockElement === this.canvas) document.exitPointerLock();
    this.say('');
  }

  #tell() {
    this.say(`Flying. W A S D moves, Q and E go down and up, the wheel sets the speed (${(this.speed / SPEED).toFixed(1)}), Esc ends.`);
  }

  #press(event) {
    if (event.key === 'Escape') this.end();
    else if (DIRECTIONS[event.code] && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.matches('input, select')) {
      this.held.add(event.code);
    } else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #look({ movementX, movementY }) {
    this.orbit.look(movementX * 0.4, movementY * 0.4);
    this.changed();
  }

  #accelerate(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
    this.speed = Math.min(20, Math.max(0.01, this.speed * 1.0015 ** -event.deltaY));
    this.#tell();
  }

  #advance(now) {
    if (!this.ended) return;
    const way = Math.min(0.1, (now - this.last) / 1000) * this.speed * this.orbit.fit;
    this.last = now;
    if (this.held.size > 0) {
      const sum = [...this.held].reduce((all, code) => all.map((value, i) => value + DIRECTIONS[code][i] * way), [0, 0, 0]);
      this.orbit.fly(sum);
      this.changed();
    }
    requestAnimationFrame((next) => this.#advance(next));
  }
}
