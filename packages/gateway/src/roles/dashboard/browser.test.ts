// The dashboard in a real browser: the built pages against the role and its database, from the first sign-in to a payout.
import { readFileSync } from 'node:fs';
import { Secret, type TOTP as Totp, TOTP, URI } from 'otpauth';
import { callNamed } from '@ducat/testkit/api/paying-out';
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { TEST_PASSWORD } from '@ducat/testkit/api/test-dashboard';
import { transferTo } from '@ducat/testkit/fixtures';
import { signatureOf } from '@ducat/testkit/api/test-api';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { addPasskeyDevice } from '@ducat/testkit/browser/passkey-device';
import { openPayerPage, type PayerPage } from '@ducat/testkit/browser/payer-page';
import { type ServedDashboard, serveDashboard } from '@ducat/testkit/browser/serve-dashboard';
import { readApprovals } from '../../db/tables/payouts/payout-approvals.ts';
import { changeRules } from '../../flows/payouts/change-rules.ts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const HOURS_BETWEEN = 23;

const approvers = new Map<string, string>();
let shop: DashboardShop;
let dashboard: ServedDashboard;
let visit: PayerPage;
/** The authenticator of the app. */
let appCodes: Totp;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  dashboard = await serveDashboard(shop.api, { approvers });
  const { appId } = shop.api.payment;
  const which = { merchant_id: 'mer_1', app_id: appId };
  const { version } = (await shop.ask('apps.read', which)).app;
  const codes = { ...which, version, is_on: true };
  // The address is that of an authenticator with codes by time.
  appCodes = URI.parse((await shop.ask('apps.switch-one-time-codes', codes)).setup_url ?? '') as Totp;
  await shop.api.database.transact((tx) => tx.write(`UPDATE merchants SET name = 'Northwind Tea'`, []));
  // So many hundredths of a dollar, one order a day.
  for (const [place, cents] of [1_200, 4_890, 2_310, 7_450, 3_105, 2_550].entries()) {
    shop.api.world.advance(HOURS_BETWEEN * 3_600_000);
    await shop.bookFinal(() => []);
    await shop.orderPaid(`${1_037 + place}`, `${cents / 100}`, BigInt(cents) * 10_000n);
  }
  const open = { out_trade_no: '1043', currency_id: 1000, fiat_name: 'USD', fiat_amount: '90' };
  await shop.api.call('/api/order/create', open);
  const context = { viewport: { width: 1_280, height: 800 }, reducedMotion: 'reduce' } as const;
  visit = await openPayerPage(await openBrowser(), { context });
  await visit.page.clock.setFixedTime(shop.api.world.nowMs());
});
afterAll(async () => {
  await visit?.close();
  await dashboard?.close();
  await shop?.close();
});

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const link = (name: string) => visit.page.getByRole('link', { name, exact: true });
const heading = (name: string) => visit.page.getByRole('heading', { name, exact: true });
const row = (name: string) => visit.page.getByRole('row', { name });
const type = (label: string, text: string) => visit.page.getByLabel(label, { exact: true }).fill(text);

