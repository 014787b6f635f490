// Value that no log shows: found by the balance of a quorum, explained by a trace or a proposal, booked in any case.
import { amountOf } from '@ducat/core/money/amount';
import { afterEach, describe, expect, it } from 'vitest';
import { insertTestOrder, START_TIME } from '@ducat/testkit/fixtures';
import { type StageOptions, WatchStage } from '@ducat/testkit/watcher/watch-stage';
import { testDefinition } from '@ducat/testkit/chains/test-currencies';
import type { FakeTransfer } from '@ducat/testkit/chains/fake/blocks-in-memory';
import type { FakeProvider } from '@ducat/testkit/chains/fake/fake-provider';
import type { FakeProviderOptions } from '@ducat/testkit/chains/fake/honest-provider';
import type { BalanceReport } from '../../../chains/port/reader.ts';
import type { Reader } from '../../../db/postgres/tx.ts';
import { auditBooks } from '../../../db/reports/audit.ts';
import { findOrder } from '../../../db/tables/orders/orders.ts';
import { Outage } from '../../../runtime/outage.ts';
import { searchOnce } from './search-once.ts';

const COIN = 1000;
const ether = 10n ** 18n;
/** As on Tron: nobody can look back, and what receipts show is a proposal. */
const likeTron = { isProven: false, hasPastBalances: false, hasProposals: true } as const;

let stage: WatchStage;
let all: FakeProvider[];
let address: string;
afterEach(() => stage.close());

/** Makes an order over one coin and one search after it, so that the next search has a stretch to compare. */
async function begin(providers: readonly FakeProviderOptions[], options: StageOptions = {}): Promise<void> {
  all = [];
  stage = await WatchStage.open({
    ...options,
    providers: (chain) => {
      for (const [place, of] of providers.entries()) all.push(chain.provider(`p${place}`, of));
      return all;
    },
  });
  ({ address } = await insertTestOrder(stage.database, { currencyId: COIN, units: ether }));
  await stage.mine(5);
  expect(await stage.search()).toBe('busy');
}

const send = (kind: FakeTransfer['kind'], units = ether, to = address) => ({
  txId: `0x${kind}${units}`,
  transfers: [{ currencyId: COIN, from: '0xcontract', to, units, ...(kind === undefined ? {} : { kind }) }],
});

/** Every transfer in the books: state, what it turned out to be, block, units and transaction. */
async function booked(): Promise<readonly string[]> {
  const rows = await stage.database.reader.read<
    Record<'state' | 'disposition' | 'units' | 'tx_id', string | null> & { block_number: number }
  >(
    'SELECT state, disposition, block_number, units, tx_id FROM transfers ORDER BY block_number, ordinal',
    [],
  );
  return rows.map(({ state, disposition, block_number: block, units, tx_id: txId }) => {
    const isOfBlock = txId?.startsWith('balance:') === true;
    return `${state} ${disposition} ${block} ${units} ${isOfBlock ? 'balance' : txId}`;
  });
}

const status = async () => (await findOrder(stage.database.reader, 'app_1', 'ord_1'))?.status;

