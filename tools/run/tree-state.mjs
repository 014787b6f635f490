// A hash of the tree's state, to see whether anything changed without reading files.
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that no build reads or writes: packages, git, and the state of a demo. */
const outside = /^(node_modules|\.git|\.ducat.*)$/;

/** The same, and the folders that builds write. */
const outsideOfSources = new RegExp(`${outside.source}|^dist$`);

/**
 * A hash over path, size and time of change of every file below `folder`. For packages only the lock file counts.
 * @param {string} folder
 * @param {{ isBuilt?: boolean }} [of] `isBuilt: false` leaves out the folders that builds write
 * @returns {string}
 */
export function treeState(folder, { isBuilt = true } = {}) {
  const hash = createHash('sha256');
  addFolder({ hash, ignored: isBuilt ? outside : outsideOfSources }, folder, '');
  return hash.digest('hex');
}

/**
 * @param {{ hash: import('node:crypto').Hash, ignored: RegExp }} state
 * @param {string} folder
 * @param {string} path from the root of the tree
 */
function addFolder(state, folder, path) {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (state.ignored.test(entry.name)) continue;
    const inside = join(folder, entry.name);
    if (entry.isDirectory()) {
      addFolder(state, inside, `${path}${entry.name}/`);
    } else if (entry.isFile()) {
      const { size, mtimeMs } = statSync(inside);
      state.hash.update(`${path}${entry.name}\n${size} ${mtimeMs}\n`);
    }
  }
}
