// What the panels show of a model. Each function fills an element; `viewer` is the state in main.js.

import { CHANNELS } from './backend.js';
import { FieldTree } from './fields.js';
import { materialText } from './picking.js';
import { growingList, virtualRows } from './rows.js';
import { BACKGROUNDS } from './settings.js';

/** @type {[string, (viewer: any) => any[]|Promise<any[]>][]} */
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

/** @returns {any} an element of index.html, of the kind that it has there */
export const at = (id) => document.getElementById(id);

/**
 * element('p', {class: 'quiet'}, 'text', child…)
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {(Node|string|null|undefined)[]} children
 * @returns {any}
 */
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

/** "Vertices" for "vertex". */
function heading(kind) {
  const words = `${kind
    .replace(/[ei]x$/, 'ice')
    .replace(/([^aeou])y$/, '$1ie')
    .replace(/(s|sh|ch)$/, '$1e')}s`;
  return `${words[0].toUpperCase()}${words.slice(1)}`;
}

function showModel(viewer) {
  const { info, scene, options } = viewer;
  const facts = element(
    'table',
    {},
    row('Format', [info.format, info.dialect, info.version].filter(Boolean).join(' · ')),
    row('Name', info.name || '–'),
    row('Size', `${info.size.toLocaleString()} bytes`),
    ...Object.entries(info.counts).map(([kind, count]) => row(heading(kind), count.toLocaleString())),
    info.in_game ? row('In game', info.in_game) : null,
  );
  const show = (name, text) =>
    element(
      'li',
      {},
      check(
        text,
        options[name] !== false && options[name] !== undefined
          ? Boolean(options[name])
          : options[name] === undefined && ['surfaces', 'emitters', 'attachments'].includes(name),
        (on) => {
          options[name] = on;
          viewer.changed();
        },
      ),
    );
  const cameras = scene.cameras.map((camera, i) =>
    element(
      'li',
      {},
      element(
        'button',
        {
          type: 'button',
          onclick: () => {
            viewer.orbit.own = i;
            viewer.changed();
          },
        },
        camera.name || `Camera ${i}`,
      ),
      i === scene.portrait ? ' (portrait)' : '',
    ),
  );
  const lights = element(
    'select',
    {
      'aria-label': 'Light',
      onchange: (event) => {
        options.lighting = Number(event.target.value);
        viewer.changed();
      },
    },
    ...['studio', 'overhead', "the model's lights", 'full brightness'].map((name, i) =>
      element('option', { value: i, selected: (options.lighting ?? 0) === i }, name),
    ),
  );
  const hex = viewer.background.startsWith('#') ? viewer.background : '';
  const ground = element(
    'select',
    { 'aria-label': 'Background', onchange: (event) => viewer.setBackground(event.target.value) },
    ...Object.keys(BACKGROUNDS).map((name) => element('option', { selected: viewer.background === name }, name)),
    hex ? element('option', { selected: true }, hex) : null,
  );
  const colour = element('input', {
    type: 'color',
    value: hex || '#808080',
    'aria-label': 'Background colour',
    oninput: (event) => viewer.setBackground(event.target.value),
    onchange: () => viewer.inspector.refresh(),
  });
  const slider = (name, value, range, changed) =>
    element(
      'p',
      {},
      element(
        'label',
        {},
        `${name} `,
        element('input', {
          type: 'range',
          ...range,
          value,
          'aria-label': name,
          oninput: (event) => {
            changed(Number(event.target.value));
            viewer.changed();
          },
        }),
      ),
    );
  return [
    element('h2', {}, 'Facts'),
    facts,
    element('h2', {}, 'Show'),
    element(
      'ul',
      { class: 'plain' },
      show('surfaces', 'surfaces'),
      show('emitters', 'particles and ribbons'),
      show('attachments', 'attached models'),
      show('wireframe', 'wireframe'),
      show('bones', 'bones'),
      show('collision', 'collision shapes'),
      show('extents', 'extents'),
      show('grid', 'grid'),
      element(
        'li',
        {},
        check('parallel projection', viewer.orbit.parallel, (on) => {
          viewer.orbit.parallel = on;
          viewer.changed();
        }),
      ),
    ),
    element('h2', {}, 'Light and background'),
    lights,
    ' ',
    ground,
    ' ',
    colour,
    ' ',
    channels(viewer),
    slider('Light from', options.lightFrom ?? 0, { min: -180, max: 180, step: 5 }, (value) => (options.lightFrom = value)),
    slider('Fog', viewer.fog, { min: 0, max: 1, step: 0.01 }, (value) => (viewer.fog = value)),
    scene.doodadSets.length > 1 ? element('h2', {}, 'Doodad set') : null,
    scene.doodadSets.length > 1 ? doodadSets(viewer) : null,
    scene.tiles.length > 1 ? element('h2', {}, 'Tile of the map') : null,
    scene.tiles.length > 1 ? tiles(viewer) : null,
    element('h2', {}, 'Cameras'),
    element(
      'p',
      {},
      ...[
        ['front', 'Front'],
        ['left', 'Left'],
        ['top', 'Top'],
      ].flatMap(([side, name]) => [element('button', { type: 'button', onclick: () => viewer.lookFrom(side) }, name), ' ']),
      element('button', { type: 'button', title: 'v', onclick: () => viewer.fly.start() }, 'Fly'),
    ),
    cameras.length > 0 ? element('ul', { class: 'plain' }, ...cameras) : null,
  ];
}

