// The whole system as a newcomer meets it: started for real, paid by its own commands, killed and started again.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callRpc } from '@ducat/devnet/evm/json-rpc';
import { isAlive } from '@ducat/devnet/process/running-process';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { openPayerPage } from '@ducat/testkit/browser/payer-page';
import { payerOf } from './orders/send-coins.ts';
import type { DemoAccess } from './state/demo-record.ts';
import { listenForWebhooks } from './webhooks/webhook-listener.ts';
import { signInOver } from './testing/dashboard-login.ts';
import { fetchDocument, outsideClient, outsideShop } from './testing/outside-client.ts';
import { type DemoProcess, ducat, shell, startDemoProcess, workspace } from './testing/demo-process.ts';

const state = mkdtempSync(join(tmpdir(), 'ducat-system-'));
let demo: DemoProcess;

beforeAll(async () => {
  demo = await startDemoProcess(state);
}, 300_000);

afterAll(async () => {
  await demo?.killEverything();
  rmSync(state, { recursive: true, force: true });
}, 60_000);

/** Runs a command that has to succeed, and returns what it printed. */
async function ok(...args: readonly string[]): Promise<string> {
  const ran = await ducat(state, ...args);
  expect(ran, args.join(' ')).toMatchObject({ code: 0 });
  return ran.stdout;
}

async function okJson<T>(...args: readonly string[]): Promise<T> {
  return JSON.parse(await ok(...args, '--json')) as T;
}

interface Order {
  readonly trade_no: string;
  readonly pay_address: string;
  readonly token: string;
  readonly status: string;
  readonly amount_collected: string;
  readonly already_confirms: number;
}

