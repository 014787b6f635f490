// Open payment pages: time to first content, cost of a page at rest, time until all show a new block and one says "paid".
import { readFileSync } from 'node:fs';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { openDatabase } from '@ducat/gateway/db/postgres/tx';
import type { Spend } from '../chains/block-maker.ts';
import { chainEntry, USDT } from '../chains/chain-entry.ts';
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts';
import { fillPool, openApp } from '../gateway/open-app.ts';
import type { Bench, Figure } from '../measure.ts';
import { residentMb } from '../process-memory.ts';
import { quantile } from '../rounds.ts';
import { startWorker, type Worker } from '../worker.ts';
import type { Merchant, Opened } from '../workers/merchant.ts';
import type { Node, View } from '../workers/node.ts';
import type { Payers } from '../workers/payers.ts';
import { CONNECTIONS, takesOrders } from './api.ts';
import { firstContent } from './first-content.ts';

const BLOCK_MS = 450;
const CONFIRMATIONS = 12;
/** Payments of the measure of "paid": so many blocks with so many payments each. */
const [PAID_BLOCKS, PAID_IN_EACH] = [40, 5];
/** The orders of all other pages are paid in so many blocks. They are fewer than finality needs. */
const SEEN_BLOCKS = 8;
const REST_S = 15;
const UNITS = 20_000_000n;
const TIMEOUT_MS = 120_000;

export const pages: Bench = {
  name: 'pages',
  about:
    'open payment pages: first content on a slow phone, memory and CPU at rest, a block until the last page shows it, a final block until "paid"',
  async run(stage, scale) {
    const url = await stage.createDatabase('pages');
    const database = openDatabase(url, 4);
    const [node, merchant, payers] = [
      startWorker<Node>('node'),
      startWorker<Merchant>('merchant'),
      startWorker<Payers>('payers'),
    ];
    let gateway: GatewayProcess | null = null;
    try {
      const shop = await openApp(database, 'app_bench', 'http://127.0.0.1:9/');
      await fillPool(database, shop.appId, scale.openPages + 3000);
      const view = await node.ask('listen', null);
      await node.ask('add', { spends: Array.from({ length: CONFIRMATIONS }, () => []), time: now() });
      await node.ask('show', { ...view, head: CONFIRMATIONS });
      gateway = await startGatewayProcess({
        folder: stage.folder,
        name: 'pages',
        databaseUrl: url,
        roles: ['api', 'pages', 'watcher'],
        chains: { ETH: chainEntry(view, { confirmations: CONFIRMATIONS, block_time_ms: BLOCK_MS }) },
      });
      await merchant.ask('connect', { apiUrl: gateway.apiUrl, ...shop, connections: CONNECTIONS });
      await waitUntil('orders to be taken', () => takesOrders(merchant), { timeoutMs: 20_000 });
      const orders = [...(await merchant.ask('open', { count: scale.openPages, currencyId: USDT.id }))];
      const tradeNos = orders.map(({ tradeNo }) => tradeNo);
      const chain = new Chain(node, view);
      return [
        await firstContent(`${gateway.pagesUrl}/${tradeNos[0]}`),
        ...(await rest(gateway, payers, tradeNos)),
        await untilPaid(chain, payers, orders.splice(0, PAID_BLOCKS * PAID_IN_EACH), tradeNos.length),
        await untilShown(chain, payers, orders),
      ];
    } finally {
      await gateway?.stop();
      await Promise.all([node.stop(), merchant.stop(), payers.stop(), database.close()]);
    }
  },
};

async function rest(
  { pid, pagesUrl }: GatewayProcess,
  payers: Worker<Payers>,
  tradeNos: readonly string[],
): Promise<readonly Figure[]> {
  const before = residentMb(pid);
  await payers.ask('open', { url: pagesUrl, tradeNos });
  const each = ((residentMb(pid) - before) * 1024) / tradeNos.length;
  const usedBefore = cpuSeconds(pid);
  await sleep(REST_S * 1_000);
  const share = (cpuSeconds(pid) - usedBefore) / REST_S;
  return [
    figure('memory of an open page', `${tradeNos.length} pages`, `${each.toFixed(1)} kB`),
    figure(
      'CPU of the gateway, all pages open, no block',
      `${REST_S} s`,
      `${(share * 100).toFixed(1)} % of a core`,
    ),
  ];
}