function channels(viewer) {
  return element(
    'select',
    {
      'aria-label': 'Part of the picture',
      onchange: (event) => {
        viewer.options.channel = Number(event.target.value);
        viewer.changed();
      },
    },
    ...CHANNELS.map((name, i) => element('option', { value: i, selected: (viewer.options.channel ?? 0) === i }, name)),
  );
}

function doodadSets(viewer) {
  const chosen = viewer.choices.doodadSet ?? '';
  return element(
    'select',
    { 'aria-label': 'Doodad set', onchange: (event) => viewer.choose({ doodadSet: event.target.value }) },
    ...[
      ['', 'the first alone'],
      ['all', 'all'],
      ['none', 'none'],
      ...viewer.scene.doodadSets.map((name, i) => [String(i), name || `set ${i}`]).slice(1),
    ].map(([value, name]) => element('option', { value, selected: value === chosen }, name)),
  );
}

function tiles(viewer) {
  return element(
    'select',
    { 'aria-label': 'Tile', onchange: (event) => viewer.choose({ tile: event.target.value }) },
    ...viewer.scene.tiles.map((tile) =>
      element('option', { value: tile, selected: tile === viewer.choices.tile }, tile.replace(',', ', ')),
    ),
  );
}

function showParts(viewer) {
  const { scene, options } = viewer;
  const all = (on) => {
    options.hiddenMeshes = on ? [] : scene.meshes.map((_, i) => i);
    viewer.inspector.refresh();
    viewer.changed();
  };
  const items = scene.meshes.map((mesh, i) => {
    const box = element('input', {
      type: 'checkbox',
      'aria-label': `Show ${mesh.name || `part ${i}`}`,
      onchange: () => {
        const hidden = new Set(options.hiddenMeshes ?? []);
        if (box.checked) hidden.delete(i);
        else hidden.add(i);
        options.hiddenMeshes = [...hidden];
        viewer.changed();
      },
    });
    box.checked = !(options.hiddenMeshes ?? []).includes(i);
    const chosen = viewer.selected === i;
    return element(
      'li',
      { id: `mesh-${i}`, class: 'part' },
      box,
      element(
        'button',
        {
          type: 'button',
          class: `finding${chosen ? ' chosen' : ''}`,
          'aria-pressed': String(chosen),
          onclick: () => viewer.select(chosen ? null : i),
        },
        mesh.name || `part ${i}`,
        element('span', { class: 'quiet' }, ` ${mesh.triangles.toLocaleString()} triangles`),
      ),
      element('div', { class: 'quiet' }, ...mesh.materials.map((material) => element('div', {}, materialText(scene, material)))),
      chosen ? partLinks(viewer, mesh) : null,
      ...(chosen ? partTextures(viewer, mesh, i) : []),
    );
  });
  return [
    element(
      'p',
      {},
      element('button', { type: 'button', onclick: () => all(true) }, 'All'),
      ' ',
      element('button', { type: 'button', onclick: () => all(false) }, 'None'),
    ),
    element('ul', { class: 'plain' }, ...items),
  ];
}

/** From a part to where it stands in the file, and to what is wrong with it. */
function partLinks(viewer, mesh) {
  if (!mesh.place) return null;
  const count = findingsOf(viewer, mesh.place).length;
  return element(
    'p',
    {},
    element('button', { type: 'button', onclick: () => viewer.inspector.goTo({ path: mesh.place, offset: null }) }, 'Fields'),
    ' ',
    element('button', { type: 'button', disabled: count === 0, onclick: () => viewer.inspector.choose('Findings') }, `Findings ${count}`),
  );
}

