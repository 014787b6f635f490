// `npm run mutants`: changes core in thousands of small ways and counts which changes its tests notice.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runNode, runNpm } from './child.mjs';
import { root } from './root.mjs';

const folder = join(root, 'tools/mutants');
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');

/**
 * Mutates the folders of packages/core/src that are named, all of them if none is; gives an exit code. Stryker is
 * installed by the first run, so that nobody else waits for its packages.
 * @param {string[]} folders
 * @returns {Promise<number>}
 */
export async function runMutants(folders) {
  const unknown = folders.filter((name) => !existsSync(join(root, 'packages/core/src', name)));
  if (unknown.length > 0) {
    process.stderr.write(`not in packages/core/src: ${unknown.join(', ')}\n`);
    return 2;
  }
  if (!existsSync(stryker)) {
    // Stryker takes vitest from the root: two of them would not know each other.
    const installed = await runNpm(['ci', '--ignore-scripts', '--omit=peer', '--prefix', folder]);
    if (installed !== 0) return installed;
  }
  const places = folders.map((name) => `src/${name}/**/*.ts`);
  const mutate = places.length === 0 ? [] : ['--mutate', [...places, '!src/**/*.test.ts'].join(',')];
  const args = ['run', join(folder, 'stryker.config.json'), ...mutate];
  return runNode(stryker, args, join(root, 'packages/core'));
}
