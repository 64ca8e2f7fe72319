// thaw for node and browsers: files of games as documents, what is wrong with them, glTF and pictures of them.
import { names } from './formats.js';
import {
  allocate, array, call, callbacks, constants, free, keepCallback, kScalars, listFindings, load, put, struct,
  structs, takeBlob, takeFindings, takeJson, textAt, ThawError, withRequest, word,
} from './module.js';

export { load, ThawError };

const C = constants;
const none = (index) => (index === C.THAW_NONE ? null : index);
const bytesOf = (data) => (data instanceof Uint8Array ? data
  : ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data));
const dashed = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

// What nobody closed is freed with the object that had it.
const lost = new FinalizationRegistry(({ pointer, release }) => release(pointer));

/** Something of the library; `close` gives it back. */
class Handle {
  constructor(pointer, release) {
    this.pointer = pointer;
    this.release = release;
    lost.register(this, { pointer, release }, this);
  }

  close() {
    if (!this.pointer) return;
    lost.unregister(this);
    this.release(this.pointer);
    this.pointer = 0;
  }
}

/** Options as the command's: { teamColor: 3 } is --team-color 3, true is on, a list is several. */
function stated(options) {
  const given = [];
  for (const [name, value] of Object.entries(options)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null) continue;
      given.push([dashed(name), typeof one === 'boolean' ? (one ? 'on' : 'off') : String(one)]);
    }
  }
  return given;
}

/** An expression that is none would end the module, which knows no exceptions; it has fewer than JavaScript. */
function checkPattern(clip) {
  if (clip === undefined) return;
  new RegExp(clip);
  if (/\(\?(?![:=!])|\\[pPku]/.test(clip)) throw new SyntaxError(`clip ${clip}: named groups, lookbehind and Unicode classes are not supported`);
}

/** A function from a name in lower case to bytes, of a function, a Map, an object or an archive. */
function reader(source) {
  if (source instanceof Archive) return (name) => source.read(name);
  if (typeof source === 'function') return source;
  const entries = source instanceof Map ? [...source] : Object.entries(source);
  const files = new Map(entries.map(([name, data]) => [name.replaceAll('\\', '/').toLowerCase(), data]));
  return (name) => files.get(name);
}

/** Calls a function with a request between its other arguments; `after` follows it. What was found is `findings`. */
function request(settings, make) {
  const { sources, progress, signal, onto, network, ...options } = settings;
  signal?.throwIfAborted();
  let raised;
  const numbers = [];
  const guarded = (callback, otherwise) => {
    const number = keepCallback((...given) => {
      try {
        return callback(...given);
      } catch (error) {
        raised ??= error;
        return otherwise;
      }
    });
    numbers.push(number);
    return number;
  };
  let layers = 0;
  let control = 0;
  try {
    const stop = guarded((stage, done, total) => {
      progress?.(stage, done, total);
      signal?.throwIfAborted();
      return false;
    }, true);
    control = call.js_control(stop);
    if (sources) {
      layers = call.sources_new();
      for (const one of Array.isArray(sources) ? sources : [sources]) call.js_source(layers, guarded(reader(one), null));
    }
    const members = { sources: layers, control, onto: onto?._current() ?? 0, network: network?._current() ?? 0 };
    const result = withRequest(stated(options), members, make);
    if (raised) throw raised;
    return result;
  } catch (error) {
    throw raised ?? error;
  } finally {
    if (layers) call.sources_free(layers);
    if (control) call.control_free(control);
    numbers.forEach((number) => callbacks.delete(number));
  }
}

/** A picture: R G B A, 8 bits each, straight alpha, the top row first. */
export class Picture {
  constructor(pointer, findings) {
    this._handle = new Handle(pointer, call.image_free);
    const pixels = struct('thaw_pixels', call.image_pixels(pointer));
    this.width = pixels.width;
    this.height = pixels.height;
    this.findings = findings;
  }

  /** What ImageData takes. */
  get data() {
    const { rgba } = struct('thaw_pixels', call.image_pixels(this._handle.pointer));
    return new Uint8ClampedArray(array('u8', rgba, this.width * this.height * 4).buffer);
  }

  /** A PNG file; `level` is 1 (fast) to 12 (small). */
  png(level = 0) {
    return takeBlob(call.image_png(this._handle.pointer, level));
  }

  close() {
    this._handle.close();
  }
}

/** An archive: MPQ archives and maps, packs of Forgelight. */
export class Archive {
  constructor(data, settings = {}) {
    const bytes = bytesOf(data);
    const address = put(bytes);
    try {
      const { made, findings } = request(settings, (at) => call.archive_open_bytes_with(address, bytes.length, at));
      this._handle = new Handle(made, call.archive_free);
      this._settings = settings;
      this.findings = findings;
    } finally {
      free(address);
    }
  }

  get names() {
    return Array.from({ length: call.archive_count(this._handle.pointer) }, (_, i) => call.archive_name(this._handle.pointer, i));
  }

  /** The bytes of a file, or null. */
  read(name) {
    try {
      return takeBlob(call.archive_read(this._handle.pointer, name));
    } catch (error) {
      if (error.code === 'input.unreadable') return null;
      throw error;
    }
  }

  /** The document of a file, which finds what it needs in the archive. */
  async open(name, settings = {}) {
    const bytes = this.read(name);
    if (!bytes) throw new ThawError({ code: 'input.unreadable', message: `${name} is not in the archive`, path: '' });
    return open(bytes, name, { sources: this, ...this._settings, ...settings });
  }

  close() {
    this._handle.close();
  }
}

/** An archive of bytes; `settings`: encodingOfNames. */
export async function openArchive(data, settings = {}) {
  await load();
  return new Archive(data, settings);
}

/** Reads a file of any format. `name` is what the file is called; `settings`: strict, sources, signal, progress. */
export async function open(data, name = '', settings = {}) {
  await load();
  const { sources, ...others } = settings;
  const bytes = bytesOf(data);
  const address = put(bytes);
  try {
    const { made } = request(others, (at) => call.open_bytes(address, bytes.length, name, at));
    return new Document(made, sources);
  } finally {
    free(address);
  }
}

/** The document of a dump, which may have been changed. */
export async function build(dump, name = '') {
  await load();
  return new Document(call.build(typeof dump === 'string' ? dump : JSON.stringify(dump), name));
}

/** The options of convert (and scene), render and validate: what each takes, by name. */
export async function options() {
  await load();
  const found = {};
  const out = allocate(8);
  for (let index = 0; ; ++index) {
    const name = call.option_name(index, out, out + 4);
    if (!name) break;
    const group = (found[textAt(word(out + 4))] ??= {});
    group[name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())] = textAt(word(out));
  }
  free(out);
  return found;
}

