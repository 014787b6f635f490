// What we ship from others is checked for its licence.
import { describe, expect, it } from 'vitest';
import { findings, rulesOf } from '../testing/tree.ts';

describe('packages', () => {
  const lock = (packages: Readonly<Record<string, object>>) => ({
    'package-lock.json': JSON.stringify({ packages }),
  });

  it.each([
    ['a licence that is not ours to ship', { 'node_modules/a': { version: '1.0.0', license: 'AGPL-3.0' } }],
    ['no licence', { 'node_modules/a': { version: '1.0.0' } }],
  ])('are refused for %s', (_, packages) => {
    expect(rulesOf(findings(lock(packages)))).toEqual(['licence']);
  });

  it('may have any of several licences, and any at all in development', () => {
    const packages = {
      'node_modules/a': { version: '1.0.0', license: '(GPL-3.0 OR MIT)' },
      'node_modules/b': { version: '1.0.0', license: 'GPL-3.0', dev: true },
      'node_modules/@ducat/core': { resolved: 'packages/core', link: true },
    };
    expect(findings(lock(packages))).toEqual([]);
  });
});
