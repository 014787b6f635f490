// A merchant's way through the dashboard, each step in a browser: signed up, paid, paying out with a second person. And what
// an operator does for it.
import { Ducat } from '@ducat/sdk';
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { takeMails } from '@ducat/testkit/api/take-mails';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { type ServedDashboard, serveDashboard } from '@ducat/testkit/browser/serve-dashboard';
import { Visitor } from '@ducat/testkit/browser/visitor';
import { transferTo } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { addressSchemes } from '../../../chains/address-schemes.ts';
import { readApprovals } from '../../../db/tables/payouts/payout-approvals.ts';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';

const approvers = new Map<string, string>();
let shop: DashboardShop;
let dashboard: ServedDashboard;
const visitors: Visitor[] = [];
let operator: Visitor;
let owner: Visitor;
let till: Ducat;

beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  dashboard = await serveDashboard(shop.api, { approvers, signUp: 'open' });
  operator = await visitor();
});
afterAll(async () => {
  for (const each of visitors) await each.close();
  await dashboard?.close();
  await shop?.close();
});

async function visitor(): Promise<Visitor> {
  const opened = await Visitor.open(await openBrowser(), dashboard.url, shop.api.world);
  visitors.push(opened);
  return opened;
}

/** The SDK as a shop's server has it, without a network between. */
function sdkOf(appId: string, appKey: string): Ducat {
  const call = async (url: unknown, init: RequestInit = {}) => {
    const { body, headers } = init;
    const { pathname } = new URL(String(url));
    const sent = new Headers(headers);
    const answer = await shop.api.app.inject({
      method: 'POST',
      url: pathname,
      // The SDK sends text.
      payload: body as string,
      headers: Object.fromEntries(sent),
    });
    const answered = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
    return new Response(answer.payload, {
      status: answer.statusCode,
      headers: answered.map((each) => [...each]),
    });
  };
  const world = { nowMs: () => shop.api.world.nowMs(), random: () => 0, sleep: async () => undefined };
  return new Ducat({ baseUrl: 'https://api.test', appId, appKey, fetch: call, world });
}

