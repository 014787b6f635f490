// The payment pages as strangers meet them: what they show, what they refuse, and that they change nothing else.
import { accept, refuse } from '@ducat/core/result';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { NOW, startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { streamEvents } from '@ducat/testkit/api/stream-events';
import { startTestPages, type TestPages } from '@ducat/testkit/api/test-pages';
import { writeCheckoutPage } from '../../db/tables/checkout-pages.ts';
import { createFixedRates } from '../../rates/fixed.ts';
import type { RateSource } from '../../rates/port.ts';
import { defaultPagesLimits } from './port.ts';

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

const [USDT_ETH, USDT_BSC, ETH] = [1001, 2001, 1000];

async function stateOf(tradeNo: string) {
  return (await (await fetch(`${pages.url}/${tradeNo}/state`)).json()) as { view: Record<string, unknown> };
}

async function viewOf(tradeNo: string) {
  return (await stateOf(tradeNo)).view;
}

async function choose(
  tradeNo: string,
  currencyId: number,
  headers: Record<string, string> = {},
  at: TestPages = pages,
) {
  const response = await fetch(`${at.url}/${tradeNo}/choose`, {
    method: 'POST',
    body: new URLSearchParams({ currency_id: String(currencyId), fiat_amount: '0.01', time_expire: '1' }),
    headers: { accept: 'application/json', ...headers },
    redirect: 'manual',
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** As the walk would write it: seen in a block, in some currency. */
async function seen(tradeNo: string, units: string, currencyId: number): Promise<void> {
  await api.database.transact((tx) =>
    tx.write(
      `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
         block_number, block_hash, block_time, state, address_id, app_id, trade_no)
       SELECT chain, '0xseen' || trade_no, 'log:0', 1, $3, '0xpayer', address, $2::numeric, 998, '0xb', $4::bigint,
         'seen', address_id, app_id, trade_no FROM orders WHERE trade_no = $1`,
      [tradeNo, units, currencyId, NOW],
    ),
  );
}

describe('a page', () => {
  it('asks the payer of a hosted order, and shows that of order/create at once', async () => {
    const hosted = await pages.preCreate();
    expect(await viewOf(hosted)).toMatchObject({ state: 'choose', can_change: true });
    const native = await api.call('/api/order/create', {
      out_trade_no: 'native',
      currency_id: 1001,
      token_amount: '5',
    });
    const { trade_no: tradeNo, pay_address: address, entrust_url: url } = native.data;
    expect(url).toBe(`https://pay.test/${String(tradeNo)}`);
    expect(await viewOf(String(tradeNo))).toMatchObject({
      state: 'waiting',
      can_change: false,
      address,
      amount: '5',
    });
    const html = await (await fetch(`${pages.url}/${String(tradeNo)}`)).text();
    // Without a script: the amount, the whole address letter by letter, and the code.
    expect(html.replaceAll(/<[^>]*>/g, '')).toContain(String(address));
    expect(html).toContain('class="qr"');
    expect(html).not.toContain('style=');
  });

  it.each([
    '',
    'ord_1',
    'ord_01kag5jmw09x4mt2c7hqz5b0wd8rk3',
    "ord_'; DROP TABLE orders",
    '%2e%2e%2f',
    'x'.repeat(5_000),
  ])('answers an order that is not there with one plain 404: %j', async (tradeNo) => {
    const missing = await fetch(`${pages.url}/${encodeURIComponent(tradeNo)}`);
    const page = await missing.text();
    expect([missing.status, page.includes('No such payment')]).toEqual([404, true]);
    expect((await fetch(`${pages.url}/${encodeURIComponent(tradeNo)}/state`)).status).toBe(404);
  });

  it('lets nothing in but our own scripts, shows itself in no frame, and says nothing to the next site', async () => {
    const { headers } = await fetch(`${pages.url}/${await pages.preCreate()}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /default-src 'none'; script-src 'nonce-[A-Za-z0-9+/]{24}' 'strict-dynamic'; style-src 'self'/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('shows names with markup and turned directions as plain text', async () => {
    const subject = '"><script>alert(1)</script>\u202Egpj.exe </script><!-- 🍵';
    const html = await (
      await fetch(`${pages.url}/${await pages.preCreate({ subject, out_trade_no: `<img src=x>${subject}` })}`)
    ).text();
    expect(html).not.toMatch(/<script>alert|<img src=x|\u202e/i);
    expect(html).toContain('&lt;script>alert(1)');
  });

  it('shows what the network takes, and the logo of the merchant at the address of its digest', async () => {
    const png = Buffer.from('89504e470d0a1a0a00', 'hex');
    const page = { accent: null, contact: null, frameOrigins: [], logo: png, isTest: false };
    await api.database.transact((tx) => writeCheckoutPage(tx, api.payment.appId, page));
    const html = await (
      await fetch(`${pages.url}/${await pages.preCreate({ currency_ids: [ETH, USDT_BSC] })}`)
    ).text();
    // A thousandth of the coin at the made-up prices, in the currency of the order, rounded up.
    expect([...html.matchAll(/fee ~(€[0-9.]+)/g)].map(([, fee]) => fee)).toEqual(['€0.81', '€3.60']);
    const [path = ''] = /\/logo\/[0-9a-f]{64}/.exec(html) ?? [];
    const logo = await fetch(`${pages.url}${path}`);
    expect([logo.headers.get('content-type'), Buffer.from(await logo.arrayBuffer())]).toEqual([
      'image/png',
      png,
    ]);
    for (const none of ['0'.repeat(64), 'x', `${path.slice(6)}0`])
      expect((await fetch(`${pages.url}/logo/${none}`)).status).toBe(404);
  });

  it('says above everything that an order of a test app is one, in the language of the page', async () => {
    const dress = { accent: null, contact: null, frameOrigins: [], logo: null };
    const mark = (isTest: boolean) =>
      api.database.transact((tx) => writeCheckoutPage(tx, api.payment.appId, { ...dress, isTest }));
    const text = async (language: string) =>
      (await fetch(`${pages.url}/${await pages.preCreate()}?lang=${language}`)).text();
    const shown = (html: string) => html.slice(0, html.indexOf('application/json'));
    await mark(true);
    expect(shown(await text('en'))).toContain('This is a test order of the shop.');
    expect(shown(await text('de'))).toContain('Eine Testbestellung des Shops.');
    await mark(false);
    expect(shown(await text('en'))).not.toContain('This is a test order of the shop.');
  });

  it('offers the faucet to apps that are marked as test, and to no other', async () => {
    const faucetUrl = 'https://faucet.test.example';
    const sandbox = await startTestPages(api, { faucetUrl });
    const dress = { accent: null, contact: null, frameOrigins: [], logo: null };
    const shown = async (isTest: boolean) => {
      await api.database.transact((tx) => writeCheckoutPage(tx, api.payment.appId, { ...dress, isTest }));
      const page = await fetch(`${sandbox.url}/${await pages.preCreate()}`);
      const policy = page.headers.get('content-security-policy') ?? '';
      return [(await page.text()).includes(faucetUrl), policy.includes(`connect-src 'self' ${faucetUrl}`)];
    };
    expect([await shown(false), await shown(true)]).toEqual([
      [false, false],
      [true, true],
    ]);
    await sandbox.close();
  });

  it('speaks the language that was asked for, and else the one that the browser prefers', async () => {
    const tradeNo = await pages.preCreate();
    const read = async (query: string, accept: string) =>
      (await fetch(`${pages.url}/${tradeNo}${query}`, { headers: { 'accept-language': accept } })).text();
    expect(await read('?lang=ar', 'de')).toContain('<html lang="ar" dir="rtl">');
    expect(await read('', 'xx, de-CH;q=0.8, en;q=0.9')).toContain('<html lang="en" dir="ltr">');
    expect(await read('?lang=%22%3E', 'de-CH')).toContain('<html lang="de" dir="ltr">');
  });
});

describe('the choice of a currency (threat O09)', () => {
  it('turns the order at a fresh quote, keeps what it costs and until when, and is written down', async () => {
    const tradeNo = await pages.preCreate();
    const before = await viewOf(tradeNo);
    const answer = await choose(tradeNo, ETH);
    expect(answer.status).toBe(200);
    const after = await viewOf(tradeNo);
    expect(after).toMatchObject({ state: 'waiting', currency: { token: 'ETH' }, amount: '0.0065' });
    expect([after['fiat'], after['time_expire']]).toEqual([before['fiat'], before['time_expire']]);
    // One family has one address, so a payer who comes back pays where the first code led.
    expect(after['address']).toBe(before['address']);
    await choose(tradeNo, USDT_BSC);
    const rows = await api.database.reader.read<{ currency_id: number }>(
      'SELECT currency_id FROM currency_choices WHERE trade_no = $1 ORDER BY number',
      [tradeNo],
    );
    expect(rows.map((row) => row.currency_id)).toEqual([1000, ETH, USDT_BSC]);
    const detail = await api.call('/api/order/detail', { trade_no: tradeNo });
    expect(detail.data).toMatchObject({ chain: 'BSC', token: 'USDT', fiat_amount: '23.40', mode: 'HOSTED' });
  });

  // hits mark: choice-locked-by-a-transfer
  it('is locked once anything was seen, in whatever currency', async () => {
    const tradeNo = await pages.preCreate({ currency_ids: [USDT_ETH, ETH] });
    await seen(tradeNo, '5000', ETH);
    // Without a choice, and there is none any more: the page asks for the currency that the order began with.
    expect(await choose(tradeNo, ETH)).toMatchObject({ status: 409, text: '{"refused":"locked"}' });
    expect(await viewOf(tradeNo)).toMatchObject({
      state: 'waiting',
      can_change: false,
      currency: { token: 'USDT' },
    });
  });

  it('stays locked after a reorg took the transfer away: it may come back', async () => {
    const tradeNo = await pages.preCreate({ currency_ids: [USDT_ETH, ETH] });
    await seen(tradeNo, '5000000', USDT_ETH);
    await choose(tradeNo, USDT_ETH);
    const inBlock = (number: number) =>
      api.database.transact((tx) =>
        tx.write(`UPDATE transfers SET state = 'orphaned', block_number = $2::bigint WHERE trade_no = $1`, [
          tradeNo,
          number,
        ]),
      );
    // Just taken away, then so long ago that the page waits for a payment as it did before.
    for (const [number, state] of [
      [998, 'reorg'],
      [900, 'waiting'],
    ] as const) {
      await inBlock(number);
      expect(await viewOf(tradeNo)).toMatchObject({ state, can_change: false });
      expect((await choose(tradeNo, ETH)).text).toBe('{"refused":"locked"}');
    }
  });

  it('takes only what the merchant offers, what is on, and what has a price', async () => {
    const tradeNo = await pages.preCreate({ currency_ids: [USDT_ETH, 3001] });
    expect((await choose(tradeNo, ETH)).text).toBe('{"refused":"not-offered"}');
    expect((await choose(tradeNo, 3001)).text).toBe('{"refused":"off"}');
    expect((await choose(tradeNo, 0)).text).toBe('{"refused":"not-offered"}');
    const priced = await pages.preCreate({
      fiat_name: undefined,
      fiat_amount: undefined,
      currency_id: ETH,
      token_amount: '1',
    });
    expect((await choose(priced, USDT_ETH)).status).toBe(409);
    const native = await api.call('/api/order/create', {
      out_trade_no: 'n2',
      currency_id: 1001,
      token_amount: '5',
    });
    expect((await choose(String(native.data['trade_no']), ETH)).status).toBe(409);
  });

  it('is priced anew at the tap: by more where the price has moved, and not at all where it went stale', async () => {
    const made = createFixedRates(api.world);
    let state: 'listed' | 'moved' | 'stale' = 'listed';
    const rates: RateSource = {
      ...made,
      quote: async (currency, fiat) => {
        const quote = await made.quote(currency, fiat);
        if (state === 'stale' && currency.currencyId === ETH)
          return refuse({ code: 'rate-unavailable', message: 'the prices are too old' });
        if (state === 'listed' || !quote.ok) return quote;
        const { rate } = quote.value;
        return accept({ ...quote.value, rate: { ...rate, priceUnits: rate.priceUnits / 2n } });
      },
    };
    const moving = await startTestPages(api, { rates });
    const read = async (path: string) => (await fetch(`${moving.url}/${path}`)).text();
    const tradeNo = await pages.preCreate({ currency_ids: [USDT_BSC, ETH] });
    expect(await read(tradeNo)).toContain('0.0065');
    state = 'stale';
    expect(await choose(tradeNo, ETH, {}, moving)).toMatchObject({
      status: 409,
      text: '{"refused":"no-rate"}',
    });
    // What has no price is not offered either, and nothing was chosen.
    expect(await read(tradeNo)).not.toContain('0.0065');
    expect(await viewOf(tradeNo)).toMatchObject({ state: 'choose' });
    state = 'moved';
    const answer = await choose(tradeNo, ETH, {}, moving);
    // The script compares this with what the list said, and shows that the price was renewed.
    expect(JSON.parse(answer.text)).toMatchObject({ view: { amount: '0.013', fiat: { amount: '23.40' } } });
    expect(await viewOf(tradeNo)).toMatchObject({ state: 'waiting', amount: '0.013' });
    await moving.close();
  });

  it('is remembered by the browser for the order of the next list, and counts for nothing else', async () => {
    const chosen = await choose(await pages.preCreate({ currency_ids: [USDT_ETH, ETH] }), ETH);
    expect(chosen.headers.get('set-cookie')).toBe(
      `ducat-currency=${ETH}; Path=/pay; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure`,
    );
    const next = await pages.preCreate({ currency_ids: [USDT_ETH, ETH] });
    const listed = async (cookie: string) => {
      const page = await fetch(`${pages.url}/${next}`, { headers: { cookie } });
      return [...(await page.text()).matchAll(/name="currency_id" value="(\d+)"/g)].map(([, id]) =>
        Number(id),
      );
    };
    expect(await listed(`a=b; ducat-currency=${ETH}`)).toEqual([ETH, USDT_ETH]);
    for (const none of ['', 'ducat-currency=', 'ducat-currency=9999', 'ducat-currency="><script>'])
      expect(await listed(none)).toEqual([USDT_ETH, ETH]);
  });

  it('comes from the page alone, and a form is led back to it', async () => {
    const tradeNo = await pages.preCreate();
    expect((await choose(tradeNo, ETH, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const form = await choose(tradeNo, 3001, { accept: 'text/html' });
    expect([form.status, form.headers.get('location')]).toEqual([303, `/pay/${tradeNo}?refused=off`]);
  });

  it('ends with the order', async () => {
    const tradeNo = await pages.preCreate();
    await api.database.transact((tx) =>
      tx.write('UPDATE orders SET time_expire = $2::bigint WHERE trade_no = $1', [tradeNo, NOW]),
    );
    expect((await choose(tradeNo, ETH)).text).toBe('{"refused":"ended"}');
  });
});

describe('the stream of a page', () => {
  it('says at once how the order stands, and each change once', async () => {
    const tradeNo = await pages.preCreate({ currency_id: USDT_ETH });
    const closing = new AbortController();
    const response = await fetch(`${pages.url}/${tradeNo}/events`, { signal: closing.signal });
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const events = streamEvents(response);
    expect(await events.next()).toMatchObject({ value: { view: { state: 'waiting', got: '0' } } });
    await seen(tradeNo, '1000000', USDT_ETH);
    await api.database.transact((tx) =>
      tx.write(
        `UPDATE chain_cursors SET head_number = head_number + 1, head_hash = '0xnext' WHERE chain = 'ETH'`,
        [],
      ),
    );
    expect(await events.next()).toMatchObject({
      value: { view: { state: 'part', got: '1', confirmations: 4 } },
    });
    closing.abort();
  });

  it.each([
    ['streams of its order', { maxStreamsPerSubject: 2 }],
    ['streams of its address', { maxStreamsPerAddress: 2 }],
    ['connections', { maxConnectionsPerAddress: 2 }],
  ])('is the oldest and goes where a newer one wants the last of the %s', async (_what, change) => {
    const tradeNo = await pages.preCreate();
    const limits = { ...defaultPagesLimits, ...change };
    const few = await startTestPages(api, { limits });
    const closing = new AbortController();
    const open = async () => {
      const response = await fetch(`${few.url}/${tradeNo}/events`, { signal: closing.signal });
      const events = streamEvents(response);
      await events.next();
      return events;
    };
    const [oldest] = [await open(), await open(), await open()];
    expect(
      await oldest.next().then(
        ({ done }) => done,
        () => true,
      ),
    ).toBe(true);
    closing.abort();
    await few.close();
  });
});
