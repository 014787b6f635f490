// The payment page in a real browser, on local chains. Payers choose a currency, pay from a wallet, and see each state.
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { openPayerPage, type PayerPage } from '@ducat/testkit/browser/payer-page';
import { type DevChain, startDevChains } from '@ducat/testkit/system/dev-chains';
import { startSystemOn, type SystemOn } from '@ducat/testkit/system/system';
import { startTronDevChain, type TronDevChain } from '@ducat/testkit/system/tron-dev-chain';
import type { Shop } from '@ducat/testkit/system/shop';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';

let system: SystemOn<DevChain | TronDevChain>;
let eth: DevChain;
let bsc: DevChain;
let tron: TronDevChain;
let shop: Shop;
const opened: PayerPage[] = [];
beforeAll(async () => {
  [{ eth, bsc }, tron] = await Promise.all([startDevChains(), startTronDevChain()]);
  system = await startSystemOn(inject('postgresAdminUrl'), [eth, bsc, tron]);
  shop = await system.newShop();
});
afterEach(async () => {
  // The page did nothing that its content security policy forbids, and no script failed.
  for (const { complaints } of opened) expect(complaints).toEqual([]);
  await Promise.all(opened.splice(0).map((payer) => payer.close()));
  expect(await system.books.troubles()).toEqual([]);
  expect(system.errors).toEqual([]);
});
afterAll(() => system?.close());

async function open(tradeNo: string, options: Parameters<typeof openPayerPage>[1] = {}): Promise<PayerPage> {
  const payer = await openPayerPage(await openBrowser(), options);
  opened.push(payer);
  await payer.page.goto(`${system.pagesUrl()}/${tradeNo}`);
  return payer;
}

let numbers = 0;

async function preCreate(more: object = {}): Promise<string> {
  const order = {
    out_trade_no: `hosted-${++numbers}`,
    fiat_name: 'USD',
    fiat_amount: '12.50',
    ...more,
  } as const;
  return (await shop.call('pre-create', order)).trade_no;
}

describe('a hosted order in a browser', () => {
  it('is chosen, paid from a wallet on another chain, seen, taken by a reorg, seen again, paid, and leads back', async () => {
    const tradeNo = await preCreate({ redirect_url: 'http://127.0.0.1:9/thanks' });
    const { page } = await open(tradeNo, { walletRpc: eth.node.rpcUrl, from: eth.payer().address });
    const status = page.getByRole('status');
    await page.getByText('USDT', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await status.getByText('Waiting for your payment').waitFor();
    const { amount, pay_address: address } = await shop.detail(tradeNo);
    // The text to copy is exactly the address in the API's answer.
    expect(await page.locator('.copy-row .mono').textContent()).toBe(address);
    expect(await page.locator('.copy-row .sum').textContent()).toBe(`${amount} USDT`);
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click();
    await page.getByText('Sent by your wallet').waitFor();
    await system.mine(eth);
    await status.getByText('We see your payment').waitFor();
    await page.getByText('Confirmation 1 of 4').waitFor();
    await eth.reorg(1);
    await system.mine(eth);
    await status.getByText('One moment').waitFor();
    await page.getByRole('button', { name: 'Pay with' }).waitFor({ state: 'detached' });
    await eth.payer().sendToken(eth.usdt, address as `0x${string}`, 12_500_000n);
    await system.mine(eth);
    await status.getByText('We see your payment').waitFor();
    await system.makeFinal(eth);
    await status.getByText('Paid', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Back to 127.0.0.1:9' }).getAttribute('href')).toBe(
      'http://127.0.0.1:9/thanks',
    );
    expect(await shop.detail(tradeNo)).toMatchObject({ status: 'PAID', amount_collected: '12.5' });
  });

  it('shows a part as what is missing, then leads back by itself once the rest is final', async () => {
    const redirect = `${system.apiUrl()}/docs`;
    const order = await shop.order(bsc.ids.usdt, '10', { redirect_url: redirect });
    const { page } = await open(order.trade_no);
    const status = page.getByRole('status');
    await status.getByText('Waiting for your payment').waitFor();
    await bsc.payer().sendToken(bsc.usdt, order.pay_address, 4n * 10n ** 18n);
    await system.mine(bsc);
    await status.getByText('6 USDT').getByText('still missing').waitFor();
    expect(await page.locator('.copy-row .sum').textContent()).toBe('6 USDT');
    await bsc.payer().sendToken(bsc.usdt, order.pay_address, 6n * 10n ** 18n);
    await system.mine(bsc);
    await status.getByText('We see your payment').waitFor();
    await system.makeFinal(bsc);
    await page.waitForURL(redirect);
  });

  it('is paid from TronLink, which comes late', async () => {
    const order = await shop.order(tron.ids.usdt, '7.5');
    const { payer } = tron;
    const wallet = {
      address: tron.dev.accounts[1]?.address ?? '',
      send: (contract: string, to: string, units: bigint) =>
        contract === '' ? payer.sendTrx(to, units) : payer.sendToken(contract, to, units),
    };
    const { page } = await open(order.trade_no, { tron: wallet });
    expect(await page.locator('.copy-row .mono').textContent()).toBe(order.pay_address);
    await page.getByRole('button', { name: 'Pay with TronLink' }).click();
    await page.getByText('Sent by your wallet').waitFor();
    await system.mine(tron);
    await page.getByRole('status').getByText('We see your payment').waitFor();
    await system.makeFinal(tron);
    await page.getByRole('status').getByText('Paid', { exact: true }).waitFor();
  });

  it('says that a payment came too late, and whom to ask', async () => {
    const soon = Math.max(Math.floor(Date.now() / 1_000), await eth.headTime()) + 70;
    const order = await shop.order(eth.ids.usdt, '10', { time_out: soon });
    const { page } = await open(order.trade_no);
    await eth.payer().sendToken(eth.usdt, order.pay_address, 10_000_000n);
    await eth.node.setNextBlockTimestamp(order.time_expire + 1);
    await system.mine(eth);
    await page.getByRole('status').getByText('Arrived after the deadline').waitFor();
    await page
      .getByText(`Keep the number ${(await shop.detail(order.trade_no)).out_trade_no} for questions.`)
      .waitFor();
    await system.makeFinal(eth);
    await page.getByRole('button', { name: 'Copy' }).first().waitFor({ state: 'detached' });
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TIME-OUT' });
  });
});
