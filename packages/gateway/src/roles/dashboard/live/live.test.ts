// A live page gets each change once, from one look for all who see the same, and nothing once its person may not look.
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { startTestDashboard, TEST_PASSWORD, type TestDashboard } from '@ducat/testkit/api/test-dashboard';
import { transferTo } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
let shop: DashboardShop;
let dashboard: TestDashboard;
let url = '';
/** Of the first test; who looks is removed in the second. */
let ofFinance: AsyncGenerator<Record<string, unknown>>;
const closing = new AbortController();
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  dashboard = await startTestDashboard(shop.api, { url: 'http://dashboard.test', demo: true });
  url = await dashboard.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  closing.abort();
  await dashboard?.close();
  await shop?.close();
});

function post(name: string, request: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: 'http://dashboard.test', cookie };
  return fetch(`${url}/api/${name}`, { method: 'POST', headers, body: JSON.stringify(request) });
}

async function signIn(email: string): Promise<string> {
  const response = await post('session.sign-in', { email, password: TEST_PASSWORD });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const open = (name: string, request: object, cookie: string, more: Record<string, string> = {}) =>
  fetch(`${url}/live/${name}?request=${encodeURIComponent(JSON.stringify(request))}`, {
    headers: { cookie, ...more },
    signal: closing.signal,
  });

async function* eventsOf(response: Response): AsyncGenerator<Record<string, unknown>> {
  let text = '';
  const body = response.body?.getReader();
  for (let part = await body?.read(); part?.done === false; part = await body?.read()) {
    text += new TextDecoder().decode(part.value);
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      if (event.startsWith('data: ')) yield JSON.parse(event.slice('data: '.length));
    }
  }
}

it('shows an order being paid and the money on the home page, to members alone', async () => {
  const { tradeNo, address } = await shop.orderPlaced('live', 1001, '5');
  const one = { merchant_id: 'mer_1', trade_no: tradeNo };
  const [cookie, strange] = [await signIn(shop.finance.email), await signIn(shop.stranger.email)];
  expect((await open('orders.read', one, '')).status).toBe(401);
  expect((await open('orders.read', one, strange)).status).toBe(404);
  expect((await open('orders.read', { ...one, merchant_id: 'mer_2' }, strange)).status).toBe(404);
  expect((await open('orders.read', one, cookie, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  const order = eventsOf(await open('orders.read', one, cookie));
  const home = eventsOf(await open('home.read', { merchant_id: 'mer_1', period: '24h' }, cookie));
  expect((await order.next()).value).toMatchObject({ order: { status: 'TO-BE-PAID' } });
  expect((await home.next()).value).toMatchObject({ received: [] });
  await shop.bookFinal((block) => [transferTo(address, block, { units: 5_000_000n, txId: '0xlive' })]);
  // A block is seen before it is final: a page that looks in between is shown that first.
  let shown = (await order.next()).value;
  while (shown?.['order'] !== undefined && !JSON.stringify(shown).includes('"status":"PAID"'))
    shown = (await order.next()).value;
  expect(shown).toMatchObject({ order: { status: 'PAID', collected: '5' } });
  expect((await home.next()).value).toMatchObject({ received: [{ currency_id: 1001, amount: '5' }] });
  ofFinance = order;
});

it('shows payouts and lists change, until the person is removed or the session is revoked in another tab', async () => {
  const [tab, other] = [await signIn(shop.owner.email), await signIn(shop.owner.email)];
  const lists = { merchant_id: 'mer_1', limit: 5 };
  const orders = eventsOf(await open('orders.list', { ...lists, status: 'TO-BE-PAID' }, tab));
  const payouts = eventsOf(await open('payouts.list', lists, tab));
  expect((await orders.next()).value).toMatchObject({ orders: [] });
  expect((await payouts.next()).value).toMatchObject({ payouts: [] });
  await shop.orderPlaced('listed', 1001, '3');
  expect((await orders.next()).value).toMatchObject({ orders: [{ out_trade_no: 'listed' }] });
  const wish = { merchant_id: 'mer_1', app_id: shop.api.payment.appId, currency_id: 1001, amount: '0.5' };
  const shown = { most_cost: '20', fee_mode: 'on-top', to_address: TO } as const;
  const { payout: made } = await shop.ask('payouts.create', {
    ...wish,
    ...shown,
    request_id: 'click-0000000000001',
  });
  expect((await payouts.next()).value).toMatchObject({ payouts: [{ trade_no: made.trade_no }] });
  const one = { merchant_id: 'mer_1', trade_no: made.trade_no };
  const payout = eventsOf(await open('payouts.read', one, tab));
  expect((await payout.next()).value).toMatchObject({ payout: { status: 'PROGRESS' } });
  await shop.ask('payouts.cancel', { ...one, reason: 'not needed' });
  expect((await payout.next()).value).toMatchObject({ payout: { status: 'CANCEL' } });
  await shop.ask('team.remove', { merchant_id: 'mer_1', person_id: shop.finance.personId });
  expect((await post('sessions.revoke-others', {}, other)).status).toBe(200);
  expect(await ofFinance.next()).toMatchObject({ done: true });
  expect(await payout.next()).toMatchObject({ done: true });
  expect((await open('payouts.read', one, tab)).status).toBe(401);
  expect((await open('payouts.read', one, other)).status).toBe(200);
});
