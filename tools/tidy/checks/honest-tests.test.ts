// Tests that are switched off, run alone or are tried again are found.
import { describe, expect, it } from 'vitest';
import { inFile, rulesOf } from '../testing/tree.ts';

const path = 'packages/core/src/order/order.test.ts';

describe('tests', () => {
  it.each(['it.only', 'it.skip', 'describe.skip', 'test.todo', 'it.fails'])('are refused with %s', (call) => {
    expect(rulesOf(inFile(path, `${call}('x', () => {});\n`))).toEqual(['test']);
  });

  it('are refused with a second try', () => {
    expect(rulesOf(inFile(path, "it('x', { retry: 2 }, () => {});\n"))).toEqual(['test']);
  });

  it('may depend on the platform', () => {
    expect(inFile(path, "it.skipIf(true)('x', () => {});\n")).toEqual([]);
  });
});
