// Two lists of transactions that both seem to give one root are never weighed against each other.
import { expect, it } from 'vitest';
import { testCurrency } from '@ducat/testkit/chains/test-currencies';
import { rawTransaction } from './raw-transaction.ts';
import { mineBytes, transferPayload } from '@ducat/testkit/chains/tron/tron-bytes';
import { transfer } from '@ducat/testkit/chains/tron/read-bytes';
import { watchedOf } from './watched.ts';
import { type ToldSolid, weighSolid } from './weigh-solid.ts';

const watched = watchedOf([testCurrency(1000, null)], 'debug');
const header = { number: 9, hash: '0a', parentHash: '09', time: 1 };
const [one, other] = [5, 6].map((units) => mineBytes(9, [{ raw: transfer(transferPayload(units)) }]).block);

function told(name: string, block: typeof one): ToldSolid {
  const list: unknown = block?.['transactions'];
  const transactions = Array.isArray(list) ? list.map(rawTransaction) : [];
  expect(transactions).toHaveLength(1);
  return {
    name,
    block: { header, transfers: [], untraced: [] },
    body: { transactions, isProven: true },
    unproven: null,
    receipts: [],
    unshownReceipts: null,
    unshownBlock: null,
  };
}

it('is a disagreement, whoever is asked first', () => {
  const weighing = { chain: 'TRON', number: 9, needed: 2, configured: 3, watched };
  for (const all of [
    [told('a', one), told('b', other)],
    [told('a', other), told('b', one), told('c', one)],
  ]) {
    expect(() => weighSolid(weighing, all)).toThrow('disagree on what moved in block 9');
  }
});