/** A file of any format that thaw reads, with all of its bytes. */
export class Document {
  constructor(pointer, sources) {
    this._handle = new Handle(pointer, call.document_free);
    this._editor = null;
    this._dirty = false;
    this._fields = null;
    this._sources = sources;
    const identity = struct('thaw_format', call.document_format(pointer));
    this.name = call.document_name(pointer);
    this.format = identity.id;
    this.formatName = identity.name;
    this.dialect = identity.dialect;
    this.version = none(identity.version);
    this.convertsTo = identity.convertsTo.split(' ').filter(Boolean);
  }

  _current() {
    if (!this._handle.pointer) throw new Error('the document is closed');
    if (this._dirty) {
      const edited = call.editor_document(this._editor.pointer);
      this._handle.close();
      this._handle = new Handle(edited, call.document_free);
      this._dirty = false;
      this._fields = null;
    }
    return this._handle.pointer;
  }

  _edit(name, ...given) {
    if (!this._handle.pointer) throw new Error('the document is closed');
    this._editor ??= new Handle(call.editor_new(this._handle.pointer), call.editor_free);
    const result = call[name](this._editor.pointer, ...given);
    this._dirty ||= name !== 'editor_get';
    return result;
  }

  /** What was found while it was read. */
  get findings() {
    return listFindings(call.document_findings(this._current()));
  }

  /** As `thaw info --json`: name, counts, clips in seconds, textures, bounds, picture. */
  get facts() {
    return takeJson(call.document_facts(this._current()));
  }

