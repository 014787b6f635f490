// Balances against the books: what moved is compared soon, everything within a round, and nothing is believed of one provider.
import { chainsInUse } from '@ducat/testkit/chains-in-use';
import { eth } from '@ducat/core/chain/definitions/eth';
import { tron } from '@ducat/core/chain/definitions/tron';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, START_TIME, USDT } from '@ducat/testkit/fixtures';
import { mirrorBooks } from '@ducat/testkit/mirror-books';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { FakeTransaction } from '@ducat/testkit/chains/fake/blocks-in-memory';
import { createFakeChain, type FakeChain } from '@ducat/testkit/chains/fake/chain-in-memory';
import type { FakeProvider } from '@ducat/testkit/chains/fake/fake-provider';
import { createQuorumReader } from '../../chains/quorum/quorum-reader.ts';
import { readDifferences } from '../../db/tables/books/balance-differences.ts';
import { readSuspensions } from '../../db/tables/books/currency-suspensions.ts';
import { readReserveChecks } from '../../db/tables/books/reserve-checks.ts';
import { CHECKS_LEASE } from '../../flows/checks/checks-lease.ts';
import { resumeByHand } from '../../flows/currencies/resume-by-hand.ts';
import type { IdleChains } from '../../runtime/idle-chains.ts';
import type { World } from '../../runtime/world.ts';
import { runReserveChecks } from './check-reserves.ts';
import { compareChain } from './compare-chain.ts';
import type { ReserveChain } from './compare-balances.ts';

const ETH = 1000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const limits = { roundMs: 40 * MINUTE, callsPerMinute: 120 };
const lease = { token: 1, holder: 'test' };

let database: TestDatabase;
let ours: readonly string[];
/** Virtual time: it passes in sleep alone. */
let nowMs: number;
let lines: { readonly level: string; readonly message: string; readonly fields: object }[];

/** Of the chains: no answer is late. */
const chainWorld: World = {
  nowMs: () => nowMs,
  random: (bytes) => new Uint8Array(bytes),
  sleep: () => new Promise(() => undefined),
};

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 6 });
  await database.transact((tx) =>
    tx.write(`INSERT INTO leases (name, token, holder, renewals, taken_at_ms) VALUES ($1, 1, 'test', 0, 0)`, [
      CHECKS_LEASE,
    ]),
  );
  const rows = await database.reader.read<{ address: string }>(
    'SELECT address FROM addresses ORDER BY address_id',
    [],
  );
  ours = rows.map(({ address }) => address);
  nowMs = START_TIME * 1000;
  lines = [];
});

afterEach(() => database.drop());

function startChain(change: Partial<ChainDefinition> = {}): FakeChain {
  const currencies = eth.currencies.filter(({ currencyId }) => currencyId <= USDT);
  const definition = { ...eth, currencies, ...change };
  return createFakeChain({ definition, seed: 1, startTime: START_TIME, world: chainWorld });
}

function pay(txId: string, to: string, units: bigint, currencyId = USDT): FakeTransaction {
  return { txId, transfers: [{ currencyId, from: 'payer', to, units }] };
}

function take(txId: string, from: string, units: bigint, currencyId = USDT): FakeTransaction {
  return { txId, transfers: [{ currencyId, from, to: 'thief', units }] };
}

/** Runs the checks for so long, or until `isDone`; returns how long that took. */
async function runFor(
  ms: number,
  chain: ReserveChain,
  isDone = () => Promise.resolve(false),
  idle: Pick<IdleChains, 'rest'> = chainsInUse,
): Promise<number> {
  const stop = new AbortController();
  const startMs = nowMs;
  const world: World = {
    nowMs: () => nowMs,
    random: (bytes) => new Uint8Array(bytes),
    sleep: async (pauseMs) => {
      nowMs += pauseMs;
      if (nowMs - startMs >= ms || (await isDone())) stop.abort();
    },
  };
  const note = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, message, fields });
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const { transact, reader } = database;
  await runReserveChecks({ chains: [chain], limits, transact, reader, world, idle, log }, lease, stop.signal);
  return nowMs - startMs;
}

