// A holding that breaks something is left alone, and the others of its chain are looked at.
import { chainsInUse } from '@ducat/testkit/chains-in-use';
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf, zero } from '@ducat/core/money/amount';
import { parseRate } from '@ducat/core/money/rate';
import { accept } from '@ducat/core/result';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { bookBlock, headerAt, insertApp, TEST_LEASE, transferTo } from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { createLog } from '../../runtime/log.ts';
import { realWorld } from '../../runtime/world.ts';
import type { LeasedCollector } from './parts.ts';
import { collectRoundApart } from './round-apart.ts';

let database: TestDatabase;
const nowMs = 2_000_000_000_000;
const nothing = (): void => undefined;
const events: string[] = [];

beforeEach(async () => {
  events.length = 0;
  database = await openTestDatabase(inject('postgresAdminUrl'));
});
afterEach(() => database.drop());

function collector(): LeasedCollector {
  return {
    // The chain would not do any transfer.
    writer: {
      definition: eth,
      estimate: () => Promise.resolve({ outcome: 'impossible', reason: 'reverts', text: 'paused' }),
      stakeOf: () => Promise.resolve(null),
      delegatedTo: () => Promise.resolve([]),
      sweepGround: () => Promise.resolve(null),
    },
    policy: {
      minValue: 1n,
      maxCostPpm: 500_000n,
      windowMs: 0,
      dailyBudget: amountOf(1000, 100n),
      staker: null,
      sponsored: false,
      topUpPayouts: 1n,
      topUpBudget: zero(1000),
      runway: { days: 0n, payouts: 0n },
    },
    rates: {
      quote: () =>
        Promise.resolve(accept({ rate: parseRate('USDT', '1')!, at: 0, source: 'test', evidence: [] })),
      warning: null,
    },
    signer: { accountPublicKey: () => Promise.reject(new Error('no wallet is made here')) },
    addresses: { derive: () => '0xwrong', canonical: (text) => text, display: (text) => text },
    transact: database.transact,
    reader: database.reader,
    world: { ...realWorld, nowMs: () => nowMs },
    idle: chainsInUse,
    holder: TEST_LEASE.holder,
    lease: TEST_LEASE,
    log: createLog('silent'),
    onItem: nothing,
    inARow: { broken: 0 },
    observer: {
      onLease: nothing,
      onCollection: (_, event) => events.push(event),
      onGasShort: nothing,
      onTopUp: nothing,
      onRunway: nothing,
      onStake: nothing,
      onOutage: nothing,
    },
  };
}

const LEASE =
  "INSERT INTO leases (name, token, holder, renewals, taken_at_ms) VALUES ('collect-ETH', 1, 'test', 0, 0)";
const run = (sql: string) => database.transact((tx) => tx.write(sql, []));

/** One to each address, final. */
async function bookTransfers(): Promise<void> {
  const pool = await database.reader.read<{ address: string }>(
    'SELECT address FROM addresses ORDER BY 1',
    [],
  );
  const header = headerAt(1);
  const transfers = pool.map(({ address }) => transferTo(address, header));
  await bookBlock(database, { header, transfers, final: header });
}

// hits mark: a-broken-collection-stops-itself-alone
it('is put into quarantine for an hour, and the others go on', async () => {
  await run(LEASE);
  for (const account of [1, 2]) await insertApp(database, { appId: `app_${account}`, account, addresses: 1 });
  await bookTransfers();
  await run(`INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
    VALUES ('app_2', 'evm', 0, '0xwallet', 'wallet')`);
  // Nothing says where its money would go to.
  await run("DELETE FROM account_keys WHERE app_id = 'app_1'");
  for (let rounds = 0; rounds < 3; rounds++) await collectRoundApart(collector());
  const held = await database.reader.read(
    `SELECT app_id, state, q.until_ms FROM holdings h
       LEFT JOIN quarantines q ON q.kind = 'holding' AND q.id = chain || '/' || address_id || '/' || currency_id
     ORDER BY app_id`,
    [],
  );
  expect(held).toEqual([
    { app_id: 'app_1', state: 'waiting', until_ms: nowMs + 3_600_000 },
    { app_id: 'app_2', state: 'frozen', until_ms: null },
  ]);
  expect(events).toEqual(['broken']);
});

// hits mark: a-shared-bug-stops-the-collector
it('stops its worker where three in a row break, and none went well between them', async () => {
  await run(LEASE);
  await insertApp(database, { addresses: 4 });
  await bookTransfers();
  await run("DELETE FROM account_keys WHERE app_id = 'app_1'");
  const all = collector();
  for (let rounds = 0; rounds < 2; rounds++) expect(await collectRoundApart(all)).toBe('busy');
  await expect(collectRoundApart(all)).rejects.toThrow();
  expect(await database.reader.read('SELECT FROM quarantines', [])).toHaveLength(3);
});