  /** The files that it needs: kind, path, by, state, where. */
  dependencies(settings = {}) {
    return takeJson(this._request(settings, (at) => call.document_dependencies(this._current(), at)).made);
  }

  /** All fields, as `thaw dump` prints them; `build` takes it back. */
  dump() {
    return takeJson(call.document_dump(this._current()));
  }

  /** All fields by name: `document.fields.SEQS[0].name`, or `fields.sequences`. A copy: edits go by `set`. */
  get fields() {
    this._current();
    this._fields ??= readFields(this._handle.pointer, names[this.format] ?? {});
    return this._fields;
  }

  /** What stands at a path, "SEQS[0].name"; of a path with `*` an object of paths and values. */
  get(path) {
    const found = takeJson(this._edit('editor_get', path));
    return path.includes('*') ? found : Object.values(found)[0];
  }

  /** Puts a value in place of what stands at each place of the path. It is checked when the document is next looked at. */
  set(path, value) {
    this._edit('editor_set', path, JSON.stringify(value));
  }

  /** Puts an item in front of the one at the path; "SEQS[+]" is the end. */
  add(path, value) {
    this._edit('editor_add', path, JSON.stringify(value));
  }

  /** Takes away what stands at the path. */
  remove(path) {
    this._edit('editor_remove', path);
  }

  /** An edit as `thaw set` takes it: "SEQS[0].name=Walk". */
  edit(edit) {
    this._edit('editor_edit', edit);
  }

  /** A JSON Patch (RFC 6902) of the dump. */
  patch(patch) {
    this._edit('editor_patch', JSON.stringify(patch));
  }

  /** Takes the last edit back; false if there is none. */
  undo() {
    return this._edit('editor_undo') !== 0;
  }

  /** The file's bytes: what was not changed is as it was read. */
  save() {
    return takeBlob(call.document_write(this._current()));
  }

  /** What rules find; settings: target ("hive", "game", "strict"), kind, sources. */
  validate(settings = {}) {
    return takeFindings(this._request(settings, (at) => call.document_validate(this._current(), at)).made);
  }

  /**
   * Changes what rules can change without changing what is seen; `{ fix: 'all' }` more. Returns what was done and, as
   * warnings, what was not.
   */
  fix(settings = {}) {
    const changes = allocate(4);
    try {
      const { made } = this._request(settings, (at) => call.document_fix(this._current(), at, changes));
      this.closeHandles();
      this._handle = new Handle(made, call.document_free);
      return takeFindings(word(changes));
    } finally {
      free(changes);
    }
  }

  /** What `thaw convert` makes. `to` is a word of `convertsTo`; settings are the command's options in camel case, and name,
   * sources, onto, network, signal, progress. */
  convert(to, { name = null, ...settings } = {}) {
    checkPattern(settings.clip);
    const { made, findings } = this._request(settings, (at) => call.convert(this._current(), to, name, at));
    const size = allocate(4);
    const files = Array.from({ length: call.outputs_count(made) }, (_, index) => {
      const data = call.outputs_data(made, index, size);
      return { name: call.outputs_name(made, index), data: array('u8', data, word(size)) ?? new Uint8Array() };
    });
    const outputs = {
      data: files[0].data, name: files[0].name, files, note: call.outputs_note(made),
      facts: JSON.parse(call.outputs_json(made)), findings,
    };
    free(size);
    call.outputs_free(made);
    return outputs;
  }

  /** What it shows: meshes, skins, materials, pictures, clips; metres, seconds, Y up. Arrays are copies. */
  scene(settings = {}) {
    checkPattern(settings.clip);
    const { made, findings } = this._request(settings, (at) => call.document_scene(this._current(), at));
    try {
      return { ...readScene(made), findings };
    } finally {
      call.scene_free(made);
    }
  }

  /** What `thaw render` draws: { size: '256x256', clip: 'Walk', time: '50%', camera: 'left', background: 'transparent' }. */
  render(settings = {}) {
    const { made, findings } = this._request(settings, (at) => call.render(this._current(), at));
    return new Picture(made, findings);
  }