const differences = () => readDifferences(database.reader, { chain: 'ETH', limit: 100 });
const hasDifference = async () => (await differences()).length > 0;
const suspended = async () => (await readSuspensions(database.reader)).map(({ currencyId }) => currencyId);
const errors = () => lines.filter(({ level }) => level === 'error').map(({ message }) => message);
const troubles = async () =>
  (await readReserveChecks(database.reader)).flatMap(({ currencyId, trouble }) =>
    trouble === null ? [] : [`${currencyId} ${trouble}`],
  );

describe('the checks of reserves', () => {
  it('finds nothing where every address holds what it should, and says so of every part', async () => {
    const chain = startChain();
    chain.mine(ours.map((address, place) => pay(`p${place}`, address, 5n)));
    chain.mineEmpty(3);
    await mirrorBooks(database, chain);
    await runFor(30 * MINUTE, chain.reader);
    expect(await differences()).toEqual([]);
    const rows = await readReserveChecks(database.reader);
    expect(rows.map(({ currencyId }) => currencyId)).toEqual([ETH, USDT]);
    for (const row of rows) {
      expect(row).toMatchObject({
        trouble: null,
        lastRoundChecked: 6,
        parts: [START_TIME * 1000, ...Array(24).fill(expect.any(Number))],
      });
    }
    expect(chain.main.calls('balances')).toBe(2);
  });

  it('rests for up to 45 seconds longer while the chain is idle', async () => {
    const chain = startChain();
    chain.mineEmpty(3);
    await mirrorBooks(database, chain);
    const most: number[] = [];
    const rest: IdleChains['rest'] = (name, bounds) => {
      expect([name, bounds.least]).toEqual(['ETH', 0]);
      most.push(bounds.most);
      return Promise.resolve(false);
    };
    await runFor(10 * MINUTE, chain.reader, undefined, { rest });
    expect(Math.max(...most)).toBe(45_000);
  });

  it('compares an address within a minute after it moved: a token that reports and moves nothing', async () => {
    const chain = startChain();
    chain.mineEmpty(3);
    await mirrorBooks(database, chain);
    await runFor(MINUTE, chain.reader);
    chain.mine([pay('paid', ours[0]!, 5n), take('taken back', ours[0]!, 5n)]);
    chain.mineEmpty(3);
    await mirrorBooks(database, chain, { without: ['taken back'] });
    expect(await runFor(HOUR, chain.reader, hasDifference)).toBeLessThanOrEqual(MINUTE);
    expect(await suspended()).toEqual([USDT]);
    expect(errors()).toEqual([
      'ledger and chain differ',
      'a currency takes no new orders: ledger and chain differ',
    ]);
    expect(lines.find(({ level }) => level === 'error')?.fields).toMatchObject({
      chain: 'ETH',
      currency: 'USDT',
      addresses: [{ address: ours[0], ledger: '0.000005', chain: '0', difference: '-0.000005' }],
    });
  });

  it('reports the theft of one unit from one address that nothing else moves within a round', async () => {
    const chain = startChain();
    chain.mine(ours.map((address, place) => pay(`p${place}`, address, 5n)));
    chain.mineEmpty(3);
    await mirrorBooks(database, chain);
    await runFor(5 * MINUTE, chain.reader);
    chain.mine([take('theft', ours[4]!, 1n)]);
    chain.mineEmpty(3);
    await mirrorBooks(database, chain, { without: ['theft'] });
    expect(await runFor(24 * HOUR, chain.reader, hasDifference)).toBeLessThanOrEqual(limits.roundMs);
    expect(await differences()).toMatchObject([{ address: ours[4], difference: { units: -1n } }]);
    expect(await suspended()).toEqual([USDT]);

    // The operator who resumes has seen it: it does not suspend again. Explained, it goes away.
    await database.transact((tx) => resumeByHand(tx, USDT));
    await runFor(limits.roundMs, chain.reader);
    expect(await suspended()).toEqual([]);
    chain.mine([take('another', ours[4]!, 1n)]);
    chain.mineEmpty(3);
    await mirrorBooks(database, chain, { without: ['theft', 'another'] });
    await runFor(limits.roundMs, chain.reader);
    expect(await suspended()).toEqual([USDT]);
    await mirrorBooks(database, chain);
    await runFor(10 * MINUTE, chain.reader);
    expect([await differences(), await suspended()]).toEqual([[], [USDT]]);
  });

  it('gives a surplus of the native currency an hour, in which the search books it', async () => {
    const chain = startChain();
    chain.mine([pay('paid', ours[0]!, 10n ** 18n, ETH)]);
    chain.mine([pay('by a contract', ours[0]!, 10n ** 18n, ETH)]);
    chain.mineEmpty(3);
    await mirrorBooks(database, chain, { without: ['by a contract'] });
    await runFor(50 * MINUTE, chain.reader);
    expect([(await differences()).length, await suspended()]).toEqual([1, []]);
    await runFor(20 * MINUTE, chain.reader);
    expect(await suspended()).toEqual([ETH]);
  });

  it('compares what is on and what is held, nothing else', async () => {
    const currencies = eth.currencies.slice(0, 3).map((one) => ({ ...one, enabled: one.contract === null }));
    const chain = startChain({ currencies });
    await database.transact((tx) =>
      tx.write(
        `INSERT INTO accounts (kind, owner, currency_id, balance) VALUES ('custody', 'ETH/hot', $1, -5)`,
        [USDT],
      ),
    );
    chain.mineEmpty(3);
    await mirrorBooks(database, chain);
    await runFor(MINUTE, chain.reader);
    expect((await readReserveChecks(database.reader)).map(({ currencyId }) => currencyId)).toEqual([
      ETH,
      USDT,
    ]);
  });
});

