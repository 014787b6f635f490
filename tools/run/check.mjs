// `npm run check`: the checks of a change that take only seconds. `npm test` is the whole check.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from './build.mjs';
import { runNode } from './child.mjs';
import { root } from './root.mjs';

/**
 * Checks format, types and lint of the files that differ from a commit, by default the last one; returns an exit code.
 * @param {string[]} args
 * @returns {Promise<number>}
 */
export async function checkChange([base = 'HEAD']) {
  const changed = changedFiles(base);
  const code = changed.filter((file) => /\.(?:tsx?|mjs)$/.test(file));
  const lint = ['--type-aware', ...code];
  const steps = [
    () => compile(),
    () =>
      runNode('node_modules/@biomejs/biome/bin/biome', ['format', '--no-errors-on-unmatched', ...changed]),
    // The whole tree, because an import circle may lead through unchanged files. Without types this takes a second.
    () => runNode('node_modules/oxlint/bin/oxlint', []),
    () => (code.length === 0 ? Promise.resolve(0) : runNode('node_modules/oxlint/bin/oxlint', lint)),
    () => runNode('tools/dist/tidy/main.js', []),
  ];
  let failed = 0;
  for (const step of changed.length === 0 ? [] : steps) failed ||= await step();
  if (failed === 0) console.log(`${changed.length} changed files since ${base}: nothing to say`);
  return failed;
}

/**
 * Files that git sees as changed or new, without those that are gone.
 * @param {string} base
 * @returns {string[]}
 */
function changedFiles(base) {
  const git = (/** @type {string[]} */ args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');
  const files = [
    ...git(['diff', '--name-only', base]),
    ...git(['ls-files', '--others', '--exclude-standard']),
  ];
  return files.filter((file) => file !== '' && existsSync(join(root, file)));
}
