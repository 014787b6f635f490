// One root proves one list of transactions.
import { expect, it } from 'vitest';
import { sha256 } from '../wire/sha256.ts';
import { transactionsRoot } from './transactions-root.ts';

const leaves = ['aa', 'bb', 'cc', 'dd', 'ee', 'ff', '00'].map((hex) => sha256(hex));
const [a = '', b = '', c = '', d = '', e = '', f = '', g = ''] = leaves;

it.each<readonly [number, string]>([
  [0, '00'.repeat(32)],
  [1, a],
  [2, sha256(a + b)],
  [3, sha256(sha256(a + b) + c)],
  [4, sha256(sha256(a + b) + sha256(c + d))],
  [5, sha256(sha256(sha256(a + b) + sha256(c + d)) + e)],
  [6, sha256(sha256(sha256(a + b) + sha256(c + d)) + sha256(e + f))],
  [7, sha256(sha256(sha256(a + b) + sha256(c + d)) + sha256(sha256(e + f) + g))],
])('the root of %i leaves', (count, root) => {
  expect(transactionsRoot(leaves.slice(0, count))).toBe(root);
  if (count > 1) expect(transactionsRoot(leaves.slice(0, count).toReversed())).not.toBe(root);
});
