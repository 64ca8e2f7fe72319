// Files, models and frames, in a worker. All of it is done by the functions of thaw.h, which thaw-module.js calls; what is kept
// between two calls stands here.

import { boxesOf } from './culling.js';
import { ThawError } from './errors.js';
import { eventsByClip, withChunks } from './events.js';
import { readFrame } from './frames.js';
import { meet, rayOf } from './rays.js';
import { placesOf } from './skeleton.js';
import {
  Held,
  ThawError as LibraryError,
  allocate,
  call,
  constants,
  fill,
  free,
  keepCallback,
  listFindings,
  load,
  memorySize,
  struct,
  structs,
  takeBlob,
  takeFindings,
  takeJson,
  view,
  withRequest,
  word,
} from './thaw-module.js';

/** Milliseconds for which is read on in a large file before the page has its turn. */
const SLICE = 20;
/** Bytes from which reading a file is worth a task of its own. */
const WORTH_A_TASK = 1 << 20;
/** Beyond that many nodes browsers have no room for rows. */
const MOST_NODES = 700_000;
/** Bytes of a model that is shown as MDL text as a whole, and of one that has too many fields for editing here. */
const MOST_MDL = 4 << 20;
const MOST_EDITED = 32 << 20;
/** Bytes of MDL up to which its events are looked for, see Model.events. */
const MOST_EVENTS = 1 << 20;
const MOST_DIFFERENCES = 20_000;
/** Numbers of texture coordinates that are drawn over a picture: more is a grey area. */
const MOST_UVS = 6 * 20_000;

/** Files that are not looked through for an archive, which takes 40 ms in one of 14 MB. */
const NO_ARCHIVE = /\.(mdx|mdl|mrf|m3|wmo|dme|glb|gltf|bin|blp|dds|tga|png|jpe?g)$/;

const NONE = constants.THAW_NONE;
const none = (index) => (index === NONE ? null : index);
/** A number of 32 bits with as few digits as say it: 2.4, not 2.4000000953674316. */
const shortest = (value) => range(9, (digits) => Number(value.toPrecision(digits + 1))).find((one) => Math.fround(one) === value) ?? value;
const range = (count, make) => Array.from({ length: count }, (_, index) => make(index));

const pause = () =>
  new Promise((next) => {
    setTimeout(next);
  });

/** Gives what `work` gives, with errors of the library as the page says them. */
function attempt(work, { withPath = false } = {}) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof LibraryError)) throw error;
    throw new ThawError(withPath && error.path ? `${error.path}: ${error.reason}` : error.reason);
  }
}

/** A path as the library knows it. */
const nameOf = (path) =>
  path
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .split(/[\\/]/)
    .filter((part) => part && part !== '.' && part !== '..')
    .join('/');
const lastPart = (name) => name.slice(name.lastIndexOf('/') + 1);
const folderOf = (name) => name.slice(0, Math.max(0, name.lastIndexOf('/')));

/** What is in an archive of one file, "x.wdt.mpq". */
function nameWithin(path) {
  const name = nameOf(path);
  const stem = name.replace(/\.mpq$/, '');
  return stem !== name && lastPart(stem).includes('.') ? stem : name;
}

/** How well a file matches the name by which a model asks for it: src/sources/path_fit.hpp has the same order. */
function fitOf(path, name, model) {
  const endsSo = path === name || path.endsWith(`/${name}`);
  let nearness = 0;
  while (nearness < Math.min(path.length, model.length) && path[nearness] === model[nearness]) nearness += 1;
  return [endsSo && model.startsWith(path.slice(0, path.length - name.length)) ? 1 : 0, endsSo ? 1 : 0, nearness];
}

function isBetter(a, b) {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at >= 0 && a[at] > b[at];
}

/**
 * Files that the page knows by name, with bytes as far as it has read them. What is looked for without being read yet is
 * remembered, so that the page can read it and try again: a folder of a whole game costs what is shown of it.
 */
class Files {
  constructor() {
    this.all = new Map(); // name → {held, archive, names: of the files in it}; null of what is only known
    this.byLastPart = new Map();
    this.archives = 0; // how often the archives changed
    this.unpacked = null; // last of an archive of one file: {key, held, blob}
    this.asking = ''; // the model whose files are looked for
    this.unread = new Set();
    this.lookedUp = new Set();
    const read = (name) => this.at(name)?.held ?? null;
    read.list = (folder) => [...this.all.keys()].filter((name) => folderOf(name) === folder);
    this.callback = keepCallback(read);
  }

  know(name) {
    this.#forget(name);
    if (!this.all.has(name)) {
      if (!this.byLastPart.has(lastPart(name))) this.byLastPart.set(lastPart(name), new Set());
      this.byLastPart.get(lastPart(name)).add(name);
    }
    this.all.set(name, null);
  }

  put(name, held) {
    this.know(name);
    let archive = 0;
    try {
      if (!NO_ARCHIVE.test(name)) archive = call.archive_open_memory(held.address, held.length, 0, 0, 0);
      if (archive) this.archives += 1;
    } catch (error) {
      if (!(error instanceof LibraryError)) throw error; // it is no archive
    }
    this.all.set(name, { held, archive, names: null });
  }