  /** The pixels of a texture; { maxSize: 256 } reduces it. */
  image(settings = {}) {
    const { made, findings } = this._request(settings, (at) => call.document_image(this._current(), at));
    return new Picture(made, findings);
  }

  _request(settings, make) {
    return request({ sources: this._sources, ...settings }, make);
  }

  closeHandles() {
    this._handle.close();
    this._editor?.close();
    this._editor = this._fields = null;
    this._dirty = false;
  }

  /** Gives its memory back; afterwards it throws. */
  close() {
    this.closeHandles();
  }
}

// --- fields

const latin = new TextDecoder('windows-1252');
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Text up to its NUL; what is not UTF-8 is Windows-1252. */
function decoded(bytes) {
  const end = bytes.indexOf(0);
  const text = end < 0 ? bytes : bytes.subarray(0, end);
  try {
    return utf8.decode(text);
  } catch {
    return latin.decode(text);
  }
}

function valueOf(field) {
  const kind = kScalars[field.scalar];
  switch (field.kind) {
    case C.THAW_TEXT: return decoded(array('u8', field.data, field.bytes));
    case C.THAW_TAG: return latin.decode(array('u8', field.data, field.bytes));
    case C.THAW_RAW: return array('u8', field.data, field.bytes);
    case C.THAW_ROWS: {
      const frames = array('i32', field.data, field.bytes / 4);
      const values = array(kind, field.data, field.bytes / 4);
      const step = 1 + field.components;
      return Array.from({ length: field.count }, (_, row) => (
        { frame: frames[row * step], value: [...values.subarray(row * step + 1, (row + 1) * step)] }));
    }
    default: {
      const numbers = array(kind, field.data, field.count * field.components) ?? [];
      if (!field.array) return field.components === 1 ? numbers[0] : [...numbers];
      if (field.components === 1) return numbers;
      return Array.from({ length: field.count }, (_, row) => numbers.subarray(row * field.components, (row + 1) * field.components));
    }
  }
}

/** Objects and lists of all fields; a chunk is the list of its items, and a list knows its items by name, too. */
function readFields(document, aliases) {
  const table = call.document_fields(document);
  const out = allocate(8);
  const first = call.fields_all(table, out, out + 4);
  const stride = word(out + 4);
  free(out);
  const at = (index) => struct('thaw_field', first + index * stride);
  const children = function* (index, field) {
    for (let child = field.count ? index + 1 : C.THAW_NONE; child !== C.THAW_NONE;) {
      const part = at(child);
      yield [child, part];
      child = part.next;
    }
  };
  const add = (object, name, value) => {
    let label = name;
    for (let number = 2; label in object; ++number) label = `${name}#${number}`;
    Object.defineProperty(object, label, { value, enumerable: true });
  };
  const read = (index, field) => {
    if (field.kind === C.THAW_LIST) {
      const list = [];
      for (const [child, part] of children(index, field)) list.push(read(child, part));
      for (const item of list) {
        const label = item?.name ?? item?.node?.name ?? item?.tag;
        if (typeof label === 'string' && !(label in list)) Object.defineProperty(list, label, { value: item });
      }
      return list;
    }
    if (field.kind !== C.THAW_OBJECT) return valueOf(field);
    const object = {};
    for (const [child, part] of children(index, field)) {
      const value = read(child, part);
      if (part.name === 'chunks') {
        let number = 0;
        for (const [, chunk] of children(child, part)) add(object, chunk.name, value[number++]);
      } else {
        add(object, part.name, value);
      }
    }
    if (!Array.isArray(object.items)) return object;
    for (const [name, value] of Object.entries(object)) {
      if (name !== 'items' && !(name in object.items)) Object.defineProperty(object.items, name, { value });
    }
    return object.items;
  };
  try {
    const fields = read(0, at(0));
    for (const [name, tag] of Object.entries(aliases)) {
      if (tag in fields && !(name in fields)) Object.defineProperty(fields, name, { value: fields[tag] });
    }
    return fields;
  } finally {
    call.fields_free(table);
  }
}

// --- scenes

