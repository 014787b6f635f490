// What an operator does about currencies, merchants, apps and people, each act by the words on the page, and what holds then.
import { type Acting, startActing } from '@ducat/testkit/browser/acting';
import type { ReportedNonce } from '../data-port.ts';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';

const mine = { merchant_id: 'mer_1' };

let acting: Acting;
let reported: ReportedNonce | null = null;
beforeAll(async () => {
  const askNonce = async () => reported;
  acting = await startActing(inject('postgresAdminUrl'), 'operator', { askNonce });
  await acting.write("UPDATE merchants SET name = 'Northwind Tea' WHERE merchant_id = 'mer_1'");
});
afterAll(() => acting?.close());
afterEach(() => {
  expect(acting.person.complaints).toEqual([]);
  expect(acting.shop.api.bugs).toEqual([]);
});

let orders = 0;

/** The code that an order is answered with now; 0 where it is taken. */
async function orderCode(): Promise<number> {
  orders += 1;
  // The API keeps for seconds what it has read about apps and currencies.
  acting.shop.api.world.advance(6_000);
  const order = { out_trade_no: `try-${orders}`, currency_id: 1001, token_amount: '1' };
  return (await acting.shop.api.call('/api/order/create', order)).code;
}

async function merchantNow() {
  const { merchants } = await acting.shop.ask('merchants.list', {}, acting.shop.operator);
  return merchants.find(({ merchant_id: id }) => id === 'mer_1');
}

/** One entry of the menu of the merchant. */
async function pick(entry: string): Promise<void> {
  await acting.person.press('More about Northwind Tea');
  await acting.person.pick(entry);
}

describe('a currency', () => {
  it('is suspended for a reason, and taken again', async () => {
    const { person } = acting;
    await person.go('/operator/currencies');
    await person.press('More about USDT · ERC20');
    await person.pick('Suspend');
    await person.heading('Suspend USDT · ETH?');
    await person.type('Why', 'off its peg');
    await person.confirm('Suspend USDT · ETH');
    await person.waitFor('USDT · ETH is suspended.');
    await person.row('USDT · ERC20').getByText('off its peg').waitFor();
    const suspended = 'SELECT reason FROM currency_suspensions WHERE currency_id = 1001';
    expect(await acting.row(suspended)).toEqual({ reason: 'off its peg' });
    await person.press('More about USDT · ERC20');
    await person.pick('Resume');
    await person.waitFor('It is suspended because: off its peg');
    await person.confirm('Resume USDT · ETH');
    await person.waitFor('USDT · ETH is taken again.');
    expect(await acting.row(suspended)).toBeNull();
    const { entries } = await acting.shop.ask('audit-log.list-all', {}, acting.shop.operator);
    expect(entries.slice(0, 2).map(({ operation }) => operation)).toEqual([
      'currencies.resume',
      'currencies.suspend',
    ]);
  });
});

describe('a sender whose key somebody else used', () => {
  it('goes on at the nonce that the nodes report', async () => {
    const { person, shop } = acting;
    // Whose address is the sender's.
    expect(await orderCode()).toBe(0);
    await shop.bookFinal(() => []);
    await acting.write(
      `INSERT INTO senders (chain, address_id, next_nonce, final_nonce, stopped_reason, stopped_at_ms)
       SELECT 'ETH', min(address_id), 3, 3, 'somebody else used nonce 3', 0 FROM addresses`,
    );
    const final = "SELECT final_number AS number FROM chain_cursors WHERE chain = 'ETH'";
    reported = { at: { number: Number((await acting.row(final))?.['number']) }, reported: 4 };
    await person.go('/operator/wallets');
    await person.press('Resume');
    await person.waitFor('somebody else used nonce 3. Look first who used its key.');
    expect(await person.findings()).toEqual([]);
    await person.confirm('Resume');
    await person.waitFor('The sender goes on.');
    await person.page.getByRole('button', { name: 'Resume' }).waitFor({ state: 'detached' });
    const sender = "SELECT stopped_reason, next_nonce::integer FROM senders WHERE chain = 'ETH'";
    expect(await acting.row(sender)).toEqual({ stopped_reason: null, next_nonce: 4 });
  });
});

