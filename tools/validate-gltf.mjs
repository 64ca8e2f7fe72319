#!/usr/bin/env node
// Validates .glb and .gltf files with the Khronos validator, all in one process.
//   validate-gltf.mjs [--json] FILES…
//   validate-gltf.mjs [--json] --list -        (one path per line on stdin, or in a file)
// Exit code: 0 clean, 1 an error or a warning in any file, 2 usage.

import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import validator from 'gltf-validator';

const kSeverities = ['error', 'warning', 'info', 'hint'];

function usage(text) {
  process.stderr.write(`${text}\nusage: validate-gltf.mjs [--json] FILES… | --list FILE|-\n`);
  process.exit(2);
}

function parse() {
  let parsed;
  try {
    parsed = parseArgs({
      options: { json: { type: 'boolean', default: false }, list: { type: 'string' } },
      allowPositionals: true,
    });
  } catch (error) {
    usage(error.message);
  }
  const files = parsed.positionals;
  if (parsed.values.list !== undefined) {
    const source = parsed.values.list === '-' ? 0 : parsed.values.list;
    files.push(...readFileSync(source, 'utf8').split('\n').filter((line) => line !== ''));
  }
  if (files.length === 0) usage('no files');
  return { files, json: parsed.values.json };
}

// Issues of one file, worst first; a file that cannot be read or is no glTF at all is one error.
async function validate(file) {
  try {
    const bytes = new Uint8Array(await readFile(file));
    const report = await validator.validateBytes(bytes, {
      uri: file,
      format: extname(file).toLowerCase() === '.glb' ? 'glb' : 'gltf',
      maxIssues: 0,
      externalResourceFunction: async (uri) =>
        new Uint8Array(await readFile(join(dirname(file), decodeURIComponent(uri)))),
    });
    return report.issues.messages
      .map(({ code, message, severity, pointer, offset }) => ({
        severity: kSeverities[severity],
        code,
        pointer: pointer ?? (offset === undefined ? '' : `@${offset}`),
        message,
      }))
      .sort((a, b) => kSeverities.indexOf(a.severity) - kSeverities.indexOf(b.severity));
  } catch (error) {
    return [{ severity: 'error', code: 'UNREADABLE', pointer: '', message: String(error.message ?? error) }];
  }
}

const { files, json } = parse();
const total = { files: files.length, bad: 0, errors: 0, warnings: 0 };
for (const file of files) {
  const issues = await validate(file);
  const errors = issues.filter(({ severity }) => severity === 'error').length;
  const warnings = issues.filter(({ severity }) => severity === 'warning').length;
  total.errors += errors;
  total.warnings += warnings;
  if (errors + warnings > 0) total.bad += 1;
  if (json) {
    console.log(JSON.stringify({ file, ok: errors + warnings === 0, errors, warnings, issues }));
    continue;
  }
  for (const { severity, code, pointer, message } of issues) {
    if (severity !== 'error' && severity !== 'warning') continue;
    console.log(`${file}: ${severity} ${code} [${pointer}]: ${message}`);
  }
}
console.log(
  json
    ? JSON.stringify({ summary: total })
    : `${total.files} files, ${total.bad} bad: ${total.errors} errors, ${total.warnings} warnings`,
);
process.exitCode = total.bad === 0 ? 0 : 1;
