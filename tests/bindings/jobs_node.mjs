// jobs_node.mjs PACKAGE SAMPLES ARCHIVE OUT: the ten jobs of jobs.mjs in node.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from './jobs.mjs';

const [, , where, folder, archive, out] = process.argv;
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const paths = files.map((entry) => join(entry.parentPath ?? entry.path, entry.name));
const samples = new Map(paths.map((path) => [relative(folder, path).toLowerCase(), readFileSync(path)]));
await run(await import(where), samples, readFileSync(archive), (name, data) => writeFileSync(join(out, name), data));
