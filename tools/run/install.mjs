// Installs the packages of the lock, unless they are installed already.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { interruption, runNpm } from './child.mjs';
import { root } from './root.mjs';

/** @typedef {import('./complete-lock.mjs').Lock} Lock */

const lockFile = join(root, 'package-lock.json');
const hashFile = join(root, 'node_modules/.ducat-lock-hash');
/** npm's own record of what it installed. */
const installedFile = join(root, 'node_modules/.package-lock.json');

/**
 * Brings node_modules up to the lock; returns an exit code.
 * @returns {Promise<number>}
 */
export async function ensureInstalled() {
  if (isRemembered()) return 0;
  if (existsSync(installedFile) && isInstalled(readLock(lockFile), readLock(installedFile))) {
    remember();
    return 0;
  }
  console.log('Installing the packages of package-lock.json (install scripts stay off) ...');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=warn'];
  if ((await runNpm(['ci', ...flags])) !== 0) {
    if (interruption() !== null) return 130;
    console.error(
      '`npm ci` failed; trying `npm install`, which may choose other versions where one is missing.',
    );
    if ((await runNpm(['install', '--no-save', ...flags])) !== 0) {
      console.error('The packages could not be installed. Is a package registry reachable? Try `npm ping`.');
      return 1;
    }
  }
  remember();
  return 0;
}

/**
 * Whether the installed packages are those of the lock: only optional ones may be missing, and no version may differ.
 * @param {Lock} lock
 * @param {Lock} installed
 */
export function isInstalled(lock, installed) {
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (!path.includes('node_modules/') || wanted.link === true) return true;
    const found = installed.packages[path];
    if (found === undefined) return wanted.optional === true || wanted.devOptional === true;
    return found.version === wanted.version;
  });
}

function isRemembered() {
  return existsSync(hashFile) && readFileSync(hashFile, 'utf8') === lockHash();
}

function remember() {
  writeFileSync(hashFile, lockHash());
}

function lockHash() {
  return createHash('sha256').update(readFileSync(lockFile)).digest('hex');
}

/**
 * @param {string} file
 * @returns {Lock}
 */
function readLock(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
