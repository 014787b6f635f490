// The parts of the one command that decide: whether to install, and how many tests passed.
import { describe, expect, it } from 'vitest';
import { isInstalled } from './install.mjs';
import { countTests } from './test.mjs';

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

describe('countTests', () => {
  const file = (status: string, tests: number) => ({
    status,
    assertionResults: Array.from({ length: tests }, () => ({})),
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