/** With the Tab key, as far as a person would go. */
async function tabTo(target: ReturnType<PayerPage['page']['locator']>): Promise<void> {
  const focused = target.and(visit.page.locator(':focus'));
  await target.and(visit.page.locator(':enabled, a')).waitFor();
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused.count()) > 0) return;
    await visit.page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not come to ${String(target)}`);
}

/** What an authenticator shows now. */
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: shop.api.world.nowMs() });

/** One that the shop's server asks for, and that waits for a second person. */
async function payoutOfApi(): Promise<string> {
  const { api } = shop;
  await api.database.transact((tx) => changeRules(tx, api.payment.appId, { approvalAbove: 1_000_000n }));
  api.world.advance(30_000);
  const code = appCodes.generate({ timestamp: api.world.nowMs() });
  const wanted = { currency_id: 1001, amount: '3', to_address: TO, otp_code: code };
  return String((await callNamed(api, 'for-approval', wanted)).data['trade_no']);
}

async function enterPassword(): Promise<void> {
  await type('E-mail', shop.owner.email);
  await type('Password', TEST_PASSWORD);
  await button('Sign in').click();
}

describe('the dashboard in a browser', () => {
  it('asks for an authenticator on the first day, and for its code from then on', async () => {
    const { page, complaints } = visit;
    await page.goto(`${dashboard.url}/`);
    await button('Sign in').waitFor();
    const begun = page.waitForResponse('**/api/totp.begin');
    await enterPassword();
    const { secret } = (await (await begun).json()) as { secret: string };
    // The network comes back meanwhile. Asking anew would make another secret.
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    for (const isOffline of [true, false]) await page.context().setOffline(isOffline);
    await expect.poll(() => asked, { timeout: 10_000 }).toContain(`${dashboard.url}/api/session.read`);
    expect(asked.filter((url) => url.endsWith('totp.begin'))).toEqual([]);
    await type('The code that the app shows now', codeOf(secret));
    await button('Turn on').click();
    await button('I have kept them').click();
    await heading('Home').waitFor();

    await button('Person 1').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await button('Sign in').waitFor();
    await enterPassword();
    shop.api.world.advance(30_000);
    await type('Code of 6 digits', codeOf(secret));
    await button('Continue').click();
    await page.getByText('received in 7 days by 6 payments').waitFor();
    // The browser reports each request that was on its way when the network went.
    const lost = /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/;
    expect(complaints.splice(0).filter((each) => !lost.test(each))).toEqual([]);
  });

  it('adds a passkey, signs in with it, and shows it where a second factor is asked for', async () => {
    const { page, complaints } = visit;
    await addPasskeyDevice(page);
    await page.goto(`${dashboard.url}/account`);
    await button('Add passkey').click();
    await type('Name', 'Laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
    await row('Laptop').waitFor();
    await button('Person 1').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await enterPassword();
    await button('Use passkey').click();
    await heading('Home').waitFor();
    await page.goto(`${dashboard.url}/account`);
    shop.api.world.advance(5 * 60_000);
    await button('Make new recovery codes').click();
    await button('Use passkey').click();
    await heading('Keep these recovery codes').waitFor();
    const saved = page.waitForEvent('download');
    await button('Save as a file').click();
    const file = readFileSync(await (await saved).path(), 'utf8').split('\n');
    expect([file[0], file.slice(2, -1).length]).toEqual([dashboard.url, 10]);
    await button('Close').click();
    // Times are shown by the gateway's clock where the browser's is three days ahead.
    await page.clock.setFixedTime(shop.api.world.nowMs() + 72 * 3_600_000);
    await page.reload();
    await row('Laptop').getByText('now', { exact: true }).waitFor();
    await page.clock.setFixedTime(shop.api.world.nowMs());
    // The page asks first, and Chromium notes the refusal.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('403')]);
  });

  it('shows the orders and the story of one, and an AppKey once', async () => {
    const { page, complaints } = visit;
    await link('Orders').click();
    await row('1043').waitFor();
    // The first is no month, the second this one.
    const month = page.getByLabel('Month, UTC', { exact: true });
    await month.selectOption({ index: 2 });
    await page.getByText('No order fits these filters').waitFor();
    await month.selectOption({ index: 1 });
    await row('1042').click();
    await heading('What happened').waitFor();
    await page.getByText('counts for the order').waitFor();

    await link('Apps').click();
    await button('Create app').click();
    await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor();
    await type('Name', 'Till <b>');
    const made = page.waitForResponse('**/api/apps.create');
    await button('Create and show key').click();
    const { app_key: appKey } = (await (await made).json()) as { app_key: string };
    await page.getByText(appKey).waitFor();
    await button('I have kept it').click();
    await row('Till <b>').waitFor();
    expect(await page.content()).not.toContain(appKey);
    expect(complaints).toEqual([]);
  });

  it('pays out what was reviewed, with the one-time code of the app, by the keyboard alone', async () => {
    const { page, complaints } = visit;
    const { keyboard } = page;
    await tabTo(link('Payouts'));
    await keyboard.press('Enter');
    await link('New payout').waitFor();
    await tabTo(link('New payout'));
    await keyboard.press('Enter');
    await page.getByLabel('To', { exact: true }).waitFor();
    await tabTo(page.getByLabel('To', { exact: true }));
    await keyboard.type(TO);
    await tabTo(page.getByLabel('Amount', { exact: true }));
    await keyboard.type('5');
    await keyboard.press('Enter');
    const code = page.getByLabel('One-time code', { exact: true });
    await code.waitFor();
    await tabTo(code);
    await keyboard.type('12345');
    await keyboard.press('Enter');
    expect(await page.locator(':invalid').count(), 'six digits are asked for').toBeGreaterThan(0);
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type(appCodes.generate({ timestamp: shop.api.world.nowMs() }));
    await tabTo(page.getByRole('button', { name: 'Pay out 5' }));
    await keyboard.press('Enter');
    await heading('What happened').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Payouts' }).click();
    await row('Person 1').waitFor();
    expect(complaints).toEqual([]);
    expect(shop.api.bugs).toEqual([]);
  });

  it('sends back what was typed, once, where an answer is lost and the person goes back', async () => {
    const { page, complaints } = visit;
    const { database, world } = shop.api;
    await page.goto(`${dashboard.url}/m/mer_1/orders`);
    await row('1040').click();
    await button('Refund').click();
    await type('Amount', '10');
    await type('To', TO);
    await type('Why', 'came back by post');
    const confirm = async () => {
      await button('Review payout').click();
      world.advance(30_000);
      await type('One-time code', appCodes.generate({ timestamp: world.nowMs() }));
      await page.getByRole('button', { name: 'Pay out 10' }).click();
    };
    // The gateway makes it, and nobody learns that.
    await page.route(
      '**/api/payouts.create',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await confirm();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await button('Back').click();
    expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('10');
    await confirm();
    await page.waitForURL('**/payouts/*');
    expect(await database.reader.read('SELECT FROM order_refunds', [])).toHaveLength(1);
    expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
  });

  it('lets another person approve exactly what is shown, by a key that stays in the browser', async () => {
    const { page, complaints } = visit;
    const tradeNo = await payoutOfApi();
    await page.goto(`${dashboard.url}/m/mer_1/payouts/${tradeNo}`);
    await button('Approve').click();
    await type('Approver', 'olga');
    await button('Make a key in this browser').click();
    const [publicKey = ''] = /[0-9a-f]{64}/.exec(await page.getByText('olga = "').innerText()) ?? [];
    await page.getByText(`{ "name": "olga", "publicKey": "${publicKey}" }`).waitFor();
    approvers.set('olga', publicKey);
    await button('Go on').click();
    await page.getByText('Compare it with your own records').waitFor();
    // Nobody has entered the key yet, and the form has no field for who approves.
    const [name, registered] = ['olga', approvers.get('olga') ?? ''] as const;
    approvers.delete(name);
    await button('Approve 3.00 USDT').click();
    await page.getByText('approver is no approver of this gateway').waitFor();
    approvers.set(name, registered);
    await button('Approve 3.00 USDT').click();
    await page.getByText('Approved by olga').waitFor();
    const [kept] = await readApprovals(shop.api.database.reader, tradeNo);
    expect(kept).toMatchObject({ approver: 'olga', signature: expect.stringMatching(/^[0-9a-f]{128}$/) });
    // The browser notes the refusal.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);
  });

  it('has the rules of an app, its codes for a counter, and money that counts for no order', async () => {
    const { page, complaints } = visit;
    const { appId } = shop.api.payment;
    await page.goto(`${dashboard.url}/m/mer_1/apps/${appId}`);
    await page.getByRole('tab', { name: 'Payouts' }).click();
    await type('Largest payout, USD (optional)', '900');
    await button('Save rules').click();
    await page.getByText('Saved.').waitFor();
    await shop.api.addApp('QR_CODE');
    await page.goto(`${dashboard.url}/m/mer_1/qr-codes`);
    await button('New QR code').click();
    await type('Name', 'Counter');
    await button('Make QR code').click();
    await page.getByRole('img', { name: 'QR code of Counter' }).waitFor();
    const { address } = await shop.orderPlaced('stray', 1001, '2');
    const ether = { amount: { currencyId: 1000, units: 10n ** 16n }, txId: '0xstray' };
    await shop.bookFinal((block) => [transferTo(address, block, ether)]);
    await page.goto(`${dashboard.url}/m/mer_1/receipts`);
    await row('0.01').click();
    await button('Send back').click();
    await type('To', TO);
    await button('Review').click();
    await page.getByLabel('Kept of it').waitFor();
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  });

  it('sends late money of an order back from its story', async () => {
    const { page, complaints } = visit;
    const { tradeNo, address } = await shop.orderPlaced('too-late', 1001, '20');
    await shop.api.database.transact((tx) =>
      tx.write('UPDATE orders SET time_expire = create_time + 60 WHERE trade_no = $1', [tradeNo]),
    );
    shop.api.world.advance(90_000);
    const units = 12_000_000n;
    await shop.bookFinal((block) => [transferTo(address, block, { units, txId: '0xlate' })]);
    await page.goto(`${dashboard.url}/m/mer_1/orders/${tradeNo}`);
    await page.getByText('Part paid, expired').waitFor();
    expect(await button('Accept late payment').count()).toBe(0);
    await button('Send back').click();
    await type('To', TO);
    await button('Review').click();
    await type('Why', 'came too late');
    await type('One-time code', appCodes.generate({ timestamp: shop.api.world.nowMs() }));
    await page.getByRole('dialog').getByRole('button', { name: 'Send back', exact: true }).click();
    await heading('What happened').waitFor();
    await page.waitForURL('**/payouts/pay_*');
    await page.goto(`${dashboard.url}/m/mer_1/orders/${tradeNo}`);
    await page.getByText('Sent back by').waitFor();
    expect(await button('Send back').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('reads a file of payouts whole or not at all, and says which mistake is in a signature', async () => {
    const { page, complaints } = visit;
    const pick = (...rows: string[]) => {
      const buffer = Buffer.from(['to_address,amount', ...rows].join('\n'));
      return page.getByLabel('CSV file').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
    };
    await page.goto(`${dashboard.url}/m/mer_1/payouts/batch`);
    const { appId, appKey } = shop.api.payment;
    await page.getByLabel('From balance').selectOption(`${appId} 1001`);
    await pick(`${TO},1`, `${TO},=1`);
    await button('Read and price').click();
    await page.getByText('Line 3: it begins like a formula').waitFor();
    await pick(`${TO},1`, `${TO},2`);
    await button('Read and price').click();
    await page.getByRole('cell', { name: 'Ready' }).nth(1).waitFor();
    await page.getByText('This app asks for a one-time code').waitFor();
    await page.goto(`${dashboard.url}/m/mer_1/apps/${appId}`);
    await button('Debug a signature').click();
    await type('X-Timestamp', '1763000000');
    await type('X-Sign', signatureOf('{}', '1763000000', appKey));
    await type('Body, exactly as it was sent (optional)', '{"a":1}');
    await type('What your code hashed, without the key (optional)', '{"a": 1}');
    await button('Compare').click();
    await page.getByText('Your code hashed an empty body').waitFor();
    await page.getByText('20 31 7d').waitFor();
    expect(complaints).toEqual([]);
  });

  it('sends webhooks again that were picked, by the keyboard alone', async () => {
    const { page, complaints } = visit;
    const { transact, reader } = shop.api.database;
    await transact((tx) => tx.write(`UPDATE events SET state = 'dead', next_attempt_at_ms = NULL`, []));
    await page.goto(`${dashboard.url}/m/mer_1/webhooks`);
    const box = page.getByRole('checkbox', { name: 'Pick PAYMENT PAID' }).first();
    await box.waitFor();
    await tabTo(box);
    await page.keyboard.press('Space');
    const send = async () => {
      await tabTo(button('Send 1 again'));
      await page.keyboard.press('Enter');
    };
    await page.route('**/api/webhooks.resend', (route) => route.abort(), { times: 1 });
    await send();
    await page.getByText('The server does not answer.').first().waitFor();
    await send();
    await page.getByText('1 event is sent again.', { exact: true }).first().waitFor();
    await button('Send 1 again').waitFor({ state: 'detached' });
    const again = await reader.read(`SELECT event_id FROM events WHERE state = 'pending'`, []);
    expect(again).toHaveLength(1);
    expect(complaints.splice(0).filter((one) => !one.includes('ERR_FAILED'))).toEqual([]);
  });

  it('turns to signing in where the session ends in another tab', async () => {
    const { page, complaints } = visit;
    const stream = page.waitForResponse('**/live/orders.list?*');
    await page.goto(`${dashboard.url}/m/mer_1/orders`);
    await stream;
    await shop.orderPlaced('from-another-tab', 1001, '2');
    await row('from-another-tab').waitFor();
    const other = await page.context().newPage();
    await other.goto(`${dashboard.url}/account`);
    await other.getByRole('button', { name: 'Person 1' }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    await other.close();
    await button('Sign in').waitFor();
    expect(await row('from-another-tab').count()).toBe(0);
    // The stream and the answer after it are refused, which the browser notes.
    expect(complaints.filter((one) => !one.includes('401'))).toEqual([]);
  });
});
