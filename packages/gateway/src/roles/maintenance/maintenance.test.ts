// Maintenance goes on with its other rounds when one cannot be done.
import { chainsInUse } from '@ducat/testkit/chains-in-use';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { eth } from '@ducat/core/chain/definitions/eth';
import { evmAddressScheme } from '../../chains/evm/address.ts';
import { createFakeChain } from '@ducat/testkit/chains/fake/chain-in-memory';
import { type PoolKey, readLowPools } from '../../db/tables/addresses.ts';
import { accept, refuse } from '@ducat/core/result';
import type { RateSource } from '../../rates/port.ts';
import { createFixedRates } from '../../rates/fixed.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { bookBlock, headerAt, insertApp, insertTestOrder, START_TIME } from '@ducat/testkit/fixtures';
import type { World } from '../../runtime/world.ts';
import { type Maintenance, runMaintenance } from './maintenance.ts';
import { priceRound } from './note-prices.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 2 });
});

afterEach(() => database.drop());

it('looks at so many pools at once, and counts no further than the low mark', async () => {
  await insertApp(database, { appId: 'app_2', account: 2, addresses: 3 });
  const look = (lowMark: number, after: PoolKey | null, pools: number) =>
    readLowPools(database.reader, { lowMark, after, pools });
  const [one, two] = ['app_1', 'app_2'].map((appId): PoolKey => ({ appId, family: 'evm' }));
  expect(await look(3, null, 1)).toEqual({ low: [one], last: one });
  expect(await look(3, one!, 1)).toEqual({ low: [], last: two });
  expect(await look(3, two!, 1)).toEqual({ low: [], last: null });
  expect(await look(4, null, 9)).toEqual({ low: [one, two], last: null });
});

it('keeps the first price of a currency in each quarter of an hour, as soon as there is one', async () => {
  const [coin, token] = eth.currencies;
  let at = 900;
  let cents = 100n;
  let priced: readonly unknown[] = [];
  const rates: RateSource = {
    warning: null,
    quote: (currency, fiat) =>
      Promise.resolve(
        priced.includes(currency)
          ? accept({ rate: { fiat, priceUnits: cents * 10n ** 16n }, at, source: 'test', evidence: [] })
          : refuse({ code: 'rate-unavailable', message: 'not yet' }),
      ),
  };
  const round = () => priceRound({ chains: [{ definition: eth }], rates, transact: database.transact });
  expect(await round()).toBe(0);
  priced = [coin];
  expect(await round()).toBe(1);
  [at, cents, priced] = [1_799, 200n, [coin, token]];
  expect(await round()).toBe(1);
  at = 1_800;
  expect(await Promise.all([round(), round()])).toContain(2);
  const kept = await database.reader.read(
    'SELECT currency_id AS id, at, price / 10::numeric ^ 16 AS cents FROM price_history ORDER BY id, at',
    [],
  );
  expect(kept.map((row) => Object.values(row as object).map(Number))).toEqual([
    [coin!.currencyId, 900, 100],
    [coin!.currencyId, 1_800, 200],
    [token!.currencyId, 1_799, 200],
    [token!.currencyId, 1_800, 200],
  ]);
});

