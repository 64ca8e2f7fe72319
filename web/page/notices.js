// What the stage says of a file that shows nothing, or less than all of it: sentences for people before a page.

const nameOf = (path) => path.split('/').pop();
const counted = (count, word) => `${count.toLocaleString()} ${word}${count === 1 ? '' : 's'}`;

/** What the library says of a file that it does not open, in words for the page. */
export function explain(path, message) {
  if (/is an archive|is a pack/.test(message)) {
    return `${nameOf(path)} is an archive without a model or texture that the page can name. If it holds files without names, their list is missing.`;
  }
  if (/has no skeleton/.test(message)) return `${nameOf(path)} is an animation. Drop it together with its network (.mrn), which has the skeleton.`;
  if (/\.gltf$/i.test(path) && /not there|missing|not found/.test(message)) return `${nameOf(path)} keeps its data in other files. Drop its whole folder. (${message})`;
  return `${nameOf(path)} cannot be shown: ${message}`;
}

/** The finding that matters most, of errors alone; null if there is none. */
export const severest = (findings) => ['error', 'severe'].map((severity) => findings.find((finding) => finding.severity === severity)).find(Boolean) ?? null;

/** What a model that is open says of itself: '' if there is nothing to say. */
export function describe({ path, info, scene, findings }) {
  const worst = severest(findings);
  const triangles = scene.meshes.reduce((sum, mesh) => sum + mesh.triangles, 0);
  const parts = [];
  if (worst) {
    const where = worst.offset === null ? '' : ` at byte ${worst.offset.toLocaleString()} of ${info.size.toLocaleString()}`;
    parts.push(`${nameOf(path)} is damaged${where}: ${[worst.summary, worst.message].filter(Boolean).join(', ')}. What was read: ${counted(scene.meshes.length, 'part')}, ${counted(scene.nodes.length, 'node')}, ${counted(scene.clips.length, 'clip')}.`);
  }
  if (triangles === 0 && /WMO/.test(info.format)) {
    const stem = nameOf(path).replace(/\.wmo(\.mpq)?$/i, '');
    parts.push(`The rooms of this building lie in files of their own. Drop its groups, too: ${stem}_000.wmo, ${stem}_001.wmo and so on.`);
  }
  return parts.join(' ');
}
