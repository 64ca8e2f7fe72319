// Types of thaw.js.
import type { Formats } from './formats.js';

export * from './formats.js';

export type Bytes = ArrayBuffer | ArrayBufferView;
/** Where files are that documents name: names in lower case with `/`. */
export type Source = ((name: string) => Bytes | null | undefined) | Map<string, Bytes> | Record<string, Bytes> | Archive;
export type Option = string | number | boolean | string[] | undefined;

export interface Settings {
  /** Where the files are that the document names; the last that has one counts. */
  sources?: Source | Source[];
  /** `total` is 0 where it is not known. What it throws comes out of the call. */
  progress?: (stage: string, done: number, total: number) => void;
  /** Looked at when the call begins and with each step. */
  signal?: AbortSignal;
}

/** Options of the command in camel case: teamColor, scale, profile. `options()` lists them. */
export type Options = Settings & Record<string, any>;

export interface Finding {
  code: string;
  severity: 'info' | 'unused' | 'warning' | 'severe' | 'error';
  path: string;
  message: string;
  /** What the code means. */
  summary: string;
  offset: number | null;
  fixable: boolean;
}

export class ThawError extends Error {
  /** Stable: "format.unknown". */
  readonly code: string;
  readonly path: string;
  readonly offset: number | null;
  /** The message without code and path. */
  readonly reason: string;
}

export interface Outputs {
  /** The file that was asked for. */
  data: Uint8Array;
  name: string;
  /** With those that belong beside it. */
  files: { name: string; data: Uint8Array }[];
  note: string;
  facts: Record<string, any>;
  findings: Finding[];
}

export class Picture {
  readonly width: number;
  readonly height: number;
  readonly findings: Finding[];
  /** R G B A, the top row first: what ImageData takes. */
  readonly data: Uint8ClampedArray;
  png(level?: number): Uint8Array;
  close(): void;
}

export interface Mesh {
  name: string;
  vertices: number;
  positions: Float32Array;
  normals: Float32Array | null;
  tangents: Float32Array | null;
  colors: Float32Array | null;
  uvs: Float32Array[];
  joints: Uint16Array | null;
  influences: number;
  weights: Float32Array | null;
  indices: Uint32Array;
  parts: { firstIndex: number; indexCount: number; material: number | null }[];
  skin: number | null;
  node: number | null;
  color: number[];
  morphTargets: { name: string; positions: Float32Array | null }[];
}

export interface Channel {
  property: string;
  target: 'node' | 'mesh' | 'layer' | 'uvAnimation' | 'light' | 'camera' | 'emitter' | 'ribbon';
  index: number;
  layer: number;
  /** Of cubic ones: in tangent, value, out tangent. */
  mode: 'step' | 'linear' | 'cubic';
  components: number;
  times: Float32Array;
  values: Float32Array;
}

/** Right-handed, Y up, metres, seconds, radians. Arrays are copies. */
export interface Scene {
  name: string;
  bounds: { minimum: number[]; maximum: number[]; radius: number };
  nodes: { name: string; kind: string; parent: number | null; translation: number[]; rotation: number[]; scale: number[] }[];
  meshes: Mesh[];
  skins: { joints: Uint32Array; inverseBind: Float32Array }[];
  materials: { blend: string; texture: number | null; uvSet: number; alpha: number; unshaded: boolean; twoSided: boolean }[][];
  textures: { path: string; replaceableId: number; image: number | null; wrap: [boolean, boolean] }[];
  images: { name: string; source: string; width: number; height: number; data: Uint8ClampedArray; placeholder: boolean }[];
  clips: { name: string; duration: number; looping: boolean; global: boolean; channels: Channel[] }[];
  cameras: { name: string; node: number; target: number | null; fieldOfView: number; nearClip: number; farClip: number }[];
  findings: Finding[];
}

export class Document<Word extends keyof Formats = any> {
  readonly name: string;
  readonly format: Word;
  readonly formatName: string;
  readonly dialect: string;
  readonly version: number | null;
  readonly convertsTo: string[];
  readonly findings: Finding[];
  readonly facts: Record<string, any>;
  /** A copy of all fields; edits go by `set`. */
  readonly fields: Formats[Word];
  dependencies(settings?: Settings): { kind: string; path: string; by: string; state: string; where: string | null }[];
  dump(): Record<string, any>;
  get(path: string): any;
  set(path: string, value: unknown): void;
  add(path: string, value: unknown): void;
  remove(path: string): void;
  edit(edit: string): void;
  patch(patch: object[]): void;
  undo(): boolean;
  save(): Uint8Array;
  validate(settings?: Settings & { target?: 'hive' | 'game' | 'strict'; kind?: string }): Finding[];
  fix(settings?: Settings & { fix?: 'safe' | 'all' }): Finding[];
  convert(to: string, settings?: Options & { name?: string; onto?: Document; network?: Document }): Outputs;
  scene(settings?: Options): Scene;
  render(settings?: Options): Picture;
  image(settings?: { maxSize?: number }): Picture;
  close(): void;
}

export class Archive {
  readonly names: string[];
  readonly findings: Finding[];
  read(name: string): Uint8Array | null;
  open(name: string, settings?: Settings & { strict?: boolean; encodingOfNames?: string }): Promise<Document>;
  close(): void;
}

/** Compiles the module, from its bytes, a URL or as another worker has compiled it where the usual place is not right. */
export function load(source?: Bytes | URL | string | WebAssembly.Module): Promise<void>;
export function open<Word extends keyof Formats = any>(data: Bytes, name?: string, settings?: Settings & { strict?: boolean; encodingOfNames?: string }): Promise<Document<Word>>;
export function openArchive(data: Bytes, settings?: { encodingOfNames?: string }): Promise<Archive>;
export function build(dump: object | string, name?: string): Promise<Document>;
/** What convert, render and validate take, by name. */
export function options(): Promise<Record<'convert' | 'render' | 'validate', Record<string, string>>>;
