// The WebAssembly module: its memory, its functions with texts as strings and errors as exceptions.
import { constants, functions, structs } from './interface.js';

export { constants, structs };

/** Why there is no result: `code` is stable ("format.unknown"), `message` is for people. */
export class ThawError extends Error {
  constructor(finding) {
    super(`${finding.code}: ${finding.message}${finding.path ? ` [${finding.path}]` : ''}`);
    this.name = finding.code === 'limit.stopped' ? 'AbortError' : 'ThawError';
    this.code = finding.code;
    this.path = finding.path;
    this.offset = finding.offset;
    this.reason = finding.message;
  }
}

const kSeverities = ['info', 'unused', 'warning', 'severe', 'error'];
const kSizes = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, u64: 8, i64: 8, f16: 2, f32: 4, f64: 8 };
const kArrays = {
  u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array, i32: Int32Array, u64: BigUint64Array,
  i64: BigInt64Array, f16: Uint16Array, f32: Float32Array, f64: Float64Array,
};
export const kScalars = ['u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'u64', 'i64', 'f16', 'f32', 'f64'];
const encoder = new TextEncoder();
const decoder = new TextDecoder();

let exported; // of the module, once it is there
/** What is called back, by number. */
export const callbacks = new Map();
let nextCallback = 1;

export function keepCallback(callback) {
  callbacks.set(nextCallback, callback);
  return nextCallback++;
}

const memory = () => exported.memory.buffer;
const data = () => new DataView(memory());

function text(address) {
  const bytes = new Uint8Array(memory(), address);
  return decoder.decode(bytes.subarray(0, bytes.indexOf(0)).slice());
}

const kJump = Symbol('longjmp');
let high = 0; // the upper half of a result of 64 bits

/** A call from which longjmp may come back, as libjpeg reports errors. */
function invoke(index, ...given) {
  const stack = exported.stackSave();
  try {
    return exported.__indirect_function_table.get(index)(...given);
  } catch (error) {
    exported.stackRestore(stack);
    if (error !== kJump) throw error;
    exported.setThrew(1, 0);
    return 0;
  }
}

/** What the module asks of its surroundings; it has no files and no clock. */
function surroundings(module) {
  const known = {
    'thaw.progress': (user, stage, done, total) => callbacks.get(user)(text(stage), done, total) ? 1 : 0,
    'thaw.read': (user, name, size) => {
      const found = callbacks.get(user)(text(name));
      if (!found) return 0;
      const bytes = found instanceof Uint8Array || found instanceof Held ? found : new Uint8Array(found);
      const address = put(bytes);
      data().setUint32(size, bytes.length, true);
      return address;
    },
    'thaw.match': (pattern, name) => {
      try {
        return new RegExp(text(pattern), 'i').test(text(name)) ? 1 : 0;
      } catch {
        return -1;
      }
    },
    // Names with a NUL behind each and one more at the end.
    'thaw.list': (user, folder) => {
      const names = callbacks.get(user).list?.(text(folder)) ?? [];
      return put(encoder.encode(`${names.map((name) => `${name}\0`).join('')}\0`));
    },
    'env._emscripten_throw_longjmp': () => { throw kJump; },
    'env.getTempRet0': () => high,
    'env.setTempRet0': (value) => { high = value; },
    'env.emscripten_notify_memory_growth': () => {},
    'wasi_snapshot_preview1.proc_exit': (code) => { throw new Error(`thaw: the module ended with ${code}`); },
    'wasi_snapshot_preview1.environ_sizes_get': (count, size) => {
      data().setUint32(count, 0, true);
      data().setUint32(size, 0, true);
      return 0;
    },
    'wasi_snapshot_preview1.environ_get': () => 0,
    'wasi_snapshot_preview1.clock_time_get': (_clock, _precision, time) => {
      data().setBigUint64(time, 0n, true);
      return 0;
    },
  };
  const given = {};
  for (const { module: room, name } of WebAssembly.Module.imports(module)) {
    given[room] ??= {};
    const kNoSystem = 52; // ENOSYS of WASI
    given[room][name] = known[`${room}.${name}`] ?? (name.startsWith('invoke_') ? invoke : () => kNoSystem);
  }
  return given;
}

let loading;
let compiled;
/** The module as it was compiled, which another worker can load; nothing before `load` is done. */
export const compiledModule = () => compiled;

/** Compiles the module, once. `source` is its bytes, a URL or what `compiledModule` gave where the usual place is not right. */
export function load(source) {
  loading ??= instantiate(source).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function instantiate(source) {
  const place = source ?? new URL('./thaw.wasm', import.meta.url);
  const module = await compile(place);
  exported = (await WebAssembly.instantiate(module, surroundings(module))).exports;
  exported._initialize?.();
  compiled = module;
  if (exported.thaw_interface() !== constants.THAW_INTERFACE) {
    throw new Error(`thaw: the module has interface ${exported.thaw_interface()}, the package needs ${constants.THAW_INTERFACE}; use both of one version`);
  }
}

async function compile(place) {
  if (place instanceof WebAssembly.Module) return place;
  if (place instanceof ArrayBuffer || ArrayBuffer.isView(place)) return WebAssembly.compile(place);
  const url = new URL(place, import.meta.url);
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`thaw: ${url} answered with HTTP status ${answer.status}`);
  // Browsers keep what they compiled for the next time only of what they compile as it comes.
  const isStream = answer.headers.get('content-type') === 'application/wasm';
  return isStream ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** Bytes in the module's memory, which may move when it grows. */
export class Held {
  constructor(length) {
    this.length = length;
    this.address = exported.malloc(length || 1);
    if (!this.address) throw new ThawError({ code: 'limit.memory', message: 'not enough memory', path: '' });
  }

  /** Bytes that something else of the module has. */
  static at(address, length) {
    return Object.assign(Object.create(Held.prototype), { address, length });
  }

  /** Good until the module is called again. */
  get bytes() {
    return new Uint8Array(memory(), this.address, this.length);
  }
}

/** Copies bytes into the module's memory; who takes them frees them. */
export function put(bytes) {
  const held = new Held(bytes.length);
  held.bytes.set(bytes instanceof Held ? bytes.bytes : bytes);
  return held.address;
}

/** Bytes of the module's memory. */
export const memorySize = () => memory().byteLength;

export function free(address) {
  exported.free(address);
}

/** Memory for `size` bytes, all 0. */
export function allocate(size) {
  return put(new Uint8Array(size));
}

/** The members of a struct. */
export function struct(name, address) {
  const view = data();
  const read = (kind, at) => {
    switch (kind) {
      case 'text': return view.getUint32(at, true) ? text(view.getUint32(at, true)) : '';
      case 'u64': return Number(view.getBigUint64(at, true));
      case 'f32': return view.getFloat32(at, true);
      case 'f64': return view.getFloat64(at, true);
      case 'i32': return view.getInt32(at, true);
      case 'u16': return view.getUint16(at, true);
      case 'u8': return view.getUint8(at);
      default: return view.getUint32(at, true);
    }
  };
  const found = {};
  for (const [member, [at, kind, count]] of Object.entries(structs[name].members)) {
    found[member] = count === undefined ? read(kind, address + at)
      : Array.from({ length: count }, (_, index) => read(kind, address + at + index * kSizes[kind]));
  }
  return found;
}

/** Sets members of a struct: numbers of 32 bits and arrays of them. */
export function fill(name, address, values) {
  const view = data();
  view.setUint32(address, structs[name].size, true);
  for (const [member, value] of Object.entries(values)) {
    const [at, kind] = structs[name].members[member];
    [value].flat().forEach((one, index) => {
      view[kind === 'f32' ? 'setFloat32' : 'setUint32'](address + at + 4 * index, one, true);
    });
  }
}

/** Numbers in the module's memory, good until it is called again; null for none. */
export const view = (kind, address, count) => (address ? new kArrays[kind](memory(), address, count) : null);

/** A copy of numbers in the module's memory, which may move. */
export function array(kind, address, count) {
  if (!address) return null;
  return new kArrays[kind](memory().slice(address, address + count * kSizes[kind]));
}

export const setWord = (address, value) => data().setUint32(address, value, true);
export const word = (address) => data().getUint32(address, true);
export const textAt = (address) => (address ? text(address) : '');

export function finding(address) {
  const view = struct('thaw_finding', address);
  const none = data().getBigUint64(address + structs.thaw_finding.members.offset[0], true) === 0xffffffffffffffffn;
  return {
    code: view.code, severity: kSeverities[view.severity], path: view.path, message: view.message,
    offset: none ? null : view.offset, fixable: view.fixable !== 0, summary: view.summary,
  };
}

/** Findings in a list, which is freed. */
export function takeFindings(list) {
  if (!list) return [];
  const found = listFindings(list);
  call.findings_free(list);
  return found;
}

export function listFindings(list) {
  return Array.from({ length: call.findings_count(list) }, (_, index) => finding(call.findings_at(list, index)));
}

/** The bytes of a blob, which is freed. */
export function takeBlob(blob) {
  const bytes = new Uint8Array(memory().slice(call.blob_data(blob), call.blob_data(blob) + call.blob_size(blob)));
  call.blob_free(blob);
  return bytes;
}

/**
 * Calls a function with a request: { made, findings }.
 * @param options pairs of names and values, as the command's
 * @param members of thaw_request: sources, control, onto, network
 */
export function withRequest(options, members, make) {
  const lent = [];
  const lend = (address) => {
    lent.push(address);
    return address;
  };
  const found = lend(allocate(4));
  let findings;
  try {
    const list = lend(allocate(options.length * structs.thaw_option.size));
    options.forEach((pair, index) => {
      const at = list + index * structs.thaw_option.size;
      const [name, value] = pair.map((word) => lend(put(encoder.encode(`${word}\0`))));
      setWord(at + structs.thaw_option.members.name[0], name);
      setWord(at + structs.thaw_option.members.value[0], value);
    });
    const request = lend(allocate(structs.thaw_request.size));
    fill('thaw_request', request, { ...members, options: list, optionCount: options.length, findings: found });
    const made = make(request);
    findings = takeFindings(word(found));
    return { made, findings };
  } finally {
    if (!findings) takeFindings(word(found)); // of a call that failed
    lent.forEach(free);
  }
}

export const takeJson = (blob) => JSON.parse(decoder.decode(takeBlob(blob)));

/** Calls a function: strings for texts, no argument for the error, which is thrown. */
function run(name, kinds, given) {
  const [result, ...wanted] = kinds;
  const lent = [];
  try {
    let next = 0;
    const passed = wanted.map((kind) => {
      if (kind === 'error') {
        lent.push(allocate(4));
        return lent.at(-1);
      }
      const value = given[next++];
      if (kind !== 'text' || value === null || value === undefined) return value ?? 0;
      lent.push(put(encoder.encode(`${value}\0`)));
      return lent.at(-1);
    });
    const got = exported[name](...passed);
    if (wanted.at(-1) === 'error' && !got) {
      const error = word(passed.at(-1));
      const thrown = new ThawError(finding(error));
      exported.thaw_error_free(error);
      throw thrown;
    }
    return result === 'text' ? textAt(got) : got;
  } finally {
    lent.forEach(free);
  }
}

/** Every function of thaw.h, without its prefix. */
export const call = Object.fromEntries(Object.entries(functions).map(
  ([name, kinds]) => [name, (...given) => run(`thaw_${name}`, kinds, given)]));
call.js_control = (user) => run('thaw_js_control', ['number', 'number', 'error'], [user]);
call.js_source = (sources, user) => run('thaw_js_source', ['number', 'number', 'number', 'error'], [sources, user]);
