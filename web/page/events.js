// Events of Warcraft III and Alpha models: sounds, splats and footprints, by the clips in which they happen.

/** Chunks of an MDX file that say when something happens. */
const CHUNKS = ['VERS', 'SEQS', 'EVTS'];

/** An MDX file with these chunks alone: small, whatever the file has beside them. */
export function withChunks(bytes, tags = CHUNKS) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts = [bytes.subarray(0, 4)];
  for (let at = 4; at + 8 <= bytes.length;) {
    const end = at + 8 + view.getUint32(at + 4, true);
    if (tags.includes(String.fromCharCode(...bytes.subarray(at, at + 4)))) parts.push(bytes.subarray(at, end));
    at = end;
  }
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Of each clip its events in the order of time: {name, time in seconds}.
 * @param sequences {{name: string, start: number, end: number}[]} in milliseconds, as the file has them
 * @param items event nodes of the file
 */
export function eventsByClip(clips, sequences, items) {
  const all = items.flatMap(({ node, track }) =>
    !track || track.globalSequenceId >= 0 ? [] : (track.frames ?? track.times ?? []).map((time) => ({ name: node.name, time })),
  );
  return clips.map(({ name }, i) => {
    const { start, end } = sequences[i]?.name === name ? sequences[i] : { start: 1, end: 0 };
    return all
      .filter(({ time }) => time >= start && time <= end)
      .map((event) => ({ name: event.name, time: (event.time - start) / 1000 }))
      .sort((a, b) => a.time - b.time);
  });
}
