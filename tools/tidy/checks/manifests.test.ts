// A package that uses what it does not declare is found.
import { describe, expect, it } from 'vitest';
import { amount, flow, header, inFile, messages } from '../testing/tree.ts';

describe('manifests', () => {
  it('must declare every workspace that is imported', () => {
    const role = 'packages/gateway/src/roles/api/app.ts';
    const contract = { 'packages/contract/src/codes.ts': header };
    const found = inFile(role, "import '@ducat/contract/codes';\n", contract);
    expect(messages(found)).toEqual([
      `${role}:2 manifest: @ducat/contract is not declared in packages/gateway/package.json`,
    ]);
  });

  it.each([
    ['another version', { '@ducat/core': '0.2.0' }, 'is declared as 0.2.0 and is 0.1.0'],
    ['a range', { '@ducat/core': '^0.1.0' }, 'is declared as ^0.1.0'],
  ])('must not declare %s', (_, dependencies, expected) => {
    const manifest = { name: '@ducat/gateway', version: '0.1.0', dependencies };
    const body = "import type { Amount } from '@ducat/core/money/amount';\nexport type Sum = Amount;\n";
    const found = inFile(flow, body, {
      ...amount,
      'packages/gateway/package.json': JSON.stringify(manifest),
    });
    expect(messages(found).join('\n')).toContain(expected);
  });

  it('must declare packages, and for what is shipped not as a development one', () => {
    const manifest = { name: '@ducat/gateway', version: '0.1.0', devDependencies: { fastify: '5.0.0' } };
    const others = { 'packages/gateway/package.json': JSON.stringify(manifest) };
    const body = "import 'fastify';\n";
    expect(inFile('packages/gateway/src/roles/api/app.ts', body, others).map(({ rule }) => rule)).toEqual([
      'manifest',
    ]);
    expect(inFile('packages/gateway/src/roles/api/app.test.ts', body, others)).toEqual([]);
  });

  it('go with the references of the compiler', () => {
    const body = "import type { Amount } from '@ducat/core/money/amount';\nexport type Sum = Amount;\n";
    const found = inFile(flow, body, { ...amount, 'packages/gateway/tsconfig.json': '{ "references": [] }' });
    expect(messages(found).join('\n')).toContain('not among the references');
  });
});
