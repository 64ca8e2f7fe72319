// Two texts, line by line: what stands in one of them alone.

/** Beyond that many lines in one of them alone they are two different things. */
const MOST_CHANGES = 1500;

/** Lines as [sign, text], sign being ' ', '-' (first text) or '+' (second); null if too much differs. */
export function differingLines(first, second) {
  let [start, endA, endB] = [0, first.length, second.length];
  while (start < endA && start < endB && first[start] === second[start]) start += 1;
  while (endA > start && endB > start && first[endA - 1] === second[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const middle = shortest(first.slice(start, endA), second.slice(start, endB));
  const same = (lines) => lines.map((line) => [' ', line]);
  return middle && [...same(first.slice(0, start)), ...middle, ...same(first.slice(endA))];
}

/** The fewest changes (Myers): how far one comes along each diagonal with so many of them. */
function shortest(a, b) {
  const most = Math.min(a.length + b.length, MOST_CHANGES);
  let reach = new Map([[1, 0]]);
  const steps = [];
  for (let changes = 0; changes <= most; ++changes) {
    steps.push(new Map(reach));
    for (let k = -changes; k <= changes; k += 2) {
      const down = k === -changes || (k !== changes && reach.get(k - 1) < reach.get(k + 1));
      let x = down ? reach.get(k + 1) : reach.get(k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      reach.set(k, x);
      if (x >= a.length && x - k >= b.length) return wayBack(a, b, steps);
    }
  }
  return null;
}

function wayBack(a, b, steps) {
  const lines = [];
  let [x, y] = [a.length, b.length];
  for (let changes = steps.length - 1; changes >= 0; --changes) {
    const reach = steps[changes];
    const k = x - y;
    const down = k === -changes || (k !== changes && reach.get(k - 1) < reach.get(k + 1));
    const before = down ? k + 1 : k - 1;
    const fromX = reach.get(before);
    const fromY = fromX - before;
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      lines.push([' ', a[x -= 1]]);
      y -= 1;
    }
    if (changes > 0) lines.push(down ? ['+', b[y -= 1]] : ['-', a[x -= 1]]);
  }
  return lines.reverse();
}

/** Changed lines with a few others around them; what is left out between becomes one line of ⋯. */
export function withContext(lines, around = 3) {
  const near = lines.map(() => false);
  lines.forEach(([sign], i) => {
    if (sign !== ' ') near.fill(true, Math.max(0, i - around), i + around + 1);
  });
  const shown = [];
  lines.forEach((line, i) => {
    if (near[i]) shown.push(line);
    else if (i === 0 || near[i - 1]) shown.push(['⋯', '']);
  });
  return shown;
}