const blocksOf = (page: string) =>
  [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
const tronPage = readFileSync(join(workspace, 'docs/integrate/tron.md'), 'utf8');
/** Enough for three waits of 19 blocks and a dozen commands on a busy machine. */
const TRON_MS = 360_000;

const newOrder = (...args: string[]) =>
  okJson<Order>('order', 'create', '--currency', 'USDT@ETH', '--amount', '2.5', ...args);
/** Opens an app for static QR codes, with the data that an outside client gets. */
async function newQrApp(merchant: string, callbackUrl: string) {
  const kind = ['--kind', 'QR_CODE', '--callback-url', callbackUrl];
  const app = ['app', 'create', '--merchant', merchant, '--name', 'Counter', ...kind];
  const { app_id: appId, app_key: appKey } = await okJson<{ app_id: string; app_key: string }>(...app);
  return { appId, appKey };
}
const orderOf = (tradeNo: string) => okJson<Order>('order', 'show', tradeNo);

/** Each of these orders is PAID, and one PAID webhook was written for it and delivered once. */
async function expectPaidOnce(tradeNos: readonly string[]): Promise<void> {
  const { app_id, app_key, listener_url } = await okJson<DemoAccess>('demo');
  const { port, pathname } = new URL(listener_url);
  const received: string[] = [];
  const shop = await listenForWebhooks({
    port: Number(port),
    path: pathname,
    appId: app_id,
    appKey: app_key,
    onReceived: ({ event: { body } }) => void received.push(`${body.trade_no} ${body.status}`),
    onRefused: (reason) => void received.push(reason),
  });
  try {
    const expected = tradeNos.map((tradeNo) => `${tradeNo} PAID`);
    const haveArrived = () => expected.every((one) => received.includes(one));
    await waitUntil('the webhooks', haveArrived, { timeoutMs: 120_000, everyMs: 200 });
    expect(received.filter((one) => expected.includes(one)).toSorted()).toEqual(expected.toSorted());
  } finally {
    shop.close();
  }
  type Listed = { event: { status: string; state: string }; attempts: { outcome: string }[] };
  for (const tradeNo of tradeNos) {
    expect(await orderOf(tradeNo)).toMatchObject({ status: 'PAID', amount_collected: '2.5' });
    const isSettled = async () => {
      const listed = await okJson<Listed[]>('webhooks', 'list', '--trade-no', tradeNo);
      return listed.every(({ event }) => event.state === 'delivered') && listed;
    };
    const listed = await waitUntil('the delivery to be recorded', isSettled, { everyMs: 1_000 });
    expect(listed.map(({ event }) => event.status)).toEqual(['PAID']);
    const delivered = listed
      .flatMap(({ attempts }) => attempts)
      .filter(({ outcome }) => outcome === 'delivered');
    expect(delivered).toHaveLength(1);
  }
}

describe('the demo', () => {
  // This test is the first, because it expects every webhook that exists to be one of its own.
  it(
    'is paid by docs/integrate/tron.md: USDT, TRX and contracts with unmodified TronWeb, each PAID with one webhook',
    async () => {
      const [, script = ''] = /<<'END'\n([\s\S]*?)END\n/.exec(tronPage) ?? [];
      expect(script).toContain('.transfer(');
      expect(script.trim().split('\n').length).toBeLessThanOrEqual(10);
      const text = `set -euo pipefail\n${blocksOf(tronPage).join('\n')}`;
      const ran = await shell(text, { DUCAT_STATE: state }, TRON_MS);
      expect(ran, `${ran.stdout}\n${ran.stderr}`).toMatchObject({ code: 0 });
      const sent = [...ran.stdout.matchAll(/10 (USDT|TRX) are on their way to (\w+) in ([0-9a-f]{64})/g)];
      expect(sent.map(([, token]) => token)).toEqual(['USDT', 'TRX', 'TRX', 'USDT']);
      expect(ran.stdout.match(/✓ verified webhook PAID/g)).toHaveLength(3);
      expect(ran.stdout).toMatch(/collected +10 USDT\n +confirmations +(19|[2-9]\d) of 19/);

      const events = await okJson<{ event: { tradeNo: string; status: string } }[]>('webhooks', 'list');
      expect(events.map(({ event }) => event.status)).toEqual(['PAID', 'PAID', 'PAID', 'PAID']);
      const paid = await Promise.all(events.map(({ event }) => orderOf(event.tradeNo)));
      expect(paid.map(({ pay_address, token }) => `${token} ${pay_address}`).toSorted()).toEqual(
        sent.map(([, token, address]) => `${token} ${address}`).toSorted(),
      );
      for (const order of paid) expect(order).toMatchObject({ status: 'PAID', amount_collected: '10' });
    },
    TRON_MS + 60_000,
  );

  it('signs in the two people whom it prints: one owns the shop, the other approves', async () => {
    const { dashboard_url: url } = await okJson<DemoAccess>('demo');
    const printed = /sign in as (\S+) with (\S+)[^]*approve payouts as (\S+), same/.exec(demo.output());
    const [, owner = '', password = '', approver = ''] = printed ?? [];
    expect(await signInOver(url, owner, `${password}0`)).toMatchObject({ code: 'sign-in-failed' });
    const session = (role: string) => ({ stage: 'signed-in', person: { memberships: [{ role }] } });
    expect(await signInOver(url, owner, password)).toMatchObject(session('owner'));
    expect(await signInOver(url, approver, password)).toMatchObject(session('finance'));
  }, 60_000);

  it('says of an order with a price in money that its rate is made up', async () => {
    await okJson('order', 'create', '--currency', 'TRX@Tron', '--fiat', '3', 'USD');
    const stdout = await ok('order', 'show', 'last');
    expect(stdout).toMatch(/^ {2}on +Tron$/m);
    expect(stdout).toContain('Rate 1 TRX = 0.3 USD\n  Made up for the demo');
  }, 60_000);

  it('takes a payment with the commands that it prints, as they are printed', async () => {
    const printed = [...demo.output().matchAll(/^ +(npx ducat (?:order|pay|listen|payouts) .*)$/gm)].map(
      ([, line]) => line ?? '',
    );
    expect(printed).toHaveLength(4);
    const outputs: string[] = [];
    for (const line of printed) {
      const ran = await shell(line);
      expect(ran, `${line}\n${ran.stderr}`).toMatchObject({ code: 0 });
      outputs.push(ran.stdout);
    }
    expect(outputs[0]).toMatch(/Order TO-BE-PAID\n +trade_no +ord_\w+/);
    expect(outputs[1]).toMatch(/✓ 0x[0-9a-f]{64} in block \d+/);
    expect(outputs[2]).toMatch(/✓ verified webhook PAID\n +trade_no +ord_\w+/);
    expect(outputs[3]).toMatch(/Payout PROGRESS\n +trade_no +pay_\w+[^]* receives +5 USDT\n/);
  }, 120_000);

  it('takes any currency of the catalogue, paid by the faucet to the last digit', async () => {
    const { faucet_url, chains } = await okJson<DemoAccess>('demo');
    const wanted = [
      ['SHIB@ETH', '1000000000.000000000000000001'],
      ['FLOKI@BSC', '7.000000009'],
      ['USDT@WKC', '2.000003'],
      ['BTT@Tron', '5000000.000000000000000007'],
    ] as const;
    const orders = [];
    for (const [currency, amount] of wanted) {
      const order = await okJson<Order>('order', 'create', '--currency', currency, '--amount', amount);
      const [symbol, chain] = currency.split('@');
      const place = chains.find((one) => one.chain === chain)?.currencies;
      const currency_id = place?.find((one) => one.symbol === symbol)?.currency_id;
      const paid = await fetch(faucet_url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ currency_id, to: order.pay_address, amount }),
      });
      expect(await paid.json(), currency).toMatchObject({ txid: expect.any(String) });
      orders.push({ currency, amount, tradeNo: order.trade_no });
    }
    for (const { currency, amount, tradeNo } of orders) {
      const isPaid = async () => (await orderOf(tradeNo)).status === 'PAID';
      await waitUntil(`${currency} to be paid`, isPaid, { timeoutMs: 90_000, everyMs: 2_000 });
      expect(await orderOf(tradeNo)).toMatchObject({ amount_collected: amount });
    }
  }, 360_000);

  it('prints a page that one click pays, here with a reorg on the way', async () => {
    const { checkout_url } = await okJson<DemoAccess>('demo');
    const payer = await openPayerPage(await openBrowser());
    const { page, complaints } = payer;
    const shown = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();
    await page.goto(checkout_url);
    await page.getByRole('button', { name: 'With a reorg' }).click();
    await shown('We see your payment');
    await shown('One moment');
    await shown('Paid');
    expect(complaints).toEqual([]);
    await payer.close();
  }, 120_000);

  it('refuses a second start on its folder and says who runs', async () => {
    const second = await ducat(state, 'start');
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(/a demo is already running on .*\(process \d+\)/);
  });

  it('opens merchants and apps that work at once', async () => {
    const { merchant_id } = await okJson<{ merchant_id: string }>(
      'merchant',
      'create',
      '--name',
      'Second shop',
    );
    const app = await okJson<{ app_id: string; app_key: string }>(
      'app',
      'create',
      '--merchant',
      merchant_id,
      '--name',
      'Web',
    );
    const rotated = await okJson<{ app_key: string }>('app', 'rotate-key', app.app_id, '--grace', '0');
    expect(rotated.app_key).not.toBe(app.app_key);
    const keyFile = join(state, 'second-key');
    writeFileSync(keyFile, rotated.app_key);
    const order = await newOrder('--app-id', app.app_id, '--app-key-file', keyFile);
    expect(order.pay_address).toMatch(/^0x/);
  }, 180_000);

  it('sets what an app takes and what its merchant pays', async () => {
    const { app_id, merchant_id } = await okJson<DemoAccess>('demo');
    const set = (...args: readonly string[]) => okJson('app', 'set', app_id, ...args);
    expect(
      await set('--tolerance', '1.5%', '--currency-off', 'USDT@ETH', '--currency-off', '2000'),
    ).toMatchObject({ app_id, enabled: true, tolerance_ppm: 15_000, currencies_off: [1001, 2000] });
    const refused = await ducat(state, 'order', 'create', '--currency', 'USDT@ETH', '--amount', '1');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('20003') });
    expect(await set('--tolerance', '0', '--currency-on', '1001', '--currency-on', 'BNB@BSC')).toMatchObject({
      tolerance_ppm: 0,
      currencies_off: [],
    });
    expect(await okJson('merchant', 'set', merchant_id, '--deposit-fee', '0.03%')).toEqual({
      merchant_id,
      deposit_fee_ppm: 300,
    });
    for (const wrong of [
      ['merchant', 'set', merchant_id, '--deposit-fee', '100'],
      ['app', 'set', app_id],
      ['app', 'set', app_id, '--enable', '--disable'],
      ['app', 'set', 'app_none', '--enable'],
    ]) {
      expect((await ducat(state, ...wrong)).code, wrong.join(' ')).toBe(1);
    }
  }, 180_000);

  it('retires the addresses that it has and takes orders on new ones', async () => {
    const before = await newOrder();
    const retired = await okJson<{ family: string; next_index: number }[]>(
      'addresses',
      'retire',
      '--ahead',
      '40',
      '--apply',
      // The demo keeps running, because the retired addresses are those of its own pool.
      '--anyway',
    );
    expect(retired.length).toBeGreaterThan(0);
    for (const { next_index } of retired) expect(next_index).toBeGreaterThan(40);
    const after = await newOrder();
    expect(after.pay_address).not.toBe(before.pay_address);
  }, 180_000);

  it(
    'pays out what came in, by docs/integrate/payouts.mjs',
    async () => {
      const wanted = ['USDT@ETH', 'ETH@ETH', 'USDT@BSC', 'USDT@WKC', 'USDT@Tron', 'TRX@Tron'];
      const script = `node docs/integrate/payouts.mjs ${wanted.join(' ')}`;
      const ran = await shell(script, { DUCAT_STATE: state }, TRON_MS);
      expect(ran, `${ran.stdout}\n${ran.stderr}`).toMatchObject({ code: 0 });
      expect(ran.stdout.match(/^webhook {2}TRANSFER PAID pay_/gm)).toHaveLength(6);
      expect(ran.stdout.match(/^\w+@\w+ +PAID {2}/gm)).toHaveLength(6);
      expect(ran.stdout.match(/^(USDT|TRX)@Tron +PAID {2}60 /gm)).toHaveLength(2);
      const inWallet = { chain: 'BSC', what: 'wallet', amount: '40 USDT' };
      expect(await okJson('wallets', 'list')).toContainEqual(expect.objectContaining(inWallet));
      expect((await okJson<{ clean: boolean }>('reconcile')).clean).toBe(true);
    },
    TRON_MS + 60_000,
  );

  it('is explained by docs/integrate/curl.md, whose blocks work with curl and openssl as they stand', async () => {
    const page = readFileSync(join(workspace, 'docs/integrate/curl.md'), 'utf8');
    const blocks = blocksOf(page);
    expect(blocks.length).toBeGreaterThan(4);
    const ran = await shell(`set -euo pipefail\n${blocks.join('\n')}`, { DUCAT_STATE: state });
    expect(ran, `${ran.stdout}\n${ran.stderr}`).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('The answer is genuine.');
    expect(ran.stdout).toContain('"status":"PAID"');
    expect(ran.stdout).toContain('The webhook is genuine.');
  }, 180_000);

  it('is paid through by an outside client that knows the served OpenAPI document alone', async () => {
    const access = await okJson<DemoAccess>('demo');
    const credentials = { baseUrl: access.base_url, appId: access.app_id, appKey: access.app_key };
    const document = await fetchDocument(access.openapi_url);
    expect(document.openapi).toBe('3.1.0');
    const bodies: Readonly<Record<string, unknown>>[] = [];
    const apps = [credentials];
    const shop = await outsideShop(document, apps, (body) => void bodies.push(body));
    const pay = (to: unknown, amount: unknown) =>
      fetch(access.faucet_url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ currency_id: 2000, to, amount }),
      });
    try {
      const call = outsideClient(document, credentials);
      const order = await call('create-order', {
        out_trade_no: 'outside-1',
        currency_id: 2000,
        fiat_name: 'EUR',
        fiat_amount: '45',
        callback_url: shop.url,
        redirect_url: 'https://shop.example/thanks',
      });
      await pay(order.pay_address, order.amount);
      await waitUntil('the webhook', () => bodies.length > 0, { timeoutMs: 60_000, everyMs: 100 });
      const { trade_no } = order;
      expect(bodies).toMatchObject([{ trade_no, status: 'PAID', amount: '45', token_amount: order.amount }]);
      expect(await call('order-detail', { trade_no })).toMatchObject({
        status: 'PAID',
        out_trade_no: 'outside-1',
      });
      expect(shop.refused).toEqual([]);
      for (const list of ['token-list', 'app-token-list'])
        expect((await call(list, {})).length).toBeGreaterThan(5);
      expect(await call('account-balance', { currency_id: 2000 })).toMatchObject({ token: 'BNB' });

      const payout = await call('create-payout', {
        currency_id: 2000,
        amount: '0.01',
        to_address: access.chains.find(({ chain }) => chain === 'BSC')?.payer.address,
        callback_url: shop.url,
      });
      const counter = await newQrApp(access.merchant_id, shop.url);
      apps.push({ ...credentials, ...counter });
      const callQr = outsideClient(document, { ...credentials, ...counter });
      const code = await callQr('create-qr-code', { name: 'Counter 3', currency_id: 2000 });
      await pay(code.address, '0.02');
      await waitUntil('two webhooks more', () => bodies.length > 2, { timeoutMs: 90_000, everyMs: 100 });
      expect(bodies.slice(1).toSorted((a, b) => String(a.type).localeCompare(String(b.type)))).toMatchObject([
        { type: 'QR_PAYMENT', status: 'PAID', to_address: code.address, token_amount: '0.02' },
        { type: 'TRANSFER', status: 'PAID', trade_no: payout.trade_no, token_amount: '0.01' },
      ]);
      expect(await call('payout-detail', { trade_no: payout.trade_no })).toMatchObject({ status: 'PAID' });
      expect(shop.refused).toEqual([]);
    } finally {
      shop.server.close();
    }
  }, 120_000);

  it('killed at any stage of a payment, it is paid once and reported once after the next start', async () => {
    const [reported, inBlock, sent] = [await newOrder(), await newOrder(), await newOrder()];
    await ok('pay', reported.trade_no);
    const isPaid = async () => (await orderOf(reported.trade_no)).status === 'PAID';
    await waitUntil('the order to be paid', isPaid, { timeoutMs: 60_000, everyMs: 1_000 });
    await ok('pay', inBlock.trade_no);
    const access = await okJson<DemoAccess>('demo');
    const eth = access.chains.find(({ chain }) => chain === 'ETH')!;
    const usdt = eth.currencies.find(({ symbol }) => symbol === 'USDT')!;
    // The test sends right after a block, when the most time is left before the next one.
    const head = await callRpc(eth.rpc_url, 'eth_blockNumber');
    const isNewBlock = async () => (await callRpc(eth.rpc_url, 'eth_blockNumber')) !== head;
    await waitUntil('a new block', isNewBlock);
    const txid = await payerOf(eth).send(usdt, sent.pay_address, 2_500_000n);
    expect(await callRpc(eth.rpc_url, 'eth_getTransactionReceipt', [txid])).toBeNull();
    await demo.killEverything();
    demo = await startDemoProcess(state);
    await expectPaidOnce([reported, inBlock, sent].map(({ trade_no }) => trade_no));
    expect((await okJson<{ clean: boolean }>('reconcile')).clean).toBe(true);
  }, 240_000);

  it('stops everything on Ctrl-C and leaves no process', async () => {
    const pids = demo.pids();
    expect(pids.length).toBeGreaterThan(6);
    expect(await demo.end('SIGINT')).toBe(0);
    await waitUntil('all processes to be gone', () => !pids.some(isAlive), { timeoutMs: 30_000 });
    // PostgreSQL comes up beside chains and signer, so its place among them differs. The gateway ends before all of them.
    expect(demo.output()).toMatch(/gateway stopped[\s\S]*signer stopped[\s\S]*chains stopped/);
    expect(demo.output()).toMatch(/gateway stopped[\s\S]*PostgreSQL stopped/);
    const late = await ducat(state, 'order', 'show', 'last');
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('npm start') });
  }, 180_000);
});