/** The textures of a part, with its triangles over them. */
function partTextures(viewer, mesh, index) {
  const { model, scene } = viewer;
  const used = mesh.materials.flatMap((material) => scene.materials[material]?.layers ?? []).map(({ texture }) => texture);
  return [...new Set(used)]
    .filter((texture) => (scene.textures[texture]?.image ?? model.imageCount) < model.imageCount)
    .map((texture) => {
      const { path, replaceable, image } = scene.textures[texture];
      const name = path || `replaceable ${replaceable}`;
      const canvas = element('canvas', { role: 'img', 'aria-label': `${name} with the triangles of the part` });
      model
        .image(image)
        .then(async (picture) => {
          if (picture.width === 0) return;
          const corners = await model.uvs(image, index);
          paint(canvas, picture, 'colour');
          overlay(canvas, corners);
        })
        .catch((error) => viewer.fail(error));
      return element('figure', { class: 'uvs' }, canvas, element('figcaption', { class: 'quiet' }, name));
    });
}

/** Whether a path leads to a place or to something in it. */
export const isWithin = (path, place) => path.startsWith(place) && ['', '.', '['].includes(path.charAt(place.length));

function findingsOf(viewer, place) {
  viewer.lookForFindings();
  return (viewer.findings ?? []).filter(({ path }) => isWithin(path, place));
}

