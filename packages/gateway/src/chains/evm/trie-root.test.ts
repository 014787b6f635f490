// The trie against the library that everybody uses for it.
import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { describe, expect, it } from 'vitest';
import { trieRoot } from './trie-root.ts';

async function libraryRoot(values: readonly string[]): Promise<string> {
  const trie = await createMPT();
  for (const [index, value] of values.entries()) await trie.put(RLP.encode(index), Buffer.from(value, 'hex'));
  return `0x${Buffer.from(trie.root()).toString('hex')}`;
}

describe('trieRoot', () => {
  it.each([0, 1, 2, 3, 15, 16, 17, 127, 128, 129, 255, 256, 257, 300])(
    'agrees with the library for %i values',
    async (count) => {
      // Long and short values: nodes below 32 bytes stand in their parent unhashed.
      for (const size of [2, 31, 33, 700]) {
        const values = Array.from({ length: count }, (_, index) =>
          (index + 1)
            .toString(16)
            .padStart(4, '0')
            .repeat(size)
            .slice(0, size * 2),
        );
        expect(trieRoot(values)).toBe(await libraryRoot(values));
      }
    },
  );
});
