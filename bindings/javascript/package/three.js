// Models of games for three.js: ThawLoader gives an Object3D with its clips. By way of glTF, so that what becomes what is in
// one place for all.
import { FileLoader, Loader, LoaderUtils } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { open } from './thaw.js';

export class ThawLoader extends Loader {
  constructor(manager) {
    super(manager);
    this.settings = {};
  }

  /** As those of `convert`: sources, teamColor, scale, lod, … */
  setSettings(settings) {
    this.settings = settings;
    return this;
  }

  load(url, onLoad, onProgress, onError) {
    const loader = new FileLoader(this.manager).setPath(this.path).setResponseType('arraybuffer');
    loader.setRequestHeader(this.requestHeader).setWithCredentials(this.withCredentials);
    loader.load(url, (data) => {
      const folder = this.resourcePath || LoaderUtils.extractUrlBase(this.path + url);
      this.parseAsync(data, url.slice(url.lastIndexOf('/') + 1), folder).then(onLoad, (error) => {
        if (!onError) console.error(error);
        onError?.(error);
        this.manager.itemError(url);
      });
    }, onProgress, onError);
  }

  /** The Object3D of a file, with `animations`. What it names and no source has is fetched from `folder`, unless that is empty. */
  async parseAsync(data, name, folder = '') {
    const model = await open(data, name);
    try {
      const { sources = [], ...settings } = this.settings;
      const layers = [...(Array.isArray(sources) ? sources : [sources])];
      if (folder) layers.unshift(await this.fetched(model, layers, folder));
      const { data: glb } = model.convert('glb', { ...settings, sources: layers });
      const loader = new GLTFLoader(this.manager).setCrossOrigin(this.crossOrigin);
      const gltf = await loader.parseAsync(glb.buffer, '');
      gltf.scene.animations = gltf.animations;
      return gltf.scene;
    } finally {
      model.close();
    }
  }

  /** What is missing, as far as the folder has it: files of files, too. */
  async fetched(model, sources, folder) {
    const files = new Map();
    const asked = new Set();
    for (;;) {
      const wanted = model.dependencies({ sources: [files, ...sources] }).filter(({ state, path }) => state === 'missing' && !asked.has(path));
      if (!wanted.length) return files;
      await Promise.all(wanted.map(async ({ path }) => {
        asked.add(path);
        const answer = await fetch(this.manager.resolveURL(folder + path.replaceAll('\\', '/'))).catch(() => null);
        if (answer?.ok) files.set(path, new Uint8Array(await answer.arrayBuffer()));
      }));
    }
  }
}
