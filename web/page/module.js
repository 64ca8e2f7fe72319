// The library, compiled to WebAssembly, behind functions that take and give JavaScript values. The C side is
// web/module.cpp; the layout of its tables stands there and here.

import createModule from './thaw-module.js';

/** Words of one draw in the table of a frame. */
const DRAW_WORDS = 48;
/** Words before the first draw, and numbers of one light. */
const TABLE_WORDS = 24;
const LIGHT_FLOATS = 9;
/** Numbers of the illumination before the first light. */
const LIGHTS_AT = 11;

/** Milliseconds for which is read on in a large file before the page has its turn. */
const SLICE = 20;

const pause = () =>
  new Promise((next) => {
    setTimeout(next);
  });

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Thrown when the library says that something cannot be done; the message is its own. */
export class ThawError extends Error {}

/** Whether an error comes from within the library, whose memory can be in any state then. */
export const isCrash = (error) => error instanceof WebAssembly.RuntimeError || /call stack|recursion/i.test(error?.message);

export class Library {
  static async load() {
    return new Library(await createModule());
  }

  constructor(module) {
    this.module = module;
  }

  get version() {
    return this.text(this.module._thaw_version());
  }

  /** Makes a file known under a path; models find their textures among all of them. */
  addFile(path, bytes) {
    const data = this.allocate(bytes.length);
    this.module.HEAPU8.set(bytes, data);
    this.#give(path, data, bytes.length);
  }

