// The same work on a young database and on one with years of orders in it.
import { statfsSync } from 'node:fs';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { type Database, openDatabase } from '@ducat/gateway/db/postgres/tx';
import type { Spend } from '../chains/block-maker.ts';
import { chainEntry, USDT } from '../chains/chain-entry.ts';
import { fillOrders } from '../rows/fill-orders.ts';
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts';
import { madeAddress, readHead } from '../rows/made-rows.ts';
import type { Bench, Figure, Scale } from '../measure.ts';
import { fillPool, type OpenedApp, openApp } from '../gateway/open-app.ts';
import { compared, inTurns, type Rate, ratioFigure, whole } from '../rounds.ts';
import type { Stage } from '../stage.ts';
import { startWorker, type Worker } from '../worker.ts';
import type { Merchant } from '../workers/merchant.ts';
import type { Node, View } from '../workers/node.ts';
import { CONNECTIONS, NEVER_REMEMBERED, takesOrders } from './api.ts';

const GOAL = 0.8;
/** Payments in a block. Each pays an open order, so that most of the time goes into booking. */
const PAYMENTS = 10;
const MAX_OPEN = 8_000;
/** A generous estimate for one order and all that belongs to it: rows, indexes and journal. */
const BYTES_PER_ORDER = 8_000;
const ORDERS_A_SECOND = 1_500;
const FIRST_BLOCKS = 20;

export const growth: Bench = {
  name: 'growth',
  about: 'order/create, order/detail and block acceptance with many orders by the same with few',
  async run(stage, scale) {
    const sizes = [scale.ordersSmall, scale.ordersLarge];
    const open = Math.min(MAX_OPEN, Math.floor(scale.ordersSmall * 0.3));
    const free = statfsSync(stage.folder);
    if (free.bavail * free.bsize < scale.ordersLarge * BYTES_PER_ORDER)
      throw new Error(
        `the growth bench needs ${whole((scale.ordersLarge * BYTES_PER_ORDER) / 1e9)} GB of disk`,
      );
    const apps = new Map<number, OpenedApp>();
    for (const orders of sizes) {
      const database = openDatabase(await stage.createDatabase(`growth_${orders}`), 1);
      apps.set(orders, await openApp(database, 'app_bench', ''));
      await database.close();
    }
    const startMs = performance.now();
    await stage.whileFilling(async () => {
      for (const orders of sizes)
        await fillOrders(stage.urlOf(`growth_${orders}`), { appId: 'app_bench', orders, open });
    });
    console.log(
      `filled ${sizes.map(whole).join(' and ')} orders in ${whole((performance.now() - startMs) / 1000)} s`,
    );
    const node = startWorker<Node>('node');
    await node.ask('add', { spends: Array.from({ length: FIRST_BLOCKS }, () => []) });
    const running: Grown[] = [];
    try {
      for (const orders of sizes)
        running.push(await startGrown(stage, node, orders, apps.get(orders), scale));
      return await measure(running, node, scale, open);
    } finally {
      await Promise.all(running.map((grown) => grown.stop()));
      await node.stop();
    }
  },
};

interface Grown {
  readonly orders: number;
  readonly database: Database;
  readonly merchant: Worker<Merchant>;
  readonly view: View;
  stop(): Promise<void>;
}

async function startGrown(
  stage: Stage,
  node: Worker<Node>,
  orders: number,
  app: OpenedApp | undefined,
  { seconds, rounds }: Scale,
): Promise<Grown> {
  if (app === undefined) throw new Error('the app was opened before');
  const url = stage.urlOf(`growth_${orders}`);
  const database = openDatabase(url, 2);
  await fillPool(database, app.appId, ORDERS_A_SECOND * seconds * (rounds + 1));
  const view = await node.ask('listen', null);
  await node.ask('show', { ...view, head: FIRST_BLOCKS });
  const gateway: GatewayProcess = await startGatewayProcess({
    folder: stage.folder,
    name: `growth-${orders}`,
    databaseUrl: url,
    roles: ['api', 'watcher'],
    chains: { ETH: chainEntry(view) },
  });
  const merchant = startWorker<Merchant>('merchant');
  await merchant.ask('connect', { apiUrl: gateway.apiUrl, ...app, connections: CONNECTIONS });
  await waitUntil('orders to be taken', () => takesOrders(merchant), { timeoutMs: 20_000 });
  return {
    orders,
    database,
    merchant,
    view,
    stop: async () => {
      await gateway.stop();
      await Promise.all([merchant.stop(), database.close()]);
    },
  };
}

async function measure(
  [small, large]: readonly Grown[],
  node: Worker<Node>,
  { rounds, seconds, ordersSmall, ordersLarge }: Scale,
  open: number,
): Promise<readonly Figure[]> {
  if (small === undefined || large === undefined) throw new Error('two databases are compared');
  const both = async (work: (grown: Grown) => () => Promise<Rate>) => {
    const rates = await inTurns(rounds, { small: work(small), large: work(large) });
    return compared(rates.large, rates.small);
  };
  const created = await both(
    ({ merchant }) =>
      () =>
        merchant.ask('create', { seconds, currencyId: USDT.id }),
  );
  const shown = await both(({ merchant, orders }) => {
    // Spread over all orders, by a step that has no factor in common with round numbers.
    const tradeNos = Array.from(
      { length: NEVER_REMEMBERED },
      (_, place) => `made-${1 + ((place * 7_368_787) % (orders - open))}`,
    );
    return () => merchant.ask('detail', { seconds, tradeNos });
  });
  const blocks = Math.floor(open / PAYMENTS / (rounds + 1));
  const accepted = await both((grown) => acceptance(grown, node, blocks, open));
  const sizes = `${short(ordersLarge)} orders by ${short(ordersSmall)}`;
  return [
    ratioFigure(`order/create, ${sizes}`, created, GOAL),
    ratioFigure(`order/detail, ${sizes}`, shown, GOAL),
    ratioFigure(`acceptance, ${sizes}`, accepted, GOAL),
  ];
}

/** Blocks a second, from the first block that is accepted to the last. Each block pays orders that are still open. */
function acceptance(
  { database, orders, view }: Grown,
  node: Worker<Node>,
  blocks: number,
  open: number,
): () => Promise<Rate> {
  let paid = orders - open;
  return async () => {
    const spends = Array.from({ length: blocks }, () =>
      Array.from({ length: PAYMENTS }, (): Spend => {
        paid += 1;
        return { to: madeAddress(paid), units: 10_000_000n, token: USDT.contract };
      }),
    );
    const head = await node.ask('add', { spends });
    const reaches = (number: number) =>
      waitUntil(`block ${number}`, async () => (await readHead(database.reader)) >= number, {
        timeoutMs: 120_000,
        everyMs: 2,
      });
    // Blocks that the other half of the pair added are read first, before the time starts.
    await node.ask('show', { ...view, head: head - blocks });
    await reaches(head - blocks);
    await node.ask('show', { ...view, head });
    await reaches(head - blocks + 1);
    const startMs = performance.now();
    const first = await readHead(database.reader);
    await reaches(head);
    return { count: head - first, seconds: (performance.now() - startMs) / 1000 };
  };
}

function short(count: number): string {
  return count >= 1_000_000 ? `${count / 1_000_000} M` : `${count / 1_000} k`;
}
