// read.mjs PACKAGE LIST: as read.c, with the npm package.
import { readFileSync } from 'node:fs';

const [, , where, list] = process.argv;
const thaw = await import(where);
await thaw.load();
const names = readFileSync(list, 'utf8').split('\n').filter(Boolean);
let least = Infinity;
for (let run = 0; run < 5; ++run) {
  const start = performance.now();
  for (const name of names) {
    try {
      (await thaw.open(readFileSync(name), name)).close();
    } catch (error) {
      if (!error.code) throw error;
    }
  }
  least = Math.min(least, performance.now() - start);
}
console.log(least.toFixed(1));