describe('on a chain that can look back', () => {
  it.each<readonly [string, FakeProviderOptions, FakeTransfer['kind'], string, string]>([
    ['a transaction that is traced', {}, 'internal', `final payment 8 ${ether} 0xinternal${ether}`, 'PAID'],
    [
      'one that nobody traces',
      { canTrace: false },
      'internal',
      `final unassigned 8 ${ether} balance`,
      'TO-BE-PAID',
    ],
    ['a block reward', {}, 'hidden', `final unassigned 8 ${ether} balance`, 'TO-BE-PAID'],
    [
      'a state that is gone',
      { stateBlocks: 6 },
      'internal',
      `final unassigned 12 ${ether} balance`,
      'TO-BE-PAID',
    ],
  ])('%s', async (_, options, kind, expected, becomes) => {
    await begin([options]);
    await stage.mine(2);
    stage.chain.mine([send(kind)]);
    await stage.mine(6);
    expect(await stage.search()).toBe('busy');
    expect(await booked()).toEqual([expected]);
    expect(await status()).toBe(becomes);
    expect(stage.internal).toEqual([expected.includes('balance') ? 'unassigned 1' : 'explained 1']);
    expect(stage.noted).toEqual({ unassigned: expected.includes('balance') ? 1 : 0, outflows: 0, absurd: 0 });
    expect(stage.fields).toContainEqual(
      expect.objectContaining({
        chain: 'ETH',
        address,
        difference: '1',
        outcome: expected.includes('balance') ? 'unassigned' : 'explained',
      }),
    );
    // Once is enough, and the books agree with the chain.
    await stage.mine(3);
    expect(await stage.search()).toBe('busy');
    expect(await booked()).toHaveLength(1);
    expect(await auditBooks(stage.database.reader)).toEqual([]);
  });

  it('several blocks and addresses are each found where they are, for few balances', async () => {
    await begin([{}]);
    const other = await insertTestOrder(stage.database, { currencyId: COIN, units: ether, tradeNo: 'ord_2' });
    await stage.mine(9);
    stage.chain.mine([send('internal'), send('internal', 2n * ether, other.address)]);
    await stage.mine(20);
    stage.chain.mine([send('internal', 3n * ether)]);
    await stage.mine(12);
    const before = all[0]?.calls('balances') ?? 0;
    await stage.search();
    expect(await booked()).toEqual([
      `final payment 15 ${ether} 0xinternal${ether}`,
      `final payment 15 ${2n * ether} 0xinternal${2n * ether}`,
      `final extra 36 ${3n * ether} 0xinternal${3n * ether}`,
    ]);
    expect((all[0]?.calls('balances') ?? 0) - before).toBeLessThanOrEqual(2 + 2 * 6);
    expect(await status()).toBe('PAID');
  });

  it('a direct payment is no surplus, and one beside an internal transaction is distinguished', async () => {
    await begin([{}]);
    stage.chain.mine([send('transfer', ether / 4n), send('internal', ether / 2n)]);
    await stage.mine(6);
    await stage.search();
    expect(await booked()).toEqual([
      `final payment 6 ${ether / 4n} 0xtransfer${ether / 4n}`,
      `final payment 6 ${ether / 2n} 0xinternal${ether / 2n}`,
    ]);
  });

  it('what another search books meanwhile is not booked again', async () => {
    await begin([{}]);
    stage.chain.mine([send('internal')]);
    await stage.mine(6);
    const { signal } = new AbortController();
    let isFirst = true;
    const reader: Reader = {
      read: async (sql, values) => {
        const rows = await stage.database.reader.read(sql, values);
        // An in-doubt commit becomes visible late: between two reads of the books.
        if (isFirst && sql.includes('sum(units)')) {
          isFirst = false;
          expect(await stage.search()).toBe('busy');
        }
        return rows as never;
      },
    };
    await searchOnce({ ...stage.watch, reader }, { signal, waitsForTrace: true });
    expect(await booked()).toEqual([`final payment 6 ${ether} 0xinternal${ether}`]);
  });

  it('what is in the books is not booked again where a trace names its place in another way', async () => {
    await begin([{}]);
    stage.chain.mine([send('internal')]);
    await stage.mine(6);
    const [provider] = all;
    provider?.lie({
      internalTransfers: (truth) => truth.map((one) => ({ ...one, position: 'internal:0.2.1' })),
    });
    await stage.search();
    provider?.lie();
    await stage.mine(3);
    stage.chain.mine([send('internal', 2n * ether)]);
    await stage.mine(6);
    await stage.search();
    expect(await booked()).toEqual([
      `final payment 6 ${ether} 0xinternal${ether}`,
      `final extra 16 ${2n * ether} 0xinternal${2n * ether}`,
    ]);
    expect(await auditBooks(stage.database.reader)).toEqual([]);
  });

  it('what a trace invents is not booked, and what it leaves out is', async () => {
    await begin([{}]);
    const lie = { chain: 'ETH', txId: '0xinvented', position: 'internal:0', from: '0xcontract', to: address };
    all[0]?.lie({
      internalTransfers: (truth) => [
        ...truth.map((one) => ({ ...one, ...lie, amount: amountOf(COIN, 9n * ether) })),
        ...truth.map((one) => ({
          ...one,
          ...lie,
          position: 'internal:1',
          amount: amountOf(COIN, ether / 4n),
        })),
        ...truth.map((one) => ({
          ...one,
          ...lie,
          position: 'internal:1',
          amount: amountOf(COIN, ether / 4n),
        })),
      ],
    });
    stage.chain.mine([send('internal')]);
    await stage.mine(6);
    await stage.search();
    expect(await booked()).toEqual([
      `final payment 6 ${ether / 4n} 0xinvented`,
      `final unassigned 6 ${(3n * ether) / 4n} balance`,
    ]);
    expect((await stage.cursor()).haltedReason).toBeNull();
    expect(await auditBooks(stage.database.reader)).toEqual([]);
  });

  it('what a trace says to come from an address of ours is no explanation: that would credit its order', async () => {
    await begin([{}, {}, {}]);
    const other = await insertTestOrder(stage.database, { currencyId: COIN, units: ether, tradeNo: 'ord_2' });
    all[0]?.lie({
      internalTransfers: (truth) => truth.map((one) => ({ ...one, from: other.address })),
    });
    stage.chain.mine([send('internal')]);
    await stage.mine(6);
    await stage.search();
    await stage.mine(3);
    await stage.search();
    expect(await booked()).toEqual([`final unassigned 6 ${ether} balance`]);
    expect((await findOrder(stage.database.reader, 'app_1', 'ord_2'))?.status).toBe('TO-BE-PAID');
  });

  it('a trace that could be had and is not is waited for, but not for ever', async () => {
    await begin([{}]);
    stage.chain.mine([send('internal')]);
    await stage.mine(6);
    all[0]?.lie({
      internalTransfers: () => {
        throw new Outage('the trace is not ready', { kind: 'not-yet' });
      },
    });
    expect(await stage.search()).toBe('not-yet');
    expect(await booked()).toEqual([]);
    expect(await stage.search({ waitsForTrace: false })).toBe('busy');
    expect(await booked()).toEqual([`final unassigned 6 ${ether} balance`]);
  });

  it('what an address held before it mattered is one receipt of the newest final block', async () => {
    await begin([{}]);
    const late = await stage.freeAddress();
    stage.chain.mine([send('internal', ether, late)]);
    await stage.mine(4);
    await stage.search();
    expect(await booked()).toEqual([]);
    const order = await insertTestOrder(stage.database, { currencyId: COIN, units: ether, tradeNo: 'ord_2' });
    expect(order.address).toBe(late);
    stage.chain.mine([send('internal', 2n * ether, late)]);
    await stage.mine(4);
    await stage.search();
    const final = (await stage.cursor()).finalNumber;
    expect((await booked()).toSorted()).toEqual([
      `final payment 11 ${2n * ether} 0xinternal${2n * ether}`,
      `final unassigned ${final} ${ether} balance`,
    ]);
  });
});

