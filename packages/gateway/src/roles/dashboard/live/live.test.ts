// A live page gets each change once, from one look for all who see the same, and nothing once its person may not look.
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { startTestDashboard, TEST_PASSWORD, type TestDashboard } from '@ducat/testkit/api/test-dashboard';
import { transferTo } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

let shop: DashboardShop;
let dashboard: TestDashboard;
let url = '';
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

async function signIn(email: string): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: 'http://dashboard.test' };
  const body = JSON.stringify({ email, password: TEST_PASSWORD });
  const response = await fetch(`${url}/api/session.sign-in`, { method: 'POST', headers, body });
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

it('shows an order being paid and the money on the home page, to members alone and as long as they are', async () => {
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
  await shop.ask('team.remove', { merchant_id: 'mer_1', person_id: shop.finance.personId });
  expect(await order.next()).toMatchObject({ done: true });
});
