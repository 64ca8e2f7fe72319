// What the panels show of a model. Each function fills an element; `viewer` is the state in main.js.

import { CHANNELS } from './backend.js';
import { differingLines, withContext } from './difference.js';

export const PANELS = [
  ['Model', showModel],
  ['Parts', showParts],
  ['Nodes', showNodes],
  ['Textures', showTextures],
  ['Findings', showFindings],
  ['Fields', showFields],
  ['Difference', showDifference],
  ['Text', showText],
];

/** element('p', {class: 'quiet'}, 'text', child…) */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function check(text, on, changed) {
  const box = element('input', { type: 'checkbox', onchange: () => changed(box.checked) });
  box.checked = on;
  return element('label', {}, box, ` ${text}`);
}

function row(name, ...values) {
  return element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, ...values));
}

function showModel(viewer) {
  const { info, scene, options } = viewer;
  const facts = element('table', {},
    row('Format', [info.format, info.dialect, info.version].filter(Boolean).join(' · ')),
    row('Name', info.name || '–'),
    row('Size', `${info.size.toLocaleString()} bytes`),
    ...Object.entries(info.counts).map(([kind, count]) => row(kind, count.toLocaleString())),
    info.in_game ? row('In game', info.in_game) : null);
  const show = (name, text) => element('li', {}, check(text, options[name] !== false && options[name] !== undefined
    ? Boolean(options[name]) : options[name] === undefined && ['surfaces', 'emitters', 'attachments'].includes(name), (on) => {
    options[name] = on;
    viewer.changed();
  }));
  const cameras = scene.cameras.map((camera, i) => element('li', {}, element('button', {
    type: 'button', onclick: () => { viewer.orbit.own = i; viewer.changed(); },
  }, camera.name || `Camera ${i}`), i === scene.portrait ? ' (portrait)' : ''));
  const lights = element('select', { 'aria-label': 'Light', onchange: (event) => {
    options.lighting = Number(event.target.value);
    viewer.changed();
  } }, ...['studio', 'overhead', "the model's own", 'full brightness'].map((name, i) =>
    element('option', { value: i, selected: (options.lighting ?? 0) === i }, name)));
  const ground = element('select', { 'aria-label': 'Background', onchange: (event) => viewer.setBackground(event.target.value) },
    ...['dark', 'light', 'green', 'transparent'].map((name) => element('option', { selected: viewer.background === name }, name)));
  return [
    element('h2', {}, 'Facts'), facts,
    element('h2', {}, 'Show'),
    element('ul', { class: 'plain' }, show('surfaces', 'surfaces'), show('emitters', 'particles and ribbons'),
      show('attachments', 'attached models'), show('wireframe', 'wireframe'), show('bones', 'bones'),
      show('collision', 'collision shapes'), show('extents', 'extents'), show('grid', 'grid'),
      element('li', {}, check('parallel projection', viewer.orbit.parallel, (on) => { viewer.orbit.parallel = on; viewer.changed(); }))),
    element('h2', {}, 'Light and background'), lights, ' ', ground, ' ', channels(viewer),
    element('p', {}, element('label', {}, 'Fog ', element('input', { type: 'range', min: 0, max: 1, step: 0.01,
      value: viewer.fog, 'aria-label': 'Fog', oninput: (event) => { viewer.fog = Number(event.target.value); viewer.changed(); } }))),
    scene.doodadSets.length > 1 ? element('h2', {}, 'Doodad set') : null,
    scene.doodadSets.length > 1 ? doodadSets(viewer) : null,
    scene.tiles.length > 1 ? element('h2', {}, 'Tile of the map') : null,
    scene.tiles.length > 1 ? tiles(viewer) : null,
    element('h2', {}, 'Cameras'),
    element('p', {}, ...[['front', 'Front'], ['left', 'Left'], ['top', 'Top']].flatMap(([side, name]) =>
      [element('button', { type: 'button', onclick: () => viewer.lookFrom(side) }, name), ' '])),
    cameras.length > 0 ? element('ul', { class: 'plain' }, ...cameras) : null,
  ];
}

function channels(viewer) {
  return element('select', { 'aria-label': 'Part of the picture', onchange: (event) => {
    viewer.options.channel = Number(event.target.value);
    viewer.changed();
  } }, ...CHANNELS.map((name, i) => element('option', { value: i, selected: (viewer.options.channel ?? 0) === i }, name)));
}

