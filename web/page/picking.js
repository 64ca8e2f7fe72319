// What lies under the mouse: named beside it, and chosen by a click.

import { element } from './panels.js';

/** Pixels that a hand moves while it clicks. */
const STEADY = 4;

/** Milliseconds between looks at what plays under a mouse that rests. */
const REST = 200;

/** What people call a material: its pictures and how they are laid on. */
export function materialText(scene, index) {
  const material = index === null || index === undefined ? null : scene.materials[index];
  if (!material) return 'no material';
  const pictures = material.layers.map(({ texture, blend }) => {
    const { path, replaceable } = texture === null ? {} : scene.textures[texture];
    return `${path ? path.split(/[\\/]/).pop() : replaceable ? `replaceable ${replaceable}` : 'no picture'} (${blend})`;
  });
  return `${material.name || `material ${index}`}: ${pictures.join(', ')}`;
}

/** Lines of text about what was hit. */
export function describeHit(scene, hit) {
  if (hit.within) return ['a model attached to this one'];
  if (hit.kind === 'mesh') {
    const mesh = scene.meshes[hit.object];
    const bone = hit.node === null ? null : scene.nodes[hit.node];
    return [
      mesh.name || `part ${hit.object}`,
      materialText(scene, mesh.materials[hit.part]),
      bone ? `${bone.kind} ${bone.name}` : '',
    ].filter(Boolean);
  }
  const owner = { emitter: scene.emitters, ribbon: scene.ribbons }[hit.kind]?.[hit.object] ?? null;
  return [owner === null ? hit.kind : `${hit.kind} ${scene.nodes[owner].name}`];
}

export class Picking {
  /**
   * @param current gives the model that is drawn and its scene, or null
   * @param chosen is called with what a click hits, or null
   */
  constructor(canvas, tip, current, chosen) {
    this.canvas = canvas;
    this.tip = tip;
    this.current = current;
    this.chosen = chosen;
    this.place = null; // of the mouse, in the page
    this.looked = 0;
    this.looking = false;
    let pressed = null;
    canvas.addEventListener('pointerdown', ({ clientX, clientY, button }) => {
      pressed = button === 0 ? [clientX, clientY] : null;
      this.#leave();
    });
    canvas.addEventListener('pointerup', async ({ clientX, clientY }) => {
      const steady = pressed && Math.hypot(clientX - pressed[0], clientY - pressed[1]) < STEADY;
      pressed = null;
      if (steady && this.current()) this.chosen(await this.hitAt(clientX, clientY));
    });
    canvas.addEventListener('pointermove', ({ clientX, clientY, buttons, pointerType }) => {
      if (buttons !== 0 || pointerType === 'touch') return;
      this.place = [clientX, clientY];
      this.moved = true;
    });
    for (const away of ['pointerleave', 'wheel']) canvas.addEventListener(away, () => this.#leave());
  }

  #leave() {
    this.place = null;
    this.tip.hidden = true;
  }

  /** What the last picture shows at a place of the page. */
  hitAt(clientX, clientY) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return this.current().model.pick(((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2);
  }

  /** To be called after each picture. */
  async look(now) {
    if (this.looking || !this.place || !this.current() || (!this.moved && now - this.looked < REST)) return;
    Object.assign(this, { moved: false, looked: now });
    this.looking = true;
    const { model, scene } = this.current();
    const hit = await this.hitAt(...this.place).finally(() => (this.looking = false));
    if (this.current()?.model !== model) return;
    this.tip.hidden = hit === null || !this.place;
    if (this.tip.hidden) return;
    this.tip.replaceChildren(...describeHit(scene, hit).map((line) => element('div', {}, line)));
    const stage = this.tip.parentElement.getBoundingClientRect();
    const [x, y] = [this.place[0] - stage.left, this.place[1] - stage.top];
    const { offsetWidth, offsetHeight } = this.tip;
    this.tip.style.left = `${Math.max(4, Math.min(x + 14, stage.width - offsetWidth - 4))}px`;
    this.tip.style.top = `${y + 18 + offsetHeight > stage.height ? y - offsetHeight - 10 : y + 18}px`;
  }
}