  /** As addFile, while the bytes come. @param counts whether the file is still wanted when all of them are there */
  async addStream(path, { size, body }, counts) {
    const data = this.allocate(size);
    const reader = body.getReader();
    let at = 0;
    try {
      for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
        if (at + value.length > size) break;
        this.module.HEAPU8.set(value, data + at);
        at += value.length;
      }
      if (at !== size) throw new Error(`its size is no longer ${size.toLocaleString()} bytes`);
      if (!counts()) throw new Error('it was opened again');
    } catch (error) {
      reader.cancel().catch(() => {}); // whoever still sends
      this.module._thaw_release(data);
      throw error;
    }
    this.#give(path, data, size);
  }

  /** The library takes the memory. */
  #give(path, data, size) {
    this.#withText(path, (name) => this.module._thaw_add_file(name, data, size));
  }

  /** As open; a large file is read a little at a time. @param read is told of the share, 0 to 1 */
  async openInSteps(path, options, read) {
    for (let isLarge = false; ; isLarge = true) {
      const share = this.#withText(path, (name) => this.module._thaw_read(name, SLICE)) / 1000;
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

  /** Memory of the library, to be released there. */
  allocate(size) {
    const pointer = this.module._thaw_allocate(Math.max(1, size));
    if (pointer === 0) throw new ThawError(`the page has no memory left for ${size.toLocaleString()} bytes`);
    return pointer;
  }

  /** Makes a name known whose bytes are read when a model asks for them; what was read of it before is forgotten. */
  knowFile(path) {
    this.#withText(path, (name) => this.module._thaw_know_file(name));
  }

  /** Of a file that cannot be read after all. */
  dropFile(path) {
    this.#withText(path, (name) => this.module._thaw_drop_file(name));
  }

  /** Known files that were looked for since the last call and have no bytes yet. */
  takeWanted() {
    return JSON.parse(this.text(this.module._thaw_wanted()));
  }

  /** All names that were looked for since the last call. */
  takeAsked() {
    return JSON.parse(this.text(this.module._thaw_asked()));
  }

  /** Names of the files in an archive that was added. */
  list(path) {
    return JSON.parse(this.#withText(path, (name) => this.text(this.module._thaw_list(name))));
  }

  /** @param {{teamColor?: string, tile?: string, doodadSet?: string}} options */
  open(path, options = {}) {
    const id = this.#withText(path, (name) => this.#withText(JSON.stringify(options), (json) => this.module._thaw_open(name, json)));
    if (id < 0) throw new ThawError(this.text(this.module._thaw_error()));
    return new Model(this, id);
  }

  /** Reads a NUL-terminated text of the library. */
  text(pointer) {
    const heap = this.module.HEAPU8;
    let end = pointer;
    while (heap[end] !== 0) ++end;
    return decoder.decode(heap.subarray(pointer, end));
  }

  #withText(text, use) {
    const bytes = encoder.encode(text);
    const pointer = this.allocate(bytes.length + 1);
    this.module.HEAPU8.set(bytes, pointer);
    this.module.HEAPU8[pointer + bytes.length] = 0;
    try {
      return use(pointer);
    } finally {
      this.module._thaw_release(pointer);
    }
  }

  /** A function of the library that takes a model and a text and gives a text. */
  ask(what, id, text) {
    return this.#withText(text, (pointer) => this.text(this.module[`_thaw_${what}`](id, pointer)));
  }

  words(pointer, count) {
    return new Uint32Array(this.module.HEAPU8.buffer, pointer, count);
  }

  floats(pointer, count) {
    return new Float32Array(this.module.HEAPU8.buffer, pointer, count);
  }

  bytes(pointer, count) {
    return new Uint8Array(this.module.HEAPU8.buffer, pointer, count);
  }
}

export class Model {
  constructor(library, id) {
    this.library = library;
    this.id = id;
    this.request = library.allocate(4 * 64);
  }

  close() {
    this.library.module._thaw_release(this.request);
    this.library.module._thaw_close(this.id);
  }

  /** One of info, scene, findings, ways. */
  report(kind) {
    return JSON.parse(this.library.ask('report', this.id, kind));
  }

  /** The parts of the document in file order: how many, and of each the last that lies in it. */
  tree() {
    const [count, ends, complete] = this.library.words(this.library.module._thaw_tree(this.id), 3);
    return { count, ends: this.library.words(ends, count).slice(), complete: complete === 1 };
  }

  /** What parts of the tree are called, and where they lie. */
  rows(numbers) {
    return JSON.parse(this.library.ask('rows', this.id, JSON.stringify(numbers))).map(
      ([depth, name, offset, size, count, label, path]) => ({ depth, name, offset, size, count, label, path }),
    );
  }

  /** Numbers of the parts that lead to an {offset} or a {path}, as far as they do. */
  way(place) {
    return JSON.parse(this.library.ask('way', this.id, JSON.stringify(place)));
  }

  /** At least so many characters of the text, if it has them; `line` gives one without its end, until the next call. */
  text(characters) {
    const { library } = this;
    const [start, size, count, lines, complete] = library.words(library.module._thaw_text(this.id, characters), 5);
    const end = (line) => (line + 1 < count ? library.words(lines, count)[line + 1] - 1 : size);
    return {
      count,
      complete: complete === 1,
      line: (line) => {
        const from = library.words(lines, count)[line];
        return decoder.decode(library.bytes(start + from, end(line) - from));
      },
    };
  }

  /** Where this document and another are not the same: {rows: [path, here, there], more}. */
  compare(other) {
    return JSON.parse(this.library.text(this.library.module._thaw_compare(this.id, other.id)));
  }

  /** What the last frame shows at a place, −1 to 1 from left to right and from bottom to top; null if nothing. */
  pick(x, y) {
    return JSON.parse(this.library.text(this.library.module._thaw_pick(this.id, x, y)));
  }

  /** Files of the model as the command writes them; `how` as web/downloads.hpp has it, with the file's name. */
  make(how) {
    const made = JSON.parse(this.library.ask('make', this.id, JSON.stringify(how)));
    if (made.error) throw new ThawError(made.error);
    return { ...made, files: made.files.map(([name, start, size]) => ({ name, bytes: this.library.bytes(start, size).slice() })) };
  }

  /**
   * The draw list of a moment. All arrays are views into the library's memory: valid until the next call.
   * @param {{clip: number, time: number, clock: number, camera: object, options: object}} moment
   * @param atRest for a backend that has the meshes: without vertices that matrices say all of
   */
  evaluate({ clip, time, clock, camera, options }, atRest = false) {
    const { module } = this.library;
    const request = this.library.floats(this.request, 64);
    request.set(camera.eye, 0);
    request.set(camera.target, 3);
    request.set(camera.up, 6);
    request.set([camera.fieldOfView, camera.height ?? 0, camera.near, camera.far, camera.aspect], 9);
    const flags =
      (options.wireframe ? 1 : 0) |
      (options.bones ? 2 : 0) |
      (options.collision ? 4 : 0) |
      (options.extents ? 8 : 0) |
      (options.surfaces === false ? 16 : 0) |
      (options.emitters === false ? 32 : 0) |
      (options.attachments === false ? 64 : 0) |
      (options.grid ? 128 : 0) |
      (atRest ? 256 : 0);
    request.set([options.lighting ?? 0, flags, options.markedNode ?? -1], 14);
    const fog = options.fog ?? { enabled: false, start: 0, end: 0, color: [0, 0, 0] };
    request.set([fog.enabled ? 1 : 0, fog.start, fog.end, ...fog.color], 17);
    const hidden = [...(options.hiddenMeshes ?? [])];
    const list = this.library.allocate(4 * hidden.length);
    this.library.words(list, hidden.length).set(hidden);
    const table = module._thaw_evaluate(this.id, clip, time, clock, this.request, list, hidden.length);
    module._thaw_release(list);
    const t = this.library.words(table, TABLE_WORDS);
    const draws = this.library.words(t[8], t[9] * DRAW_WORDS);
    return {
      positions: this.library.floats(t[0], t[1] * 3),
      uvs: this.library.floats(t[2], t[3] * 2),
      colors: this.library.bytes(t[4], t[5] * 4),
      normals: this.library.floats(t[16], t[17] * 3),
      tangents: this.library.floats(t[18], t[19] * 4),
      indices: this.library.words(t[6], t[7]),
      matrices: this.library.floats(t[21], t[22] * 12),
      draws: Array.from({ length: t[9] }, (_, i) => readDraw(draws, i * DRAW_WORDS)),
      view: this.library.floats(t[10], 16),
      projection: this.library.floats(t[11], 16),
      fog: readFog(this.library.floats(t[12], 6)),
      illumination: readIllumination(this.library.floats(t[12] + 6 * 4, LIGHTS_AT + t[20] * LIGHT_FLOATS)),
      triangles: t[13],
      particles: t[14],
    };
  }

  /** The camera that shows all of a clip; angles in radians. */
  autoCamera(clip, azimuth, elevation, distance, aspect) {
    const pointer = this.library.module._thaw_auto_camera(this.id, clip, azimuth, elevation, distance, aspect);
    return readCamera(this.library.floats(pointer, 16), aspect);
  }

  /** A camera of the model, or null. */
  ownCamera(index, clip, time, aspect) {
    const pointer = this.library.module._thaw_own_camera(this.id, index, clip, time, aspect);
    return pointer === 0 ? null : readCamera(this.library.floats(pointer, 16), aspect);
  }

  get imageCount() {
    return this.library.module._thaw_image_count(this.id);
  }

  /** {width, height, pixels: RGBA with straight alpha}. */
  image(index) {
    const t = this.library.words(this.library.module._thaw_image(this.id, index), 3);
    return { width: t[0], height: t[1], pixels: this.library.bytes(t[2], t[0] * t[1] * 4) };
  }

  get restMeshCount() {
    return this.library.module._thaw_rest_mesh_count(this.id);
  }

  /** The arrays of a mesh that stay the same at all moments; views into the library's memory, null of what is not there. */
  restMesh(index) {
    const { library } = this;
    const t = library.words(library.module._thaw_rest_mesh(this.id, index), 12);
    const floats = (pointer, count) => (pointer === 0 ? null : library.floats(pointer, count));
    const [vertices] = t;
    const sets = library.words(t.byteOffset + t.byteLength, t[11]);
    return {
      positions: library.floats(t[1], vertices * 3),
      normals: floats(t[2], vertices * 3),
      tangents: floats(t[3], vertices * 4),
      colors: floats(t[4], vertices * 4),
      indices: library.words(t[5], t[6]),
      groups: t[7] === 0 ? null : library.words(t[7], vertices),
      influences: floats(t[8], t[9] * 2),
      influenceCount: t[10],
      uvSets: [...sets].map((pointer) => floats(pointer, vertices * 2)),
    };
  }

  /** Texture coordinates of the triangles that show a picture: u, v of three corners each. */
  uvs(image) {
    const t = this.library.words(this.library.module._thaw_uvs(this.id, image), 2);
    return this.library.floats(t[0], t[1]).slice();
  }

  /** The frame of the last evaluate, drawn by the built-in rasteriser. @param background RGBA, 0 to 255 */
  rasterise(width, height, samples = 4, background = [0, 0, 0, 0]) {
    const color = background.reduce((word, value, i) => (word | (value << (8 * i))) >>> 0, 0);
    const pointer = this.library.module._thaw_rasterise(this.id, width, height, samples, color);
    return new ImageData(new Uint8ClampedArray(this.library.bytes(pointer, width * height * 4)), width, height);
  }

  /** What stands at a path: numbers, texts, lists, objects; null if that is no single place. */
  field(path) {
    return JSON.parse(this.library.ask('field', this.id, path));
  }

  /** Changes a field, as `thaw set` does. What is opened by this model's path next has the change. */
  edit(text) {
    const wrong = this.library.ask('edit', this.id, text);
    if (wrong) throw new ThawError(wrong);
  }

  get edits() {
    return this.library.module._thaw_edits(this.id);
  }

  undo() {
    this.library.module._thaw_undo(this.id);
  }

  /** The file as it is shown. */
  bytes() {
    const t = this.library.words(this.library.module._thaw_bytes(this.id), 2);
    return this.library.bytes(t[0], t[1]).slice();
  }
}

function readCamera(values, aspect) {
  return {
    eye: [...values.subarray(0, 3)],
    target: [...values.subarray(3, 6)],
    up: [...values.subarray(6, 9)],
    fieldOfView: values[9],
    height: values[10],
    near: values[11],
    far: values[12],
    aspect,
  };
}

function readFog(values) {
  return { enabled: values[0] !== 0, color: [...values.subarray(1, 4)], start: values[4], end: values[5] };
}

function readIllumination(values) {
  const lights = [];
  for (let at = LIGHTS_AT; at < values.length; at += LIGHT_FLOATS) {
    lights.push({
      place: values.subarray(at, at + 3),
      near: values[at + 3],
      color: values.subarray(at + 4, at + 7),
      range: values.subarray(at + 7, at + 9),
    });
  }
  return { viewer: values.subarray(0, 4), ambient: values.subarray(4, 7), surroundings: values.subarray(7, 10), most: values[10], lights };
}

const NONE = 0xffffffff;

function readDraw(words, at) {
  const floats = new Float32Array(words.buffer, words.byteOffset + at * 4, DRAW_WORDS);
  const sampler = (i) => ({
    image: words[at + i] === NONE ? null : words[at + i],
    wrapU: (words[at + i + 1] & 1) !== 0,
    wrapV: (words[at + i + 1] & 2) !== 0,
  });
  const flags = words[at + 7];
  const restMesh = words[at + 44] === NONE ? null : words[at + 44];
  return {
    topology: words[at],
    firstIndex: words[at + 1],
    indexCount: words[at + 2],
    basePosition: words[at + 4],
    baseUv: words[at + 5] === NONE ? null : words[at + 5],
    baseColor: words[at + 6] === NONE ? null : words[at + 6],
    depthTest: (flags & 1) !== 0,
    depthWrite: (flags & 2) !== 0,
    twoSided: (flags & 4) !== 0,
    fogged: (flags & 8) !== 0,
    physicallyBased: (flags & 16) !== 0,
    blend: words[at + 8],
    origin: words[at + 9],
    object: words[at + 10],
    layer: words[at + 11],
    texture: sampler(12),
    orm: sampler(14),
    emissive: sampler(16),
    teamColor: sampler(18),
    uvMatrix: floats.subarray(20, 26),
    color: floats.subarray(26, 30),
    alphaCutoff: floats[30],
    emissiveGain: floats[31],
    baseNormal: words[at + 32] === NONE ? null : words[at + 32],
    baseTangent: words[at + 33] === NONE ? null : words[at + 33],
    normal: sampler(34),
    environment: sampler(36),
    environmentGain: floats[38],
    rim: floats.subarray(39, 43),
    rimTeam: floats[43],
    normalInAlpha: (flags & 32) !== 0,
    lit: (flags & 64) !== 0,
    sphereMap: (flags & 128) !== 0,
    restMesh,
    baseMatrix: words[at + 45],
    uvSet: words[at + 46],
    bareColor: floats[47],
    ownMesh: words[at + 9] === 0 && (restMesh === null || restMesh === words[at + 10]), // not one of a model within the model
  };
}
