// A block full of strangers' transfers costs one look at whose addresses they are, and no more.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { Transfer } from '@ducat/core/chain/transfer';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { SqlValue, Tx } from '../../db/postgres/tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { headerAt, insertApp, insertTestOrder, TEST_LEASE, transferTo } from '@ducat/testkit/fixtures';
import { acceptBlocks } from './accept-blocks.ts';

const STRANGERS = 200;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'), 2);
  await insertApp(database);
});
afterAll(() => database.drop());

/** Accepts a block and gives what became of it, with how many values of lists it sent to the database. */
function accept(number: number, transfers: (header: ReturnType<typeof headerAt>) => readonly Transfer[]) {
  const header = headerAt(number);
  let sent = 0;
  return database.transact(async (tx) => {
    const counted = <Row>(sql: string, values: readonly SqlValue[]) => {
      for (const value of values) sent += Array.isArray(value) ? value.length : 0;
      return tx.write<Row>(sql, values);
    };
    const blocks = [{ header, transfers: transfers(header), proposals: [], inclusions: [], isProven: true }];
    // The brand of a Tx exists for the compiler alone.
    const counting = { read: counted, write: counted } as Tx;
    const accepted = await acceptBlocks(counting, { chain: eth, blocks, nowMs: 0, lease: TEST_LEASE });
    return { accepted, sent };
  });
}

it('sends the details of our transfers alone', async () => {
  const { address } = await insertTestOrder(database);
  const strangers = (header: ReturnType<typeof headerAt>) =>
    Array.from({ length: STRANGERS }, (_, place) =>
      transferTo(`0xstranger${place}`, header, { txId: `0xother${place}` }),
    );
  const none = await accept(1, strangers);
  expect(none.accepted).toMatchObject({ outcome: 'accepted', seen: 0 });
  // And the sender that all of them have, and the five columns of its own row.
  expect(none.sent).toBe(STRANGERS + 1 + 5);
  const one = await accept(2, (header) => [...strangers(header), transferTo(address, header)]);
  expect(one.accepted).toMatchObject({ outcome: 'accepted', seen: 1 });
  expect(one.sent).toBeLessThan(STRANGERS + 26);
});
