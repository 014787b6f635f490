// One root proves one list of transactions.
import { describe, expect, it } from 'vitest';
import { sha256 } from '../wire/sha256.ts';
import { rootProves, transactionsRoot } from './transactions-root.ts';

const leaves = ['aa'.repeat(150), 'bb'.repeat(160), 'cc'.repeat(170), 'dd'.repeat(180)];
const root = transactionsRoot(leaves);
const [a, b, c, d] = leaves.map(sha256);

describe('rootProves', () => {
  it('takes the transactions that give the root, and no others', () => {
    expect(rootProves(leaves, root)).toBe(true);
    expect(rootProves(leaves.toReversed(), root)).toBe(false);
    expect(rootProves(leaves.slice(1), root)).toBe(false);
    expect(rootProves([], '00'.repeat(32))).toBe(true);
  });

  // hits mark: no-inner-node-for-a-leaf
  it.each([
    ['the two nodes below the root', [`${sha256(`${a}${b}`)}${sha256(`${c}${d}`)}`]],
    ['nodes in the middle', [`${a}${b}`, `${c}${d}`]],
  ])('takes no transactions made of %s, although they give the root', (_, forged) => {
    expect(transactionsRoot(forged)).toBe(root);
    expect(rootProves(forged, root)).toBe(false);
  });
});