function readScene(scene) {
  const about = struct('thaw_scene_info', call.scene_about(scene));
  const list = (count, make) => Array.from({ length: count }, (_, index) => make(index));
  const view = (name, part, index) => struct(`thaw_${part}`, call[name](scene, index));
  return {
    name: about.name,
    bounds: { minimum: about.minimum, maximum: about.maximum, radius: about.radius },
    nodes: list(about.nodes, (index) => {
      const { name, kind, parent, translation, rotation, scale } = view('scene_node', 'node', index);
      return { name, kind, parent: none(parent), translation, rotation, scale };
    }),
    meshes: list(about.meshes, (index) => {
      const mesh = view('scene_mesh', 'mesh', index);
      const floats = (address, count) => array('f32', address, count);
      const name = allocate(4);
      const morphTargets = list(mesh.morphTargets, (target) => {
        const positions = floats(call.scene_morph(scene, index, target, name), mesh.vertices * 3);
        return { name: textAt(word(name)), positions };
      });
      free(name);
      return {
        name: mesh.name, vertices: mesh.vertices, positions: floats(mesh.positions, mesh.vertices * 3),
        normals: floats(mesh.normals, mesh.normalCount * 3), tangents: floats(mesh.tangents, mesh.vertices * 4),
        colors: floats(mesh.colors, mesh.vertices * 4),
        uvs: list(mesh.uvSets, (set) => floats(call.scene_uvs(scene, index, set), mesh.vertices * 2)),
        joints: array('u16', mesh.joints, mesh.vertices * mesh.influences), influences: mesh.influences,
        weights: floats(mesh.weights, mesh.vertices * mesh.influences), indices: array('u32', mesh.indices, mesh.indexCount),
        parts: list(mesh.partCount, (part) => {
          const { firstIndex, indexCount, material } = struct('thaw_part', mesh.parts + part * structs.thaw_part.size);
          return { firstIndex, indexCount, material: none(material) };
        }),
        skin: none(mesh.skin), node: none(mesh.node), color: [...mesh.color, mesh.alpha], morphTargets,
      };
    }),
    skins: list(about.skins, (index) => {
      const skin = view('scene_skin', 'skin', index);
      return { joints: array('u32', skin.joints, skin.jointCount), inverseBind: array('f32', skin.inverseBind, skin.jointCount * 16) };
    }),
    materials: list(about.materials, (material) => list(call.scene_layers(scene, material), (layer) => {
      const { blend, texture, uvSet, alpha, unshaded, twoSided } = struct('thaw_layer', call.scene_layer(scene, material, layer));
      return { blend, texture: none(texture), uvSet, alpha, unshaded: !!unshaded, twoSided: !!twoSided };
    })),
    textures: list(about.textures, (index) => {
      const { path, replaceableId, image, wrapU, wrapV } = view('scene_texture', 'texture', index);
      return { path, replaceableId, image: none(image), wrap: [!!wrapU, !!wrapV] };
    }),
    images: list(about.images, (index) => {
      const { name, source, width, height, rgba, placeholder } = view('scene_image', 'pixels', index);
      const data = new Uint8ClampedArray(array('u8', rgba, width * height * 4).buffer);
      return { name, source, width, height, data, placeholder: !!placeholder };
    }),
    clips: list(about.clips, (index) => {
      const clip = view('scene_clip', 'clip', index);
      return {
        name: clip.name, duration: clip.duration, looping: !!clip.looping, global: !!clip.global,
        channels: list(clip.channels, (number) => {
          const one = struct('thaw_channel', call.scene_channel(scene, index, number));
          return {
            property: one.property, target: one.target, index: one.index, layer: one.layer, mode: one.mode,
            components: one.components, times: array('f32', one.times, one.keys),
            values: array('f32', one.values, one.keys * one.components * (one.mode === 'cubic' ? 3 : 1)),
          };
        }),
      };
    }),
    cameras: list(about.cameras, (index) => {
      const { name, node, target, fieldOfView, nearClip, farClip } = view('scene_camera', 'camera', index);
      return { name, node, target: none(target), fieldOfView, nearClip, farClip };
    }),
  };
}