function showNodes(viewer) {
  const { nodes } = viewer.scene;
  const { skeleton } = viewer.inspector;
  const count = (kind) => nodes.filter((node) => node.kind === kind).length;
  const show = (name, text) =>
    element(
      'li',
      {},
      check(text, Boolean(viewer.options[name]), (on) => {
        viewer.options[name] = on;
        viewer.changed();
      }),
    );
  const children = nodes.map(() => []);
  const tops = [];
  nodes.forEach((node, i) => (node.parent === null ? tops : children[node.parent]).push(i));
  const rows = [];
  const open = tops.map((node) => [node, 0]).reverse();
  while (open.length > 0) {
    const [node, depth] = open.pop();
    rows.push(
      element(
        'li',
        { style: `padding-left:${Math.min(depth, 30) * 0.9}rem` },
        element(
          'button',
          {
            type: 'button',
            class: `finding${viewer.options.markedNode === node ? ' chosen' : ''}`,
            'aria-pressed': String(viewer.options.markedNode === node),
            onclick: () => viewer.mark(node),
            onpointerenter: () => skeleton.point(node),
            onpointerleave: () => skeleton.point(null),
            onfocus: () => skeleton.point(node),
            onblur: () => skeleton.point(null),
          },
          nodes[node].name || `node ${node}`,
          ' ',
          element('span', { class: 'quiet' }, nodes[node].kind),
        ),
      ),
    );
    for (const child of [...children[node]].reverse()) open.push([child, depth + 1]);
  }
  const shown = element(
    'ul',
    { class: 'plain' },
    show('bones', `${(count('bone') + count('helper')).toLocaleString()} bones and helpers as lines`),
    show('names', 'their names'),
    show('points', `${count('attachment').toLocaleString()} attachments: places and names`),
  );
  return [shown, element('ul', { class: 'plain', id: 'nodes' }, ...rows)];
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
    const [left, top] = [
      Math.floor(Math.min(corners[i], corners[i + 2], corners[i + 4])),
      Math.floor(Math.min(corners[i + 1], corners[i + 3], corners[i + 5])),
    ];
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

/** @param told an element that takes the size of what was found */
async function paintTexture({ model, showUvs }, { image, missing }, canvas, mode, told) {
  const picture = await model.image(image);
  if (!missing) told.textContent = `${picture.width} × ${picture.height}`;
  if (picture.width === 0) return;
  const corners = showUvs ? await model.uvs(image) : null;
  paint(canvas, picture, mode);
  if (corners) overlay(canvas, corners);
}

function showTextures(viewer) {
  const mode = viewer.textureMode ?? 'colour and alpha';
  const lines = check('texture coordinates', Boolean(viewer.showUvs), (on) => {
    viewer.showUvs = on;
    viewer.inspector.refresh();
  });
  const choose = element(
    'select',
    {
      'aria-label': 'Channels',
      onchange: (event) => {
        viewer.textureMode = event.target.value;
        viewer.inspector.refresh();
      },
    },
    ...['colour and alpha', 'colour', 'alpha'].map((name) => element('option', { selected: name === mode }, name)),
  );
  const figures = viewer.scene.textures.map((texture, i) => {
    const name = texture.path || `replaceable ${texture.replaceable}`;
    const canvas = element('canvas', { role: 'img', 'aria-label': name });
    const told = element('span', { class: texture.missing ? 'warning' : 'quiet' }, texture.missing ? 'not found' : 'no picture');
    if (texture.image !== null && texture.image < viewer.model.imageCount)
      paintTexture(viewer, texture, canvas, mode, told).catch((error) => viewer.fail(error));
    const figure = element(
      'figure',
      { id: `texture-${i}` },
      canvas,
      element(
        'figcaption',
        {},
        name,
        element('br'),
        told,
        ' ',
        texture.path
          ? element(
              'button',
              {
                type: 'button',
                'aria-label': `${texture.missing ? 'Find' : 'Try another for'} ${name}`,
                onclick: () => viewer.findTexture(texture.path),
              },
              texture.missing ? 'Find it…' : 'Try…',
            )
          : null,
      ),
    );
    if (texture.path) viewer.takesPictures(figure, texture.path);
    return figure;
  });
  return [element('p', {}, choose, ' ', lines), element('div', { class: 'textures' }, ...figures)];
}

const SEVERITIES = ['error', 'severe', 'warning', 'unused', 'info'];

function showFindings(viewer) {
  const mesh = viewer.scene.meshes[viewer.selected];
  const findings = findingsOf(viewer, '');
  const about = mesh?.place && !viewer.allFindings ? findingsOf(viewer, mesh.place) : findings;
  const hidden = (viewer.hiddenSeverities ??= new Set());
  const filters = SEVERITIES.map((severity) => {
    const count = about.filter((finding) => finding.severity === severity).length;
    return element(
      'span',
      {},
      check(`${severity} ${count}`, !hidden.has(severity), (on) => {
        if (on) hidden.delete(severity);
        else hidden.add(severity);
        viewer.inspector.refresh();
      }),
      ' ',
    );
  });
  const list = about.filter((finding) => !hidden.has(finding.severity));
  return [
    element('p', {}, ...filters),
    mesh?.place
      ? element(
          'p',
          {},
          check(`of ${mesh.name} alone`, !viewer.allFindings, (on) => {
            viewer.allFindings = !on;
            viewer.inspector.refresh();
          }),
        )
      : null,
    list.length === 0
      ? element('p', { class: 'quiet' }, viewer.findings ? 'Nothing to report.' : 'Looking through the file…')
      : growingList({ id: 'findings' }, list, (finding) =>
          element(
            'li',
            {},
            element(
              'button',
              { type: 'button', class: 'finding', onclick: () => viewer.inspector.goTo(finding) },
              element('span', { class: finding.severity }, finding.code),
              ` ${finding.summary}`,
              element('br'),
              element('span', { class: 'quiet' }, [finding.path, finding.message].filter(Boolean).join(': ')),
            ),
          ),
        ),
  ];
}

/** Height of a row of fields and of a line of text, in pixels. */
const ROW = 24;
const LINE = 16;

const indent = (depth) => `padding-left:${Math.min(depth, 20) * 0.9}rem`;

/** The document's structure, of which opened levels can be scrolled through; `viewer.goTo` opens the way to a place. */
async function showFields(viewer) {
  const { model } = viewer;
  const tree = await (viewer.comingTree ??= FieldTree.of(model, viewer.openPaths));
  if (viewer.model === model) viewer.tree = tree;
  const rows = tree.rows();
  const part = (index) => {
    const { depth, name, offset, size, count, label } = tree.part(index);
    const open = tree.open.has(index);
    return element(
      'li',
      { style: indent(depth) },
      element('span', { class: 'offset' }, `0x${offset.toString(16).padStart(6, '0')} +${size}`),
      element(
        'button',
        {
          type: 'button',
          class: index === tree.chosen ? 'chosen' : '',
          'aria-expanded': tree.hasParts(index) ? String(open) : null,
          onclick: async () => {
            await tree.toggle(index);
            await viewer.inspector.refresh();
          },
        },
        tree.hasParts(index) ? (open ? '▾ ' : '▸ ') : '  ',
        name,
        count === null ? '' : ` ×${count}`,
        label ? ` “${label}”` : '',
      ),
    );
  };
  const value = ({ part: { path, depth }, name, text }) => {
    const input = element('input', {
      value: text,
      size: Math.min(40, Math.max(6, text.length)),
      spellcheck: 'false',
      onchange: () => viewer.edit(`${path}.${name}=${input.value}`),
    });
    return element('li', { class: 'value', style: indent(depth + 2) }, element('label', {}, `${name} `, input));
  };
  const { edits } = model;
  return [
    element(
      'p',
      {},
      element('button', { type: 'button', disabled: edits === 0, onclick: () => viewer.undo() }, `Undo ${edits > 0 ? edits : ''}`),
      ' ',
      element(
        'button',
        { type: 'button', disabled: viewer.undone.length === 0, onclick: () => viewer.redo() },
        `Redo ${viewer.undone.length > 0 ? viewer.undone.length : ''}`,
      ),
      ' ',
      element('button', { type: 'button', onclick: () => viewer.saveFile() }, 'Save file'),
    ),
    tree.complete ? null : element('p', { class: 'quiet' }, `Only the first ${tree.count.toLocaleString()} parts are shown.`),
    virtualRows(document.getElementById('panel'), {
      attributes: { class: 'plain tree' },
      height: ROW,
      count: rows.length,
      ready: (from, to) => tree.fetch(rows.slice(from, to).filter(Number.isInteger)),
      make: (i) => (Number.isInteger(rows[i]) ? part(rows[i]) : value(rows[i])),
    }),
  ];
}

/** Where two documents are not the same, field by field. */
async function showDifference(viewer) {
  const { beside } = viewer;
  if (!beside)
    return [element('p', { class: 'quiet' }, 'Choose a second model under Compare with to compare it with this one field by field.')];
  const { rows, more } = await (viewer.differences ??= viewer.model.compare(beside.model));
  if (rows.length === 0) return [element('p', {}, 'No differences.')];
  const side = (text, kind) => (text === '' ? element('span', { class: 'quiet' }, 'absent') : element('span', { class: kind }, text));
  return [
    element(
      'p',
      {},
      `${rows.length.toLocaleString()}${more ? ' and more' : ''} difference${rows.length === 1 ? '' : 's'} from `,
      element('span', { class: 'gone' }, viewer.path),
      ' to ',
      element('span', { class: 'come' }, beside.path),
    ),
    growingList({ id: 'differences' }, rows, ([path, left, right]) =>
      element(
        'li',
        {},
        element(
          'button',
          { type: 'button', class: 'finding', onclick: () => viewer.inspector.goTo({ path, offset: null }) },
          path,
          element('br'),
          side(left, 'gone'),
          ' → ',
          side(right, 'come'),
        ),
      ),
    ),
  ];
}

/** Characters of a long text that are made first, and again as many as there are whenever one comes near its end. */
const FIRST_TEXT = 1_000_000;
/** More than anybody scrolls through, and the most that is made at once. */
const MOST_TEXT = 16_000_000;

const decoder = new TextDecoder();

/** Of a line: arrays of a whole mesh stand on one, which browsers take seconds to lay out. */
const MOST_OF_LINE = 4000;
const shortened = (line) =>
  line.length <= MOST_OF_LINE
    ? line
    : `${line.slice(0, MOST_OF_LINE)}… and ${(line.length - MOST_OF_LINE).toLocaleString()} more characters`;

async function showText(viewer) {
  const { model } = viewer;
  const read = viewer.textRead ?? FIRST_TEXT;
  if (viewer.text?.read !== read) viewer.text = { read, coming: model.text(read) };
  const { bytes, lines, complete } = await viewer.text.coming;
  const line = (i) => decoder.decode(bytes.subarray(lines[i], i + 1 < lines.length ? lines[i + 1] - 1 : bytes.length));
  return [
    virtualRows(document.getElementById('panel'), {
      tag: 'pre',
      attributes: { tabindex: '0' },
      height: LINE,
      count: lines.length,
      ready: (from, to) => {
        if (complete || to < lines.length || read >= MOST_TEXT) return null;
        viewer.textRead = read * 4;
        requestAnimationFrame(() => viewer.inspector.refresh());
        return null;
      },
      make: (i) => element('div', {}, shortened(line(i))),
    }),
    !complete && read >= MOST_TEXT
      ? element('p', { class: 'quiet' }, `Only the first ${read.toLocaleString()} characters are shown. \`thaw dump\` writes all.`)
      : null,
  ];
}
