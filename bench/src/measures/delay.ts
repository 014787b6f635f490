// The time from the block that makes a payment final to its webhook's arrival, at rest and under steady payments.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { openDatabase } from '@ducat/gateway/db/postgres/tx';
import type { Spend } from '../chains/block-maker.ts';
import { chainEntry, USDT } from '../chains/chain-entry.ts';
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts';
import type { Bench, Figure } from '../measure.ts';
import { fillPool, openApp } from '../gateway/open-app.ts';
import { quantile } from '../rounds.ts';
import { startWorker, type Worker } from '../worker.ts';
import type { Merchant, Opened } from '../workers/merchant.ts';
import type { Node, View } from '../workers/node.ts';
import type { Receiver } from '../workers/receiver.ts';
import { CONNECTIONS, takesOrders } from './api.ts';

/** The block time of BSC, the fastest chain that Ducat follows. */
const BLOCK_MS = 450;
const CONFIRMATIONS = 3;
const PAYMENTS_A_SECOND = 50;
/** More USDT than the orders' 9.99 EUR come to at the demo's rates. */
const UNITS = 20_000_000n;
/** A webhook that has not come by then is missing. */
const TIMEOUT_MS = 30_000;

export const delay: Bench = {
  name: 'delay',
  about: 'from the block that makes a payment final to the arrival of its webhook',
  async run(stage, scale) {
    const url = await stage.createDatabase('delay');
    const database = openDatabase(url, 4);
    const node = startWorker<Node>('node');
    const merchant = startWorker<Merchant>('merchant');
    const receiver = startWorker<Receiver>('receiver');
    let gateway: GatewayProcess | null = null;
    try {
      const hook = await receiver.ask('listen', null);
      const shop = await openApp(database, 'app_bench', hook);
      const blocks = Math.ceil((scale.delaySeconds * 1000) / BLOCK_MS);
      const orders = Math.ceil(blocks / 2) + Math.ceil(scale.delaySeconds * PAYMENTS_A_SECOND) + blocks;
      await fillPool(database, shop.appId, orders + 100);
      const view = await node.ask('listen', null);
      await node.ask('add', { spends: Array.from({ length: CONFIRMATIONS }, () => []), time: now() });
      await node.ask('show', { ...view, head: CONFIRMATIONS });
      gateway = await startGatewayProcess({
        folder: stage.folder,
        name: 'delay',
        databaseUrl: url,
        roles: ['api', 'watcher', 'notifier', 'maintenance'],
        chains: { ETH: chainEntry(view, { confirmations: CONFIRMATIONS, block_time_ms: BLOCK_MS }) },
      });
      await merchant.ask('connect', { apiUrl: gateway.apiUrl, ...shop, connections: CONNECTIONS });
      await waitUntil('orders to be taken', () => takesOrders(merchant), { timeoutMs: 20_000 });
      const opened = await merchant.ask('open', { count: orders, currencyId: USDT.id });
      const stream = new Stream(node, view, receiver, opened);
      const atRest = await stream.run(blocks, (place) => (place % 2 === 0 ? 1 : 0));
      const perBlock = (PAYMENTS_A_SECOND * BLOCK_MS) / 1000;
      const loaded = await stream.run(
        blocks,
        (place) => Math.floor((place + 1) * perBlock) - Math.floor(place * perBlock),
      );
      return [
        figure('final block to webhook, at rest', atRest),
        figure(`the same, ${PAYMENTS_A_SECOND} payments a second`, loaded),
      ];
    } finally {
      await gateway?.stop();
      await Promise.all([node.stop(), merchant.stop(), receiver.stop(), database.close()]);
    }
  },
};

function figure(what: string, delaysMs: readonly number[]): Figure {
  const [p50, p99] = [quantile(delaysMs, 0.5), quantile(delaysMs, 0.99)];
  return {
    what,
    seen: `${delaysMs.length} payments`,
    value: `p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms`,
    goal: '',
    met: null,
  };
}

/** Shows a block every BLOCK_MS, pays orders in it, and records when each payment became final. */
class Stream {
  readonly #node: Worker<Node>;
  readonly #view: View;
  readonly #receiver: Worker<Receiver>;
  readonly #orders: Opened[];

  constructor(node: Worker<Node>, view: View, receiver: Worker<Receiver>, orders: readonly Opened[]) {
    this.#node = node;
    this.#view = view;
    this.#receiver = receiver;
    this.#orders = [...orders];
  }

  /** Pays in so many blocks. Returns the milliseconds from finality to the webhook's arrival, for each payment. */
  async run(blocks: number, paymentsIn: (place: number) => number): Promise<readonly number[]> {
    const finalAtMs = new Map<string, number>();
    let waiting: (readonly Opened[])[] = [];
    const startMs = Date.now();
    for (let place = 0; place < blocks + CONFIRMATIONS - 1; place++) {
      await sleep(startMs + place * BLOCK_MS - Date.now());
      const paid = this.#orders.splice(0, place < blocks ? paymentsIn(place) : 0);
      const spends = paid.map(
        ({ address }): Spend => ({ to: address.toLowerCase(), units: UNITS, token: USDT.contract }),
      );
      const head = await this.#node.ask('add', { spends: [spends], time: now() });
      const { shownAtMs } = await this.#node.ask('show', { ...this.#view, head });
      waiting.push(paid);
      const final = waiting.length >= CONFIRMATIONS ? waiting[0] : [];
      if (waiting.length >= CONFIRMATIONS) waiting = waiting.slice(1);
      for (const { tradeNo } of final ?? []) finalAtMs.set(tradeNo, shownAtMs);
    }
    const arrivals = await waitUntil(
      'every webhook',
      async () => {
        const come = await this.#receiver.ask('arrivals', null);
        return [...finalAtMs.keys()].every((tradeNo) => come.has(tradeNo)) && come;
      },
      { timeoutMs: TIMEOUT_MS, everyMs: 200 },
    );
    return [...finalAtMs].map(([tradeNo, atMs]) => (arrivals.get(tradeNo) ?? Number.NaN) - atMs);
  }
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