describe('runMaintenance', () => {
  /** Maintains pools of five addresses for some seconds. Returns the seconds at which pools, or what is said, were looked at. */
  async function lookedAt(
    seconds: number,
    atSecond: (second: number) => Promise<void>,
    { statement = '"isLow"', idle = chainsInUse } = {},
  ) {
    const stop = new AbortController();
    const lookedAtS: number[] = [];
    let nowMs = 0;
    const world: World = {
      nowMs: () => nowMs,
      random: (bytes) => new Uint8Array(bytes),
      sleep: async (ms) => {
        nowMs += ms;
        await atSecond(nowMs / 1_000);
        if (nowMs === seconds * 1_000) stop.abort();
      },
    };
    const { reader } = database;
    const read: typeof reader.read = (sql, values) => {
      if (sql.includes(statement)) lookedAtS.push(nowMs / 1_000);
      return reader.read(sql, values);
    };
    const ignore = () => undefined;
    await runMaintenance(
      {
        chains: [],
        schemes: { evm: { ...evmAddressScheme, derive: (key, index) => `0x${key}${index}` } },
        poolSize: 5,
        reuseAfterDays: new Map(),
        retention: { deliveriesAfterDays: null, quoteEvidenceAfterDays: null, apiCallsAfterDays: null },
        transact: database.transact,
        reader: { read },
        rates: createFixedRates(world),
        world,
        idle,
        encode: () => '',
        newEventId: () => 'evt_1',
        log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
        onBug: ignore,
      },
      stop.signal,
    );
    return lookedAtS;
  }

  it('looks at pools every five seconds, and each second after one was filled', async () => {
    // The two addresses of the fixture are filled up at once. These orders take the pool below half again.
    const order = async (second: number) => {
      if (second !== 9) return;
      for (let n = 0; n < 3; n++) await insertTestOrder(database, { tradeNo: `ord_${n}` });
    };
    expect(await lookedAt(17, order)).toEqual([0, 1, 5, 10, 11, 15]);
  });

  it('looks for orders that time out each second, while any chain is in use', async () => {
    let idleMs: number | null = null;
    const idle = { ...chainsInUse, idleMs: () => Promise.resolve(idleMs) };
    const change = (second: number) => {
      idleMs = second < 3 || second >= 6 ? null : second;
      return Promise.resolve();
    };
    expect(await lookedAt(8, change, { statement: 'AS passed', idle })).toEqual([0, 1, 2, 6, 7]);
  });

  it('looks at a thousand pools each second until it has seen all of them', async () => {
    await lookedAt(1, () => Promise.resolve());
    await database.transact(async (tx) => {
      await tx.write(`SET LOCAL session_replication_role = 'replica'`, []);
      const copies = (table: string, names: string) => `INSERT INTO ${table} OVERRIDING SYSTEM VALUE
        SELECT (jsonb_populate_record(one, jsonb_build_object('app_id', 'app_1' || n) || ${names})).*
        FROM ${table} one, generate_series(1, 2500) n`;
      await tx.write(copies('account_keys', `jsonb_build_object('account_public_key', 'key' || n)`), []);
      const address = `jsonb_build_object('address_id', one.address_id + 10 * n, 'address', one.address || '-' || n)`;
      await tx.write(copies('addresses', address), []);
    });
    expect(await lookedAt(12, () => Promise.resolve())).toEqual([0, 1, 2, 5, 6, 7, 10, 11]);
  });

  it('fills pools although an order cannot be timed out, and says so; a clock that ran ahead stops nothing', async () => {
    await insertTestOrder(database);
    const header = headerAt(1, { time: START_TIME + 1801 });
    await bookBlock(database, { header, final: { number: 1, hash: 'a1' } });
    const stop = new AbortController();
    const said: string[] = [];
    let bugs = 0;
    const say = (fields: object, message: string) => said.push(`${message} ${JSON.stringify(fields)}`);
    const [ahead, right] = [87_300_000, 900_000];
    let now = ahead;
    const world: World = {
      nowMs: () => now,
      random: (bytes) => new Uint8Array(bytes),
      sleep: () => {
        if (now === right) stop.abort();
        now = right;
        return Promise.resolve();
      },
    };
    const maintenance: Maintenance = {
      chains: [createFakeChain({ definition: eth, seed: 1, startTime: START_TIME }).reader],
      schemes: { evm: { ...evmAddressScheme, derive: (key, index) => `0x${key}${index}` } },
      poolSize: 5,
      reuseAfterDays: new Map(),
      retention: { deliveriesAfterDays: null, quoteEvidenceAfterDays: null, apiCallsAfterDays: null },
      transact: database.transact,
      reader: database.reader,
      rates: createFixedRates(world),
      world,
      idle: chainsInUse,
      encode: () => {
        throw new Error('cannot be written');
      },
      newEventId: () => 'evt_2',
      log: { debug: say, info: say, warn: say, error: say },
      onBug: () => bugs++,
    };
    await runMaintenance(maintenance, stop.signal);
    expect(bugs).toBe(2);
    expect(said.join('\n')).toContain('a flow of maintenance failed {"flow":"expire-orders","chain":"ETH"');
    const [pool] = await database.reader.read<{ free: number }>(
      'SELECT count(*) AS free FROM addresses WHERE trade_no IS NULL',
      [],
    );
    expect(pool?.free).toBe(5);
    const prices = await database.reader.read('SELECT DISTINCT at FROM price_history ORDER BY at', []);
    expect(prices).toEqual([{ at: right / 1_000 }, { at: ahead / 1_000 }]);
  });
});