/** The time from the block that makes a payment final to "paid" on its page, while all other pages are open. */
async function untilPaid(
  chain: Chain,
  payers: Worker<Payers>,
  orders: Opened[],
  open: number,
): Promise<Figure> {
  const waiting: (readonly Opened[])[] = [];
  const finalAtMs = new Map<string, number>();
  for (let place = 0; place < PAID_BLOCKS + CONFIRMATIONS - 1; place++) {
    const paid = orders.splice(0, PAID_IN_EACH);
    const shownAtMs = await chain.show(paid);
    waiting.push(paid);
    const final = waiting[waiting.length - CONFIRMATIONS] ?? [];
    for (const { tradeNo } of final) finalAtMs.set(tradeNo, shownAtMs);
    await sleep(BLOCK_MS);
  }
  const paidAtMs = await waitUntil(
    'every page to say paid',
    async () => {
      const at = await payers.ask('paid', null);
      return [...finalAtMs.keys()].every((tradeNo) => at.has(tradeNo)) && at;
    },
    { timeoutMs: TIMEOUT_MS, everyMs: 200 },
  );
  const delays = [...finalAtMs].map(([tradeNo, atMs]) => (paidAtMs.get(tradeNo) ?? Number.NaN) - atMs);
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)];
  const value = `p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms`;
  return figure('final block to "paid" on the page', `${delays.length} payments, ${open} pages open`, value);
}

/** Pays all these orders until each page shows its payment as seen. Then times one more block, which changes every page. */
async function untilShown(chain: Chain, payers: Worker<Payers>, orders: readonly Opened[]): Promise<Figure> {
  const perBlock = Math.ceil(orders.length / SEEN_BLOCKS);
  for (let block = 0; block < SEEN_BLOCKS; block++) {
    await chain.show(orders.slice(block * perBlock, (block + 1) * perBlock));
    const expected = Math.min(orders.length, (block + 1) * perBlock);
    await pagesShow(payers, 'the payments of a block', { oldest: block + 1, newest: 1 }, expected);
  }
  const shownAtMs = await chain.show([]);
  const last = await pagesShow(
    payers,
    'the next block',
    { oldest: SEEN_BLOCKS + 1, newest: 2 },
    orders.length,
  );
  return figure('a block to the last page that shows it', `${orders.length} pages`, `${last - shownAtMs} ms`);
}

/** Waits until so many pages show these confirmations. Returns when the last of them changed. */
async function pagesShow(
  payers: Worker<Payers>,
  what: string,
  confirmations: { readonly oldest: number; readonly newest: number },
  expected: number,
): Promise<number> {
  const seen = await waitUntil(
    what,
    async () => {
      const shown = (await payers.ask('shown', null)).filter(({ state }) => state === 'seen');
      const newest = Math.min(...shown.map((page) => page.confirmations ?? 0));
      const oldest = Math.max(...shown.map((page) => page.confirmations ?? 0));
      return (
        shown.length === expected &&
        oldest === confirmations.oldest &&
        newest === confirmations.newest &&
        shown
      );
    },
    { timeoutMs: TIMEOUT_MS, everyMs: 250 },
  );
  return Math.max(...seen.map(({ atMs }) => atMs));
}

class Chain {
  readonly #node: Worker<Node>;
  readonly #view: View;

  constructor(node: Worker<Node>, view: View) {
    this.#node = node;
    this.#view = view;
  }

  /** Makes and shows a block that pays these orders; returns when it was shown. */
  async show(orders: readonly Opened[]): Promise<number> {
    const spends = orders.map(
      ({ address }): Spend => ({ to: address.toLowerCase(), units: UNITS, token: USDT.contract }),
    );
    const head = await this.#node.ask('add', { spends: [spends], time: now() });
    return (await this.#node.ask('show', { ...this.#view, head })).shownAtMs;
  }
}

function figure(what: string, seen: string, value: string): Figure {
  return { what, seen, value, goal: '', met: null };
}

/** User and system time of a process on Linux, where a clock tick is a hundredth of a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
