// Runs every check, one after the other, and counts at the end. The last line is for machines.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buildAll } from './build.mjs';
import { interruption, runNode } from './child.mjs';
import { root } from './root.mjs';

/**
 * @typedef {{ passed: number, failed: number }} Count
 * @typedef {{ name: string, run: (args: string[]) => Promise<Count> }} Step
 */

/** How many of the slowest test files are named at the end. */
const slowFiles = 20;
/** How many failed tests are named at the end, and how many lines of each failure. A log is often read from its end alone. */
const failuresShown = 10;
const failureLines = 6;

const checked = ['packages', 'apps', 'sim', 'bench', 'fuzz', 'chaos', 'tools'];

/** Finds unused files, exports and packages, and undeclared packages. Hints about knip's own configuration are left out. */
const knipFlags = ['--no-progress', '--no-config-hints'];
/** The same for shipped code alone, which must not use packages that are declared only for development. */
const shippedFlags = ['--production', '--strict', '--dependencies'];

/**
 * One line for each check; a check that is not a test run counts as one.
 * @type {readonly Step[]}
 */
const steps = [
  { name: 'format', run: once(() => runNode('node_modules/@biomejs/biome/bin/biome', ['format', '.'])) },
  { name: 'types and build', run: once(buildAll) },
  { name: 'lint', run: once(() => runNode('node_modules/oxlint/bin/oxlint', ['--type-aware', ...checked])) },
  { name: 'unused', run: once(() => runNode('node_modules/knip/bin/knip.js', knipFlags)) },
  {
    name: 'manifests',
    run: once(() => runNode('node_modules/knip/bin/knip.js', [...knipFlags, ...shippedFlags])),
  },
  { name: 'lock', run: once(() => runNode('tools/run/complete-lock.mjs', ['--check'])) },
  { name: 'tests', run: runVitest },
];

/**
 * Runs all steps, also after one failed, so that one run shows everything. Returns 1 when anything failed.
 * `args` narrow the test run, as vitest takes them.
 * @param {string[]} args
 * @returns {Promise<number>}
 */
export async function runTests(args) {
  const total = { passed: 0, failed: 0 };
  /** @type {string[]} */
  const summary = [];
  for (const step of steps) {
    console.log(`\n== ${step.name}`);
    const startMs = performance.now();
    const count = interruption() === null ? await step.run(args) : { passed: 0, failed: 1 };
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    const state = count.failed === 0 ? 'ok    ' : 'FAILED';
    summary.push(`${state} ${step.name.padEnd(16)} ${seconds.padStart(6)} s  ${describe(count)}`);
    total.passed += count.passed;
    total.failed += count.failed;
  }
  console.log(`\n${summary.join('\n')}\n${describe(total)}`);
  return total.failed === 0 ? 0 : 1;
}

/** @param {Count} count */
function describe({ passed, failed }) {
  return `${passed} passed, ${failed} failed`;
}

/**
 * @param {() => Promise<number>} run
 * @returns {() => Promise<Count>}
 */
function once(run) {
  return async () => ((await run()) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
}

/**
 * @param {string[]} args
 * @returns {Promise<Count>}
 */
async function runVitest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'ducat-test-'));
  const report = join(folder, 'report.json');
  try {
    const flags = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const code = await runNode('node_modules/vitest/vitest.mjs', [...flags, ...args]);
    const results = readReport(report);
    console.log(`\nThe slowest files, in seconds:\n${slowest(results).join('\n')}`);
    const failures = failed(results);
    if (failures.length > 0) console.log(`\nWhat failed:\n${failures.join('\n')}`);
    return countTests(results, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @typedef {{ fullName: string, status: string, failureMessages: string[] }} TestResult
 * @typedef {{ name: string, startTime: number, endTime: number, status: string, message: string, assertionResults: TestResult[] }} FileResult
 * @typedef {{ numPassedTests: number, numFailedTests: number, testResults: FileResult[] }} Report
 *
 * @param {string} file
 * @returns {Report | null}
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // A run that broke before its report has failed as a whole.
    return null;
  }
}

/**
 * The files that took longest, one line each. The time of `npm test` has a budget, and these files use most of it.
 * @param {Report | null} report
 * @returns {string[]}
 */
export function slowest(report) {
  const took = (report?.testResults ?? []).map(({ name, startTime, endTime }) => ({
    name: fromRoot(name),
    seconds: (endTime - startTime) / 1000,
  }));
  took.sort((a, b) => b.seconds - a.seconds);
  return took.slice(0, slowFiles).map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)}  ${name}`);
}

/**
 * The failed tests and the files that could not be loaded, each with the first lines of its failure.
 * @param {Report | null} report
 * @returns {string[]}
 */
export function failed(report) {
  const failures = (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    if (status === 'failed' && assertionResults.length === 0) return [failure(fromRoot(name), message)];
    return assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => failure(`${fromRoot(name)} > ${test.fullName}`, test.failureMessages.join('\n')));
  });
  const more = failures.length - failuresShown;
  return more > 0 ? [...failures.slice(0, failuresShown), `and ${more} more`] : failures;
}

/**
 * @param {string} name
 * @param {string} message
 */
function failure(name, message) {
  const lines = message.split('\n').slice(0, failureLines);
  return [name, ...lines.map((line) => `    ${line.slice(0, 200)}`)].join('\n');
}

/** @param {string} file */
function fromRoot(file) {
  return relative(root, file).replaceAll('\\', '/');
}

/**
 * Counts also failures that belong to no test: a file that cannot be loaded, and an error outside of all tests.
 * @param {Report | null} report
 * @param {number} exitCode
 * @returns {Count}
 */
export function countTests(report, exitCode) {
  if (report === null) return { passed: 0, failed: 1 };
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  const failed = report.numFailedTests + broken.length;
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}
