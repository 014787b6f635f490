// Who may do what for which merchant: every operation of the registry is tried by everyone, over HTTP and in SQL.
import { memberRoles } from '@ducat/contract/dashboard/operation';
import { dashboardOperations } from '@ducat/contract/dashboard/registry';
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { insertTestCalls } from '@ducat/testkit/calls';
import { startTestDashboard, type TestDashboard, type TestPerson } from '@ducat/testkit/api/test-dashboard';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sharedTables, walledTables } from '../../db/tables/access/walled-tables.ts';
import { raiseWalls, walledReader } from '../../db/tables/access/walls.ts';
import { createApp } from '../../flows/merchants/create-app.ts';
import { createMerchant } from '../../flows/merchants/create-merchant.ts';
import { liveNames } from './live/live-questions.ts';

/** As it was agreed, written once more: the test must not ask the code that it is about. */
const MAY: Readonly<Record<string, string>> = {
  owner: 'view develop pay-out approve administer own',
  admin: 'view develop pay-out approve administer',
  developer: 'view develop',
  finance: 'view pay-out approve',
  viewer: 'view',
  operator: 'view operate',
  'owner of another merchant': '',
};
const callers = [...memberRoles, 'operator', 'owner of another merchant'] as const;

let api: TestApi;
let dashboard: TestDashboard;
const people = new Map<string, TestPerson>();
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
  await api.database.transact(async (tx) => {
    await createMerchant(tx, { merchantId: 'mer_2', name: 'Other', depositFeePpm: 0, createdAtMs: 0 });
    const app = { kind: 'PAYMENT', callbackUrl: null, tolerancePpm: 0, createdAtMs: 0 } as const;
    await createApp(tx, {
      ...app,
      appId: 'app_other',
      merchantId: 'mer_2',
      name: 'x',
      sealedKey: Buffer.of(0),
    });
  });
  dashboard = await startTestDashboard(api);
  for (const role of memberRoles) people.set(role, await dashboard.addPerson({ role }));
  people.set('operator', await dashboard.addPerson({ isOperator: true }));
  people.set('owner of another merchant', await dashboard.addPerson({ role: 'owner', merchantId: 'mer_2' }));
  people.set('nobody', dashboard.visitor());
});
afterAll(async () => {
  await dashboard?.close();
  await api?.close();
});

/** With a field that no operation has, so that a caller who passes the walls changes nothing. */
async function verdict(
  who: string,
  name: string,
  merchantId: string | null,
  by: 'send' | 'watch' = 'send',
): Promise<string> {
  const body = { ...(merchantId === null ? {} : { merchant_id: merchantId }), 'no field': 1 };
  const answer = await people.get(who)![by](name, body);
  const { code, message } = answer.body;
  return code === 'field-invalid' && message === 'no field is not a known field'
    ? 'passes'
    : `${answer.status} ${String(code)}`;
}

it.each(liveNames)('%s lets pass as a live page who may ask it, and no one else', async (name) => {
  const operation = dashboardOperations.find((one) => one.name === name);
  const expected = callers.map((who) => {
    if (MAY[who]?.split(' ').includes(String(operation?.permission)) === true) return 'passes';
    return MAY[who] === '' ? '404 unknown' : '403 not-permitted';
  });
  const live = (who: string) => verdict(who, name, 'mer_1', 'watch');
  expect(await Promise.all(callers.map(live))).toEqual(expected);
  expect(await live('nobody')).toBe('401 signed-out');
  const watch = (merchant_id: string) => people.get('owner')!.watch(name, { merchant_id });
  const [foreign, none] = await Promise.all([watch('mer_2'), watch('mer_nowhere')]);
  expect(foreign).toMatchObject({ status: 404, body: none?.body });
});

const ofMerchants = dashboardOperations.filter(({ scope }) => scope === 'merchant').map(({ name }) => name);

it.each(dashboardOperations.map((operation) => [operation.name, operation] as const))(
  '%s lets pass who may, and no one else',
  async (name, { scope, permission }) => {
    const merchantId = scope === 'merchant' ? 'mer_1' : null;
    const expected = callers.map((who) => {
      if (permission === null || MAY[who]?.split(' ').includes(permission) === true) return 'passes';
      return scope === 'merchant' && MAY[who] === '' ? '404 unknown' : '403 not-permitted';
    });
    expect(await Promise.all(callers.map((who) => verdict(who, name, merchantId)))).toEqual(expected);
    expect(await verdict('nobody', name, merchantId)).toBe(scope === 'anyone' ? 'passes' : '401 signed-out');
  },
);

it.each(ofMerchants)('%s answers for a foreign merchant as for none', async (name) => {
  const ask = (merchant_id: string) => people.get('owner')!.send(name, { merchant_id });
  const [foreign, none] = await Promise.all([ask('mer_2'), ask('mer_nowhere')]);
  expect(foreign).toMatchObject({ status: 404, body: none?.body });
  expect(none?.status).toBe(404);
});