describe('a merchant', () => {
  it('is suspended for a reason, takes nothing new, and goes on', async () => {
    const { person } = acting;
    await person.go('/operator/merchants');
    await pick('Suspend');
    await person.heading('Suspend Northwind Tea?');
    await person.type('Why', 'complaints of customers');
    await person.confirm('Suspend Northwind Tea');
    await person.waitFor('Done.');
    await person.row('Northwind Tea').getByText('Suspended').waitFor();
    expect(await merchantNow()).toMatchObject({ is_suspended: true });
    expect(await orderCode()).toBeGreaterThan(0);
    await pick('Resume');
    await person.type('Why', 'they were unfounded');
    await person.confirm('Resume Northwind Tea');
    await person.row('Northwind Tea').getByText('Active').waitFor();
    expect(await merchantNow()).toMatchObject({ is_suspended: false });
    const { entries } = await acting.shop.ask('audit-log.list', mine);
    const details = entries.filter(({ operation }) => operation === 'merchants.switch');
    expect(details.map(({ detail }) => detail)).toEqual([
      expect.stringContaining('they were unfounded'),
      expect.stringContaining('complaints of customers'),
    ]);
  });

  it('pays other fees from then on', async () => {
    const { person, shop } = acting;
    await pick('Change fees');
    await person.heading('Fees of Northwind Tea');
    await person.type('Fee of deposits', '0,5');
    await person.type('Fee of payouts', '1.25');
    await person.confirm('Change fees');
    await person.waitFor('The fees are changed.');
    await person.row('Northwind Tea').getByText('0.5%').waitFor();
    expect(await merchantNow()).toMatchObject({ deposit_fee_ppm: 5_000, payout_fee_ppm: 12_500 });
    shop.api.world.advance(6_000);
    await shop.orderPaid('with-fee', '100', 100_000_000n);
    const { balances } = await shop.ask('balances.read', mine);
    expect(balances).toMatchObject([{ currency_id: 1001, total: '99.5' }]);
  });

  it('has no more open orders than it is allowed', async () => {
    const { person } = acting;
    await pick('Change limits');
    await person.type('Open orders at once (optional)', '0');
    await person.confirm('Change limits');
    await person.waitFor('The limits are changed.');
    expect(await merchantNow()).toMatchObject({ limits: { max_open_orders: 0 } });
    expect(await orderCode()).toBeGreaterThan(0);
    await pick('Change limits');
    await person.type('Open orders at once (optional)', '');
    await person.confirm('Change limits');
    await expect.poll(async () => (await merchantNow())?.limits.max_open_orders).toBeNull();
    expect(await orderCode()).toBe(0);
  });

  it('has an app that it switched off, which an operator switches on again', async () => {
    const { person, shop } = acting;
    const which = { ...mine, app_id: shop.api.payment.appId };
    const { version } = (await shop.ask('apps.read', which)).app;
    await shop.ask('apps.change', { ...which, version, enabled: false });
    await person.go(`/m/mer_1/apps/${which.app_id}`);
    await person.press('Switch on');
    await person.heading('Switch Shop on again?');
    await person.type('Why', 'the key was found again');
    await person.confirm('Switch on');
    await person.page.getByText('This app is switched off').waitFor({ state: 'detached' });
    expect((await shop.ask('apps.read', which)).app.enabled).toBe(true);
    const { entries } = await shop.ask('audit-log.list', mine);
    expect(entries).toContainEqual(
      expect.objectContaining({
        operation: 'merchants.switch-app-on',
        detail: expect.stringContaining('the key was found again'),
      }),
    );
  });
});

describe('people', () => {
  it('are invited as operators, and the invitation is withdrawn', async () => {
    const { person } = acting;
    await person.go('/operator/people');
    await person.press('Invite an operator');
    await person.type('E-mail', 'omar@example.test');
    await person.press('Make invitation link');
    const link = await person.linkShown();
    expect(link).toContain(`${acting.dashboard.url}/invitation#`);
    await person.press('Done');
    const invited = "SELECT 1 FROM invitations WHERE email = 'omar@example.test'";
    expect(await acting.row(invited)).not.toBeNull();
    await person.row('omar@example.test').getByRole('button', { name: 'Withdraw' }).click();
    await person.waitFor('The link no longer works.');
    await person.row('omar@example.test').waitFor({ state: 'detached' });
    const { invitations } = await acting.shop.ask('people.list', {}, acting.shop.operator);
    expect(invitations).toEqual([]);
  });

  it('are removed everywhere for a reason, and are signed out', async () => {
    const { person, shop } = acting;
    const { finance } = shop;
    expect(await finance.call('orders.list', mine)).toMatchObject({ status: 200 });
    await person.press('More about Person 2');
    await person.pick('Remove everywhere');
    await person.heading(`Remove ${finance.email} everywhere?`);
    await person.type('Why', 'left the company');
    await person.confirm(`Remove ${finance.email}`);
    await person.waitFor('Person 2 may do nothing any more.');
    expect(await finance.call('orders.list', mine)).toMatchObject({ status: 401 });
    expect(await acting.row('SELECT 1 FROM memberships WHERE person_id = $1', finance.personId)).toBeNull();
  });

  it('left a log behind whose entries fit together', async () => {
    const { person, shop } = acting;
    await person.go('/operator/audit-log');
    await person.press('Verify all hashes');
    const { entries, is_whole: isWhole } = await shop.ask('audit-log.verify', {}, shop.operator);
    expect(isWhole).toBe(true);
    await person.waitFor(`All ${entries} entries fit together.`);
  });

  it('are found in it by how an action begins, and by who did it', async () => {
    const { person } = acting;
    const shown = async () => person.page.locator('tbody code').allTextContents();
    await person.type('How the action begins, such as payouts.', 'currencies.s');
    await person.page.keyboard.press('Enter');
    await person.row('currencies.resume').waitFor({ state: 'detached' });
    expect(await shown()).toEqual(['currencies.suspend']);
    expect(person.page.url()).toContain('operation=currencies.s');
    await person.type('How the action begins, such as payouts.', 'orders.');
    await person.page.keyboard.press('Enter');
    await person.heading('No entry fits these filters');
    await person.press('Clear filters');
    await person.row('currencies.resume').waitFor();
    await person.page.getByRole('combobox', { name: 'Who' }).selectOption({ index: 1 });
    await person.page.getByRole('button', { name: 'Remove filter Who' }).waitFor();
    expect(await shown()).toContain('people.remove');
  });
});
