// What the database itself refuses: unbalanced postings, changed history, accounts below zero.
import { availableOf, custodyOf } from '@ducat/core/ledger/account';
import type { Entry } from '@ducat/core/ledger/entry';
import { amountOf } from '@ducat/core/money/amount';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertEntries } from './ledger.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
});

afterEach(() => database.drop());

function deposit(reference: string, units: bigint, back = units): Entry {
  return {
    fact: 'deposit',
    reference,
    postings: [
      { account: custodyOf('ETH'), amount: amountOf(1001, -back) },
      { account: availableOf('app_1'), amount: amountOf(1001, units) },
    ],
  };
}

describe('the ledger in the database', () => {
  it('keeps balances equal to their postings when twenty flows write at once', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        database.transact((tx) => insertEntries(tx, [deposit(`r${place}`, 5n)], 0)),
      ),
    );
    const rows = await database.reader.read('SELECT kind, balance FROM accounts ORDER BY kind', []);
    expect(rows).toEqual([
      { kind: 'available', balance: '100' },
      { kind: 'custody', balance: '-100' },
    ]);
  });

  it('refuses postings that do not balance', async () => {
    const entry = deposit('r1', 5n, 4n);
    await expect(database.transact((tx) => insertEntries(tx, [entry], 0))).rejects.toThrow(/do not balance/);
  });

  it('refuses a fact that was booked before', async () => {
    await database.transact((tx) => insertEntries(tx, [deposit('r1', 5n)], 0));
    await expect(database.transact((tx) => insertEntries(tx, [deposit('r1', 5n)], 0))).rejects.toThrow(
      /entries_fact/,
    );
  });

  it('refuses to take more from a merchant than is there', async () => {
    const entry = deposit('r1', -5n, -5n);
    await expect(database.transact((tx) => insertEntries(tx, [entry], 0))).rejects.toThrow(/accounts_sign_check/);
  });

  it.each([
    'UPDATE postings SET units = units + 1',
    'DELETE FROM postings',
    'UPDATE entries SET fact = fact',
    'DELETE FROM entries',
    'TRUNCATE entries CASCADE',
  ])('refuses %s', async (sql) => {
    await database.transact((tx) => insertEntries(tx, [deposit('r1', 5n)], 0));
    await expect(database.transact((tx) => tx.write(sql, []))).rejects.toThrow(/append-only/);
  });
});
