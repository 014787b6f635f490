// What is served of a folder that a build made.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readBuiltFiles } from './built-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-built-'));
afterAll(() => rmSync(folder, { recursive: true }));

it("serves what browsers load, and neither the build's own manifest nor types that no page has", () => {
  mkdirSync(join(folder, 'assets'));
  for (const name of ['manifest.json', 'page-1a2b.js', 'page-1a2b.js.map', 'assets/font-3c4d.woff2'])
    writeFileSync(join(folder, name), '{}');
  expect([...readBuiltFiles(folder).keys()].sort()).toEqual(['assets/font-3c4d.woff2', 'page-1a2b.js']);
});
