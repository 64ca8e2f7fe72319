// bindings/javascript/package/module.js, as far as the page uses it.
export const constants: Record<string, number>;
export const structs: Record<string, { size: number; members: Record<string, [number, string, number?]> }>;
export const call: Record<string, (...given: any[]) => any>;
export class ThawError extends Error {
  code: string;
  path: string;
  reason: string;
}
export class Held {
  constructor(length: number);
  static at(address: number, length: number): Held;
  length: number;
  address: number;
  get bytes(): Uint8Array;
}
export interface LibraryFinding {
  code: string;
  severity: string;
  path: string;
  message: string;
  summary: string;
  offset: number | null;
  fixable: boolean;
}
export function load(source: URL | WebAssembly.Module): Promise<void>;
export function allocate(size: number): number;
export function free(address: number): void;
export function keepCallback(callback: ((name: string) => Uint8Array | Held | null) & { list?: (folder: string) => string[] }): number;
export function memorySize(): number;
export function struct(name: string, address: number): any;
export function fill(name: string, address: number, values: Record<string, number | number[]>): void;
export function view(kind: 'u8', address: number, count: number): Uint8Array | null;
export function view(kind: 'u16', address: number, count: number): Uint16Array | null;
export function view(kind: 'u32', address: number, count: number): Uint32Array | null;
export function view(kind: 'f32', address: number, count: number): Float32Array | null;
export function word(address: number): number;
export function takeBlob(blob: number): Uint8Array;
export function takeJson(blob: number): any;
export function takeFindings(list: number): LibraryFinding[];
export function listFindings(list: number): LibraryFinding[];
export function withRequest(
  options: [string, any][],
  members: Record<string, number>,
  make: (request: number) => any,
): { made: number; findings: LibraryFinding[] };
