// Types of three.js.
import type { Loader, Object3D } from 'three';
import type { Bytes, Options } from './thaw.js';

/** Models of games for three.js: an Object3D, whose `animations` are its clips. */
export class ThawLoader extends Loader<Object3D> {
  settings: Options;
  /** As those of `convert`: sources, teamColor, scale, lod, … */
  setSettings(settings: Options): this;
  /** What the file names and no source has is fetched from `folder`, unless that is empty. */
  parseAsync(data: Bytes, name: string, folder?: string): Promise<Object3D>;
}
