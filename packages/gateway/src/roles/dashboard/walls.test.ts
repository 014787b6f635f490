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
async function verdict(who: string, name: string, merchantId: string | null): Promise<string> {
  const body = { ...(merchantId === null ? {} : { merchant_id: merchantId }), 'no field': 1 };
  const answer = await people.get(who)!.send(name, body);
  const { code, message } = answer.body;
  return code === 'field-invalid' && message === 'no field is not a known field'
    ? 'passes'
    : `${answer.status} ${String(code)}`;
}

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

describe("another merchant's ids", () => {
  const none: Ids = {
    app_id: 'app_none',
    order: 'ord_none',
    payout: 'pay_none',
    event_id: 'evt_none',
    call_id: 'cal_none',
    qr_code_id: 999_999,
    person_id: 'per_none',
    invitation_id: 'inv_none',
  };
  let theirs: Ids;
  let thief: TestPerson;
  beforeAll(async () => {
    theirs = await openThings();
    thief = await dashboard.addPerson({ role: 'owner', merchantId: 'mer_2' });
  });

  const named = dashboardOperations.filter(
    ({ scope, request }) =>
      scope === 'merchant' && (request.required ?? []).some((field) => field in idFields),
  );

  it.each(named.map((operation) => [operation.name, operation] as const))(
    '%s answers them as ids that do not exist',
    async (name, { request }) => {
      const fields: readonly string[] = request.required ?? [];
      const ask = (ids: Ids) =>
        thief.send(name, Object.fromEntries(fields.map((field) => [field, valueOf(name, field, ids)])));
      const [foreign, missing] = [await ask(theirs), await ask(none)];
      expect({ status: foreign.status, body: foreign.body }).toEqual({ status: 404, body: missing.body });
    },
  );
});

interface Ids {
  readonly app_id: string;
  readonly order: string;
  readonly payout: string;
  readonly event_id: string;
  readonly call_id: string;
  readonly qr_code_id: number;
  readonly person_id: string;
  readonly invitation_id: string;
}

/** The fields that name a thing of a merchant; a trade_no names a payout in operations on payouts. */
const idFields: Readonly<Record<string, (ids: Ids, name: string) => unknown>> = {
  app_id: (ids) => ids.app_id,
  trade_no: (ids, name) => (name.startsWith('payouts.') ? ids.payout : ids.order),
  event_id: (ids) => ids.event_id,
  call_id: (ids) => ids.call_id,
  event_ids: (ids) => [ids.event_id],
  qr_code_id: (ids) => ids.qr_code_id,
  person_id: (ids) => ids.person_id,
  invitation_id: (ids) => ids.invitation_id,
};

/** Whatever else such a request needs, so that its ids alone decide. */
const otherFields: Readonly<Record<string, unknown>> = {
  merchant_id: 'mer_2',
  address: `0x${'ab'.repeat(20)}`,
  amount: '1',
  approver: 'ada',
  body: '',
  bytes_hash: 'a'.repeat(64),
  chain: 'ETH',
  currency_id: 1001,
  family: 'evm',
  fee_mode: 'on-top',
  fee_cap: '1',
  from: 0,
  grace_seconds: 0,
  hours: 1,
  is_disabled: true,
  is_on: false,
  label: 'x',
  logo: null,
  most_cost: '1',
  name: 'x',
  network: { allowed_ranges: [], min_operable_usd: null },
  payout_rules: {
    fee_mode: 'on-top',
    max_usd: null,
    max_day_usd: null,
    approval_above_usd: null,
    address_list: false,
    cooling_seconds: 0,
  },
  position: 'log:0',
  reason: 'x',
  request_id: 'request-0123456789',
  role: 'viewer',
  role_before: 'owner',
  signature: 'a'.repeat(128),
  state: 'dead',
  timestamp: '1',
  to: 9_999_999_999,
  to_address: `0x${'ab'.repeat(20)}`,
  tx_id: `0x${'a'.repeat(64)}`,
  until: 9_999_999_999,
  version: 'x',
};

function valueOf(name: string, field: string, ids: Ids): unknown {
  const id = idFields[field];
  if (id !== undefined) return id(ids, name);
  if (!(field in otherFields)) throw new Error(`${name}: say above what ${field} is for this test`);
  return otherFields[field];
}

/** One thing of each kind, of the first merchant. */
async function openThings(): Promise<Ids> {
  const { appId } = api.payment;
  const order = await api.call('/api/order/create', {
    out_trade_no: 'x',
    currency_id: 1001,
    token_amount: '5',
  });
  const tradeNo = String(order.data['trade_no']);
  const code = { name: 'x', currency_id: 1001, amount: '0' };
  const qr = await api.call('/api/payment-qr-code/create', code, await api.addApp('QR_CODE'));
  expect([order.code, qr.code]).toEqual([0, 0]);
  const owner = await dashboard.addPerson({ role: 'owner' });
  await owner.call('team.invite', { merchant_id: 'mer_1', email: 'x@x.test', role: 'viewer' });
  const team = await owner.call('team.list', { merchant_id: 'mer_1' });
  const [invitation] = team.body['invitations'] as { invitation_id: string }[];
  await api.database.transact(async (tx) => {
    await tx.write(
      `INSERT INTO events (event_id, app_id, trade_no, type, status, final, body, state, created_at_ms)
       VALUES ('evt_x', $1, $2, 'PAYMENT', 'PAID', true, '{}', 'unsent', 0)`,
      [appId, tradeNo],
    );
    await tx.write(
      `INSERT INTO payouts (trade_no, app_id, idempotency_key, signature, input_hash, chain, currency_id, to_address,
         amount, service_charge, gas, receipt, reserved, fee_currency_id, network_fee, fee_cap, status, needs_approval,
         create_time)
       VALUES ('pay_x', $1, 'k', 's', 'h', 'ETH', 1001, '0xto', 1, 0, 0, 1, 1, 1000, 1, 1, 'PROGRESS', true, 0)`,
      [appId],
    );
  });
  await insertTestCalls(api.database, [{ callId: 'cal_x', appId }]);
  return {
    app_id: appId,
    order: tradeNo,
    payout: 'pay_x',
    event_id: 'evt_x',
    call_id: 'cal_x',
    qr_code_id: Number(qr.data['id']),
    person_id: owner.personId,
    invitation_id: invitation?.invitation_id ?? '',
  };
}
