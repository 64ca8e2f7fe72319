// For scripts that compare with npm packages of tools/: where these are, where thaw is, and how a script is skipped.
import { createRequire } from 'node:module';
import path from 'node:path';

export const thaw = process.env.THAW ?? 'thaw';
export const root = path.resolve(process.env.THAW_ROOT ?? path.resolve(import.meta.dirname, '../..'));

export function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

function load(take) {
  try {
    return take(createRequire(path.join(root, 'tools/package.json')));
  } catch {
    return skip('the npm packages of tools/ are not installed');
  }
}

export const loadWar3Model = () => load((require) => require('war3-model'));

export const loadViewer = () => load((require) => require('mdx-m3-viewer').default ?? require('mdx-m3-viewer'));

/** mdx-m3-viewer's sanity test: the tree of what it reports of a file, undefined where it does not read it. */
export function loadSanityTest() {
  const [Model, sanityTest] = load((require) => {
    const dist = path.dirname(require.resolve('mdx-m3-viewer'));
    return ['parsers/mdlx/model.js', 'utils/mdlx/sanitytest/sanitytest.js'].map((name) => require(path.join(dist, name)).default);
  });
  return (bytes) => {
    const model = new Model();
    try {
      model.load(bytes);
      return sanityTest(model);
    } catch {
      return undefined;
    }
  };
}