describe('on a chain that cannot look back', () => {
  it.each<readonly [string, FakeProviderOptions, FakeTransfer['kind'], string]>([
    ['a proposal that the balance confirms', {}, 'internal', `final payment 6 ${ether} 0xinternal${ether}`],
    ['what no node stores', { hasProposals: false }, 'internal', `final unassigned 10 ${ether} balance`],
    ['what nobody shows', {}, 'hidden', `final unassigned 10 ${ether} balance`],
  ])('%s', async (_, options, kind, expected) => {
    await begin([{ ...likeTron, ...options }]);
    stage.chain.mine([send(kind)]);
    await stage.mine(6);
    expect(await stage.search()).toBe('busy');
    expect(await booked()).toEqual([expected]);
    expect(await auditBooks(stage.database.reader)).toEqual([]);
  });

  it('a proposal that never happened is dismissed, and counts for nothing', async () => {
    await begin([likeTron]);
    const proposal = {
      chain: 'ETH',
      txId: '0xinvented',
      position: 'internal:0',
      from: '0xcontract',
      amount: amountOf(COIN, ether),
    };
    all[0]?.lie({
      block: (block) =>
        block?.header.number === 6
          ? { ...block, proposals: [{ ...proposal, to: address, block: block.header }] }
          : block,
    });
    await stage.mine(3);
    expect(await booked()).toEqual([`proposed null 6 ${ether} 0xinvented`]);
    await stage.mine(3);
    await stage.search();
    expect(await booked()).toEqual([`orphaned null 6 ${ether} 0xinvented`]);
    expect(await status()).toBe('TO-BE-PAID');
  });

  it('one of two nodes that stores no internal transactions costs nothing', async () => {
    await begin([{ ...likeTron, hasProposals: false }, likeTron]);
    stage.chain.mine([send('internal')]);
    await stage.mine(6);
    expect((await stage.cursor()).finalNumber).toBe(10);
    await stage.search();
    expect(await booked()).toEqual([`final unassigned 10 ${ether} balance`]);
  });
});