/** A chain of three providers, one unit paid to each address, and the first provider's word on it. */
async function threeProviders(
  count = 3,
): Promise<{ chain: FakeChain; reader: ReserveChain; all: FakeProvider[] }> {
  const chain = startChain();
  chain.mine(ours.map((address, place) => pay(`p${place}`, address, 1n)));
  chain.mineEmpty(3);
  await mirrorBooks(database, chain);
  const all = Array.from({ length: count }, (_, place) => chain.provider(`n${place}`));
  const { definition } = chain;
  const reader = createQuorumReader({ definition, readers: all, world: chainWorld });
  return { chain, reader, all };
}

const robbed: Parameters<FakeProvider['lie']>[0] = {
  balances: (report) => ({
    ...report,
    amounts: report.amounts.map((one) => (one.currencyId === USDT ? { ...one, units: 0n } : one)),
  }),
};

describe('a difference', () => {
  it('that one provider of three reports does not count', async () => {
    const { reader, all } = await threeProviders();
    all[0]!.lie(robbed);
    await runFor(MINUTE, reader);
    expect([await differences(), await suspended(), await troubles()]).toEqual([[], [], []]);
  });

  it('on which two providers do not agree is trouble, and neither a difference nor a good figure', async () => {
    const { reader, all } = await threeProviders(2);
    all[0]!.lie(robbed);
    await runFor(MINUTE, reader);
    expect([await differences(), await suspended()]).toEqual([[], []]);
    expect(await troubles()).toEqual([
      expect.stringMatching(/^1001 disagreement: .* n0 0 at .* n1 0\.000001 at/),
    ]);
    all[0]!.lie();
    await runFor(10 * MINUTE, reader);
    expect(await troubles()).toEqual([]);
  });

  it('that two of three report counts', async () => {
    const { reader, all } = await threeProviders();
    for (const one of all.slice(0, 2)) one.lie(robbed);
    await runFor(MINUTE, reader);
    expect((await differences()).length).toBe(6);
  });
});

describe('a comparison that a person asks for', () => {
  it('shows what differs also where another currency cannot be compared', async () => {
    const { chain, reader, all } = await threeProviders(2);
    chain.mine([pay('unbooked', ours[0]!, 7n, ETH)]);
    chain.mineEmpty(3);
    await mirrorBooks(database, chain, { without: ['unbooked'] });
    all[0]!.lie(robbed);
    const { signal } = new AbortController();
    const { currencies } = await compareChain({
      chain: reader,
      reader: database.reader,
      world: chainWorld,
      signal,
    });
    expect(currencies).toMatchObject([
      { differing: 1, trouble: null },
      { differing: 0, trouble: expect.stringContaining('providers report different balances') },
    ]);
  });
});