  /** Names of the files in an archive. */
  list(name) {
    const file = this.all.get(name);
    if (!file?.archive) return [];
    file.names ??= new Set(range(call.archive_count(file.archive), (i) => nameOf(call.archive_name(file.archive, i))));
    return [...file.names];
  }

  /** The innermost archive that was read and has a path in it: {name, file, inner: what it calls the file}; null of other files. */
  around(path) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const file = this.all.get(path.slice(0, at));
      if (file?.archive) return { name: path.slice(0, at), file, inner: path.slice(at + 1) };
    }
    return null;
  }

  drop(name) {
    this.#forget(name);
    this.all.delete(name);
    this.byLastPart.get(lastPart(name))?.delete(name);
  }

  #forget(name) {
    const file = this.all.get(name);
    if (!file) return;
    if (this.unpacked?.key === file) this.#forgetUnpacked();
    if (file.archive) {
      call.archive_free(file.archive);
      this.archives += 1;
    }
    free(file.held.address);
  }

  /** The file that a name leads to, where it was read. What the archive of the model has comes from nowhere else. */
  find(name) {
    this.lookedUp.add(name);
    const home = this.around(this.asking);
    const only = this.around(name) ? name : home?.file.names?.has(name) ? `${home.name}/${name}` : null;
    let best = null;
    for (const path of this.byLastPart.get(lastPart(name)) ?? []) {
      if (only && path !== only) continue;
      const fit = fitOf(path, name, this.asking);
      if (!best || isBetter(fit, best.fit) || (!isBetter(best.fit, fit) && path < best.path)) best = { path, fit };
    }
    if (!best) return undefined;
    const file = this.all.get(best.path);
    if (!file) this.unread.add(best.path);
    return file;
  }

  /** Where the bytes of a file are, or of the only one in an archive of that name: {key, held}; null of what is not there. */
  at(name) {
    const file = this.find(name);
    if (file !== undefined) return file && { key: file, held: file.held };
    const archive = this.find(`${name}.mpq`);
    if (!archive) return null;
    if (this.unpacked?.key !== archive) {
      this.#forgetUnpacked();
      try {
        const blob = call.archive_read_single(archive.held.address, archive.held.length, name);
        this.unpacked = { key: archive, held: Held.at(call.blob_data(blob), call.blob_size(blob)), blob };
      } catch (error) {
        if (!(error instanceof LibraryError)) throw error;
        return null;
      }
    }
    return this.unpacked;
  }

  /** Gives away what was unpacked last, for someone who frees its blob; 0 if it is another file. */
  takeBlobOf(key) {
    if (this.unpacked?.key !== key) return 0;
    const { blob } = this.unpacked;
    this.unpacked = null;
    return blob;
  }

  #forgetUnpacked() {
    if (this.unpacked) call.blob_free(this.unpacked.blob);
    this.unpacked = null;
  }

  /** Calls `use` with all of it as sources of the library, for a model: the archives in which it lies count most. */
  withSources(path, use) {
    this.asking = path;
    const distance = (name) => (path.startsWith(`${name}/`) ? name.length : 0);
    const archives = [...this.all].filter(([, file]) => file?.archive).sort(([a], [b]) => distance(a) - distance(b));
    const sources = call.sources_new();
    try {
      for (const [, { archive }] of archives) call.sources_add_archive(sources, archive);
      call.js_source(sources, this.callback);
      return use(sources);
    } finally {
      call.sources_free(sources);
    }
  }
}

/** A document that several models and the library share. */
class Shared {
  constructor(pointer, size) {
    this.pointer = pointer;
    this.size = size;
    this.users = 1;
    this.format = struct('thaw_format', call.document_format(pointer));
    this.findings = listFindings(call.document_findings(pointer));
  }

  use() {
    this.users += 1;
    return this;
  }

  release() {
    this.users -= 1;
    if (this.users === 0) call.document_free(this.pointer);
  }
}

/** The document of bytes that the library has, or that are copied there. */
function documentOf(bytes, name) {
  const held = bytes instanceof Held ? bytes : new Held(bytes.length);
  try {
    if (held !== bytes) held.bytes.set(bytes);
    return new Shared(call.open_bytes(held.address, held.length, name, 0), held.length);
  } finally {
    if (held !== bytes) free(held.address);
  }
}

/**
 * What a model is opened with, as options of the command.
 * @param {{teamColor?: string, tile?: string, doodadSet?: string}} options
 */
const optionsOf = ({ teamColor, tile, doodadSet }) =>
  [
    ['team-color', teamColor],
    ['tiles', tile],
    ['doodad-set', doodadSet],
  ].filter(([, value]) => value !== undefined && value !== null && value !== '');

export class Library {
  /** @param {WebAssembly.Module} compiled by the page */
  static async load(compiled) {
    await load(compiled);
    return new Library();
  }

  constructor() {
    this.files = new Files();
    this.edited = new Map(); // name → {editor, count, document}, see Model
    this.last = null; // that was read: {key, document}
    this.reading = null; // a large file, see #readOn
    this.arriving = new Map(); // number → file of which not all bytes are there, see begin
    this.lastArriving = 0;
  }

  memorySize() {
    return memorySize();
  }

  /** Makes a file known under a path; models find their textures among all of them. */
  addFile(path, bytes) {
    const held = this.#hold(bytes.length);
    held.bytes.set(bytes);
    this.#put(path, held);
  }

