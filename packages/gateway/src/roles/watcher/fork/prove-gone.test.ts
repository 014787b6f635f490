// A deep fork takes a booked payment away: it is proven gone, reversed, and reinstated when the new branch holds it again.
import { amountOf } from '@ducat/core/money/amount';
import { insertTestOrder, plainWriting, USDT } from '@ducat/testkit/fixtures';
import { WatchStage } from '@ducat/testkit/watcher/watch-stage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { auditBooks } from '../../../db/reports/audit.ts';
import { findOrder } from '../../../db/tables/orders/orders.ts';
import { pauseChain } from '../../../flows/blocks/pause-chain.ts';
import { resumeChain } from '../../../flows/blocks/resume-chain.ts';
import { reinstateReceipt, reverseReceipt } from '../../../flows/reversals/reverse-receipt.ts';
import { rewindChain } from '../../../flows/blocks/rewind-chain.ts';
import { planRewind } from './plan-rewind.ts';
import { proveGone } from './prove-gone.ts';
import { readFinal } from './read-final.ts';

let stage: WatchStage;
let address: string;
beforeEach(async () => {
  stage = await WatchStage.open();
  ({ address } = await insertTestOrder(stage.database));
});
afterEach(() => stage.close());

const MOST = 99;
type Holds = 'empty' | 'paid' | 'failed';
const EMPTY = Array.from<unknown, Holds>({ length: 8 }, () => 'empty');
const decision = { by: 'Ada', reason: 'a fork' };
const payment = (failed = false) => ({
  txId: 'tx-paid',
  failed,
  transfers: [{ currencyId: USDT, from: '0xpayer', to: address, units: 10_000_000n }],
});

async function theReceipt() {
  const [row] = await stage.database.reader.read<{ position: string }>(
    `SELECT position FROM transfers WHERE tx_id = 'tx-paid' AND state = 'final' ORDER BY length(position)`,
    [],
  );
  return { chain: 'ETH', txId: 'tx-paid', position: row?.position ?? '' };
}

const collected = async () => (await findOrder(stage.database.reader, 'app_1', 'ord_1'))?.collected;
const prove = async () => proveGone(stage.reader, stage.database.reader, await theReceipt(), MOST);

/** Books the payment in block 3, then lets the only provider follow a branch from block 2 on with these blocks. */
async function payAndFork(blocks: readonly Holds[]) {
  stage.chain.mineEmpty(2);
  stage.chain.mine([payment()]);
  stage.chain.mineEmpty(5);
  await stage.rest();
  expect(await collected()).toEqual(amountOf(USDT, 10_000_000n));
  const branch = stage.chain.split(stage.chain.height - 2);
  for (const holds of blocks) branch.mine(holds === 'empty' ? [] : [payment(holds === 'failed')]);
  stage.chain.main.follow(branch);
  expect(await stage.rest()).toBe('halted');
  return branch;
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

async function reverse(): Promise<string> {
  const proven = await prove();
  if (proven.outcome !== 'gone') throw new Error(proven.outcome);
  const receipt = await theReceipt();
  const input = { chain: stage.reader.definition, receipt, proof: proven.proof, ...decision, nowMs: 1 };
  return (await stage.database.transact((tx) => reverseReceipt(tx, input))).outcome;
}

it('is proven by the block of the new branch and by every block that was skipped', async () => {
  stage.chain.mineEmpty(1);
  await stage.rest();
  expect(await prove()).toEqual({ outcome: 'unknown-receipt' });
  stage.chain.mine([payment()]);
  stage.chain.mineEmpty(5);
  await stage.rest();
  expect(await prove()).toEqual({ outcome: 'on-chain', number: 2 });
});

it('is not proven before the books are led past the fork', async () => {
  const branch = await payAndFork(EMPTY);
  expect(await prove()).toEqual({ outcome: 'not-skipped', number: 3 });
  await rewind();
  const { hash, time } = branch.header(3);
  const proof = { at: { number: 3, hash, time }, from: 0, to: (await stage.cursor()).startNumber! - 1 };
  expect(await prove()).toEqual({ outcome: 'gone', proof });
  // hits mark: a-currency-that-is-not-read-shows-no-repetition
  const definition = { ...stage.reader.definition, currencies: [] };
  const unread = { ...stage.reader, definition };
  const refused = { outcome: 'not-read', currencyId: USDT };
  expect(await proveGone(unread, stage.database.reader, await theReceipt(), MOST)).toEqual(refused);
  const few = await proveGone(stage.reader, stage.database.reader, await theReceipt(), 2);
  expect(few).toEqual({ outcome: 'too-many' });
  expect(await reverse()).toBe('reversed');
  expect(await stage.rest()).toBe('idle');
  expect(await collected()).toEqual(amountOf(USDT, 0n));
  expect(await auditBooks(stage.database.reader)).toEqual([]);
});

it('is not proven where a skipped block of the new branch holds the payment', async () => {
  await payAndFork(EMPTY.with(2, 'paid'));
  await rewind();
  expect(await prove()).toEqual({ outcome: 'held', number: 5 });
});

it('is proven where the transaction failed on the new branch', async () => {
  await payAndFork(EMPTY.with(2, 'failed'));
  await rewind();
  expect(await reverse()).toBe('reversed');
  expect(await auditBooks(stage.database.reader)).toEqual([]);
});

it('counts again where the new branch pays it later: the chain waits, is led past that block, and goes on', async () => {
  const branch = await payAndFork(EMPTY);
  await rewind();
  expect(await reverse()).toBe('reversed');
  expect(await stage.rest()).toBe('idle');
  const again = branch.mine([payment()]);
  branch.mineEmpty(5);
  expect(await stage.rest()).toBe('invalid');
  expect(stage.logged.at(-1)).toContain('repeats a transfer');

  const pause = { chain: 'ETH', reason: 'came again', nowMs: stage.nowMs };
  await stage.database.transact((tx) => pauseChain(tx, pause));
  await rewind(again.number);
  const receipt = await theReceipt();
  const block = await readFinal(stage.reader, again.number, new Set(['tx-paid']));
  const shown = block?.transfers.find(({ position }) => position === receipt.position);
  if (shown === undefined) throw new Error('the block holds the payment');
  const input = { receipt, shown, ...plainWriting, ...decision, nowMs: 2 };
  const { outcome } = await stage.database.transact((tx) => reinstateReceipt(tx, input));
  expect(outcome).toBe('reinstated');
  expect(await stage.rest()).toBe('idle');
  expect(await collected()).toEqual(amountOf(USDT, 10_000_000n));
  expect(await auditBooks(stage.database.reader)).toEqual([]);
});
