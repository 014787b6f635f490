// Another merchant's things: each id that an operation takes is tried with a thing of a stranger, alone among things of one's own.
import type { DashboardOperation } from '@ducat/contract/dashboard/operation';
import { dashboardOperations } from '@ducat/contract/dashboard/registry';
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { fundApp } from '@ducat/testkit/api/paying-out';
import type { TestApp } from '@ducat/testkit/api/test-api';
import { signIn, type TestPerson } from '@ducat/testkit/api/test-dashboard';
import { insertTestCalls } from '@ducat/testkit/calls';
import { transferTo } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { addressSchemes } from '../../chains/address-schemes.ts';
import { insertMember } from '../../db/tables/access/memberships.ts';
import { liveNames } from './live/live-questions.ts';

/** One thing of each kind. */
interface Things {
  readonly app: string;
  readonly counter: string;
  readonly order: string;
  readonly payout: string;
  readonly event: string;
  readonly call: string;
  readonly receipt: string;
  readonly qrCode: number;
  readonly person: string;
  /** Who made all of these. */
  readonly actor: string;
  readonly invitation: string;
}

let shop: DashboardShop;
let own: Things;
let theirs: Things;
const none: Things = {
  app: 'app_none',
  counter: 'app_none',
  order: 'ord_none',
  payout: 'pay_none',
  event: 'evt_none',
  call: 'cal_none',
  receipt: '0xnone',
  qrCode: 999_999,
  person: 'per_none',
  actor: 'per_none',
  invitation: 'inv_none',
};
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  theirs = await openThings('mer_1', shop.api.payment, shop.owner);
  const app = await shop.api.addApp();
  own = await openThings('mer_2', app, shop.stranger);
  // Without it the balance would decide about payouts.
  await fundApp(shop.api.database, app.appId, 1001, 100_000_000n);
});
afterAll(() => shop?.close());

/** The fields that name a thing of a merchant. A dot leads into an object, and `[]` into a list. */
const idFields: Readonly<Record<string, (things: Things, operation: string) => unknown>> = {
  app_id: ({ app, counter }, operation) => (operation === 'qr-codes.create' ? counter : app),
  trade_no: ({ order, payout }, operation) => (operation.startsWith('payouts.') ? payout : order),
  'refund.trade_no': ({ order }) => order,
  refund_of: ({ order }) => order,
  event_id: ({ event }) => event,
  'event_ids[]': ({ event }) => event,
  call_id: ({ call }) => call,
  tx_id: ({ receipt }) => receipt,
  qr_code_id: ({ qrCode }) => qrCode,
  person_id: ({ person, actor }, operation) => (operation === 'audit-log.list' ? actor : person),
  invitation_id: ({ invitation }) => invitation,
  /** What is looked for may be the number of anything. */
  text: ({ order }) => order,
  named: ({ order }) => order,
};

/** Those that name none, with what a request needs in them, so that the ids alone decide; null where it needs none. */
const plainFields: Readonly<Record<string, unknown>> = {
  address: `0x${'ab'.repeat(20)}`,
  amount: '1',
  approver: 'ada',
  body: '',
  bytes_hash: 'a'.repeat(64),
  callback_url: null,
  chain: 'ETH',
  currencies_off: null,
  currency_id: 1001,
  cursor: null,
  email: 'y@y.test',
  enabled: null,
  family: 'evm',
  fee_cap: '1',
  fee_mode: 'on-top',
  from: 0,
  grace_seconds: 0,
  hours: 1,
  is_disabled: true,
  is_on: false,
  keep: '0',
  kind: 'PAYMENT',
  label: 'x',
  limit: null,
  logo: null,
  most_cost: '50',
  name: 'x',
  network: { allowed_ranges: [], min_operable_usd: null },
  operation: null,
  otp_code: null,
  page: null,
  payout_rules: {
    fee_mode: 'on-top',
    max_usd: null,
    max_day_usd: null,
    approval_above_usd: null,
    address_list: false,
    cooling_seconds: 0,
  },
  period: '24h',
  position: 'log:0',
  reason: 'x',
  'refund.reason': 'x',
  refused: null,
  request_id: 'request-0123456789',
  request_ids: ['request-0123456789'],
  role: 'viewer',
  role_before: 'owner',
  signature: 'a'.repeat(128),
  state: 'dead',
  status: null,
  is_late: null,
  timestamp: '1',
  to: 9_999_999_999,
  to_address: `0x${'ab'.repeat(20)}`,
  to_approve: null,
  tolerance_ppm: null,
  until: 9_999_999_999,
  version: 'x',
};

let clicks = 0;

/** A click has a number of its own, since one that was sent before is answered by what it made then. */
function plainOf(path: string): unknown {
  return path === 'request_id' ? `${String(plainFields[path])}-${++clicks}` : plainFields[path];
}

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** Every field of a request by its path; an object or a list that names no thing counts as one field. */
function pathsOf({ properties = {} }: Schema): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (name === 'merchant_id') return [];
    if (name in plainFields) return [name];
    if (schema.type === 'array') return [`${name}[]`];
    if (schema.type === 'object') return pathsOf(schema).map((path) => `${name}.${path}`);
    return [name];
  });
}

const ofMerchants = (dashboardOperations as readonly DashboardOperation[]).filter(
  ({ scope }) => scope === 'merchant',
);
const tries = ofMerchants.flatMap((operation) =>
  pathsOf(operation.request as Schema)
    .filter((path) => path in idFields)
    .map((path) => [operation.name, path, operation] as const),
);