function doodadSets(viewer) {
  const chosen = viewer.choices.doodadSet ?? '';
  return element('select', { 'aria-label': 'Doodad set', onchange: (event) => viewer.choose({ doodadSet: event.target.value }) },
    ...[['', 'the first alone'], ['all', 'all'], ['none', 'none'],
      ...viewer.scene.doodadSets.map((name, i) => [String(i), name || `set ${i}`]).slice(1)].map(([value, name]) =>
      element('option', { value, selected: value === chosen }, name)));
}

function tiles(viewer) {
  return element('select', { 'aria-label': 'Tile', onchange: (event) => viewer.choose({ tile: event.target.value }) },
    ...viewer.scene.tiles.map((tile) => element('option', { value: tile, selected: tile === viewer.choices.tile }, tile.replace(',', ', '))));
}

function showParts(viewer) {
  const { scene, options } = viewer;
  const all = (on) => {
    options.hiddenMeshes = on ? [] : scene.meshes.map((_, i) => i);
    viewer.refreshPanel();
    viewer.changed();
  };
  const items = scene.meshes.map((mesh, i) => {
    const material = mesh.material === null ? null : scene.materials[mesh.material];
    return element('li', { id: `mesh-${i}` }, check(`${mesh.name || `mesh ${i}`} · ${mesh.triangles.toLocaleString()} triangles`,
      !(options.hiddenMeshes ?? []).includes(i), (on) => {
        const hidden = new Set(options.hiddenMeshes ?? []);
        if (on) hidden.delete(i); else hidden.add(i);
        options.hiddenMeshes = [...hidden];
        viewer.changed();
      }), material ? element('div', { class: 'quiet' }, material.layers.map((layer) =>
      `${layer.blend}${layer.twoSided ? ', two-sided' : ''}`).join(' / ')) : null);
  });
  return [
    element('p', {}, element('button', { type: 'button', onclick: () => all(true) }, 'All'), ' ',
      element('button', { type: 'button', onclick: () => all(false) }, 'None')),
    element('ul', { class: 'plain' }, ...items),
  ];
}

function showNodes(viewer) {
  const { nodes } = viewer.scene;
  const children = nodes.map(() => []);
  const tops = [];
  nodes.forEach((node, i) => (node.parent === null ? tops : children[node.parent]).push(i));
  const rows = [];
  const open = tops.map((node) => [node, 0]).reverse();
  while (open.length > 0) {
    const [node, depth] = open.pop();
    rows.push(element('li', { style: `padding-left:${Math.min(depth, 30) * 0.9}rem` },
      element('button', { type: 'button', class: `finding${viewer.options.markedNode === node ? ' chosen' : ''}`,
        'aria-pressed': String(viewer.options.markedNode === node), onclick: () => viewer.mark(node) },
      nodes[node].name || `node ${node}`, ' ', element('span', { class: 'quiet' }, nodes[node].kind))));
    for (const child of [...children[node]].reverse()) open.push([child, depth + 1]);
  }
  return [element('ul', { class: 'plain' }, ...rows)];
}

function paint(canvas, { width, height, pixels }, mode) {
  Object.assign(canvas, { width, height });
  const data = new ImageData(width, height);
  for (let i = 0; i < pixels.length; i += 4) {
    const alpha = pixels[i + 3];
    for (let c = 0; c < 3; ++c) data.data[i + c] = mode === 'alpha' ? alpha : pixels[i + c];
    data.data[i + 3] = mode === 'colour and alpha' ? alpha : 255;
  }
  canvas.getContext('2d').putImageData(data, 0, 0);
}

/** The edges of the triangles that show a picture, over it. */
function overlay(canvas, corners) {
  const side = 512; // lines on a small picture would be as wide as its pixels
  const scaled = element('canvas');
  Object.assign(scaled, { width: side, height: side });
  const pen = scaled.getContext('2d');
  pen.imageSmoothingEnabled = false;
  pen.drawImage(canvas, 0, 0, side, side);
  pen.strokeStyle = '#ff2fd0';
  pen.beginPath();
  for (let i = 0; i + 5 < corners.length; i += 6) {
    // A texture repeats; what counts is where in it a triangle lies.
    const [left, top] = [Math.floor(Math.min(corners[i], corners[i + 2], corners[i + 4])), Math.floor(Math.min(corners[i + 1], corners[i + 3], corners[i + 5]))];
    const point = (k) => [(corners[i + k] - left) * side, (corners[i + k + 1] - top) * side];
    pen.moveTo(...point(0));
    pen.lineTo(...point(2));
    pen.lineTo(...point(4));
    pen.closePath();
  }
  pen.stroke();
  Object.assign(canvas, { width: side, height: side });
  canvas.getContext('2d').drawImage(scaled, 0, 0);
}