describe('a merchant on the dashboard', () => {
  it('signs up by the link in a mail, and sets up a second factor', async () => {
    owner = await visitor();
    await owner.go('/');
    await owner.follow('Create an account');
    // The page before has a field of the same name.
    await owner.heading('Create an account');
    await owner.type('E-mail', 'ada@example.test');
    await owner.press('Send the link');
    await owner.heading('Look into your mailbox');
    const [mail] = await takeMails(shop.api);
    const [link = ''] = /http\S+\/sign-up#\S+/.exec(mail?.text ?? '') ?? [];
    await owner.openMerchant(link, 'Northwind Tea', 'Ada');
    await owner.heading('Home');
  });

  it('is seen by the operator, who lets it begin and pay out', async () => {
    await operator.signIn(shop.operator.email);
    await operator.go('/operator/merchants');
    expect(await operator.row('Northwind Tea').innerText()).toContain('Signed up');
    await owner.waitFor('This merchant is suspended');
    await operator.press('More about Northwind Tea');
    await operator.pick('Resume');
    await operator.type('Why', 'known from the fair');
    await operator.confirm('Resume Northwind Tea');
    await operator.waitFor('Done.');
    await operator.press('More about Northwind Tea');
    await operator.pick('Change limits');
    await operator.type('Largest payout, USD (optional)', '');
    await operator.type('Payouts of 24 hours, USD (optional)', '1000');
    await operator.press('Change limits');
    await operator.waitFor('The limits are changed.');
  });

  it('makes an app, and takes an order by the SDK whose story is live', async () => {
    await owner.follow('Apps');
    await owner.press('Create app');
    await owner.type('Name', 'Web shop');
    await owner.type('Webhook address (optional)', 'https://shop.test/hook');
    const made = owner.answer('apps.create');
    await owner.press('Create and show key');
    const { app_id: appId, app_key: appKey } = await made;
    await owner.press('I have kept it');
    till = sdkOf(appId, appKey);

    const order = await till.orders.create({ out_trade_no: 'first', currency_id: 1001, token_amount: '25' });
    await owner.follow('Orders');
    await owner.row('first').click();
    await owner.heading('What happened');
    expect(await owner.shows('counts for the order')).toBe(false);
    const to = addressSchemes.evm.canonical(order.pay_address) ?? '';
    await shop.bookFinal((block) => [transferTo(to, block, { units: 25_000_000n })]);
    // The page was not loaded anew.
    await owner.waitFor('counts for the order');
    expect(await till.orders.detail({ trade_no: order.trade_no })).toMatchObject({ status: 'PAID' });
  });

  it('sends a webhook again that was given up, and not while it is on its way', async () => {
    const { transact, reader } = shop.api.database;
    const stateOf = async () =>
      (await reader.read<{ state: string }>('SELECT state FROM events', []))[0]?.state;
    await owner.press('Send webhook again');
    await owner.waitFor('It is not sent again');
    // Its receiver never answered.
    await transact((tx) => tx.write(`UPDATE events SET state = 'dead', next_attempt_at_ms = NULL`, []));
    await owner.press('Send webhook again');
    await owner.waitFor('The webhook is sent again now.');
    expect(await stateOf()).toBe('pending');
  });

  it('pays out what a second person has approved', async () => {
    await owner.follow('Apps');
    await owner.row('Web shop').click();
    await owner.turnTo('Payouts');
    await owner.type('Second person above, USD (optional)', '1');
    await owner.press('Save rules');
    await owner.waitFor('Saved.');
    await owner.follow('Team');
    await owner.press('Invite');
    await owner.type('E-mail', 'bob@example.test');
    await owner.choose('Role', 'finance');
    await owner.press('Make invitation link');
    const link = await owner.linkShown();
    await owner.press('Done');

    await owner.follow('Payouts');
    await owner.follow('New payout');
    await owner.type('To', TO);
    await owner.type('Amount', '5');
    await owner.press('Review payout');
    const created = owner.answer('payouts.create');
    await owner.pressMatching(/^Pay out 5/);
    const { payout } = await created;
    await owner.heading('What happened');

    const colleague = await visitor();
    await colleague.accept(link, 'Bob');
    await colleague.heading('Home');
    await colleague.go(`${new URL(owner.url()).pathname}`);
    await colleague.press('Approve');
    await colleague.type('Approver', 'bob');
    await colleague.press('Make a key in this browser');
    approvers.set('bob', await colleague.publicKeyShown());
    await colleague.press('Go on');
    await colleague.pressMatching(/^Approve 5/);
    await colleague.waitFor('Approved by bob');
    await owner.waitFor('Approved by bob');
    expect(await readApprovals(shop.api.database.reader, payout.trade_no)).toHaveLength(1);
  });

  it('makes a new key, and the old one ends', async () => {
    await owner.follow('Apps');
    await owner.row('Web shop').click();
    await owner.press('Rotate key');
    await owner.choose('The old key works on for', '0');
    const made = owner.answer('apps.rotate-key');
    await owner.press('Make new key');
    const { app_id: appId, app_key: appKey } = await made;
    await owner.press('I have kept it');
    shop.api.world.advance(10_000);
    const order = { out_trade_no: 'second', currency_id: 1001, token_amount: '1' };
    await expect(till.orders.create(order)).rejects.toMatchObject({ code: 10008 });
    till = sdkOf(appId, appKey);
    expect(await till.orders.create(order)).toMatchObject({ amount: '1' });
  });

  it('takes no order while the operator has paused the chain', async () => {
    const order = { out_trade_no: 'paused', currency_id: 2001, token_amount: '1' };
    await operator.go('/operator/chains');
    await operator.press('More about BSC');
    await operator.pick('Pause BSC');
    await operator.type('Why', 'node upgrade');
    await operator.confirm('Pause BSC');
    await operator.waitFor('BSC is paused.');
    await expect(till.orders.create(order)).rejects.toMatchObject({ code: 20003 });
    await operator.press('Resume BSC');
    await operator.confirm('Resume BSC');
    await operator.waitFor('BSC runs again.');
    expect(await till.orders.create(order)).toMatchObject({ amount: '1' });
  });

  it('has a colleague who lost a second factor; the operator takes it away, and invites another operator', async () => {
    await operator.follow('People');
    await operator.press('Invite an operator');
    await operator.type('E-mail', 'olga@example.test');
    await operator.press('Make invitation link');
    await operator.linkShown();
    await operator.press('Done');
    await operator.row('olga@example.test').waitFor();
    await operator.press('More about Bob');
    await operator.pick('Take second factor away');
    // Two people may have the same name.
    await operator.heading('Take the second factor of bob@example.test away?');
    await operator.type('Why', 'his phone is lost, and he came by');
    await operator.press('Take it away');
    await operator.waitFor('Bob sets up a new second factor');
    for (const { complaints } of visitors) expect(complaints).toEqual([]);
  });

  it('invites a person who has an account, who joins by a fresh second factor', async () => {
    await owner.follow('Team');
    await owner.press('Invite');
    await owner.type('E-mail', shop.operator.email);
    await owner.press('Make invitation link');
    const link = await owner.linkShown();
    await owner.press('Done');
    shop.api.world.advance(5 * 60_000);
    await operator.open(link);
    await operator.press('Join Northwind Tea');
    await operator.stepUp();
    await operator.heading('Home');
    expect(shop.api.bugs).toEqual([]);
  });

  it('has an operator who forgot the password, and signs in by a link and the second factor of before', async () => {
    // Of the test before: a step-up was asked for.
    const before = operator.complaints.length;
    await operator.go('/new-password');
    await operator.type('E-mail', shop.operator.email);
    await operator.press('Send the link');
    await operator.heading('Look into your mailbox');
    const mail = (await takeMails(shop.api)).find(({ kind }) => kind === 'password-link');
    await operator.open(/http\S+\/new-password#\S+/.exec(mail?.text ?? '')?.[0] ?? '');
    await operator.type('New password', 'a long and winding road');
    await operator.press('Set password');
    await operator.heading('Enter the code');
    shop.api.world.advance(60_000);
    await operator.enterCode();
    await operator.heading('Home');
    expect(operator.complaints.slice(before)).toEqual([]);
    expect(shop.api.bugs).toEqual([]);
  });
});
