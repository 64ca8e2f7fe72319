// Names and places of nodes over the picture: of bones and attachments, and of the node that is pointed at.

/** Pixels that a name takes. */
const [WIDE, HIGH] = [70, 13];

const isJoint = ({ kind }) => kind === 'bone' || kind === 'helper';

/** Nodes that THAW_SHOW_BONES draws: joints, or whatever else stands in a scene that has none. */
export function drawnNodes(nodes) {
  const all = nodes.map((_, i) => i);
  if (nodes.some(isJoint)) return all.filter((i) => isJoint(nodes[i]));
  return all.filter((i) => !['root', 'mesh'].includes(nodes[i].kind));
}

/**
 * Where the nodes are that the lines of bones show: of each a cross of three lines, then one to its parent if that is no root.
 * @param points three numbers for each end of a line
 * @returns Map of a node's number to its place; empty if the lines are others
 */
export function placesOf(nodes, points) {
  const places = new Map();
  let at = 0;
  for (const node of drawnNodes(nodes)) {
    places.set(
      node,
      [0, 1, 2].map((axis) => (points[at + axis] + points[at + 3 + axis]) / 2),
    );
    const { parent } = nodes[node];
    at += 18 + (parent !== null && nodes[parent].kind !== 'root' ? 6 : 0);
  }
  return at === points.length ? places : new Map();
}

/** Where a point is in a picture, from its top left corner; null behind the eye. Matrices are column-major. */
export function onPicture(point, { view, projection }, width, height) {
  const times = (m, v) => [0, 1, 2, 3].map((i) => v.reduce((sum, value, k) => sum + m[i + 4 * k] * value, 0));
  const [x, y, , w] = times(projection, times(view, [...point, 1]));
  return w > 0 ? [((x / w + 1) / 2) * width, ((1 - y / w) / 2) * height] : null;
}

export class Skeleton {
  /**
   * @param viewer the state in main.js; of its options `points` asks for attachments, `names` for the names of bones
   * @param paper an SVG element over the stage
   * @param canvas what it lies over
   */
  constructor(viewer, paper, canvas) {
    this.viewer = viewer;
    this.paper = paper;
    this.canvas = canvas;
    this.pointed = null; // the node that the mouse or the focus is on
  }

  /** @param node its number, or null */
  point(node) {
    if (this.pointed === node) return;
    this.pointed = node;
    this.viewer.changed();
  }

  /** What is to be drawn over the picture of a moment; null: nothing. */
  async evaluate(moment, camera) {
    const { options, scene, model } = this.viewer;
    const chosen = [this.pointed, options.markedNode].filter((node) => scene.nodes[node ?? -1]);
    const points = options.points ? scene.nodes.map((_, i) => i).filter((i) => scene.nodes[i].kind === 'attachment') : [];
    const named = options.names ? drawnNodes(scene.nodes) : [];
    if (chosen.length + points.length + named.length === 0) return null;
    const parents = chosen.map((node) => scene.nodes[node].parent).filter((node) => node !== null);
    const seen = await model.places({ ...moment, camera }, [...chosen, ...parents, ...points]);
    return { ...seen, nodes: scene.nodes, chosen, points, named };
  }

  /** @param labels as `evaluate` gives them */
  draw(labels) {
    const { canvas, paper } = this;
    this.taken = new Set();
    paper.replaceChildren();
    if (!labels) return;
    const { places, nodes, chosen, points, named } = labels;
    Object.assign(paper.style, { left: `${canvas.offsetLeft}px`, width: `${canvas.clientWidth}px` });
    const at = (node) => places.has(node) && onPicture(places.get(node), labels, canvas.clientWidth, canvas.clientHeight);
    for (const node of new Set(chosen)) this.#put(at(node), nodes[node], 'chosen', at(nodes[node].parent));
    for (const node of points) this.#put(at(node), nodes[node], 'attachment');
    for (const node of named) this.#put(at(node), nodes[node], 'bone');
  }

  /** A point with its name, which is left out where another one stands. */
  #put(place, { name, parent }, kind, from = null) {
    if (!place) return;
    const [x, y] = place.map((value) => Math.round(value * 10) / 10);
    const make = (tag, attributes) => {
      const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
      for (const [key, value] of Object.entries({ class: kind, ...attributes })) node.setAttribute(key, String(value));
      this.paper.append(node);
      return node;
    };
    if (from && parent !== null) make('line', { x1: from[0], y1: from[1], x2: x, y2: y });
    make('circle', { cx: x, cy: y, r: kind === 'bone' ? 2 : 4 });
    const cell = `${Math.round(x / WIDE)} ${Math.round(y / HIGH)}`;
    if (this.taken.has(cell)) return;
    this.taken.add(cell);
    make('text', { x: x + 7, y: y + 4 }).textContent = name;
  }
}