function showTextures(viewer) {
  const mode = viewer.textureMode ?? 'colour and alpha';
  const lines = check('texture coordinates', Boolean(viewer.showUvs), (on) => {
    viewer.showUvs = on;
    viewer.refreshPanel();
  });
  const choose = element('select', { 'aria-label': 'Channels', onchange: (event) => {
    viewer.textureMode = event.target.value;
    viewer.refreshPanel();
  } }, ...['colour and alpha', 'colour', 'alpha'].map((name) => element('option', { selected: name === mode }, name)));
  const figures = viewer.scene.textures.map((texture, i) => {
    const name = texture.path || `replaceable ${texture.replaceable}`;
    const canvas = element('canvas', { role: 'img', 'aria-label': name });
    let size = 'no picture';
    if (texture.image !== null && texture.image < viewer.model.imageCount) {
      const image = viewer.model.image(texture.image);
      size = `${image.width} × ${image.height}`;
      if (image.width > 0) paint(canvas, image, mode);
      if (image.width > 0 && viewer.showUvs) overlay(canvas, viewer.model.uvs(texture.image));
    }
    const figure = element('figure', { id: `texture-${i}` }, canvas, element('figcaption', {},
      name, element('br'),
      element('span', { class: texture.missing ? 'warning' : 'quiet' }, texture.missing ? 'not found' : size), ' ',
      texture.path ? element('button', { type: 'button', 'aria-label': `${texture.missing ? 'Find' : 'Try another for'} ${name}`,
        onclick: () => viewer.findTexture(texture.path) }, texture.missing ? 'Find it…' : 'Try…') : null));
    if (texture.path) viewer.takesPictures(figure, texture.path);
    return figure;
  });
  return [element('p', {}, choose, ' ', lines), element('div', { class: 'textures' }, ...figures)];
}

const SEVERITIES = ['error', 'severe', 'warning', 'unused', 'info'];

function showFindings(viewer) {
  viewer.findings ??= viewer.model.report('findings');
  const hidden = viewer.hiddenSeverities ??= new Set();
  const filters = SEVERITIES.map((severity) => {
    const count = viewer.findings.filter((finding) => finding.severity === severity).length;
    return element('span', {}, check(`${severity} ${count}`, !hidden.has(severity), (on) => {
      if (on) hidden.delete(severity); else hidden.add(severity);
      viewer.refreshPanel();
    }), ' ');
  });
  const list = viewer.findings.filter((finding) => !hidden.has(finding.severity)).map((finding) =>
    element('li', {}, element('button', { type: 'button', class: 'finding', onclick: () => viewer.goTo(finding) },
      element('span', { class: finding.severity }, finding.code), ` ${finding.summary}`, element('br'),
      element('span', { class: 'quiet' }, [finding.path, finding.message].filter(Boolean).join(': ')))));
  return [
    element('p', {}, ...filters),
    list.length > 0 ? element('ul', { class: 'plain', id: 'findings' }, ...list) : element('p', { class: 'quiet' }, 'Nothing to report.'),
  ];
}

/** Beyond that the page is slow, and nobody scrolls. */
const MOST_ROWS = 5000;

/** The document's structure. Only opened levels are in the page; `viewer.goTo` opens the way to an offset. */
function showFields(viewer) {
  viewer.tree ??= buildTree(viewer.model.report('tree'), viewer.openPaths);
  let more = viewer.tree.more;
  const chosen = viewer.chosenOffset;
  const make = (node) => {
    const title = element('button', { type: 'button', class: chosen !== undefined && node.way ? 'chosen' : '', onclick: () => {
      node.open = !node.open;
      viewer.openPaths[node.open ? 'add' : 'delete'](node.path);
      viewer.refreshPanel();
    }, 'aria-expanded': node.children.length > 0 ? String(Boolean(node.open)) : null },
    node.children.length > 0 ? (node.open ? '▾ ' : '▸ ') : '  ', node.name,
    node.count === null ? '' : ` ×${node.count}`, node.label ? ` “${node.label}”` : '');
    return element('li', { style: `padding-left:${Math.min(node.depth, 20) * 0.9}rem` },
      element('span', { class: 'offset' }, `0x${node.offset.toString(16).padStart(6, '0')} +${node.size}`), title);
  };
  const rows = [];
  const visit = (nodes) => nodes.forEach((node) => {
    if (rows.length < MOST_ROWS) rows.push(make(node));
    else more += 1;
    if (node.open) rows.push(...values(viewer, node));
    if (node.open) visit(node.children);
  });
  visit(viewer.tree.tops);
  const { edits } = viewer.model;
  return [
    element('p', {},
      element('button', { type: 'button', disabled: edits === 0, onclick: () => viewer.undo() }, `Undo ${edits > 0 ? edits : ''}`), ' ',
      element('button', { type: 'button', onclick: () => viewer.saveFile() }, 'Save file')),
    element('ul', { class: 'plain tree' }, ...rows),
    more > 0 ? element('p', { class: 'quiet' }, `${more.toLocaleString()} more; close what is open above to see them.`) : null,
  ];
}