  /** Room for a file whose bytes come in pieces; its number, for `append`, and then `complete` or `abandon`. */
  begin(size) {
    this.arriving.set((this.lastArriving += 1), { held: this.#hold(size), at: 0 });
    return this.lastArriving;
  }

  append(number, bytes) {
    const file = this.arriving.get(number);
    file.held.bytes.set(bytes, file.at);
    file.at += bytes.length;
  }

  complete(number, path) {
    const { held } = this.arriving.get(number);
    this.arriving.delete(number);
    this.#put(path, held);
  }

  abandon(number) {
    free(this.arriving.get(number).held.address);
    this.arriving.delete(number);
  }

  #hold(size) {
    try {
      return new Held(size);
    } catch (error) {
      if (!(error instanceof LibraryError)) throw error;
      throw new ThawError(`the page has no memory left for ${size.toLocaleString()} bytes`);
    }
  }

  #put(path, held) {
    this.#forgetEdits(path);
    this.files.put(nameOf(path), held);
  }

  /** Makes names known whose bytes are read when a model asks for them; what was read of them before is forgotten. */
  knowFiles(paths) {
    for (const path of paths) {
      this.#forgetEdits(path);
      this.files.know(nameOf(path));
    }
  }

  /** Of a file that cannot be read after all, or is gone. */
  dropFile(path) {
    this.#forgetEdits(path);
    this.files.drop(nameOf(path));
  }

  #forgetEdits(path) {
    const name = nameOf(path);
    if (this.reading?.key === this.files.all.get(name)) this.#endReading();
    for (const [each, { editor, document }] of this.edited) {
      if (each !== name && !each.startsWith(`${name}/`)) continue; // in the archive
      this.edited.delete(each);
      call.editor_free(editor);
      document?.release();
    }
  }

  /**
   * Opens a model, a large one in steps, and tells what it looked for: {model or failure, wanted, asked}, of which `wanted` are
   * names of known files that have no bytes yet, and `asked` all names.
   * @param read is told of the share of a large file that is read, 0 to 1
   */
  async openAsking(path, options, read) {
    const [model, failure] = await this.#openInSteps(path, options, read).then(
      (opened) => [opened, null],
      (error) => [null, error],
    );
    if (failure && !(failure instanceof ThawError)) throw failure;
    return { model, failure, wanted: this.#takeWanted(), asked: this.#takeAsked() };
  }

  #takeWanted() {
    const names = [...this.files.unread];
    this.files.unread.clear();
    return names;
  }

  #takeAsked() {
    const names = [...this.files.lookedUp].sort();
    this.files.lookedUp.clear();
    return names;
  }

  /** Names of the files in an archive that was added. */
  list(path) {
    return this.files.list(nameOf(path));
  }

  /** The bytes of a file in an archive that was added. */
  read(path) {
    const home = this.files.around(nameOf(path));
    if (!home) throw new ThawError(`${path} does not exist`);
    const sources = call.sources_new();
    try {
      call.sources_add_archive(sources, home.file.archive);
      return attempt(() => takeBlob(call.sources_read(sources, home.inner)));
    } finally {
      call.sources_free(sources);
    }
  }

  async #openInSteps(path, options, read) {
    for (let isLarge = false; ; isLarge = true) {
      const share = this.#readOn(path);
      if (share < 1) {
        read(share);
        await pause();
        continue;
      }
      const model = this.open(path, options);
      if (isLarge) await pause(); // before what it has is sent to the card
      return model;
    }
  }

  /** Reads on in a large file. 1 of all that `open` need not wait for or complains about; 0 as long as another one is read. */
  #readOn(path) {
    this.files.asking = nameOf(path);
    const name = nameWithin(path);
    if (this.reading?.name !== name) {
      const at = this.edited.has(nameOf(path)) ? null : this.files.at(name);
      if (!at || at.held.length < WORTH_A_TASK || this.last?.key === at.key) return 1;
      if (this.reading) return 0;
      const { key, held } = at;
      this.reading = {
        name,
        key,
        size: held.length,
        reader: call.reader_new(held.address, held.length, path, 0),
        blob: this.files.takeBlobOf(key),
      };
    }
    const { key, size, reader } = this.reading;
    const end = performance.now() + SLICE;
    let more = true;
    while (more && performance.now() < end) more = call.reader_step(reader) !== 0;
    if (more) return Math.min(0.999, call.reader_share(reader));
    try {
      this.#remember(key, new Shared(call.reader_document(reader), size));
    } catch (error) {
      if (!(error instanceof LibraryError)) throw error;
      return 1;
    } finally {
      this.#endReading();
    }
    return 0.999;
  }

  #endReading() {
    if (!this.reading) return;
    call.reader_free(this.reading.reader);
    if (this.reading.blob) call.blob_free(this.reading.blob);
    this.reading = null;
  }

  #remember(key, document) {
    this.last?.document.release();
    this.last = { key, document };
  }

  /** The document of a path: of its edits, as it was read last, or read now. */
  #document(path, sources) {
    const name = nameWithin(path);
    const edited = this.edited.get(nameOf(path))?.document;
    if (edited) return edited;
    const at = this.files.at(name);
    const key = at?.key ?? `${this.files.archives} ${name}`;
    if (this.last?.key === key) return this.last.document;
    let bytes = at?.held;
    if (!bytes) {
      try {
        bytes = this.files.around(name) ? this.read(path) : takeBlob(call.sources_read(sources, name));
      } catch (error) {
        if (!(error instanceof LibraryError)) throw error;
        throw new ThawError(`${path} does not exist`);
      }
    }
    this.#remember(key, documentOf(bytes, this.innerName(path)));
    return this.last.document;
  }

  /** How a file is called where it lies: in its archive, or among all. */
  innerName(path) {
    return this.files.around(nameOf(path))?.inner ?? path;
  }

  /** @param {{teamColor?: string, tile?: string, doodadSet?: string}} options */
  open(path, options = {}) {
    return attempt(() =>
      this.files.withSources(
        nameOf(path),
        (sources) => new Model(this, path, this.#document(path, sources).use(), sources, optionsOf(options)),
      ),
    );
  }
}

