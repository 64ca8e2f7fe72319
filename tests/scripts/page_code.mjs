// The page's JavaScript: its types (JSDoc, web/tsconfig.json), what eslint finds (web/eslint.config.js), its format (web/.prettierrc.json).
// Each check is also tried on a file that it has to refuse.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root, skip } from './npm_packages.mjs';

const modules = path.join(root, 'tools/node_modules');
const CHECKS = [
  ['types', 'typescript/bin/tsc', ['-p', 'tsconfig.json'], 'export const wrong = document.getElementById("x").value;\n'],
  ['eslint', 'eslint/bin/eslint.js', ['.'], "export const wrong = () => {\n  let same = 1;\n  return same == '1';\n};\n"],
  ['format', 'prettier/bin/prettier.cjs', ['--check', 'page/*.js', 'types/*.ts', '*.js'], 'export  const wrong={a:1}\n'],
];
for (const [, program] of CHECKS) {
  if (!existsSync(path.join(modules, program))) skip('typescript, eslint and prettier of tools/ are not installed (npm ci --prefix tools)');
}

/** A copy, so that a file that is refused lies beside the page's own. */
const folder = mkdtempSync(path.join(tmpdir(), 'thaw-page-'));
cpSync(path.join(root, 'web'), folder, { recursive: true });
symlinkSync(modules, path.join(folder, 'node_modules'));
let failures = 0;
try {
  for (const [name, program, words, refused] of CHECKS) {
    const run = () => spawnSync(process.execPath, [path.join(modules, program), ...words], { cwd: folder, encoding: 'utf8' });
    const { status, stdout, stderr } = run();
    if (status !== 0) {
      failures += 1;
      console.log(`${name}:\n${stdout}${stderr}`);
    }
    const trial = path.join(folder, 'page', 'trial.js');
    writeFileSync(trial, refused);
    if (run().status === 0) {
      failures += 1;
      console.log(`${name} accepts ${refused}`);
    }
    rmSync(trial);
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(failures === 0 ? 0 : 1);
