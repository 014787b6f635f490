// Builds everything: the compiler over all workspaces, then the build script of each workspace that has one.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode, runNpm } from './child.mjs';
import { root } from './root.mjs';
import { treeState } from './tree-state.mjs';

/** Builds the whole tree where anything changed; returns an exit code. */
export function buildAll() {
  return buildUnlessBuilt(root, join(root, 'node_modules/.ducat-built'), buildEach);
}

/**
 * Builds, unless sources and output are as the last build left them. Returns an exit code.
 * @param {string} tree
 * @param {string} record a file with the tree's state after the last build; removed while a build is under way
 * @param {() => Promise<number>} build
 * @returns {Promise<number>}
 */
export async function buildUnlessBuilt(tree, record, build) {
  if (existsSync(record) && readFileSync(record, 'utf8') === treeState(tree)) return 0;
  rmSync(record, { force: true });
  const sources = treeState(tree, { isBuilt: false });
  const code = await build();
  // Files that changed during the build may not be in its output.
  if (code === 0 && treeState(tree, { isBuilt: false }) === sources) writeFileSync(record, treeState(tree));
  return code;
}

async function buildEach() {
  const compiled = await compile();
  if (compiled !== 0) return compiled;
  for (const workspace of workspaces().filter(hasBuildScript)) {
    const code = await runNpm(['run', 'build', '--workspace', workspace]);
    if (code !== 0) return code;
  }
  return 0;
}

/** Checks the types of all workspaces and writes their dist folders. */
export function compile() {
  return runNode('node_modules/typescript/bin/tsc', ['-b']);
}

/** @returns {string[]} */
function workspaces() {
  const { workspaces: patterns } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return patterns.flatMap((/** @type {string} */ pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const folder = pattern.slice(0, -2);
    return readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  });
}

/** @param {string} workspace */
function hasBuildScript(workspace) {
  const manifest = join(root, workspace, 'package.json');
  return existsSync(manifest) && 'build' in (JSON.parse(readFileSync(manifest, 'utf8')).scripts ?? {});
}
