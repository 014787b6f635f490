// Ranges that merchants write: one spelling for each, and no trick that lets another address in.
import { expect, it } from 'vitest';
import { canonicalRange, isInRanges } from './address-ranges.ts';

it.each([
  ['203.0.113.9', '203.0.113.9/32'],
  ['203.0.113.9/24', '203.0.113.0/24'],
  ['2001:DB8::1', '2001:db8::1/128'],
  ['2001:db8::1/48', '2001:db8::/48'],
  ['0.0.0.0/0', null],
  ['::/0', null],
  ['10.1', null],
  ['0x7f.0.0.1', null],
  ['010.0.0.1', null],
  ['::ffff:10.0.0.1', null],
  ['10.0.0.1/33', null],
  ['10.0.0.0/8/8', null],
  ['fe80::1%eth0', null],
  ['shop.example', null],
  ['', null],
])('%s is kept as %s', (text, kept) => expect(canonicalRange(text)).toBe(kept));

it('takes an address in any clothes, and nothing beside the ranges', () => {
  const ranges = ['203.0.113.0/24', '2001:db8::/48'];
  for (const address of ['203.0.113.255', '::ffff:203.0.113.1', '2001:db8:0:ffff::1'])
    expect(isInRanges(address, ranges)).toBe(true);
  for (const address of ['203.0.114.0', '::ffff:203.0.114.1', '2001:db8:1::', '', 'unknown'])
    expect(isInRanges(address, ranges)).toBe(false);
});
