// What open pages are sent: never an older view after a newer one, and nothing to a reader that has left.
import { EventEmitter, once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { CheckoutState } from '@ducat/contract/checkout-view';
import { NOW, startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { streamEvents } from '@ducat/testkit/api/stream-events';
import { startTestPages, type TestPages } from '@ducat/testkit/api/test-pages';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Reader } from '../../db/postgres/tx.ts';
import { createLiveOrders } from './live-orders.ts';
import { defaultPagesLimits, type PagesDeps } from './port.ts';

it('a reader that left while its state was read is not looked at', async () => {
  const looks: unknown[] = [];
  const reader = {
    read: async (...question: unknown[]) => {
      looks.push(question);
      return [];
    },
  };
  // Nothing else of them is asked for here.
  const live = createLiveOrders({ reader, limits: defaultPagesLimits } as unknown as PagesDeps);
  // The parts of a state that a stream is kept by.
  const state = { now: 1, view: { trade_no: 'ord_1', currency: { chain: 'ETH' } } } as CheckoutState;
  const server = createServer((_, response) => {
    client.destroy();
    response.once('close', () => {
      live.open(response, state, '127.0.0.1');
      server.emit('opened');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  const client = request({ port, host: '127.0.0.1' }).on('error', () => undefined);
  client.end();
  await once(server, 'opened');
  await live.look('ord_1');
  server.close();
  expect(looks).toEqual([]);
});

/** Holds back the rows of one read of orders, after the database has answered it. */
function holdingReader(reader: Reader) {
  let onRead: (() => Promise<void>) | null = null;
  const hold = () => {
    const gate = new EventEmitter();
    const isRead = once(gate, 'read');
    const isReleased = once(gate, 'released');
    onRead = async () => {
      onRead = null;
      gate.emit('read');
      await isReleased;
    };
    return { isRead, release: () => void gate.emit('released') };
  };
  const read: Reader['read'] = async (sql, values) => {
    const rows = await reader.read(sql, values);
    if (sql.includes('hosted_orders')) await onRead?.();
    return rows as never;
  };
  return { reader: { read }, hold };
}

const [USDT, ETH] = [1001, 1000];

describe('a view that was read before another one', () => {
  let api: TestApi;
  let holding: ReturnType<typeof holdingReader>;
  let pages: TestPages;
  /** Of another process, which knows nothing of the streams of this one. */
  let others: TestPages;
  let tradeNo: string;
  let closing: AbortController;
  beforeAll(async () => {
    api = await startTestApi(inject('postgresAdminUrl'));
    holding = holdingReader(api.database.reader);
    pages = await startTestPages(api, { reader: holding.reader });
    others = await startTestPages(api);
  });
  afterAll(async () => {
    await pages?.close();
    await others?.close();
    await api?.close();
  });
  let orders = 0;
  beforeEach(async () => {
    closing = new AbortController();
    const order = { out_trade_no: `live-${++orders}`, fiat_name: 'EUR', fiat_amount: '23.40' };
    const made = await api.call('/api/entrust/pre-create', { ...order, currency_ids: [USDT, ETH] });
    tradeNo = String(made.data['trade_no']);
  });
  afterEach(() => closing.abort());

  async function open() {
    const events = streamEvents(await fetch(`${pages.url}/${tradeNo}/events`, { signal: closing.signal }));
    const next = async () => ((await events.next()).value as CheckoutState).view;
    /** The currencies of all views up to the one that shows the payment. */
    const currenciesUntilSeen = async () => {
      const currencies: string[] = [];
      for (let got = '0'; got === '0'; ) {
        const view = await next();
        got = view.got;
        currencies.push(view.currency.token);
      }
      return new Set(currencies);
    };
    return { next, currenciesUntilSeen };
  }

  const chooseEth = (at: TestPages) =>
    fetch(`${at.url}/${tradeNo}/choose`, {
      method: 'POST',
      body: new URLSearchParams({ currency_id: String(ETH) }),
      headers: { accept: 'application/json' },
    });

  const nextBlock = () =>
    api.database.transact((tx) =>
      tx.write(
        `UPDATE chain_cursors SET head_number = head_number + 1, head_hash = head_hash || '+' WHERE chain = 'ETH'`,
        [],
      ),
    );

  async function pay(): Promise<void> {
    await api.database.transact((tx) =>
      tx.write(
        `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
           block_number, block_hash, block_time, state, address_id, app_id, trade_no)
         SELECT chain, '0xpaid' || trade_no, 'log:0', 1, currency_id, '0xpayer', address, 1000000, 998, '0xb', $2::bigint,
           'seen', address_id, app_id, trade_no FROM orders WHERE trade_no = $1`,
        [tradeNo, NOW],
      ),
    );
    await nextBlock();
  }

  it('is not sent after the look at a choice', async () => {
    const stream = await open();
    expect(await stream.next()).toMatchObject({ currency: { token: 'USDT' } });
    const poll = holding.hold();
    await nextBlock();
    await poll.isRead;
    const chosen = chooseEth(pages);
    // Either the look is sent meanwhile, or it waits for the poll.
    await Promise.race([chosen, setTimeout(500)]);
    poll.release();
    expect((await chosen).status).toBe(200);
    await pay();
    expect([...(await stream.currenciesUntilSeen())]).toEqual(['ETH']);
  });

  it('is not sent to a page that was opened meanwhile, and the other pages catch up', async () => {
    const first = await open();
    expect(await first.next()).toMatchObject({ currency: { token: 'USDT' } });
    const poll = holding.hold();
    await nextBlock();
    await poll.isRead;
    expect((await chooseEth(others)).status).toBe(200);
    const second = await open();
    expect(await second.next()).toMatchObject({ currency: { token: 'ETH' } });
    poll.release();
    expect(await first.next()).toMatchObject({ currency: { token: 'ETH' } });
    await pay();
    for (const { currenciesUntilSeen } of [first, second])
      expect([...(await currenciesUntilSeen())]).toEqual(['ETH']);
  });
});
