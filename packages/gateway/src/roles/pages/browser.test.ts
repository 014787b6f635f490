// The payment page in a real browser. The test writes the states into the database, so no chain runs here.
import { EventEmitter, once } from 'node:events';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { lendArabicFont } from '@ducat/testkit/browser/arabic-font';
import { axeFindings } from '@ducat/testkit/browser/axe-findings';
import { Gallery } from '@ducat/testkit/browser/gallery';
import { layoutShifts } from '@ducat/testkit/browser/layout-shifts';
import { openPayerPage } from '@ducat/testkit/browser/payer-page';
import { NOW, startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { startTestPages, type TestPages } from '@ducat/testkit/api/test-pages';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let api: TestApi;
let pages: TestPages;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
  pages = await startTestPages(api);
});
afterAll(async () => {
  await pages?.close();
  await api?.close();
});

type OrderIn = readonly [status: string, paid: number, state: string | null, time: number];

/** An order in USDT on BSC that stands like this. */
async function orderIn([status, paid, state, time]: OrderIn): Promise<string> {
  const tradeNo = await pages.preCreate({
    currency_id: 2001,
    redirect_url: 'https://shop.example/thanks',
    subject: 'Two tins of tea',
  });
  const change = (sql: string, values: (string | number | null)[]) =>
    api.database.transact((tx) => tx.write(sql, [tradeNo, ...values]));
  const collected = state === 'final' ? paid : 0;
  await change('UPDATE orders SET status = $2, collected = div(due * $3::numeric, 100) WHERE trade_no = $1', [
    status,
    collected,
  ]);
  if (state !== null)
    await change(
      `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
         block_number, block_hash, block_time, state, disposition, address_id, app_id, trade_no)
       SELECT chain, '0x' || trade_no, 'log:0', 1, currency_id, '0xpayer', address, div(due * $2::numeric, 100), 995, '0xb',
         $4::bigint, $3, CASE WHEN $3 = 'final' THEN 'payment' END, address_id, app_id, trade_no
       FROM orders WHERE trade_no = $1`,
      [paid, state, time],
    );
  return tradeNo;
}

/** The tests of core say why. */
const states: readonly (readonly [string, ...OrderIn])[] = [
  ['seen', 'TO-BE-PAID', 100, 'seen', NOW],
  ['part', 'TO-BE-PAID', 40, 'seen', NOW],
  ['paid', 'PAID', 100, 'final', NOW],
  ['over', 'PAID', 130, 'final', NOW],
  ['late', 'TIME-OUT', 100, 'seen', NOW + 9_000],
  ['short', 'TIME-OUT', 40, 'final', NOW],
  ['expired', 'TIME-OUT', 0, null, NOW],
  ['reorg', 'TO-BE-PAID', 100, 'orphaned', NOW],
];

interface Look {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly language: string;
  readonly width: number;
  readonly axe: (state: string) => boolean;
}

const tested: readonly Look[] = [
  { name: 'wide-light', colorScheme: 'light', language: 'en', width: 1_280, axe: () => true },
  {
    name: 'narrow-dark-ar',
    colorScheme: 'dark',
    language: 'ar',
    width: 320,
    axe: (state) => state === 'waiting',
  },
];

/** With this set the pictures of docs/checkout are made anew, of these looks. */
const galleryFolder = process.env['DUCAT_WRITE_GALLERY'];
const pictured: readonly Look[] = [390, 1_024].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    ['en', 'ar'].map((language) => ({
      name: `${width === 390 ? 'phone' : 'wide'}-${colorScheme}-${language}`,
      colorScheme,
      language,
      width,
      axe: () => false,
    })),
  ),
);

