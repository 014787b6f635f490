// A block that was misread is found out before it counts: what was forged, altered or left out is put right once.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createFakeChain, type FakeChain } from '../../chains/fake/fake-chain.ts';
import type { ChainBlock, ChainPort } from '../../chains/port.ts';
import { Outage } from '../../runtime/outage.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { fillAddressPool } from '../../flows/addresses/fill-address-pool.ts';
import { auditBooks } from '../../db/reports/audit.ts';
import {
  insertApp,
  insertTestOrder,
  plainAddress,
  plainEncode,
  START_TIME,
  TEST_LEASE,
  USDT,
} from '@ducat/testkit/fixtures';
import { realWorld } from '../../runtime/world.ts';
import { silentObserver } from '@ducat/testkit/watcher/silent-observer';
import type { LeasedChain } from './parts.ts';
import { stepChain } from './watch-chain.ts';

const definition = { ...eth, confirmations: 3, blockTimeMs: 1_000 };
let database: TestDatabase;
let chain: FakeChain;
let errors: string[];
let isSolidAway: boolean;
let alarms: string[];

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  chain = createFakeChain({ definition, seed: 3, startTime: START_TIME });
  errors = [];
  isSolidAway = false;
  alarms = [];
});
afterEach(() => database.drop());

/** The port of a chain whose blocks do not prove themselves: only what is final is honest. */
function doubtful(lie: (block: ChainBlock) => ChainBlock): ChainPort {
  const { port } = chain;
  const readFinal: ChainPort['readFinal'] = async (number, watched) => {
    if (isSolidAway) throw new Outage('the solid view is away', { retryable: true });
    const block = await port.readBlock(number, watched);
    if (block === null) throw new Error(`block ${number} is not there`);
    return block;
  };
  return {
    ...port,
    readFinal,
    readBlock: async (number, watched) => {
      const block = await port.readBlock(number, watched);
      const solid = await port.finalBlock(await port.head());
      return block === null || number <= (solid?.number ?? -1) ? block : lie(block);
    },
  };
}

function watchOf(port: ChainPort): LeasedChain {
  const silent = () => undefined;
  return {
    chain: port,
    startBlock: 0,
    transact: database.transact,
    reader: database.reader,
    world: realWorld,
    encode: plainEncode,
    newEventId: () => `evt_${Math.random()}`,
    holder: 'test',
    lease: TEST_LEASE,
    log: { debug: silent, info: silent, warn: silent, error: (_, message) => errors.push(message) },
    observer: {
      ...silentObserver,
      onUntraced: (_, reason) => alarms.push(reason),
    },
  };
}

/** Mines block by block and lets the watcher see each head. */
async function walk(watch: LeasedChain, blocks: number): Promise<void> {
  for (let mined = 0; mined < blocks; mined++) {
    chain.mine();
    for (let step = 0; step < 20 && (await stepChain(watch)) === 'busy'; step++);
  }
}

async function booked(): Promise<readonly string[]> {
  const rows = await database.reader.read<{ tx_id: string; state: string; units: string }>(
    'SELECT tx_id, state, units FROM transfers ORDER BY tx_id',
    [],
  );
  return rows.map(({ state, units }) => `${state} ${units}`);
}

describe('a chain that stands still', () => {
  it('has all settled that is final, in as many shares as it takes', async () => {
    const { address } = await insertTestOrder(database);
    let isStalled = true;
    const honest = doubtful((block) => block);
    const finalBlock: ChainPort['finalBlock'] = (atMost) =>
      isStalled ? Promise.resolve(null) : chain.port.finalBlock(atMost);
    const watch = watchOf({ ...honest, finalBlock });
    await walk(watch, 40);
    chain.mine([{ movements: [{ currencyId: USDT, from: '0xpayer', to: address, units: 10_000_000n }] }]);
    await walk(watch, 10);
    expect(await booked()).toEqual(['seen 10000000']);
    isStalled = false;
    // Nothing is mined any more.
    for (let step = 0; step < 10; step++) await stepChain(watch);
    expect(await booked()).toEqual(['final 10000000']);
    expect(await stepChain(watch)).toBe('idle');
  });
});

