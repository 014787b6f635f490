// The parts of the one command that decide: whether to install, and how many tests passed.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildUnlessBuilt } from './build.mjs';
import { isInstalled } from './install.mjs';
import { root } from './root.mjs';
import { countTests, failed, slowest } from './test.mjs';
import { treeState } from './tree-state.mjs';

describe('isInstalled', () => {
  const wanted = {
    packages: {
      '': {},
      'packages/core': { version: '0.1.0' },
      'node_modules/@ducat/core': { link: true },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b-win32': { version: '1.0.0', optional: true },
    },
  };

  it.each([
    [
      'what is wanted is there, less what another platform needs',
      { 'node_modules/a': { version: '1.0.0' } },
      true,
    ],
    ['a version differs', { 'node_modules/a': { version: '1.0.1' } }, false],
    ['a package is missing', {}, false],
    [
      'an optional package has another version',
      { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b-win32': { version: '2.0.0' } },
      false,
    ],
  ])('when %s', (_, packages, expected) => {
    expect(isInstalled(wanted, { packages })).toBe(expected);
  });
});

describe('treeState', () => {
  const tree = mkdtempSync(join(tmpdir(), 'ducat-tree-'));
  const write = (path: string, text = 'text') => {
    mkdirSync(join(tree, path, '..'), { recursive: true });
    writeFileSync(join(tree, path), text);
    utimesSync(join(tree, path), 1, 1);
  };

  it('is another one with each file that comes, changes, is touched, moves or goes', () => {
    write('app/src/main.ts');
    const first = treeState(tree);
    expect(treeState(tree)).toBe(first);
    const states = [first];
    const changes = [
      () => write('app/dist/main.js'),
      () => write('app/src/main.ts', 'longer text'),
      () => utimesSync(join(tree, 'app/src/main.ts'), 2, 2),
      () => (rmSync(join(tree, 'app/dist/main.js')), write('app/dist/main.css')),
      () => rmSync(join(tree, 'app/dist'), { recursive: true }),
    ];
    for (const change of changes) {
      change();
      states.push(treeState(tree));
    }
    expect(new Set(states).size).toBe(states.length);
    rmSync(tree, { recursive: true });
  });

  it.each(['node_modules/a/index.js', '.git/index', '.ducat/postgres.log'])(
    'takes no notice of %s',
    (path) => {
      write('app/src/main.ts');
      const before = treeState(tree);
      write(path);
      expect(treeState(tree)).toBe(before);
      rmSync(tree, { recursive: true });
    },
  );
});

describe('buildUnlessBuilt', () => {
  it('builds again after a failure, and after a change that came while it built', async () => {
    const tree = mkdtempSync(join(tmpdir(), 'ducat-build-'));
    const [source, record] = [join(tree, 'main.ts'), join(tree, '.ducat-record')];
    mkdirSync(join(tree, 'dist'));
    writeFileSync(source, 'one');
    let builds = 0;
    const build = (code: number, meanwhile = () => {}) =>
      buildUnlessBuilt(tree, record, async () => {
        builds += 1;
        writeFileSync(join(tree, 'dist/main.js'), `built ${builds}`);
        meanwhile();
        return code;
      });
    expect([await build(1), builds]).toEqual([1, 1]);
    expect([await build(0, () => writeFileSync(source, 'another')), builds]).toEqual([0, 2]);
    expect([await build(0), builds]).toEqual([0, 3]);
    expect([await build(0), builds]).toEqual([0, 3]);
    rmSync(tree, { recursive: true });
  });
});

describe('countTests', () => {
  const file = (status: string, tests: number) => ({
    name: `${root}/a.test.ts`,
    startTime: 0,
    endTime: 0,
    status,
    message: '',
    assertionResults: Array.from({ length: tests }, () => ({
      fullName: 'a test',
      status: 'passed',
      failureMessages: [],
    })),
  });

  it.each([
    ['all passed', { numPassedTests: 3, numFailedTests: 0, testResults: [file('passed', 3)] }, 0, 3, 0],
    ['one failed', { numPassedTests: 2, numFailedTests: 1, testResults: [file('failed', 3)] }, 1, 2, 1],
    [
      'a file did not load',
      { numPassedTests: 2, numFailedTests: 0, testResults: [file('passed', 2), file('failed', 0)] },
      1,
      2,
      1,
    ],
    [
      'an error belonged to no test',
      { numPassedTests: 2, numFailedTests: 0, testResults: [file('passed', 2)] },
      1,
      2,
      1,
    ],
    ['there is no report', null, 1, 0, 1],
  ])('when %s', (_, report, exitCode, passed, failed) => {
    expect(countTests(report, exitCode)).toEqual({ passed, failed });
  });
});

describe('slowest', () => {
  it('names the files that took longest first, and no more than twenty', () => {
    const testResults = Array.from({ length: 30 }, (_, place) => ({
      name: `${root}/packages/file-${place}.test.ts`,
      startTime: 1_000,
      endTime: 1_000 + 100 * place,
      status: 'passed',
      message: '',
      assertionResults: [],
    }));
    const lines = slowest({ numPassedTests: 0, numFailedTests: 0, testResults });
    expect(lines).toHaveLength(20);
    expect(lines[0]).toBe('    2.9  packages/file-29.test.ts');
  });

  it('names none where there is no report', () => {
    expect(slowest(null)).toEqual([]);
  });
});

describe('failed', () => {
  const test = (fullName: string, ...failureMessages: string[]) => ({
    fullName,
    status: failureMessages.length === 0 ? 'passed' : 'failed',
    failureMessages,
  });
  const passed = test('adds');
  const broken = test('subtracts', 'Error: 1 is not 2\n  at a.ts:3');
  const file = (message: string, ...assertionResults: (typeof passed)[]) => ({
    name: `${root}/packages/a.test.ts`,
    startTime: 0,
    endTime: 0,
    status: 'failed',
    message,
    assertionResults,
  });
  const reportOf = (...testResults: ReturnType<typeof file>[]) => ({
    numPassedTests: 0,
    numFailedTests: 0,
    testResults,
  });

  it('names each failed test with the first lines of its failure', () => {
    expect(failed(reportOf(file('', passed, broken)))).toEqual([
      'packages/a.test.ts > subtracts\n    Error: 1 is not 2\n      at a.ts:3',
    ]);
  });

  it('names a file that could not be loaded', () => {
    expect(failed(reportOf(file('SyntaxError: no')))).toEqual(['packages/a.test.ts\n    SyntaxError: no']);
  });

  it('names ten at most, and says how many more there are', () => {
    const lines = failed(reportOf(file('', ...Array.from({ length: 12 }, () => broken))));
    expect(lines).toHaveLength(11);
    expect(lines[10]).toBe('and 2 more');
  });

  it('names none where there is no report', () => {
    expect(failed(null)).toEqual([]);
  });
});
