// Completes package-lock.json with every platform package it names, so that `npm ci` accepts it on all systems.
//
// npm leaves an optional platform package out of the lock when the registry did not have it. `npm ci` then refuses that
// lock on the package's platform. An entry without integrity is enough. Other platforms skip the package without asking
// for it. The matching platform fetches it, or goes on without it because it is optional.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { minVersion, satisfies as takesVersion } from 'semver';

/**
 * @typedef {object} LockEntry
 * @property {string} [version]
 * @property {string} [resolved]
 * @property {string} [license]
 * @property {boolean} [link]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 * @property {boolean} [peer]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {{ node?: string }} [engines]
 *
 * @typedef {{ packages: Record<string, LockEntry> }} Lock
 */

const systems = [
  'darwin',
  'win32',
  'linux',
  'android',
  'freebsd',
  'openbsd',
  'netbsd',
  'sunos',
  'aix',
  'openharmony',
];
const processors = [
  'arm64',
  'x64',
  'ia32',
  'arm',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'mips64el',
  'wasm32',
];
/** Words that package names use for a system or a processor beside npm's own. */
const systemAliases = new Map([
  ['windows', 'win32'],
  ['macos', 'darwin'],
]);
const processorAliases = new Map([
  ['amd64', 'x64'],
  ['aarch64', 'arm64'],
  ['ppc64le', 'ppc64'],
  ['armv7', 'arm'],
  ['armhf', 'arm'],
  ['wasm', 'wasm32'],
]);

/**
 * The entries that a lock lacks, by path.
 * @param {Lock} lock
 * @returns {Record<string, LockEntry>}
 */
export function missingEntries(lock) {
  /** @type {Record<string, LockEntry>} */
  const missing = {};
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      const version = lowestVersion(range);
      if (findEntry({ ...lock.packages, ...missing }, path, name, version) !== null) continue;
      const top = `node_modules/${name}`;
      const taken = lock.packages[top] ?? missing[top];
      const place = taken === undefined ? top : `${path}/node_modules/${name}`;
      missing[place] = {
        version,
        ...(entry.dev === true ? { dev: true } : {}),
        optional: true,
        ...platformOf(name),
      };
    }
  }
  return missing;
}

/**
 * The same lock with every missing entry, in npm's own order.
 * @param {Lock} lock
 * @returns {Lock}
 */
export function completeLock(lock) {
  const entries = Object.entries({ ...lock.packages, ...missingEntries(lock) });
  entries.sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(entries) };
}

/**
 * Entries that name the registry they came from. Links to our own workspaces name a folder and are left out.
 * @param {Lock} lock
 * @returns {string[]}
 */
export function entriesWithHost(lock) {
  return Object.entries(lock.packages)
    .filter(([, entry]) => entry.link !== true && entry.resolved !== undefined)
    .map(([path]) => path);
}

/**
 * Entries that do not run on the oldest Node that our package.json allows. An install on that Node would warn of them.
 * @param {Lock} lock
 * @returns {string[]}
 */
export function entriesThatRefuseNode(lock) {
  const oldest = minVersion(lock.packages['']?.engines?.node ?? '*') ?? '0.0.0';
  return Object.entries(lock.packages)
    .filter(([, entry]) => !takesVersion(oldest, entry.engines?.node ?? '*'))
    .map(([path]) => path);
}

/**
 * Finds the package that `path` gets by importing `name`, as Node does: in its own node_modules, then in each folder above.
 * @param {Record<string, LockEntry>} packages
 * @param {string} path
 * @param {string} name
 * @param {string} version
 * @returns {string | null}
 */
function findEntry(packages, path, name, version) {
  for (let from = path; ; from = from.slice(0, Math.max(0, from.lastIndexOf('/')))) {
    const place = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
    const entry = packages[place];
    if (entry !== undefined) return satisfies(entry, version) ? place : null;
    if (from === '') return null;
  }
}

/**
 * Whether an entry will do. A platform package needs exactly this version; any other package is trusted to fit.
 * @param {LockEntry} entry
 * @param {string} version
 */
function satisfies(entry, version) {
  return entry.version === version || entry.os === undefined;
}

/**
 * The lowest version of a range. Platform packages are pinned, so a range hardly ever has more than one version.
 * @param {string} range
 */
function lowestVersion(range) {
  const plain = /\d+(?:\.\d+)*(?:-[0-9A-Za-z.-]+)?/.exec(range)?.[0];
  if (plain === undefined) throw new Error(`cannot pin the optional dependency range "${range}"`);
  const [numbers = '', ...suffix] = plain.split('-');
  const three = [...numbers.split('.'), '0', '0'].slice(0, 3).join('.');
  return [three, ...suffix].join('-');
}

/**
 * The platform that a package's name states, such as @scope/tool-linux-x64-musl.
 * @param {string} name
 * @returns {{ os?: string[], cpu?: string[], libc?: string[] }}
 */
export function platformOf(name) {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  const os = words.map((word) => systemAliases.get(word) ?? word).filter((word) => systems.includes(word));
  const cpu = words
    .map((word) => processorAliases.get(word) ?? word)
    .filter((word) => processors.includes(word));
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : [];
  if (words.some((word) => word.startsWith('gnu'))) libc.push('glibc');
  return {
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(libc.length > 0 && os.includes('linux') ? { libc } : {}),
    ...(os.length > 0 ? { os } : {}),
  };
}

/** @param {boolean} checkOnly */
function run(checkOnly) {
  const file = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
  const text = readFileSync(file, 'utf8');
  /** @type {Lock} */
  const lock = JSON.parse(text);
  const missing = Object.keys(missingEntries(lock));
  const hosts = entriesWithHost(lock);
  if (checkOnly) {
    for (const path of missing) console.error(`package-lock.json lacks ${path}; run: npm run lock`);
    for (const path of hosts)
      console.error(`package-lock.json names where ${path} came from; run: npm run lock`);
    const refusing = entriesThatRefuseNode(lock);
    for (const path of refusing) console.error(`${path} does not run on the oldest Node of package.json`);
    process.exitCode = missing.length + hosts.length + refusing.length > 0 ? 1 : 0;
    return;
  }
  for (const path of hosts) delete lock.packages[path]?.resolved;
  const completed = `${JSON.stringify(completeLock(lock), null, 2)}\n`;
  if (completed !== text) writeFileSync(file, completed);
  console.log(`package-lock.json: ${missing.length} platform entries added`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  run(process.argv.includes('--check'));
}
