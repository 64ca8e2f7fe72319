// Rays through a picture, and where they meet what it shows.

const subtract = (a, b) => a.map((value, i) => value - b[i]);
const add = (a, b, factor) => a.map((value, i) => value + b[i] * factor);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a) => a.map((value) => value / (Math.hypot(...a) || 1));

/** From where and in which direction a camera sees a place of its picture, −1 to 1 from left to right and from bottom to top. */
export function rayOf({ eye, target, up, fieldOfView, height, aspect }, x, y) {
  const ahead = unit(subtract(target, eye));
  const right = unit(cross(ahead, up));
  const over = cross(right, ahead);
  const half = height ? height / 2 : Math.tan(fieldOfView / 2);
  const aside = add(
    right.map((value) => value * x * half * aspect),
    over,
    y * half,
  );
  return height ? { from: add(eye, aside, 1), along: ahead } : { from: eye, along: add(ahead, aside, 1) };
}

/** Where a ray meets the nearest of the triangles of some draws, or null. */
export function meet({ positions, indices }, draws, { from, along }) {
  let nearest = Infinity;
  for (const { firstIndex, indexCount, basePosition } of draws) {
    const corner = (i) => {
      const at = 3 * (basePosition + indices[i]);
      return [positions[at], positions[at + 1], positions[at + 2]];
    };
    for (let i = firstIndex; i + 2 < firstIndex + indexCount; i += 3) {
      const [a, b, c] = [corner(i), corner(i + 1), corner(i + 2)];
      const [ab, ac] = [subtract(b, a), subtract(c, a)];
      const across = cross(along, ac);
      const size = dot(ab, across);
      const start = subtract(from, a);
      const u = dot(start, across) / size;
      const turned = cross(start, ab);
      const v = dot(along, turned) / size;
      const share = dot(ac, turned) / size;
      if (u >= 0 && v >= 0 && u + v <= 1 && share > 0 && share < nearest) nearest = share; // no comparison holds if the size is 0
    }
  }
  return nearest === Infinity ? null : add(from, along, nearest);
}
