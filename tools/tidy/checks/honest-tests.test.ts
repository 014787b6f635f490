// Tests that are switched off, run alone or are tried again are found.
import { describe, expect, it } from 'vitest';
import { inFile } from '../testing/tree.ts';

const path = 'packages/core/src/order/order.test.ts';

describe('tests', () => {
  it.each(['it.only', 'it.skip', 'describe.skip', 'test.todo', 'it.fails'])('are refused with %s', (call) => {
    expect(inFile(path, `${call}('x', () => {});\n`).map(({ rule }) => rule)).toEqual(['test']);
  });

  it('are refused with a second try', () => {
    expect(inFile(path, "it('x', { retry: 2 }, () => {});\n").map(({ rule }) => rule)).toEqual(['test']);
  });

  it('may depend on the platform', () => {
    expect(inFile(path, "it.skipIf(true)('x', () => {});\n")).toEqual([]);
  });
});