describe('balances', () => {
  const richer = (report: BalanceReport): BalanceReport => ({
    ...report,
    amounts: report.amounts.map(() => amountOf(COIN, 5n * ether)),
  });

  it.each<readonly [string, number, readonly number[], string, readonly string[]]>([
    ['one of two that differs stops the search', 2, [0], 'disagreement', []],
    ['one of three is outvoted', 3, [0], 'busy', []],
    ['two of three are a quorum', 3, [0, 1], 'busy', [`final unassigned 9 ${5n * ether} balance`]],
  ])('%s', async (_, count, faulty, outcome, expected) => {
    await begin(Array.from({ length: count }, () => ({ canTrace: false })));
    for (const place of faulty)
      all[place]?.lie({ balances: (report) => (report.at > 8 ? richer(report) : report) });
    stage.chain.mine();
    await stage.mine(5);
    expect(await stage.search()).toBe(outcome);
    expect(await booked()).toEqual(expected);
    expect((await stage.cursor()).searchedNumber).toBe(outcome === 'busy' ? 9 : 3);
    if (outcome === 'disagreement')
      expect(stage.logged.at(-1)).toBe(
        `outage ETH: providers report different balances of ${address}: p0 5 at block 9, p1 0 at block 9`,
      );
  });

  it.each([
    ['evm', [251]],
    ['tron', [100, 100, 51]],
  ] as const)('are asked for in pages of one call (%s)', async (family, expected) => {
    await begin([{ canTrace: false }], { definition: { ...testDefinition(), name: 'ETH', family } });
    const asked: number[] = [];
    all[0]?.lie({
      balances: (report) => {
        asked.push(report.amounts.length);
        return report;
      },
    });
    await stage.database.transact((tx) =>
      tx.write(
        `INSERT INTO addresses (app_id, family, purpose, derivation_index, address)
         SELECT 'app_1', $1, 'static', 1000 + n, 'static' || n FROM generate_series(1, 250) n`,
        [family],
      ),
    );
    await stage.mine(3);
    await stage.search();
    expect(asked).toEqual(expected);
  });

  it('of dust start no search, and are not asked for where nothing could matter', async () => {
    await begin([{}]);
    stage.chain.mine([send('internal', 10n ** 12n)]);
    await stage.mine(6);
    await stage.search();
    expect(await booked()).toEqual([]);
    expect(all[0]?.calls('internalTransfers')).toBe(0);
    expect((await stage.cursor()).searchedNumber).toBe(10);
    // A day after it expired the order does not matter any more.
    stage.chain.mine([], START_TIME + 1_800 + 25 * 3_600);
    await stage.database.transact((tx) => tx.write("UPDATE orders SET status = 'TIME-OUT'", []));
    await stage.mine(4);
    const asked = all[0]?.calls('balances');
    expect(await stage.search()).toBe('busy');
    expect((await stage.cursor()).searchedNumber).toBe(15);
    expect(all[0]?.calls('balances')).toBe(asked);
  });

  it('are not asked for again while nothing more is final', async () => {
    await begin([{}]);
    const asked = all[0]?.calls('balances');
    expect(await stage.search()).toBe('idle');
    expect(all[0]?.calls('balances')).toBe(asked);
  });

  it('that nobody keeps any more leave the search where it is', async () => {
    await begin([{ stateBlocks: 1 }]).catch(() => undefined);
    expect(await stage.search()).toBe('unsupported');
    expect((await stage.cursor()).searchedNumber).toBeNull();
  });
});