describe('a block that is read again', () => {
  it.each<readonly [string, (block: ChainBlock) => ChainBlock]>([
    ['right', (block) => block],
    ['with a larger amount', (block) => changed(block, 99_000_000n)],
    ['with a smaller amount', (block) => changed(block, 1n)],
    ['without the payment', (block) => ({ ...block, transfers: [] })],
  ])('after it was read %s counts as it is', async (_, lie) => {
    const { address } = await insertTestOrder(database);
    const watch = watchOf(doubtful(lie));
    await walk(watch, 2);
    const movement = { currencyId: USDT, from: '0xpayer', to: address, units: 10_000_000n };
    chain.mine([{ movements: [movement] }]);
    await walk(watch, 6);
    expect(await booked()).toEqual(['final 10000000']);
    const fooled = lie.toString() !== ((block: ChainBlock) => block).toString();
    expect(errors).toEqual(fooled ? ['a final block holds other transfers than were read of it before'] : []);
  });

  it('is not credited when it was forged', async () => {
    const { address } = await insertTestOrder(database);
    const forge = (block: ChainBlock): ChainBlock => ({
      ...block,
      transfers:
        block.header.number === 4
          ? [
              {
                chain: 'ETH',
                txId: '0xforged',
                position: 'log:0',
                from: '0xpayer',
                to: address,
                amount: amountOf(USDT, 10_000_000n),
                block: block.header,
              },
            ]
          : block.transfers,
    });
    await walk(watchOf(doubtful(forge)), 4);
    expect(await booked()).toEqual(['seen 10000000']);
    await walk(watchOf(doubtful(forge)), 6);
    expect(await booked()).toEqual(['orphaned 10000000']);
    expect(errors).toHaveLength(1);
  });

  it('waits while it cannot be read again, and counts afterwards', async () => {
    const { address } = await insertTestOrder(database);
    const watch = watchOf(doubtful((block) => block));
    await walk(watch, 1);
    isSolidAway = true;
    chain.mine([{ movements: [{ currencyId: USDT, from: '0xpayer', to: address, units: 10_000_000n }] }]);
    await walk(watch, 40);
    expect(await booked()).toEqual(['seen 10000000']);
    isSolidAway = false;
    await walk(watch, 4);
    expect(await booked()).toEqual(['final 10000000']);
  });

  it('that the endpoints dispute holds up itself and what is above it, and nothing below', async () => {
    const { address } = await insertTestOrder(database);
    const pay = (units: bigint) =>
      chain.mine([{ movements: [{ currencyId: USDT, from: '0xpayer', to: address, units }] }]);
    const port = doubtful((block) => block);
    let isStalled = true;
    let disputed = Infinity;
    const kinds: string[] = [];
    const readFinal: ChainPort['readFinal'] = async (number, watched) => {
      const block = await port.readFinal?.(number, watched);
      if (block === undefined || number === disputed)
        throw new Outage('the endpoints disagree', { retryable: true, kind: 'disagreement' });
      return block;
    };
    const finalBlock: ChainPort['finalBlock'] = (atMost) =>
      isStalled ? Promise.resolve(null) : chain.port.finalBlock(atMost);
    const watch = watchOf({ ...port, readFinal, finalBlock });
    const told = {
      ...watch,
      observer: { ...watch.observer, onOutage: (_: string, kind: string) => kinds.push(kind) },
    };
    await walk(told, 2);
    pay(1_000_000n);
    await walk(told, 2);
    disputed = pay(2_000_000n).number;
    await walk(told, 1);
    pay(3_000_000n);
    await walk(told, 6);
    isStalled = false;
    await walk(told, 6);
    expect((await booked()).toSorted()).toEqual(['final 1000000', 'seen 2000000', 'seen 3000000']);
    const cursors = 'SELECT final_number::int AS final FROM chain_cursors';
    expect(await database.reader.read(cursors, [])).toEqual([{ final: disputed - 1 }]);
    // It is told that something was left out, and not only when nothing is left.
    expect(kinds.length).toBeGreaterThanOrEqual(6);
    expect(new Set(kinds)).toEqual(new Set(['disagreement']));
    disputed = Infinity;
    await walk(told, 4);
    expect((await booked()).toSorted()).toEqual(['final 1000000', 'final 2000000', 'final 3000000']);
    expect(errors).toEqual([]);
  });

  // hits mark: nothing-final-unread
  it('settles nothing while another block is told below a final one of ours', async () => {
    const { address } = await insertTestOrder(database);
    const port = doubtful((block) => block);
    let isOther = true;
    const kinds: string[] = [];
    const readFinal: ChainPort['readFinal'] = async (number, watched) => {
      const block = await port.readFinal?.(number, watched);
      if (block === undefined) throw new Error('nothing is read again');
      const hidden = { header: { ...block.header, hash: '0xother' }, transfers: [], untraced: [] };
      return isOther && number === 2 ? hidden : block;
    };
    const watch = watchOf({ ...port, readFinal });
    const told = {
      ...watch,
      observer: { ...watch.observer, onOutage: (_: string, kind: string) => kinds.push(kind) },
    };
    await walk(told, 1);
    chain.mine([{ movements: [{ currencyId: USDT, from: '0xpayer', to: address, units: 10_000_000n }] }]);
    await walk(told, 6);
    expect(await booked()).toEqual(['seen 10000000']);
    expect(new Set(kinds)).toEqual(new Set(['disagreement']));
    isOther = false;
    await walk(told, 3);
    expect(await booked()).toEqual(['final 10000000']);
  });
});