it('asks for a fresh second factor where the registry says so, and nowhere else', async () => {
  const stale = await dashboard.addPerson({ role: 'owner', isOperator: true });
  people.set('stale', stale);
  api.world.advance(5 * 60_000);
  for (const { name, scope, stepUp } of dashboardOperations) {
    const found = await verdict('stale', name, scope === 'merchant' ? 'mer_1' : null);
    expect(`${name} ${found}`).toBe(`${name} ${stepUp ? '403 step-up-needed' : 'passes'}`);
  }
});

describe('behind the wall of the database', () => {
  const walled = (merchantId: string) => walledReader(api.database.transact, merchantId);

  it('a query without a filter sees one merchant', async () => {
    await api.call('/api/order/create', { out_trade_no: 'o', currency_id: 1001, token_amount: '5' });
    const sql =
      'SELECT app_id, (SELECT count(*) FROM orders) AS orders, (SELECT count(*) FROM people) AS people FROM apps';
    expect(await walled('mer_2').read(sql, [])).toEqual([{ app_id: 'app_other', orders: 0, people: 1 }]);
    expect(await walled('mer_1').read(sql, [])).toEqual([
      { app_id: api.payment.appId, orders: 1, people: memberRoles.length + 1 },
    ]);
    expect(await walled('mer_nowhere').read(sql, [])).toEqual([]);
    // The wall ends with its transaction, and a connection is not walled in for the next one.
    expect(await api.database.reader.read('SELECT app_id FROM apps', [])).toHaveLength(2);
  });

  it('the log of calls shows developers what their apps asked, and nobody else', async () => {
    const { appId } = api.payment;
    const kept = { timestamp: '1', signature: null, signatureFits: true, body: '{', bodyIs: 'cut' } as const;
    await insertTestCalls(api.database, [
      { callId: 'cal_a', appId, outTradeNo: 'mine' },
      { callId: 'cal_b', appId, code: 10003, message: 'wrong', kept },
      { callId: 'cal_c', appId: 'app_other' },
      { callId: 'cal_d', appId: 'app_none' },
    ]);
    const sql = `SELECT call_id FROM api_calls WHERE call_id < 'cal_e' ORDER BY 1`;
    expect(await walled('mer_1').read(sql, [])).toEqual([{ call_id: 'cal_a' }, { call_id: 'cal_b' }]);
    expect(await walled('mer_2').read(sql, [])).toEqual([{ call_id: 'cal_c' }]);
    const developer = people.get('developer')!;
    const list = (more: object) =>
      developer.send('api-calls.list', { merchant_id: 'mer_1', limit: 1, cursor: 'cal_e', ...more });
    expect(await list({})).toMatchObject({
      status: 200,
      body: { calls: [{ call_id: 'cal_b', code: 10003, message: 'wrong' }], next_cursor: 'cal_b' },
    });
    expect((await list({ named: 'mine' })).body).toMatchObject({ calls: [{ call_id: 'cal_a' }] });
    expect(await list({ app_id: 'app_other' })).toMatchObject({ status: 404 });
    const read = (call_id: string) => developer.send('api-calls.read', { merchant_id: 'mer_1', call_id });
    expect((await read('cal_b')).body).toMatchObject({
      call: { address: '192.0.2.7' },
      kept: { signature: null, signature_fits: true, body: '{', body_is: 'cut' },
    });
    expect(await read('cal_c')).toMatchObject({ status: 404, body: (await read('cal_none')).body });
  });

  it('a user who may not make roles is shown what an operator has to do', async () => {
    const { transact } = api.database;
    const asPlain: typeof transact = (flow) =>
      transact(async (tx) => {
        await tx.write("SELECT set_config('role', 'pg_monitor', true)", []);
        return flow(tx);
      });
    expect(await raiseWalls(asPlain)).toContain('GRANT ducat_walled TO');
  });

  it('nothing can be written, and what is not walled cannot be read', async () => {
    const one = walled('mer_1');
    await expect(one.read("UPDATE apps SET name = 'x' RETURNING 1", [])).rejects.toThrow('permission denied');
    await expect(one.read('SELECT * FROM credentials', [])).rejects.toThrow('permission denied');
    const open = await api.database.reader.read<{ relname: string }>(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND has_table_privilege('ducat_walled', oid, 'SELECT') AND NOT relrowsecurity ORDER BY 1`,
      [],
    );
    expect(open.map(({ relname }) => relname)).toEqual(sharedTables);
    // Every walled table can be read, so no condition names what is not there.
    for (const table of Object.keys(walledTables)) await one.read(`SELECT 1 FROM ${table} LIMIT 1`, []);
  });
});
