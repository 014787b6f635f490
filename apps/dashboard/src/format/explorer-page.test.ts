// Addresses of explorers by their patterns.
import { expect, it } from 'vitest';
import { explorerPage } from './explorer-page.ts';

const TX = 'https://scan.example/tx/{tx}';

it('puts what is looked for in its place', () => {
  expect(explorerPage(TX, 'tx', '0xab')).toBe('https://scan.example/tx/0xab');
  expect(explorerPage('https://scan.example/#/address/{address}', 'address', 'TX1')).toBe(
    'https://scan.example/#/address/TX1',
  );
});

it('lets nothing that is looked for end the path', () => {
  expect(explorerPage(TX, 'tx', '../?a=b#c/$&')).toBe('https://scan.example/tx/..%2F%3Fa%3Db%23c%2F%24%26');
});

it.each([
  [null, '0xab'],
  [TX, ''],
  ['http://scan.example/tx/{tx}', '0xab'],
  ['javascript:alert(1)//{tx}', '0xab'],
  ['scan.example/{tx}', '0xab'],
])('leads nowhere by %s', (pattern, sought) => {
  expect(explorerPage(pattern, 'tx', sought)).toBeNull();
});
