// `npm run mutants`: changes core in thousands of small ways and counts which changes its tests notice.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runNode, runNpm } from './child.mjs';
import { root } from './root.mjs';

const folder = join(root, 'tools/mutants');
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');

/**
 * Mutates the named folders of packages/core/src, or all of them; returns an exit code. The first run installs Stryker, so
 * that other commands do not wait for its packages.
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
    // Without peers, so that Stryker takes vitest from the root. Two copies of vitest would not work together.
    const installed = await runNpm(['ci', '--ignore-scripts', '--omit=peer', '--prefix', folder]);
    if (installed !== 0) return installed;
  }
  const places = folders.map((name) => `src/${name}/**/*.ts`);
  const mutate = places.length === 0 ? [] : ['--mutate', [...places, '!src/**/*.test.ts'].join(',')];
  const args = ['run', join(folder, 'stryker.config.json'), ...mutate];
  return runNode(stryker, args, join(root, 'packages/core'));
}
