// Catching up takes blocks by the batch, and comes to the same books as block by block.
import { eth } from '@ducat/core/chain/definitions/eth';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { createFakeChain, type FakeChain } from '../../chains/fake/fake-chain.ts';
import { Outage } from '../../runtime/outage.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import { auditBooks } from '../../db/reports/audit.ts';
import { findOrder } from '../../db/tables/orders.ts';
import type { Transact } from '../../db/postgres/tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  insertApp,
  insertTestOrder,
  plainEncode,
  START_TIME,
  TEST_LEASE,
  USDT,
} from '@ducat/testkit/fixtures';
import { silentObserver } from '@ducat/testkit/watcher/silent-observer';
import type { LeasedChain } from './parts.ts';
import { stepChain } from './watch-chain.ts';

const definition = { ...eth, confirmations: 4 };
const BLOCKS = 69;
const PAID_IN = 40;

let database: TestDatabase;
let chain: FakeChain;
let accepted: number[];
let transactions: number;
let alarms: number;
/** Whether the next batch is taken and its COMMIT gets no answer. */
let isSilent: boolean;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  chain = createFakeChain({ definition, seed: 11, startTime: START_TIME });
  [accepted, transactions, alarms, isSilent] = [[], 0, 0, false];
  const { address: to } = await insertTestOrder(database);
  for (let number = chain.height + 1; number <= BLOCKS; number++) {
    const movement = { currencyId: USDT, from: '0xpayer', to, units: 10_000_000n };
    chain.mine(number === PAID_IN ? [{ movements: [movement] }] : []);
  }
});
afterEach(() => database.drop());

function watch(): LeasedChain {
  const nothing = () => undefined;
  const counted: Transact = async (flow, shape) => {
    transactions++;
    const done = await database.transact(flow, shape);
    if (!isSilent || !Array.isArray(done)) return done;
    isSilent = false;
    throw new Outage('a COMMIT got no answer in time', { retryable: true });
  };
  return {
    chain: chain.port,
    startBlock: 0,
    transact: counted,
    reader: database.reader,
    world: { nowMs: () => 0, random: (bytes) => new Uint8Array(bytes), sleep: () => Promise.resolve() },
    encode: plainEncode,
    newEventId: () => `evt_${transactions}`,
    holder: TEST_LEASE.holder,
    lease: TEST_LEASE,
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    observer: {
      ...silentObserver,
      onAccepted: (_, block) => accepted.push(block),
      onUntraced: () => {
        alarms += 1;
      },
    },
  };
}

async function headNumber(): Promise<number> {
  return (await readCursors(database.reader)).get('ETH')?.head?.number ?? -1;
}

it('accepts each block once, in order, in far fewer transactions, and books what they hold', async () => {
  const watched = watch();
  while ((await stepChain(watched)) === 'busy');
  expect(accepted).toEqual(Array.from({ length: BLOCKS + 1 }, (_, number) => number));
  expect(transactions).toBeLessThan(BLOCKS / 2);
  expect(await headNumber()).toBe(BLOCKS);
  expect((await findOrder(database.reader, 'app_1', 'ord_1'))?.status).toBe('PAID');
  expect(await auditBooks(database.reader)).toEqual([]);
});

it('takes the blocks below one that does not follow, and not that one', async () => {
  const watched = watch();
  expect(await stepChain(watched)).toBe('busy');
  expect(await headNumber()).toBe(15);
  chain.lie({
    readBlock: (block) =>
      block?.header.number === 25
        ? { ...block, header: { ...block.header, parentHash: '0xforeign' } }
        : block,
  });
  await stepChain(watched).catch(() => undefined);
  expect(accepted.at(-1)).toBe(24);
  chain.lie();
  while ((await stepChain(watched)) === 'busy');
  expect(await headNumber()).toBe(BLOCKS);
  expect((await findOrder(database.reader, 'app_1', 'ord_1'))?.status).toBe('PAID');
  expect(await auditBooks(database.reader)).toEqual([]);
});

it('tells what nobody knows of its blocks also where its COMMIT got no answer', async () => {
  const odd = [18, 20, 25, 30];
  chain.lie({
    readBlock: (block) =>
      block !== null && odd.includes(block.header.number)
        ? { ...block, untraced: [{ txId: `0x${block.header.number}`, reason: 'too-much-to-trace' }] }
        : block,
  });
  const watched = watch();
  expect(await stepChain(watched)).toBe('busy');
  isSilent = true;
  await expect(stepChain(watched)).rejects.toBeInstanceOf(Outage);
  while ((await stepChain(watched)) === 'busy');
  expect(await headNumber()).toBe(BLOCKS);
  expect(alarms).toBe(odd.length);
});