describe('a chain that cannot be asked', () => {
  it('is trouble until it answers, asked less and less often', async () => {
    const { chain, reader, all } = await threeProviders(1);
    all[0]!.failNext(Infinity, { method: 'balances' });
    await runFor(30 * MINUTE, reader);
    expect((await troubles()).length).toBe(2);
    expect(all[0]!.calls('balances')).toBeLessThan(40);
    expect((await readReserveChecks(database.reader))[0]).toMatchObject({
      lastRoundChecked: null,
      parts: [],
    });
    all[0]!.failNext(0);
    await runFor(10 * MINUTE, reader);
    expect(await troubles()).toEqual([]);
    expect(chain.height).toBe(4);
  });

  it('is left alone while it is halted or nothing is final', async () => {
    const chain = startChain();
    await runFor(MINUTE, chain.reader);
    chain.mineEmpty(3);
    await mirrorBooks(database, chain);
    await database.transact((tx) => tx.write(`UPDATE chain_cursors SET halted_reason = 'a fork'`, []));
    await runFor(MINUTE, chain.reader);
    expect(chain.main.calls('balances')).toBe(0);
  });
});

describe('a clock that is set back by an hour', () => {
  /** Runs for so long, sets the clock back and changes something; returns how long it took from then until `isDone`. */
  async function runSetBack(
    reader: ReserveChain,
    ms: number,
    change: () => Promise<void>,
    isDone: () => Promise<boolean>,
  ): Promise<number> {
    const startMs = nowMs;
    let backMs: number | null = null;
    await runFor(Infinity, reader, async () => {
      if (backMs !== null) return nowMs - backMs >= HOUR || (await isDone());
      if (nowMs - startMs < ms) return false;
      nowMs -= HOUR;
      backMs = nowMs;
      await change();
      return false;
    });
    return nowMs - (backMs ?? nowMs);
  }

  it('delays no comparison of what moved, and none of what differed', async () => {
    const chain = startChain();
    chain.mineEmpty(3);
    await mirrorBooks(database, chain);
    const rob = async () => {
      chain.mine([pay('paid', ours[0]!, 5n), take('taken back', ours[0]!, 5n)]);
      chain.mineEmpty(3);
      await mirrorBooks(database, chain, { without: ['taken back'] });
    };
    expect(await runSetBack(chain.reader, 5 * MINUTE, rob, hasDifference)).toBeLessThanOrEqual(MINUTE);
    const explain = () => mirrorBooks(database, chain);
    const hasNone = async () => !(await hasDifference());
    expect(await runSetBack(chain.reader, MINUTE, explain, hasNone)).toBeLessThanOrEqual(6 * MINUTE);
  });

  it('makes the pause after a failure no longer', async () => {
    const { reader, all } = await threeProviders(1);
    all[0]!.failNext(Infinity, { method: 'balances' });
    const answer = () => Promise.resolve(all[0]!.failNext(0));
    const isWell = async () => (await troubles()).length === 0;
    expect(await runSetBack(reader, 30 * MINUTE, answer, isWell)).toBeLessThanOrEqual(6 * MINUTE);
  });
});

describe('a chain without past balances', () => {
  it('is compared at the height of the report, once the books have come there', async () => {
    const currencies = tron.currencies.slice(0, 2);
    const [trx, usdt] = currencies.map(({ currencyId }) => currencyId);
    const chain = createFakeChain({
      definition: { ...tron, currencies },
      seed: 1,
      startTime: START_TIME,
      world: chainWorld,
    });
    await database.transact((tx) => tx.write(`UPDATE addresses SET family = 'tron'`, []));
    chain.mine([pay('one', ours[0]!, 5n, usdt), pay('two', ours[0]!, 7n, trx)]);
    chain.mineEmpty(20);
    chain.mine([pay('three', ours[0]!, 5n, usdt), pay('four', ours[0]!, 7n, trx)]);
    chain.mineEmpty(20);
    await mirrorBooks(database, chain, { final: 20 });
    let waits = 0;
    await runFor(20_000, chain.reader, async () => {
      if (++waits === 5) await mirrorBooks(database, chain, { searched: 20 });
      if (waits === 10) await mirrorBooks(database, chain);
      return false;
    });
    const rows = await readReserveChecks(database.reader);
    expect(rows.map(({ trouble, lastRoundChecked }) => [trouble, lastRoundChecked])).toEqual([
      [null, 1],
      [null, 1],
    ]);
    expect(await readDifferences(database.reader, { chain: 'Tron', limit: 9 })).toEqual([]);
  });
});
