// The commands, run once Node is known to be new enough: install, build, then the program or the tests.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { buildAll } from './build.mjs';
import { checkChange } from './check.mjs';
import { runNode } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { runMutants } from './mutants.mjs';
import { root } from './root.mjs';
import { runTests } from './test.mjs';

/** @type {Record<string, (args: string[]) => Promise<number>>} */
const commands = {
  start: (args) => buildThenRun('apps/cli/bin/ducat.mjs', ['start', ...args]),
  sim: (args) => buildThenRun('sim/dist/main.js', args),
  chaos: (args) => buildThenRun('chaos/dist/main.js', args),
  fuzz: (args) => buildThenRun('fuzz/dist/main.js', args),
  bench: (args) => buildThenRun('bench/dist/main.js', args),
  check: (args) => checkChange(args),
  mutants: (args) => runMutants(args),
  measure: () => buildThenRun('tools/dist/tidy/measure.js', []),
  build: () => buildAll(),
  schema: writeSchema,
  gallery: writeGallery,
  test: (args) => runTests(args),
};

/**
 * Runs one command and gives its exit code.
 * @param {string} name
 * @param {string[]} args
 * @returns {Promise<number>}
 */
export async function runCommand(name, args) {
  const command = commands[name];
  if (command === undefined) {
    console.error(`usage: node tools/run/run.mjs ${Object.keys(commands).join('|')} [arguments]`);
    return 2;
  }
  const installed = await ensureInstalled();
  return installed === 0 ? command(args) : installed;
}

/** The migration test compares its drawing of the schema with a stored one. With this variable set it stores a new one. */
async function writeSchema() {
  const built = await buildAll();
  if (built !== 0) return built;
  process.env['DUCAT_WRITE_SCHEMA'] = '1';
  return runNode('node_modules/vitest/vitest.mjs', [
    'run',
    'packages/gateway/src/db/postgres/migrations/migrate.test.ts',
  ]);
}

/** Runs the tests that show every state of payment page and dashboard. With these variables they also store pictures. */
async function writeGallery() {
  const built = await buildAll();
  if (built !== 0) return built;
  process.env['DUCAT_WRITE_GALLERY'] = join(root, 'docs/checkout');
  process.env['DUCAT_WRITE_DASHBOARD'] = join(root, 'docs/dashboard');
  return runNode('node_modules/vitest/vitest.mjs', [
    'run',
    'packages/gateway/src/roles/pages/browser.test.ts',
    'packages/gateway/src/roles/dashboard/screens/screens.test.ts',
    'packages/gateway/src/roles/dashboard/setup/setup-page.test.ts',
    '-t',
    'breaks no rule of axe|every screen|every dialog|leads from the link',
  ]);
}

/**
 * Builds, then runs the program inside this process, so that it gets signals and sets the exit code itself.
 * @param {string} file
 * @param {string[]} args
 */
async function buildThenRun(file, args) {
  const built = await buildAll();
  if (built !== 0) return built;
  const program = join(root, file);
  if (!existsSync(program)) {
    console.error(`${file} is missing after the build.`);
    return 1;
  }
  process.argv.splice(1, process.argv.length - 1, program, ...args);
  await import(pathToFileURL(program).href);
  return Number(process.exitCode ?? 0);
}