describe('in a browser', () => {
  it('breaks no rule of axe and of its own policy, in any state, light, dark, and from right to left', async () => {
    const { appId } = api.payment;
    await api.database.transact(async (tx) => {
      const page = `INSERT INTO checkout_pages (app_id, accent, contact) VALUES ($1, '#ffcc00', 'help@shop.example')`;
      await tx.write(page, [appId]);
      await tx.write(`UPDATE apps SET name = 'Northwind Tea' WHERE app_id = $1`, [appId]);
    });
    const orders = new Map([
      [
        'choose',
        await pages.preCreate({ currency_ids: [1000, 1001, 2000, 2001], subject: 'Two tins of tea' }),
      ],
      ['waiting', await pages.preCreate({ currency_id: 1001, subject: 'Two tins of tea' })],
    ]);
    for (const [name, ...order] of states) orders.set(name, await orderIn(order));
    // Axe takes a second for each page, so it looks at every state in one look and at one state in the other.
    const looks = galleryFolder === undefined ? tested : pictured;
    for (const { name, colorScheme, language, width, axe } of looks) {
      const viewport = { width, height: 800 };
      const context = { colorScheme, viewport, reducedMotion: 'reduce' } as const;
      const payer = await openPayerPage(await openBrowser(), { context });
      const gallery = galleryFolder === undefined ? null : new Gallery(galleryFolder);
      for (const [state, tradeNo] of orders) {
        await payer.page.goto(`${pages.url}/${tradeNo}?lang=${language}`);
        const overflow = await payer.page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(overflow, 'no page is wider than its window').toBeLessThanOrEqual(0);
        expect(await layoutShifts(payer.page), `nothing moves when the script comes, ${state}`).toEqual([]);
        if (axe(state)) expect(await axeFindings(payer.page), state).toEqual([]);
        if (gallery === null) continue;
        // The first view may do without our font; the one of the pictures has it.
        await payer.page.reload();
        if (language === 'ar') await lendArabicFont(payer.page);
        await gallery.add(state, payer.page);
      }
      expect(payer.complaints).toEqual([]);
      await gallery?.write(name, payer.page);
      await payer.close();
    }
  }, 240_000);

  it('is chosen and payable without scripts', async () => {
    const payer = await openPayerPage(await openBrowser(), { context: { javaScriptEnabled: false } });
    const { page } = payer;
    const tradeNo = await pages.preCreate({ currency_ids: [1000, 1001] });
    await page.goto(`${pages.url}/${tradeNo}?lang=de`);
    await page.locator('.offer', { hasText: 'ETH' }).last().click();
    await page.getByRole('button', { name: 'Weiter' }).click();
    const detail = await api.call('/api/order/detail', { trade_no: tradeNo });
    expect(await page.locator('.copy-row .mono').textContent()).toBe(detail.data['pay_address']);
    await page.getByRole('img', { name: 'Adresse' }).waitFor();
    await page.getByRole('link', { name: 'Ändern' }).click();
    await page.getByRole('button', { name: 'Weiter' }).waitFor();
    await payer.close();
  });

  it('says why a choice was not made, and makes it once the gateway answers', async () => {
    const payer = await openPayerPage(await openBrowser());
    const { page } = payer;
    await page.goto(`${pages.url}/${await pages.preCreate({ currency_ids: [1001, 2001] })}?lang=en`);
    const alert = page.getByRole('alert');
    const refused = (refused: string) => ({ status: 409, json: { refused } });
    for (const [answer, said] of [
      [null, 'Nothing is lost. Try again in a minute.'],
      [refused('off'), 'This currency cannot be taken now.'],
      [{ status: 503, json: {} }, 'Nothing is lost. Try again in a minute.'],
      [refused('too-often'), 'The currency was changed too often.'],
      [{ status: 429, body: 'too many' }, 'Nothing is lost. Try again in a minute.'],
      [refused('no-rate'), 'This currency cannot be taken now.'],
    ] as const) {
      await page.route('**/choose', (route) => (answer === null ? route.abort() : route.fulfill(answer)), {
        times: 1,
      });
      await page.getByRole('button', { name: 'Continue' }).click();
      await alert.getByText(said).waitFor();
    }
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Copy: Amount' }).waitFor();
    await expect.poll(() => alert.count()).toBe(0);
    await payer.close();
  });

  it('says that it is offline, keeps what it knew, and catches up', async () => {
    const payer = await openPayerPage(await openBrowser());
    const { page } = payer;
    const tradeNo = await pages.preCreate({ currency_id: 1001 });
    await page.goto(`${pages.url}/${tradeNo}`);
    await page.getByRole('button', { name: 'Copy: Amount' }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('No connection').waitFor();
    await api.database.transact((tx) =>
      tx.write(`UPDATE orders SET status = 'PAID', collected = due WHERE trade_no = $1`, [tradeNo]),
    );
    await page.getByText('Waiting for your payment').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('status').getByText('Paid').waitFor();
    await page.getByText('No connection').waitFor({ state: 'detached' });
    await payer.close();
  });

  it('asks by itself where a proxy holds back the stream', async () => {
    const payer = await openPayerPage(await openBrowser());
    const { page } = payer;
    const tradeNo = await pages.preCreate({ currency_id: 1001 });
    // The connection is taken, and nothing ever comes.
    await page.route('**/events', () => undefined);
    await page.goto(`${pages.url}/${tradeNo}`);
    await page.getByRole('button', { name: 'Copy: Amount' }).waitFor();
    await api.database.transact((tx) =>
      tx.write(`UPDATE orders SET status = 'PAID', collected = due WHERE trade_no = $1`, [tradeNo]),
    );
    await page.getByRole('status').getByText('Paid').waitFor();
    await payer.close();
  });

  it('keeps what the stream said where an answer comes later that was asked for before', async () => {
    const payer = await openPayerPage(await openBrowser());
    const { page } = payer;
    const tradeNo = await pages.preCreate({ currency_id: 1001 });
    await page.goto(`${pages.url}/${tradeNo}`);
    await page.getByRole('button', { name: 'Copy: Amount' }).waitFor();
    const gate = new EventEmitter();
    const isAsked = once(gate, 'asked');
    const isReleased = once(gate, 'released');
    await page.route('**/state', async (route) => {
      const response = await route.fetch();
      gate.emit('asked');
      await isReleased;
      await route.fulfill({ response });
    });
    const answered = page.waitForResponse('**/state');
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await isAsked;
    await api.database.transact(async (tx) => {
      await tx.write(`UPDATE orders SET status = 'PAID', collected = due WHERE trade_no = $1`, [tradeNo]);
      await tx.write(`UPDATE chain_cursors SET head_hash = head_hash || '+' WHERE chain = 'ETH'`, []);
    });
    await page.getByRole('status').getByText('Paid').waitFor();
    gate.emit('released');
    await (await answered).finished();
    // Longer than the page takes to show what it was answered.
    await page.waitForTimeout(200);
    expect(await page.getByRole('status').textContent()).toContain('Paid');
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('says what a wallet refused, and that nothing was sent', async () => {
    const refusals = [
      ['eth_requestAccounts', 4001],
      ['eth_requestAccounts', -32002],
      ['wallet_switchEthereumChain', 4902],
      ['wallet_switchEthereumChain', 4001],
    ] as const;
    const from = '0x00000000000000000000000000000000000000aa';
    const payer = await openPayerPage(await openBrowser(), { refusals, from });
    await payer.page.goto(`${pages.url}/${await pages.preCreate({ currency_id: 2001 })}`);
    for (const said of [
      'Cancelled. Nothing was sent.',
      'Unlock your wallet',
      'Switch your wallet to BEP20',
      'Cancelled. Nothing was sent.',
    ]) {
      await payer.page.getByRole('button', { name: 'Pay with Test wallet' }).click();
      await payer.page.getByRole('alert').getByText(said).waitFor();
    }
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('is walked through by keyboard, from the choice to the receipt on paper', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const payer = await openPayerPage(await openBrowser(), { context: { permissions } });
    const { page } = payer;
    const press = (key: string) => page.keyboard.press(key);
    const focused = () =>
      page.evaluate(
        `(({ ariaLabel, textContent, name, value }) => (ariaLabel || (name ? name + value : textContent)).trim())(document.activeElement)`,
      );
    const outline = () =>
      page.evaluate(
        `getComputedStyle(document.activeElement.closest('.offer') ?? document.activeElement).outlineStyle`,
      );
    const tabTo = async (what: string) => {
      for (let presses = 0; (await focused()) !== what; presses++) {
        expect(presses, `${what} is reached`).toBeLessThan(12);
        await press('Tab');
      }
      expect(await outline(), `${what} shows that it has the focus`).toBe('solid');
    };
    const tradeNo = await pages.preCreate({ currency_ids: [1000, 1001, 2001] });
    await page.goto(`${pages.url}/${tradeNo}?lang=en`);
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await tabTo('currency_id1001');
    await press('ArrowDown');
    expect(await focused()).toBe('currency_id2001');
    await tabTo('Continue');
    await press('Enter');
    // The button comes with the script.
    await page.getByRole('button', { name: 'Copy: Amount' }).waitFor();
    await tabTo('Copy: Amount');
    await press('Enter');
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('26');
    await tabTo('Copy: Address');
    expect(await page.getByRole('region').count(), 'no landmark is empty').toBe(0);
    await api.database.transact((tx) =>
      tx.write(`UPDATE orders SET status = 'PAID', collected = due WHERE trade_no = $1`, [tradeNo]),
    );
    await page.getByRole('status').getByText('Paid').waitFor();
    await tabTo('Print');
    await page.emulateMedia({ media: 'print' });
    await page.locator('.print-only', { hasText: tradeNo }).waitFor();
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('renders what merchants, wallets and links bring along as text (threats 2.4)', async () => {
    const hostile = [
      `<script>hacked = 1</script>`,
      `<img src=x onerror="hacked = 2">`,
      `"><svg onload=hacked=3>`,
      `</script><script>hacked = 4</script>`,
      `' onmouseover='hacked = 5`,
      `javascript:hacked=6`,
      `jav\tascript:hacked=7`,
      `<!-- {{7*7}} \${7*7} %3Cscript%3E &lt;b&gt;`,
      `\u202egnp.exe\u2066 🍵`,
    ].join(' ');
    const name = `Tea & Co <b> ${hostile}`;
    await api.database.transact((tx) =>
      tx.write('UPDATE apps SET name = $2 WHERE app_id = $1', [
        api.payment.appId,
        `${name}${'x'.repeat(100_000)}`,
      ]),
    );
    const tradeNo = await pages.preCreate({ currency_id: 1001, subject: hostile.slice(0, 100) });
    await api.database.transact((tx) =>
      tx.write('UPDATE orders SET out_trade_no = $2 WHERE trade_no = $1', [tradeNo, hostile]),
    );
    const payer = await openPayerPage(await openBrowser(), { refusals: [], walletName: `<i>${hostile}` });
    const { page } = payer;
    const query = new URLSearchParams({ lang: hostile, refused: hostile, change: hostile });
    await page.goto(`${pages.url}/${tradeNo}?${query}`);
    await page.getByRole('button', { name: 'Pay with <i>' }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(
      /^Tea & Co <b> <script>hacked = 1/,
    );
    expect(await page.evaluate('typeof hacked')).toBe('undefined');
    expect(await page.locator('main :is(b, i, script, svg[onload], [onerror], [onmouseover])').count()).toBe(
      1,
    );
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });
});
