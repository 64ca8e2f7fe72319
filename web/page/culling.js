// Frustum culling.

/**
 * Room that the vertices at rest take for each matrix that moves them, as numbers of ROOM: the matrix, the middle, half of
 * the sides. What several matrices move is between the places to which each of them moves it.
 */
const ROOM = 7;
export function boxesOf(positions, groups, influences, influenceCount) {
  const count = groups && influenceCount > 0 ? influences.length / (2 * influenceCount) : 1;
  const boxes = new Float32Array(count * 6); // of a group of vertices: least, most
  for (let at = 0; at < boxes.length; at += 6) boxes.fill(Infinity, at, at + 3).fill(-Infinity, at + 3, at + 6);
  for (let i = 0; i < positions.length; i += 3) {
    const at = count > 1 ? 6 * groups[i / 3] : 0;
    for (let axis = 0; axis < 3; axis += 1) {
      const value = positions[i + axis];
      if (value < boxes[at + axis]) boxes[at + axis] = value;
      if (value > boxes[at + axis + 3]) boxes[at + axis + 3] = value;
    }
  }
  const rooms = new Map(); // by matrix
  for (let group = 0; group < count; group += 1) {
    const box = boxes.subarray(6 * group, 6 * group + 6);
    for (let i = 0; box[0] <= box[3] && i < Math.max(1, influenceCount); i += 1) {
      const at = 2 * (group * influenceCount + i);
      const [matrix, weight] = influenceCount > 0 ? [influences[at], influences[at + 1]] : [0, 1];
      if (weight === 0) continue;
      if (!rooms.has(matrix)) rooms.set(matrix, [...box]);
      else extend(rooms.get(matrix), box);
    }
  }
  return Float32Array.from(
    [...rooms].flatMap(([matrix, box]) => [
      matrix,
      ...[0, 1, 2].map((i) => (box[i] + box[i + 3]) / 2),
      ...[0, 1, 2].map((i) => (box[i + 3] - box[i]) / 2),
    ]),
  );
}

function extend(box, other) {
  for (let axis = 0; axis < 3; axis += 1) {
    box[axis] = Math.min(box[axis], other[axis]);
    box[axis + 3] = Math.max(box[axis + 3], other[axis + 3]);
  }
}

/** Planes of the camera's frustum: points with a negative distance to one of them are outside. */
export function planesOf(view, projection) {
  const rows = [0, 1, 2, 3].map((row) =>
    [0, 4, 8, 12].map((column) => [0, 1, 2, 3].reduce((sum, i) => sum + projection[row + 4 * i] * view[column + i], 0)),
  );
  return [0, 1, 2].flatMap((row) => [1, -1].map((sign) => rows[3].map((value, i) => value + sign * rows[row][i])));
}

/** Whether all boxes are beyond one of the planes. @param first number of the first matrix of a draw */
export function isOutside(boxes, matrices, first, planes) {
  return planes.some(([x, y, z, w]) => {
    for (let i = 0; i < boxes.length; i += ROOM) {
      const m = 12 * (first + boxes[i]);
      let distance = x * matrices[m + 3] + y * matrices[m + 7] + z * matrices[m + 11] + w;
      for (let axis = 0; axis < 3; axis += 1) {
        const along = x * matrices[m + axis] + y * matrices[m + 4 + axis] + z * matrices[m + 8 + axis];
        distance += along * boxes[i + 1 + axis] + Math.abs(along) * boxes[i + 4 + axis];
      }
      if (!(distance < 0)) return false;
    }
    return true;
  });
}