/** Beyond that many numbers a list is no value that one types. */
const MOST_NUMBERS = 16;

const isPlain = (value) => typeof value === 'number' || typeof value === 'string';

/** What an input shows of a value, or null. */
function typed(value) {
  if (isPlain(value)) return String(value);
  if (Array.isArray(value) && value.length <= MOST_NUMBERS && value.every(isPlain)) return JSON.stringify(value);
  return typeof value?.text === 'string' ? value.text : null;
}

/** The values of an opened object, which can be changed. */
function values(viewer, node) {
  node.value ??= viewer.model.field(node.path) ?? {};
  if (Array.isArray(node.value)) return [];
  return Object.entries(node.value).flatMap(([name, value]) => {
    const text = name === 'tag' ? null : typed(value);
    if (text === null) return [];
    const input = element('input', { value: text, size: Math.min(40, Math.max(6, text.length)), spellcheck: 'false',
      onchange: () => viewer.edit(`${node.path}.${name}=${input.value}`) });
    return [element('li', { class: 'value', style: `padding-left:${Math.min(node.depth + 2, 20) * 0.9}rem` },
      element('label', {}, `${name} `, input))];
  });
}

function buildTree({ rows, more }, openPaths) {
  const tops = [];
  const stack = [];
  for (const [depth, name, offset, size, count, label] of rows) {
    stack.length = depth;
    const around = depth === 0 ? '' : stack[depth - 1].path;
    const path = around === '' || name.startsWith('[') ? around + name : `${around}.${name}`;
    const node = { depth, name, path, offset, size, count, label, children: [], open: openPaths.has(path), way: false };
    (depth === 0 ? tops : stack[depth - 1].children).push(node);
    stack[depth] = node;
  }
  return { tops, more };
}

/** Opens the way to what lies at an offset, and marks the innermost part there. */
export function openTreeAt(tree, offset) {
  const forget = (nodes) => nodes.forEach((node) => {
    node.way = false;
    forget(node.children);
  });
  forget(tree.tops);
  const visit = (nodes) => {
    for (const node of nodes) {
      const inside = offset >= node.offset && offset < node.offset + Math.max(1, node.size);
      node.open = inside ? true : node.open;
      const below = visit(node.children);
      if (inside && !below) node.way = true;
      if (inside) return true;
    }
    return false;
  };
  visit(tree.tops);
}

/** What the text of one of two models has and that of the other has not. */
function showDifference(viewer) {
  const { beside } = viewer;
  if (!beside) return [element('p', { class: 'quiet' }, 'A second model, chosen under Beside, is compared with this one line by line.')];
  const [first, second] = [viewer.model, beside.model].map((model) => model.report('text').split('\n'));
  const lines = differingLines(first, second);
  if (!lines) return [element('p', {}, 'More lines differ than one can compare: these are two different models.')];
  const count = (sign) => lines.filter(([own]) => own === sign).length;
  if (count('-') + count('+') === 0) return [element('p', {}, 'Both have the same text.')];
  const classes = { '-': 'gone', '+': 'come' };
  return [
    element('p', {}, element('span', { class: 'gone' }, `− ${count('-')} lines of ${viewer.path}`), element('br'),
      element('span', { class: 'come' }, `+ ${count('+')} lines of ${beside.path}`)),
    element('pre', { tabindex: '0', class: 'lines' }, ...withContext(lines).slice(0, MOST_ROWS).map(([sign, text]) =>
      element('span', { class: classes[sign] ?? 'quiet' }, `${sign} ${text}\n`))),
  ];
}

function showText(viewer) {
  const text = viewer.model.report('text');
  const shown = text.length > 400000 ? `${text.slice(0, 400000)}\n… ${text.length - 400000} more characters` : text;
  return [element('pre', { tabindex: '0' }, shown)];
}