/** With everything that the operation needs, and this path besides, which names the thing of `things`; all else is one's own. */
function requestOf({ name, request }: DashboardOperation, path: string, things: Things): object {
  const { required = [] } = request as Schema;
  const built: Record<string, unknown> = { merchant_id: 'mer_2' };
  for (const each of pathsOf(request)) {
    const [head = ''] = each.split(/[.[]/);
    if (!required.includes(head) && head !== path.split(/[.[]/)[0]) continue;
    const value = each in idFields ? idFields[each]?.(each === path ? things : own, name) : plainOf(each);
    if (each.endsWith('[]')) built[head] = [value];
    else if (each.includes('.')) {
      const inside = { [each.slice(head.length + 1)]: value };
      built[head] = { ...(built[head] as object | undefined), ...inside };
    } else built[head] = value;
  }
  return built;
}

it('knows of every field of every operation whether it names a thing of a merchant', () => {
  const paths = new Set(ofMerchants.flatMap(({ request }) => pathsOf(request as Schema)));
  expect([...paths].filter((path) => !(path in idFields) && !(path in plainFields))).toEqual([]);
  const used = (path: string) => paths.has(path);
  expect(Object.keys(idFields).filter((path) => !used(path))).toEqual([]);
  expect(Object.keys(plainFields).filter((path) => !used(path))).toEqual([]);
});

describe('the thing of another merchant', () => {
  it.each(tries)('%s, by %s, is as one that does not exist', async (name, path, operation) => {
    const ask = async (things: Things) => {
      const { status, body } = await shop.stranger.send(name, requestOf(operation, path, things));
      return { status, body: { ...body, now: 0 } };
    };
    const [foreign, missing] = [await ask(theirs), await ask(none)];
    expect(foreign).toEqual(missing);
    expect([200, 404]).toContain(foreign.status);
    // One's own is answered otherwise, so it was the id that decided.
    expect(await ask(own)).not.toEqual(foreign);
  });

  const live = tries.filter(([name]) => (liveNames as readonly string[]).includes(name));
  it.each(live)('%s, by %s, is not shown by a live page', async (name, path, operation) => {
    const watch = (things: Things) => shop.stranger.watch(name, requestOf(operation, path, things));
    const [foreign, missing] = [await watch(theirs), await watch(none)];
    expect({ status: foreign.status, body: foreign.body }).toEqual({ status: 404, body: missing.body });
    expect((await watch(own)).status).toBe(200);
  });
});

async function openThings(merchantId: string, app: TestApp, owner: TestPerson): Promise<Things> {
  const { api } = shop;
  const { database, world } = api;
  const counter = await api.addApp('QR_CODE');
  await database.transact((tx) =>
    tx.write('UPDATE apps SET merchant_id = $1 WHERE app_id = ANY ($2)', [
      merchantId,
      [app.appId, counter.appId],
    ]),
  );
  const wish = { out_trade_no: 'x', currency_id: 1001, token_amount: '5' };
  const order = await api.call('/api/order/create', wish, app);
  const qr = await api.call(
    '/api/payment-qr-code/create',
    { name: 'x', currency_id: 1001, amount: '0' },
    counter,
  );
  expect([order.code, qr.code]).toEqual([0, 0]);
  const tradeNo = String(order.data['trade_no']);
  // Ether at an order for USDT counts for none.
  const to = addressSchemes.evm.canonical(String(order.data['pay_address'])) ?? '';
  const receipt = `0xstray-${merchantId}`;
  const amount = { currencyId: 1000, units: 10n ** 16n };
  await shop.bookFinal((block) => [transferTo(to, block, { amount, txId: receipt })]);
  await owner.call('team.invite', { merchant_id: merchantId, email: `${merchantId}@x.test`, role: 'viewer' });
  const team = await owner.call('team.list', { merchant_id: merchantId });
  const [invitation] = team.body['invitations'] as { invitation_id: string }[];
  const colleague = {
    email: `of-${merchantId}@x.test`,
    name: 'Colleague',
    isOperator: false,
    passwordHash: '',
  };
  const { personId } = await signIn(database.transact, world, colleague, async (tx, id) => {
    await insertMember(tx, { merchantId, personId: id, role: 'viewer', sinceMs: world.nowMs() });
  });
  const [event, payout, call] = [`evt_${merchantId}`, `pay_${merchantId}`, `cal_${merchantId}`];
  await writeEventAndPayout({ app: app.appId, order: tradeNo, event, payout });
  await insertTestCalls(database, [{ callId: call, appId: app.appId, outTradeNo: tradeNo }]);
  return {
    app: app.appId,
    counter: counter.appId,
    order: tradeNo,
    payout,
    event,
    call,
    receipt,
    qrCode: Number(qr.data['id']),
    person: personId,
    actor: owner.personId,
    invitation: invitation?.invitation_id ?? '',
  };
}

/** Straight into the tables: nothing has to have come of them. */
async function writeEventAndPayout({
  app,
  order,
  event,
  payout,
}: Pick<Things, 'app' | 'order' | 'event' | 'payout'>): Promise<void> {
  await shop.api.database.transact(async (tx) => {
    await tx.write(
      `INSERT INTO events (event_id, app_id, trade_no, type, status, final, body, state, created_at_ms)
       VALUES ($3, $1, $2, 'PAYMENT', 'PAID', true, '{}', 'unsent', 0)`,
      [app, order, event],
    );
    await tx.write(
      `INSERT INTO payouts (trade_no, app_id, idempotency_key, signature, input_hash, chain, currency_id, to_address,
         amount, service_charge, gas, receipt, reserved, fee_currency_id, network_fee, fee_cap, status, needs_approval,
         create_time)
       VALUES ($2, $1, 'k', 's', 'h', 'ETH', 1001, '0xto', 1, 0, 0, 1, 1, 1000, 1, 1, 'PROGRESS', true, 0)`,
      [app, payout],
    );
  });
}