const SHOWN = {
  wireframe: constants.THAW_SHOW_WIREFRAME,
  bones: constants.THAW_SHOW_BONES,
  collision: constants.THAW_SHOW_COLLISION,
  extents: constants.THAW_SHOW_EXTENTS,
  grid: constants.THAW_SHOW_GRID,
};
const SHOWN_UNLESS_OFF = {
  surfaces: constants.THAW_SHOW_SURFACES,
  emitters: constants.THAW_SHOW_EMITTERS,
  attachments: constants.THAW_SHOW_ATTACHMENTS,
};

/** Nothing of a model but what is asked for beside this. */
const BARE = { surfaces: false, emitters: false, attachments: false };

/** Blend modes as people see them. */
const BLENDS = { opaque: 'none', mask: 'transparent', 'add-alpha': 'add alpha', modulate2x: 'modulate 2x' };

/** What can be picked, by where a draw comes from; all others are splats. */
const KINDS = ['mesh', 'emitter', 'ribbon'];

const HIT = structs.thaw_hit.size;

export class Model {
  /** @param document {Shared} which it releases when it is closed */
  constructor(library, path, document, sources, options) {
    this.library = library;
    this.path = nameOf(path);
    this.given = library.innerName(path);
    this.document = document;
    this.options = options;
    this.tree_ = null;
    try {
      const { made, findings } = withRequest(options, { sources }, (request) => call.document_view(document.pointer, request));
      this.view = made;
      this.found = findings; // while it was opened
    } catch (error) {
      document.release();
      throw error;
    }
    this.pointer = call.view_scene(this.view); // of its scene
    this.scene_ = null;
    this.frame = call.frame_new(this.view);
    this.bare = 0; // a frame that nobody draws
    this.place = allocate(Math.max(structs.thaw_viewpoint.size, HIT));
    this.request = allocate(structs.thaw_frame_request.size);
  }

  close() {
    if (this.tree_) call.tree_free(this.tree_.pointer);
    free(this.place);
    free(this.request);
    call.frame_free(this.frame);
    if (this.bare) call.frame_free(this.bare);
    call.view_free(this.view);
    this.document.release();
  }

  /** What the file is and has. */
  get info() {
    const { name: format, dialect, version } = this.document.format;
    const { name, counts, in_game = '' } = takeJson(call.document_facts(this.document.pointer));
    return { format, dialect, version: none(version), name, size: this.document.size, in_game, counts };
  }

