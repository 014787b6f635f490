// Writes the site into dist/public, beside the script and the style sheet that Vite made there.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Assets } from './document.ts';
import { buildSite } from './site.ts';

const publicFolder = join(import.meta.dirname, '../public');
const root = join(import.meta.dirname, '../../../..');
const manifestFile = join(publicFolder, 'manifest.json');

for (const [path, content] of await buildSite(root, readAssets())) {
  const file = join(publicFolder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
rmSync(manifestFile);

interface Chunk {
  readonly file: string;
}

/** Reads the names of script, style sheet and font from Vite's manifest, because the names contain hashes. */
function readAssets(): Assets {
  const manifest: Readonly<Record<string, Chunk>> = JSON.parse(readFileSync(manifestFile, 'utf8'));
  const fileOf = (end: string) => {
    const found = Object.entries(manifest).find(([source]) => source.endsWith(end));
    if (found === undefined) throw new Error(`the build left no ${end}`);
    return found[1].file;
  };
  return {
    script: fileOf('src/client/main.ts'),
    style: fileOf('src/style/docs.css'),
    font: fileOf('inter-latin-wght-normal.woff2'),
  };
}
