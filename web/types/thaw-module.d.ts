// What emscripten makes of web/module.cpp: its functions begin with _thaw_.
export interface ThawModule {
  HEAPU8: Uint8Array;
  [name: `_thaw_${string}`]: (...words: any[]) => any;
}
export default function createModule(): Promise<ThawModule>;
