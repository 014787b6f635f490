// What comes from outside is checked for its licence and its place in the lock.
import { describe, expect, it } from 'vitest';
import { project } from '../testing/tree.ts';
import { tidy } from '../tidy.ts';

describe('packages', () => {
  const lock = (packages: Readonly<Record<string, object>>) => ({
    'package-lock.json': JSON.stringify({ packages }),
  });

  it.each([
    [
      'a licence that is not ours to ship',
      { 'node_modules/a': { version: '1.0.0', license: 'AGPL-3.0' } },
      'licence',
    ],
    ['no licence', { 'node_modules/a': { version: '1.0.0' } }, 'licence'],
    [
      'a registry host',
      { 'node_modules/a': { version: '1.0.0', license: 'MIT', resolved: 'https://host.test/a.tgz' } },
      'lock',
    ],
    [
      'a missing platform',
      {
        'node_modules/a': {
          version: '1.0.0',
          license: 'MIT',
          optionalDependencies: { 'a-darwin-arm64': '1.0.0' },
        },
      },
      'lock',
    ],
  ])('are refused for %s', (_, packages, rule) => {
    expect(tidy(project(lock(packages))).map((finding) => finding.rule)).toEqual([rule]);
  });

  it('may have any of several licences, and any at all in development', () => {
    const packages = {
      'node_modules/a': { version: '1.0.0', license: '(GPL-3.0 OR MIT)' },
      'node_modules/b': { version: '1.0.0', license: 'GPL-3.0', dev: true },
      'node_modules/@ducat/core': { resolved: 'packages/core', link: true },
    };
    expect(tidy(project(lock(packages)))).toEqual([]);
  });
});
