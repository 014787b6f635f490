// The statements that docs/operate/untraced.md gives an operator: whose money it was, and whether it can be read again.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { bookBlock, headerAt, insertApp, insertTestOrder, transferTo } from '@ducat/testkit/fixtures';

const page = readFileSync(new URL('../../../../../docs/operate/untraced.md', import.meta.url), 'utf8');
const statements = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql);
let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
});

afterEach(() => database.drop());

it('finds the order of an address, and counts what is booked at or behind a block', async () => {
  const [whose = '', booked = ''] = statements;
  expect(statements).toHaveLength(2);
  const order = await insertTestOrder(database);
  const ask = (sql: string, change: (text: string) => string) =>
    database.reader.read(change(sql.replace(/;\s*$/, '')), []);
  const ours = (text: string) => text.replace("'tron'", "'evm'").replace(/'41b+'/, `'${order.address}'`);
  expect(await ask(whose, (text) => text)).toEqual([]);
  expect(await ask(whose, ours)).toMatchObject([
    { address: order.address, app_id: 'app_1', trade_no: 'ord_1', status: 'TO-BE-PAID' },
  ]);
  const header = headerAt(1);
  await bookBlock(database, { header, transfers: [transferTo(order.address, header)], final: header });
  const from = (number: number) => (text: string) =>
    text.replace("'Tron'", "'ETH'").replace('70000000', String(number));
  expect((await ask(booked, from(1)))[0]).toMatchObject({ count: 1 });
  expect((await ask(booked, from(2)))[0]).toMatchObject({ count: 0 });
});
