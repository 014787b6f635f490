// Old words are found wherever they stand.
import { describe, expect, it } from 'vitest';
import { checkWords } from './words.ts';

const words = (path: string, text: string) =>
  checkWords({ project: { files: new Map([[path, text]]), installedLicence: () => null } }).map(
    ({ line, message }) => `${line} ${message}`,
  );

describe('words', () => {
  it.each([
    ['text', 'docs/a.md', 'one\nWhat the node told us.\n', '2 "told"'],
    ['a name', 'packages/core/src/a.ts', 'const blockToldBy = 1;\n', '1 "told"'],
    ['a path', 'packages/core/src/told-by.ts', '', '0 "told"'],
    ['two words', 'docs/a.md', 'is put aside\n', '1 "put aside"'],
    ['a constant', 'packages/core/src/a.ts', 'const PUT_ASIDE = 1;\n', '1 "put aside"'],
  ])('are found in %s', (_, path, text, expected) => {
    expect(words(path, text)).toEqual([expect.stringContaining(expected)]);
  });

  it('may mean something elsewhere, and the wire keeps its own', () => {
    expect(words('packages/gateway/src/chains/a.ts', 'the endpoint\n')).toHaveLength(1);
    expect(words('packages/contract/src/a.ts', 'the endpoint, the main currency\n')).toEqual([]);
  });

  it('stay in decisions that newer ones replaced', () => {
    expect(words('docs/decisions/0026-whom-a-block-waits-for.md', 'patience\n')).toEqual([]);
  });
});