  #requested(options, make) {
    return this.library.files.withSources(this.path, (sources) => withRequest(options, { sources }, make));
  }

  #validated(document) {
    return takeFindings(this.#requested([], (request) => call.document_validate(document, request)).made);
  }

  findings() {
    return [...this.document.findings, ...this.found, ...this.#validated(this.document.pointer)].map(withoutRepetition);
  }

  /** What the model has to show; its nodes, textures and so on are known by their numbers. */
  get scene() {
    this.scene_ ??= this.#readScene();
    return this.scene_;
  }

  #readScene() {
    const scene = this.pointer;
    const about = struct('thaw_scene_info', call.scene_about(scene));
    const list = (count, name, at, make) => range(count, (i) => make(struct(name, at(scene, i))));
    const parts = (mesh) => range(mesh.partCount, (i) => none(struct('thaw_part', mesh.parts + i * structs.thaw_part.size).material));
    const layer = ({ blend, texture, twoSided }) => ({ blend: BLENDS[blend] ?? blend, texture: none(texture), twoSided: twoSided !== 0 });
    const portrait = allocate(4);
    const camera = none(call.scene_portrait(scene, portrait) >>> 0);
    const isPortrait = word(portrait) !== 0;
    free(portrait);
    return {
      clips: list(about.clips, 'thaw_clip', call.scene_clip, ({ name, duration, looping, global }) => ({
        name,
        duration: shortest(duration),
        looping: looping !== 0,
        global: global !== 0,
      })),
      nodes: list(about.nodes, 'thaw_node', call.scene_node, ({ name, kind, parent }) => ({ name, kind, parent: none(parent) })),
      meshes: list(about.meshes, 'thaw_mesh', call.scene_mesh, (mesh) => ({
        name: mesh.name,
        vertices: mesh.vertices,
        triangles: Math.floor(mesh.indexCount / 3),
        place: mesh.place,
        materials: parts(mesh),
      })),
      materials: range(about.materials, (i) => ({
        name: call.scene_material_name(scene, i),
        layers: range(call.scene_layers(scene, i), (k) => layer(struct('thaw_layer', call.scene_layer(scene, i, k)))),
      })),
      textures: list(about.textures, 'thaw_texture', call.scene_texture, ({ path, replaceableId, image }) => {
        const shown = image < about.images ? struct('thaw_pixels', call.scene_image(scene, image)) : null;
        return {
          path,
          replaceable: replaceableId,
          image: none(image),
          missing: !shown || shown.placeholder !== 0,
          source: shown?.source ?? null,
        };
      }),
      cameras: list(about.cameras, 'thaw_camera', call.scene_camera, ({ name }) => ({ name })),
      emitters: range(about.emitters, (i) => none(call.scene_emitter(scene, i) >>> 0)),
      ribbons: range(about.ribbons, (i) => none(call.scene_ribbon(scene, i) >>> 0)),
      moves: call.scene_moves(scene) !== 0,
      tiles: this.#tiles(),
      doodadSets: range(about.objectSets, (i) => call.scene_object_set(scene, i)),
      portrait: camera,
      isPortrait,
      defaultClip: none(call.scene_default_clip(scene) >>> 0),
    };
  }

  /** Of a map: "x,y" as the option takes it. */
  #tiles() {
    const place = allocate(8);
    const tiles = [];
    while (call.document_tile(this.document.pointer, tiles.length, place, place + 4)) tiles.push(`${word(place)},${word(place + 4)}`);
    free(place);
    return tiles;
  }

  get #tree() {
    if (this.tree_) return this.tree_;
    const pointer = call.document_tree(this.document.pointer, MOST_NODES);
    const out = allocate(12);
    const first = call.tree_all(pointer, out, out + 4, out + 8);
    this.tree_ = { pointer, first, count: word(out), stride: word(out + 4), complete: word(out + 8) !== 0 };
    free(out);
    return this.tree_;
  }

  #node(index) {
    const { first, stride } = this.#tree;
    return struct('thaw_tree_node', first + index * stride);
  }

  /** The parts of the document in file order: how many, and of each the last that lies in it. */
  tree() {
    const { first, count, stride, complete } = this.#tree;
    const words = view('u32', first, (count * stride) / 4);
    const at = structs.thaw_tree_node.members.last[0] / 4;
    const ends = Uint32Array.from({ length: count }, (_, i) => words[(i * stride) / 4 + at]);
    return { count, ends, complete };
  }

  #pathOf(node) {
    const around = node.parent === NONE ? '' : this.#pathOf(this.#node(node.parent));
    return below(around, node.name);
  }

  /** What parts of the tree are called, and where they lie. */
  rows(numbers) {
    const none64 = 2 ** 64; // of a count that there is not, as a number
    return numbers
      .filter((index) => index < this.#tree.count)
      .map((index) => {
        const node = this.#node(index);
        const { depth, name, offset, bytes: size, count, label } = node;
        return { depth, name, offset, size, count: count === none64 ? null : count, label, path: this.#pathOf(node) };
      });
  }

  /** Numbers of the parts that lead to an {offset} or a {path}, as far as they do. */
  way({ path = '', offset = 0 }) {
    const way = [];
    let around = '';
    let end = this.#tree.count;
    for (let i = 0; i < end;) {
      const node = this.#node(i);
      const place = below(around, node.name);
      const leads = path ? isAtOrBelow(path, place) : offset >= node.offset && offset < node.offset + Math.max(1, node.bytes);
      if (leads) {
        way.push(i);
        around = place;
        end = node.last + 1;
        i += 1;
      } else {
        i = node.last + 1;
      }
    }
    return way;
  }

  /**
   * The model as MDL, where it has such a text, else its fields; of large ones at least so many characters, if they have them:
   * {bytes, lines: where each begins, complete}.
   */
  text(characters) {
    const { id, dialect } = this.document.format;
    let complete = true;
    let bytes;
    if (this.document.size <= MOST_MDL && id === 'mdl') {
      bytes = takeBlob(call.document_write(this.document.pointer));
    } else if (this.document.size <= MOST_MDL && id === 'mdx' && dialect === 'wc3') {
      bytes = this.#converted('mdl', []).files[0].bytes;
    } else {
      const out = allocate(4);
      bytes = takeBlob(call.document_dump_start(this.document.pointer, characters, out));
      complete = word(out) !== 0;
      free(out);
    }
    const lines = [0];
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines.push(at + 1);
    return { bytes, lines: Uint32Array.from(lines), complete };
  }

  /** Where this document and another are not the same: {rows: [path, here, there], more}. */
  compare(other) {
    const [here, there] = [this.document.format, other.document.format];
    let found;
    try {
      found = takeJson(call.document_compare(this.document.pointer, other.document.pointer, MOST_DIFFERENCES + 1));
    } catch (error) {
      if (error.code !== 'format.foreign') throw error;
      return { rows: [['format', here.name, there.name]], more: false };
    }
    return {
      rows: found.slice(0, MOST_DIFFERENCES).map(({ path, left, right }) => [path, left ?? '', right ?? '']),
      more: found.length > MOST_DIFFERENCES,
    };
  }

  /** What the last frame shows at a place, −1 to 1 from left to right and from bottom to top; null if nothing. */
  pick(x, y) {
    fill('thaw_hit', this.place, {});
    if (!call.frame_pick(this.frame, x, y, this.place)) return null;
    const { origin, object, layer, part, vertex, node } = struct('thaw_hit', this.place);
    const hit = { kind: KINDS[origin] ?? 'splat', origin, object, layer, within: origin === 0 && part === NONE };
    return part === NONE ? hit : { ...hit, part, vertex, node: none(node) };
  }

  /** What can be made: {to, extension, versions} of each conversion of the file alone, {fix: 'safe' or 'all'} where there are fixes. */
  downloads() {
    const targets = takeJson(call.document_targets(this.document.pointer));
    const fixes = this.document.format.fixable ? [{ fix: 'safe' }, { fix: 'all' }] : [];
    return [...targets.filter(({ needs, extension }) => !needs && extension), ...fixes];
  }

  /** Files as the command writes them: {to: a word of --to, version: as --format-version has it} or {fix}. */
  make({ to, version = null, fix }) {
    if (fix) return attempt(() => this.#fixed(fix));
    return attempt(() => this.#converted(to, version === null ? [] : [['format-version', version]]));
  }

  #converted(to, more) {
    const { made, findings } = this.#requested([...this.options, ...more], (request) =>
      call.convert(this.document.pointer, to, null, request),
    );
    const size = allocate(4);
    const files = range(call.outputs_count(made), (i) => {
      const data = call.outputs_data(made, i, size);
      return { name: call.outputs_name(made, i), bytes: view('u8', data, word(size))?.slice() ?? new Uint8Array() };
    });
    const note = call.outputs_note(made);
    free(size);
    call.outputs_free(made);
    return { files, note, findings: findings.map(withoutRepetition), fixed: [] };
  }

  #fixed(fix) {
    const list = allocate(4);
    const { made } = this.#requested([['fix', fix]], (request) => call.document_fix(this.document.pointer, request, list));
    const reported = takeFindings(word(list));
    free(list);
    const fixed = reported.filter(({ severity }) => severity === 'info');
    const bytes = takeBlob(call.document_write(fixed.length === 0 ? this.document.pointer : made));
    call.document_free(made);
    const name = call.document_name(this.document.pointer);
    const again = documentOf(bytes, this.given);
    const warnings = reported.filter(({ severity }) => severity !== 'info');
    const findings = [...warnings, ...again.findings, ...this.#validated(again.pointer)].map(withoutRepetition);
    again.release();
    return { files: [{ name, bytes }], note: '', findings, fixed };
  }

  /**
   * The draw list of a moment, for readFrame. All arrays are views into the library's memory: valid until the next call.
   * @param {{clip: number, time: number, clock: number, camera: object, options: object}} moment
   * @param atRest for a backend that has the meshes: without vertices that matrices say all of
   */
  evaluate({ clip, time, clock, camera, options }, atRest = false, frame = this.frame) {
    let show = atRest ? constants.THAW_SHOW_REST_MESHES : 0;
    for (const [name, flag] of Object.entries(SHOWN)) show |= options[name] ? flag : 0;
    for (const [name, flag] of Object.entries(SHOWN_UNLESS_OFF)) show |= options[name] === false ? 0 : flag;
    const { fog } = options;
    if (fog?.enabled) show |= constants.THAW_SHOW_FOG;
    const hidden = [...(options.hiddenMeshes ?? [])];
    const list = new Held(4 * hidden.length);
    if (hidden.length > 0) view('u32', list.address, hidden.length).set(hidden);
    const { eye, target, up, fieldOfView, height = 0, near, far, aspect } = camera;
    fill('thaw_viewpoint', this.place, { eye, target, up, fieldOfView, height, nearClip: near, farClip: far, aspect });
    fill('thaw_frame_request', this.request, {
      from: this.place,
      hiddenMeshes: list.address,
      hiddenCount: hidden.length,
      clip: clip < 0 ? NONE : clip,
      show,
      lighting: options.lighting ?? 0,
      markedNode: options.markedNode ?? NONE,
      fogColor: fog?.color ?? [0, 0, 0],
      fogStart: fog?.start ?? 0,
      fogEnd: fog?.end ?? 0,
    });
    try {
      return rawFrame(struct('thaw_frame_data', call.frame_evaluate(frame, this.request, time, clock)));
    } finally {
      free(list.address);
    }
  }

  /** A frame that leaves that of the picture as it is. */
  #aside(moment, atRest) {
    this.bare ||= call.frame_new(this.view);
    return readFrame(this.evaluate(moment, atRest, this.bare));
  }

  /**
   * Where nodes are at a moment, as `evaluate` has it: all that bones are drawn of, and some others.
   * @returns {{places: Map<number, number[]>, view: Float32Array, projection: Float32Array}}
   */
  places(moment, others) {
    const look = (shown) => this.#aside({ ...moment, options: { ...BARE, ...shown } }, true);
    const pointsOf = ({ positions, draws }, origin) => {
      const draw = draws.find((each) => each.origin === origin);
      return draw ? positions.slice(3 * draw.basePosition, 3 * (draw.basePosition + draw.indexCount)) : [];
    };
    const frame = look({ bones: true });
    const places = placesOf(this.scene.nodes, pointsOf(frame, constants.THAW_OF_BONES));
    for (const node of others.filter((each) => !places.has(each))) {
      places.set(node, [...pointsOf(look({ markedNode: node }), constants.THAW_OF_MARK).slice(0, 3)]);
    }
    return { places, view: frame.view, projection: frame.projection };
  }

  /** The place in space that the last frame shows at a place of it, or null. @param moment as it was evaluated */
  placeAt(moment, x, y) {
    const hit = this.pick(x, y);
    if (!hit) return null;
    const frame = this.#aside(moment, false); // with all vertices where they are
    const draws = frame.draws.filter(({ topology, origin, object }) => topology === 0 && origin === hit.origin && object === hit.object);
    return meet(frame, draws, rayOf(moment.camera, x, y));
  }

  #readPlace(aspect) {
    const { eye, target, up, fieldOfView, height, nearClip: near, farClip: far } = struct('thaw_viewpoint', this.place);
    return { eye, target, up, fieldOfView, height, near, far, aspect };
  }

  /** The camera that shows all of a clip; angles in radians. */
  autoCamera(clip, azimuth, elevation, distance, aspect) {
    fill('thaw_viewpoint', this.place, {});
    call.view_frame_clip(this.view, clip < 0 ? NONE : clip, azimuth, elevation, distance, aspect, this.place);
    return this.#readPlace(aspect);
  }

  /** A camera of the model, or null. */
  ownCamera(index, clip, time, aspect) {
    fill('thaw_viewpoint', this.place, {});
    const found = call.view_camera(this.view, index, clip < 0 ? NONE : clip, time, aspect, this.place);
    return found ? this.#readPlace(aspect) : null;
  }

  get imageCount() {
    if (this.images === undefined) {
      this.images = 0;
      while (call.view_image(this.view, this.images)) this.images += 1;
    }
    return this.images;
  }

  /** {width, height, pixels: RGBA with straight alpha}. */
  image(index) {
    const { width, height, rgba } = struct('thaw_pixels', call.view_image(this.view, index));
    return { width, height, pixels: view('u8', rgba, width * height * 4) ?? new Uint8Array() };
  }

  get restMeshCount() {
    let count = 0;
    while (call.view_rest_mesh(this.view, count)) count += 1;
    return count;
  }

  /** The arrays of a mesh that stay the same at all moments; views into the library's memory, null of what is not there. */
  restMesh(index) {
    const mesh = struct('thaw_rest_mesh', call.view_rest_mesh(this.view, index));
    const { vertices, influences: influenceCount } = mesh;
    const sets = range(mesh.uvSets, (set) => call.view_rest_uvs(this.view, index, set));
    const count = mesh.groupCount * influenceCount;
    let influences = null;
    if (count > 0) {
      const [firsts, joints, weights] = [
        view('u32', mesh.representatives, mesh.groupCount),
        view('u16', mesh.joints, vertices * influenceCount),
        view('f32', mesh.weights, vertices * influenceCount),
      ];
      influences = new Float32Array(count * 2);
      for (let i = 0; i < count; i += 1) {
        const at = firsts[Math.floor(i / influenceCount)] * influenceCount + (i % influenceCount);
        influences[2 * i] = joints[at];
        influences[2 * i + 1] = weights[at];
      }
    }
    const positions = view('f32', mesh.positions, vertices * 3) ?? new Float32Array();
    const groups = view('u32', mesh.groups, vertices);
    return {
      positions,
      groups,
      boxes: boxesOf(positions, groups, influences, influenceCount),
      normals: view('f32', mesh.normals, vertices * 3),
      tangents: view('f32', mesh.tangents, vertices * 4),
      colors: view('f32', mesh.colors, vertices * 4),
      indices: view('u32', mesh.indices, mesh.indexCount) ?? new Uint32Array(),
      influences,
      influenceCount,
      uvSets: sets.map((pointer) => view('f32', pointer, vertices * 2)),
    };
  }

  /** Texture coordinates of the triangles that show a picture: u, v of three corners each. @param only a mesh, or null for all */
  uvs(image, only = null) {
    const scene = this.pointer;
    const shows = (material) =>
      range(call.scene_layers(scene, material), (i) => struct('thaw_layer', call.scene_layer(scene, material, i)).texture).some(
        (texture) => texture !== NONE && struct('thaw_texture', call.scene_texture(scene, texture)).image === image,
      );
    const corners = [];
    const { meshes } = struct('thaw_scene_info', call.scene_about(scene));
    for (let i = only ?? 0; i < (only === null ? meshes : only + 1); i += 1) {
      const mesh = struct('thaw_mesh', call.scene_mesh(scene, i));
      const parts = range(mesh.partCount, (k) => struct('thaw_part', mesh.parts + k * structs.thaw_part.size));
      const shown = parts.filter(({ material }) => material !== NONE && shows(material));
      const uvs = view('f32', call.scene_uvs(scene, i, 0), mesh.vertices * 2);
      const indices = view('u32', mesh.indices, mesh.indexCount);
      for (const { firstIndex, indexCount } of uvs ? shown : []) {
        for (let k = firstIndex; k < firstIndex + indexCount && corners.length < MOST_UVS; k += 1) {
          corners.push(uvs[2 * indices[k]], uvs[2 * indices[k] + 1]);
        }
      }
    }
    return new Float32Array(corners);
  }

  /** The frame of the last evaluate, drawn by the built-in rasteriser. @param background RGBA, 0 to 255 */
  rasterise(width, height, samples = 4, background = [0, 0, 0, 0]) {
    const color = background.reduce((sum, value, i) => (sum | (value << (8 * i))) >>> 0, 0);
    const image = call.frame_draw(this.frame, width, height, samples, color);
    const { rgba } = struct('thaw_pixels', call.image_pixels(image));
    const pixels = new Uint8ClampedArray(view('u8', rgba, width * height * 4));
    call.image_free(image);
    return new ImageData(pixels, width, height);
  }

  /** Of each of the scene's clips its events: {name, time}. Read of a copy that has nothing else: an editor of all of a large model takes seconds. */
  events(clips) {
    const { id, dialect } = this.document.format;
    if (!['wc3', 'alpha'].includes(dialect) || (id === 'mdl' && this.document.size > MOST_EVENTS)) return [];
    const small = documentOf(id === 'mdl' ? this.bytes() : withChunks(this.bytes()), this.given);
    const editor = call.editor_new(small.pointer);
    const itemsOf = (tag) => Object.values(takeJson(call.editor_get(editor, tag)))[0]?.items ?? [];
    try {
      return eventsByClip(clips, itemsOf('SEQS'), itemsOf('EVTS'));
    } catch (error) {
      if (!(error instanceof LibraryError)) throw error;
      return []; // it has neither
    } finally {
      call.editor_free(editor);
      small.release();
    }
  }

  /** What is changed of the file, and by what; null of what has too many fields for a page. */
  get #editing() {
    if (this.document.size > MOST_EDITED) return null;
    const { edited } = this.library;
    if (!edited.has(this.path)) edited.set(this.path, { editor: call.editor_new(this.document.pointer), count: 0, document: null });
    return edited.get(this.path);
  }

  /** What stands at a path: numbers, texts, lists, objects; null if that is no single place. */
  field(path) {
    const file = this.#editing;
    try {
      const values = file ? Object.values(takeJson(call.editor_get(file.editor, path))) : [];
      return values.length === 1 ? values[0] : null;
    } catch (error) {
      if (!(error instanceof LibraryError)) throw error;
      return null;
    }
  }

  /** Changes a field, as `thaw set` does, and gives the number of edits. What is opened by this model's path next has the change. */
  edit(text) {
    const file = this.#editing;
    if (!file) throw new ThawError('this file cannot be edited here');
    attempt(
      () => {
        call.editor_edit(file.editor, text);
        file.count += 1;
        try {
          this.#settle(file);
        } catch (error) {
          this.undo();
          throw error;
        }
      },
      { withPath: true },
    );
    return this.edits;
  }

  /** The file with its edits, for whoever opens it next. */
  #settle(file) {
    let document = null;
    if (file.count > 0) {
      const built = call.editor_document(file.editor);
      document = documentOf(takeBlob(call.document_write(built)), this.given);
      call.document_free(built);
    }
    file.document?.release();
    file.document = document;
  }

  get edits() {
    return this.library.edited.get(this.path)?.count ?? 0;
  }

  undo() {
    const file = this.#editing;
    if (file && call.editor_undo(file.editor)) {
      file.count -= 1;
      this.#settle(file); // it could be built before
    }
    return this.edits;
  }

  /** The file as it is shown. */
  bytes() {
    return takeBlob(call.document_write(this.document.pointer));
  }
}

