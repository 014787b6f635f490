// Coin that a deep fork took away: balances find coin too, so it must come back once, however it is found.
import type { FakeTransfer } from '@ducat/testkit/chains/fake/blocks-in-memory';
import { insertTestOrder, plainWriting } from '@ducat/testkit/fixtures';
import { WatchStage } from '@ducat/testkit/watcher/watch-stage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { auditBooks } from '../../../db/reports/audit.ts';
import { pauseChain } from '../../../flows/blocks/pause-chain.ts';
import { resumeChain } from '../../../flows/blocks/resume-chain.ts';
import { rewindChain } from '../../../flows/blocks/rewind-chain.ts';
import { reinstateReceipt, reverseReceipt } from '../../../flows/reversals/reverse-receipt.ts';
import { planRewind } from './plan-rewind.ts';
import { proveGone } from './prove-gone.ts';
import { readFinal } from './read-final.ts';

const COIN = 1000;
const ether = 10n ** 18n;
const decision = { by: 'Ada', reason: 'a fork' };
let stage: WatchStage;
let address: string;
beforeEach(async () => {
  stage = await WatchStage.open();
  ({ address } = await insertTestOrder(stage.database, { currencyId: COIN, units: ether }));
});
afterEach(() => stage.close());

const payment = (kind: NonNullable<FakeTransfer['kind']>) => ({
  txId: '0xpaid',
  transfers: [{ currencyId: COIN, from: '0xpayer', to: address, units: ether, kind }],
});

async function theReceipt() {
  const [row] = await stage.database.reader.read<{ txId: string; position: string }>(
    `SELECT tx_id AS "txId", position FROM transfers WHERE state = 'final' ORDER BY length(position)`,
    [],
  );
  return { chain: 'ETH', txId: row?.txId ?? '', position: row?.position ?? '' };
}

/** What the books hold for the app and for people to decide, in whole coins. */
async function credited(): Promise<number> {
  const [row] = await stage.database.reader.read<{ coins: number }>(
    `SELECT coalesce(sum(balance) / 1e18, 0)::integer AS coins FROM accounts
     WHERE kind IN ('available', 'unassigned') AND currency_id = ${COIN}`,
    [],
  );
  return row?.coins ?? 0;
}

const prove = async () => proveGone(stage.reader, stage.database.reader, await theReceipt(), 99);

async function reverse(): Promise<string> {
  const proven = await prove();
  if (proven.outcome !== 'gone') return proven.outcome;
  const { definition: chain } = stage.reader;
  const input = { chain, receipt: await theReceipt(), proof: proven.proof, ...decision, nowMs: 1 };
  return (await stage.database.transact((tx) => reverseReceipt(tx, input))).outcome;
}

async function rewind(chosen: number | null = null): Promise<void> {
  const planned = await planRewind({ chain: stage.reader, reader: stage.database.reader, chosen });
  if (planned.outcome !== 'planned') throw new Error(planned.outcome);
  const { head, target, ancestor } = planned.plan;
  const input = { chain: 'ETH', tipHash: head.hash, target, ancestor, ...decision, nowMs: stage.nowMs };
  const rewound = await stage.database.transact((tx) => rewindChain(tx, input));
  expect(rewound.outcome).toBe('rewound');
  await stage.database.transact((tx) => resumeChain(tx, 'ETH', stage.nowMs));
}

/** Books the payment of block 3, and leads the books past a fork whose branch holds no payment up to block 10. */
async function payAndFork(kind: NonNullable<FakeTransfer['kind']>) {
  stage.chain.mineEmpty(2);
  stage.chain.mine([payment(kind)]);
  stage.chain.mineEmpty(5);
  await stage.rest();
  await stage.search();
  expect(await credited()).toBe(1);
  const branch = stage.chain.split(stage.chain.height - 2);
  for (let mined = 0; mined < 8; mined++) branch.mine();
  stage.chain.main.follow(branch);
  expect(await stage.rest()).toBe('halted');
  await rewind();
  await stage.rest();
  return branch;
}

// hits mark: found-by-balance-or-reinstated
it('is not credited twice where the search has found it by its balance before it is reinstated', async () => {
  const branch = await payAndFork('transfer');
  expect(await reverse()).toBe('reversed');
  expect(await credited()).toBe(0);
  const again = branch.mine([payment('transfer')]);
  branch.mineEmpty(5);
  expect(await stage.rest()).toBe('invalid');
  const pause = { chain: 'ETH', reason: 'came again', nowMs: stage.nowMs };
  await stage.database.transact((tx) => pauseChain(tx, pause));
  await rewind(again.number);
  const block = await readFinal(stage.reader, again.number, new Set(['0xpaid']));
  const [shown] = block?.transfers ?? [];
  if (shown === undefined) throw new Error('the block holds the payment');
  branch.mineEmpty(3);
  await stage.rest();
  expect(await stage.search()).toBe('busy');
  expect(await credited()).toBe(1);
  const input = { receipt: shown, shown, ...plainWriting, ...decision, nowMs: 2 };
  const { outcome } = await stage.database.transact((tx) => reinstateReceipt(tx, input));
  expect([outcome, await credited()]).toEqual(['found-by-balance', 1]);
  expect(await auditBooks(stage.database.reader)).toEqual([]);
});

it('which moved inside a call stays where a block holds it that the books have read without seeing it', async () => {
  const branch = await payAndFork('internal');
  const again = branch.mine([payment('internal')]);
  branch.mineEmpty(5);
  expect(await stage.rest()).toBe('idle');
  expect(await prove()).toEqual({ outcome: 'held', number: again.number });
  expect(await credited()).toBe(1);
});

it('which moved inside a call is reversed where no final block holds it, and comes back by its balance', async () => {
  const branch = await payAndFork('internal');
  expect(await reverse()).toBe('reversed');
  expect(await credited()).toBe(0);
  branch.mine([payment('internal')]);
  branch.mineEmpty(5);
  await stage.rest();
  expect(await stage.search()).toBe('busy');
  expect(await credited()).toBe(1);
  expect(await auditBooks(stage.database.reader)).toEqual([]);
});

it('which a balance alone showed is not reversed, because nothing could prove that it is gone', async () => {
  await payAndFork('hidden');
  expect(await reverse()).toBe('no-transaction');
});
