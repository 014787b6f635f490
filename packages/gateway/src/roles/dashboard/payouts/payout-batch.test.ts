// A CSV file of payouts in a real browser: each line is paid once, also where the file is read again.
import { type Acting, startActing } from '@ducat/testkit/browser/acting';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';

let acting: Acting;
beforeAll(async () => {
  acting = await startActing(inject('postgresAdminUrl'), 'owner');
  await acting.shop.orderPaid('1042', '1000', 1_000_000_000n);
});
afterAll(() => acting?.close());

const fileOf = (...amounts: string[]) =>
  ['to_address,amount', ...amounts.map((amount) => `${TO},${amount}`)].join('\n');
const lines = fileOf('800', '100', '50');
const button = (name: string) => acting.person.page.getByRole('button', { name, exact: true });
const canPress = (name: string) => button(name).and(acting.person.page.locator(':enabled')).waitFor();
const state = (line: number) => acting.person.page.locator('tbody tr').nth(line).locator('td').last();

async function readFile(content = lines): Promise<void> {
  const { page } = acting.person;
  await acting.person.go(`/m/mer_1/payouts/batch`);
  await page.getByLabel('From balance').selectOption(`${acting.shop.api.payment.appId} 1001`);
  const file = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
  await page.getByLabel('CSV file').setInputFiles(file);
  await button('Read and price').click();
}

/** The next payout that is asked for is refused so. */
async function refuseOnce(status: number, refusal: object): Promise<void> {
  let isRefused = false;
  await acting.person.page.route('**/api/payouts.create', async (route) => {
    const isSecond = route.request().postDataJSON().amount === '100';
    if (isRefused || !isSecond) return route.fallback();
    isRefused = true;
    await route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(refusal) });
  });
}

/** The payouts by what they send: the clock stands still, so their order says nothing. */
async function payouts(): Promise<ReadonlyMap<string, string>> {
  const { payouts: all } = await acting.shop.ask('payouts.list', { merchant_id: 'mer_1' });
  const made = new Map(all.map(({ amount, trade_no: tradeNo }) => [amount, tradeNo]));
  expect(made.size).toBe(all.length);
  return made;
}
const amounts = async () => [...(await payouts()).keys()].toSorted();

describe('a file of payouts', () => {
  it('stops at a line that is refused, and says which lines were made', async () => {
    await readFile();
    await refuseOnce(409, { code: 'rate-unavailable', message: 'there is no rate for it now' });
    await button('Pay out 3 lines, 962.285 USDT').click();
    await state(1).getByText('There is no fresh price right now').waitFor();
    await state(0).getByText('Made', { exact: true }).waitFor();
    expect(await amounts()).toEqual(['800']);
    // Only what is left is in the sum, and can be tried again as it stands.
    await canPress('Pay out 2 lines, 158.045 USDT');
  });

  it('is read again on the same page, and what was made is neither priced nor refused', async () => {
    await button('Read and price').click();
    await state(1).getByText('Ready', { exact: true }).waitFor();
    await state(2).getByText('Ready', { exact: true }).waitFor();
    expect(await state(0).innerText()).toBe('Made');
    await refuseOnce(409, { code: 'changed', message: 'it costs more now' });
    await button('Pay out 2 lines, 158.045 USDT').click();
    await state(1).getByText('please look again').waitFor();
    await canPress('Pay out 2 lines, 158.045 USDT');
    expect(await amounts()).toEqual(['800']);
  });

  it('goes on where it stopped after the page was left, and makes each payout once', async () => {
    await acting.person.page.unroute('**/api/payouts.create');
    await readFile();
    await state(1).getByText('Ready', { exact: true }).waitFor();
    expect(await state(0).innerText()).toBe('Made');
    await button('Pay out 2 lines, 158.045 USDT').click();
    await acting.person.page.getByText('All payouts are made.').waitFor();
    expect(await amounts()).toEqual(['100', '50', '800']);

    await readFile();
    await acting.person.page.getByText('All payouts are made.').waitFor();
    expect(await amounts()).toEqual(['100', '50', '800']);
    await state(1).getByRole('link', { name: 'Made' }).click();
    await acting.person.page.waitForURL(`**/payouts/${(await payouts()).get('100')}`);
    expect(acting.person.complaints.filter((each) => !each.includes('409'))).toEqual([]);
  });

  it('says that a payout of it was cancelled, and makes none in its place', async () => {
    const tradeNo = (await payouts()).get('50') ?? '';
    const cancelled = { merchant_id: 'mer_1', trade_no: tradeNo, reason: 'not needed' };
    await acting.shop.ask('payouts.cancel', cancelled);
    await readFile();
    await state(2).getByRole('link', { name: 'Cancelled' }).waitFor();
    await acting.person.page.getByText('Some payouts of this file failed or were cancelled.').waitFor();
    expect(await acting.person.page.getByText('All payouts are made.').count()).toBe(0);
  });

  it('leaves out a line that is refused with its price, and pays the others once a person has seen that', async () => {
    const { page } = acting.person;
    const before = await amounts();
    await readFile(fileOf('5', '5000', '6'));
    await page.getByText('1 line is refused and is not paid.').waitFor();
    const why = await state(1).innerText();
    expect(why).not.toBe('Ready');
    await page.getByRole('button', { name: /^Pay out 2 lines, 1\d\.\S+ USDT$/ }).click();
    await state(2).getByText('Made', { exact: true }).waitFor();
    expect(await amounts()).toEqual([...before, '5', '6'].toSorted());
    expect(await state(1).innerText()).toBe(why);
    // Nothing that is left can be paid.
    await page.getByRole('button', { name: /^Pay out/ }).waitFor({ state: 'detached' });
    expect(await page.getByText('All payouts are made.').count()).toBe(0);

    // Another reading prices only the line that was left out.
    await readFile(fileOf('5', '5000', '6'));
    await page.getByText('1 line is refused and is not paid.').waitFor();
    expect([await state(0).innerText(), await state(2).innerText()]).toEqual(['Made', 'Made']);
    expect(await amounts()).toEqual([...before, '5', '6'].toSorted());
  });

  it('pays nothing while a line is still being priced', async () => {
    const { page } = acting.person;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/payouts.quote', async (route) => {
      if (route.request().postDataJSON().amount === '8') await held;
      await route.fallback();
    });
    await readFile(fileOf('7', '8'));
    await state(0).getByText('Ready', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Pay out/ }).isEnabled()).toBe(false);
    release();
    await state(1).getByText('Ready', { exact: true }).waitFor();
    await page
      .getByRole('button', { name: /^Pay out 2 lines/ })
      .and(page.locator(':enabled'))
      .waitFor();
    expect(await amounts()).not.toContain('7');
  });
});