/** A finding whose message says more than its code, or nothing. */
const withoutRepetition = (finding) => ({ ...finding, message: finding.message === finding.summary ? '' : finding.message });

/** How a part is called below the path of what it lies in. */
const below = (around, name) => (around === '' || name.startsWith('[') ? around + name : `${around}.${name}`);

/** Whether a path leads to a place or to something in it. */
const isAtOrBelow = (path, place) => path.startsWith(place) && (path.length === place.length || '.['.includes(path[place.length]));

/** Arrays are views into the library's memory, the draws as they lie there: see readFrame. */
function rawFrame(frame) {
  return {
    positions: view('f32', frame.positions, frame.positionCount * 3) ?? new Float32Array(),
    uvs: view('f32', frame.uvs, frame.uvCount * 2) ?? new Float32Array(),
    colors: view('u8', frame.colors, frame.colorCount * 4) ?? new Uint8Array(),
    normals: view('f32', frame.normals, frame.normalCount * 3) ?? new Float32Array(),
    tangents: view('f32', frame.tangents, frame.tangentCount * 4) ?? new Float32Array(),
    indices: view('u32', frame.indices, frame.indexCount) ?? new Uint32Array(),
    matrices: view('f32', frame.matrices, frame.matrixCount * 12) ?? new Float32Array(),
    draws: view('u8', frame.draws, frame.drawCount * frame.drawStride) ?? new Uint8Array(),
    drawCount: frame.drawCount,
    view: new Float32Array(frame.view),
    projection: new Float32Array(frame.projection),
    fog: { enabled: frame.fogged !== 0, color: frame.fogColor, start: frame.fogStart, end: frame.fogEnd },
    illumination: readIllumination(frame),
    triangles: frame.triangles,
    particles: frame.particles,
  };
}

function readIllumination({ viewer, ambient, surroundings, most, lights, lightCount, lightStride }) {
  const all = range(lightCount, (i) => {
    const { place, local, color, start, end } = struct('thaw_light', lights + i * lightStride);
    return { place, near: local, color, range: [start, end] };
  });
  return { viewer, ambient, surroundings, most, lights: all };
}
