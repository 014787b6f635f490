// A package that uses a sibling which it does not declare is found.
import { describe, expect, it } from 'vitest';
import { amount, flow, header, inFile } from '../testing/tree.ts';

const manifest = 'packages/gateway/package.json';
const amountOf = "import type { Amount } from '@ducat/core/money/amount';\nexport type Sum = Amount;\n";
const messages = (path: string, body: string, others: Readonly<Record<string, string>>) =>
  inFile(path, body, others).map(({ message }) => message);

describe('manifests', () => {
  it('must declare every sibling that is imported', () => {
    const contract = { 'packages/contract/src/codes.ts': header };
    expect(
      messages('packages/gateway/src/roles/api/app.ts', "import '@ducat/contract/codes';\n", contract),
    ).toEqual([`@ducat/contract is not declared in ${manifest}`]);
  });

  it.each([
    ['another version', '0.2.0', `@ducat/core is 0.1.0, and 0.2.0 in ${manifest}`],
    ['a range', '^0.1.0', '@ducat/core has no exact version: ^0.1.0'],
  ])('must not declare %s', (_, version, expected) => {
    const own = { name: '@ducat/gateway', version: '0.1.0', dependencies: { '@ducat/core': version } };
    expect(messages(flow, amountOf, { ...amount, [manifest]: JSON.stringify(own) })).toContain(expected);
  });

  it('go with the references of the compiler', () => {
    const config = { 'packages/gateway/tsconfig.json': '{ "references": [] }' };
    expect(messages(flow, amountOf, { ...amount, ...config })).toEqual([
      '@ducat/core is not among the references of packages/gateway/tsconfig.json',
    ]);
  });
});