describe('an address that is known to us late', () => {
  const late = plainAddress('key2', 0);
  const movement = { currencyId: USDT, from: '0xpayer', to: late, units: 10_000_000n };
  const fill = () =>
    database.transact((tx) =>
      fillAddressPool(tx, { appId: 'app_2', family: 'evm', derive: plainAddress, target: 1 }),
    );

  beforeEach(async () => {
    await insertApp(database, { appId: 'app_2', account: 2, addresses: 0 });
  });

  async function expectCreditedOnce(): Promise<void> {
    expect(await booked()).toEqual(['final 10000000']);
    expect(await database.reader.read('SELECT reference FROM entries', [])).toHaveLength(1);
    expect(await database.reader.read("SELECT 1 FROM orders WHERE status = 'PAID'", [])).toHaveLength(1);
    expect(await auditBooks(database.reader)).toEqual([]);
  }

  it('after its block was read is credited once, as the block is compared when it is accepted', async () => {
    const port = doubtful((block) => block);
    const readBlock: ChainPort['readBlock'] = async (number, watched) => {
      const block = await port.readBlock(number, watched);
      if (block !== null && block.transfers.length > 0) {
        await fill();
        await insertTestOrder(database, { appId: 'app_2' });
      }
      return block;
    };
    const watch = watchOf({ ...port, readBlock });
    await walk(watch, 1);
    chain.mine([{ movements: [movement] }]);
    await walk(watch, 6);
    await expectCreditedOnce();
    expect(errors).toEqual([]);
  });

  it('after its block was accepted is credited once: what it holds more than the books undoes it once', async () => {
    const watch = watchOf(doubtful((block) => block));
    await walk(watch, 1);
    chain.mine([{ movements: [movement] }]);
    await walk(watch, 1);
    expect(await booked()).toEqual([]);
    await fill();
    await insertTestOrder(database, { appId: 'app_2' });
    await walk(watch, 6);
    await expectCreditedOnce();
    expect(errors).toHaveLength(1);
    expect(await database.reader.read('SELECT 1 FROM reorgs', [])).toHaveLength(1);
  });
});

describe('what is untraced', () => {
  const odd = { txId: '0xodd', reason: 'unclear-receipt' } as const;

  /** The head tells `early` of block 2, and what is final tells `late`. */
  function telling(early: ChainBlock['untraced'], late: ChainBlock['untraced']): ChainPort {
    const { port } = chain;
    const at = (untraced: ChainBlock['untraced'], block: ChainBlock): ChainBlock =>
      block.header.number === 2 ? { ...block, untraced } : block;
    return {
      ...port,
      readBlock: async (number, watched) => {
        const block = await port.readBlock(number, watched);
        return block === null ? null : at(early, block);
      },
      readFinal: async (number, watched) => {
        const block = await port.readBlock(number, watched);
        if (block === null) throw new Error(`block ${number} is not there`);
        return at(late, block);
      },
    };
  }

  it.each<readonly [string, ChainBlock['untraced'], ChainBlock['untraced'], readonly string[]]>([
    ['only in what is final is told once', [], [odd], ['unclear-receipt']],
    ['in both is told once', [odd], [odd], ['unclear-receipt']],
    [
      'more in what is final is told for the rest',
      [odd],
      [odd, { txId: null, reason: 'unshown-receipts' }],
      ['unclear-receipt', 'unshown-receipts'],
    ],
    ['only before is told then', [odd], [], ['unclear-receipt']],
  ])('%s', async (_, early, late, told) => {
    const watch = watchOf(telling(early, late));
    await walk(watch, 9);
    expect(alarms).toEqual(told);
    expect(errors).toEqual(
      (early.length > 0 ? [early] : [])
        .concat(told.length > early.length ? [late] : [])
        .map(() => 'value inside these transactions is unknown'),
    );
  });
});

function changed(block: ChainBlock, units: bigint): ChainBlock {
  const transfers = block.transfers.map((one) => ({
    ...one,
    amount: amountOf(one.amount.currencyId, units),
  }));
  return { ...block, transfers };
}
