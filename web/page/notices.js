// What the stage says of a file that shows nothing, or less than all of it: sentences for people before a page.

const nameOf = (path) => path.split('/').pop();
const counted = (count, word) => `${count.toLocaleString()} ${word}${count === 1 ? '' : 's'}`;

/** Version of WMO. */
const FIRST_WITH_GROUP_FILES = 16;

/** What the library says of a file that it does not open, in words for the page. */
export function explain(path, message) {
  if (/is an archive|is a Forgelight pack/.test(message)) {
    return `${nameOf(path)} is an archive without a model or texture that the page can name. If it holds files without names, their list is missing.`;
  }
  if (/\.(zip|7z|rar)$/i.test(path)) return `The page does not open ${nameOf(path)}. Unpack it, and drop its files or folder.`;
  if (/contains no skeleton/.test(message))
    return `${nameOf(path)} is an animation. Drop it together with its network (.mrn), which has the skeleton.`;
  if (/\.gltf$/i.test(path) && /not in any source|missing/.test(message))
    return `${nameOf(path)} keeps its data in other files. Drop its whole folder. (${message})`;
  if (/\.adr$/i.test(path) && /\.dme$/i.test(message))
    return `${nameOf(path)} is an actor, which has no geometry. Drop its model, too: ${message}.`;
  if (/bytes? needed, \d+ left/.test(message)) return `${nameOf(path)} ends too early: ${message}.`;
  if (/its format is unknown/.test(message)) return `${nameOf(path)} is not in a format that thaw reads.`;
  return `${nameOf(path)} cannot be shown: ${message}`;
}

/** The finding that matters most, of errors alone; null if there is none. */
const severest = (findings) =>
  ['error', 'severe'].map((severity) => findings.find((finding) => finding.severity === severity)).find(Boolean) ?? null;

/** What a model that is open says of itself: '' if there is nothing to say. */
export function describe({ path, info, scene, findings }) {
  const missing = missingGroups(path, info, scene);
  if (missing) return missing;
  const worst = severest(findings);
  if (!worst) return '';
  const where = worst.offset === null ? '' : ` at byte ${worst.offset.toLocaleString()} of ${info.size.toLocaleString()}`;
  const read = [counted(scene.meshes.length, 'part'), counted(scene.nodes.length, 'node'), counted(scene.clips.length, 'clip')];
  return `${nameOf(path)} is damaged${where}: ${worst.message || worst.summary}. What was read: ${read.join(', ')}.`;
}

/** The root of a WMO from version 17 on has its groups in files next to it. */
function missingGroups(path, { format, counts, version }, { meshes }) {
  if (!/WMO/.test(format) || version < FIRST_WITH_GROUP_FILES || !counts.group || meshes.some(({ triangles }) => triangles > 0)) return '';
  const stem = nameOf(path).replace(/\.wmo(\.mpq)?$/i, '');
  const file = (i) => `${stem}_${String(i).padStart(3, '0')}.wmo`;
  const names = counts.group === 1 ? file(0) : `${file(0)} to ${file(counts.group - 1)}`;
  return `${nameOf(path)} is the root of a WMO with ${counted(counts.group, 'group')}. Drop the group files, too: ${names}.`;
}
