// The dashboard of a merchant with years of orders: list, filter, search and timeline, against the same with few orders.
import { createHash } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { type Database, openDatabase } from '@ducat/gateway/db/postgres/tx';
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts';
import { openApp } from '../gateway/open-app.ts';
import { type SignedIn, signIn } from '../gateway/signed-in.ts';
import type { Bench, Figure, Scale } from '../measure.ts';
import { residentMb } from '../process-memory.ts';
import { fillOrders } from '../rows/fill-orders.ts';
import { madeAddress } from '../rows/made-rows.ts';
import { quantile, whole } from '../rounds.ts';
import type { Stage } from '../stage.ts';

/** A filter reads so many rows, so with fewer orders the small table would have less to do. */
const LEAST_ORDERS = 10_000;
/** Goals: the large table's time by the small one's, and milliseconds of server time. */
const [MOST_RATIO, MOST_MS] = [2, 200];
const TRANSFERS = 4;
const OPEN = 500;
const BYTES_PER_ORDER = 8_000;
/** Requests of each kind in a round, in turns between the two databases. */
const ASKED = 40;
const WARM_UP = 10;
const EXPORTED = 1_000_000;
/** After so many rows an export holds the memory that it needs. All memory above that is growth. */
const SETTLED = 100_000;
const MOST_GROWTH_MB = 64;
/** Marks some of the orders that timed out as paid too late: the one of each thousand whose number ends with 009. */
const LATE = `UPDATE orders SET collected = 1 WHERE status = 'TIME-OUT' AND trade_no LIKE '%009'`;

export const dashboard: Bench = {
  name: 'dashboard',
  about:
    'list, filter, search and timeline with many orders by the same with few; an export of 1,000,000 rows',
  async run(stage, scale) {
    const sizes = [Math.max(LEAST_ORDERS, scale.ordersSmall), scale.ordersLarge];
    const free = statfsSync(stage.folder);
    if (free.bavail * free.bsize < scale.ordersLarge * BYTES_PER_ORDER)
      throw new Error(
        `the dashboard bench needs ${whole((scale.ordersLarge * BYTES_PER_ORDER) / 1e9)} GB of disk`,
      );
    for (const orders of sizes) {
      const database = openDatabase(await stage.createDatabase(nameOf(orders)), 1);
      await openApp(database, 'app_bench', '');
      await database.close();
    }
    const startMs = performance.now();
    await stage.whileFilling(async () => {
      for (const orders of sizes) await fill(stage, orders);
    });
    console.log(
      `filled ${sizes.map(whole).join(' and ')} orders in ${whole((performance.now() - startMs) / 1000)} s`,
    );
    const running: Running[] = [];
    try {
      for (const orders of sizes) running.push(await startRunning(stage, orders));
      return await measure(running, scale);
    } finally {
      await Promise.all(running.map((one) => one.stop()));
    }
  },
};

const nameOf = (orders: number) => `dashboard_${orders}`;

async function fill(stage: Stage, orders: number): Promise<void> {
  const url = stage.urlOf(nameOf(orders));
  await fillOrders(url, { appId: 'app_bench', orders, open: OPEN, transfers: TRANSFERS });
  const database = openDatabase(url, 1);
  await database.transact(async (tx) => {
    await tx.write(LATE, []);
    await tx.write(`INSERT INTO chain_cursors (chain, updated_at_ms) VALUES ('ETH', 0)`, []);
  });
  await database.close();
}

interface Running {
  readonly orders: number;
  readonly gateway: GatewayProcess;
  readonly person: SignedIn;
  readonly merchantId: string;
  stop(): Promise<void>;
}

async function startRunning(stage: Stage, orders: number): Promise<Running> {
  const name = nameOf(orders);
  const database: Database = openDatabase(stage.urlOf(name), 2);
  const gateway = await startGatewayProcess({
    folder: stage.folder,
    name,
    databaseUrl: stage.urlOf(name),
    roles: ['dashboard'],
    // Nothing in this bench asks a node.
    chains: { ETH: { rpc_urls: ['http://127.0.0.1:9'] } },
  });
  const person = await signIn(database, gateway.dashboardUrl);
  const [merchant] = await database.reader.read<{ id: string }>(
    'SELECT merchant_id AS id FROM merchants',
    [],
  );
  await database.close();
  return {
    orders,
    gateway,
    person,
    merchantId: merchant?.id ?? '',
    stop: async () => {
      person.close();
      await gateway.stop();
    },
  };
}

interface Question {
  readonly what: string;
  readonly operation: string;
  /** The body of one request. `place` is an order that is not open; the places are spread over all such orders. */
  readonly body: (place: number) => object;
}

const questions: readonly Question[] = [
  { what: 'list, newest', operation: 'orders.list', body: () => ({}) },
  { what: 'list, further back', operation: 'orders.list', body: (place) => ({ cursor: `made-${place}` }) },
  { what: 'filter: open', operation: 'orders.list', body: () => ({ status: 'TO-BE-PAID' }) },
  {
    what: 'filter: expired, further back',
    operation: 'orders.list',
    body: (place) => ({ status: 'TIME-OUT', cursor: `made-${place}` }),
  },
  { what: 'filter: paid too late', operation: 'orders.list', body: () => ({ is_late: true }) },
  { what: 'filter: a coin that none has', operation: 'orders.list', body: () => ({ currency_id: 1000 }) },
  { what: 'search: number', operation: 'search.find', body: (place) => ({ text: `made-${place}` }) },
  { what: 'search: address', operation: 'search.find', body: (place) => ({ text: madeAddress(place) }) },
  { what: 'search: transaction', operation: 'search.find', body: (place) => ({ text: txIdOf(place) }) },
  { what: 'timeline', operation: 'orders.read', body: (place) => ({ trade_no: `made-${place}` }) },
];

/** The transaction id that `fill-orders.ts` gives to the order at a place. */
function txIdOf(place: number): string {
  const md5 = (text: string) => createHash('md5').update(text).digest('hex');
  return `0x${md5(String(place))}${md5(String(place + 1))}`;
}

async function measure([small, large]: readonly Running[], { rounds }: Scale): Promise<readonly Figure[]> {
  if (small === undefined || large === undefined) throw new Error('two databases are compared');
  const figures: Figure[] = [];
  for (const question of questions) {
    const times = new Map<Running, number[]>([
      [small, []],
      [large, []],
    ]);
    for (let round = 0; round < rounds; round++)
      for (const [running, found] of times) found.push(...(await timesOf(running, question, round)));
    figures.push(figureOf(question, times.get(large) ?? [], times.get(small) ?? []));
  }
  return [...figures, await exportFigure(large)];
}

async function timesOf(
  { person, merchantId, orders }: Running,
  { operation, body }: Question,
  round: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let nth = round === 0 ? -WARM_UP : 0; nth < ASKED; nth++) {
    // The step has no factor in common with round numbers, so that the places reach all parts of the tables.
    const place = 1 + (((round * ASKED + nth + WARM_UP) * 7_368_787) % (orders - OPEN));
    const { ms } = await person.ask(operation, { merchant_id: merchantId, ...body(place) });
    if (nth >= 0) times.push(ms);
  }
  return times;
}

function figureOf({ what }: Question, large: readonly number[], small: readonly number[]): Figure {
  const [ours, floor] = [quantile(large, 0.99), quantile(small, 0.99)];
  const middle = `${quantile(large, 0.5).toFixed(1)} by ${quantile(small, 0.5).toFixed(1)} ms`;
  return {
    what,
    seen: `p50 ${middle}, p99 ${ours.toFixed(1)} by ${floor.toFixed(1)} ms`,
    value: (ours / floor).toFixed(2),
    goal: `<= ${MOST_RATIO}, p99 < ${MOST_MS} ms`,
    met: ours / floor <= MOST_RATIO && ours < MOST_MS,
  };
}

/** How much the gateway's memory grows during an export, above what it held when the export was well under way. */
async function exportFigure({ person, merchantId, gateway, orders }: Running): Promise<Figure> {
  const rows = Math.min(EXPORTED, orders);
  const settled = Math.min(SETTLED, rows / 10);
  const seen = { first: 0, most: 0, next: settled };
  const startMs = performance.now();
  await person.stream('orders.export', { merchant_id: merchantId }, (lines) => {
    if (lines >= seen.next) {
      const now = residentMb(gateway.pid);
      if (seen.first === 0) seen.first = now;
      seen.most = Math.max(seen.most, now);
      seen.next += settled;
    }
    return lines >= rows;
  });
  const seconds = (performance.now() - startMs) / 1000;
  const growth = seen.most - seen.first;
  return {
    what: `export of ${whole(rows)} rows`,
    seen: `${whole(rows / seconds)} rows/s, ${whole(seen.first)} MB after ${whole(settled)} rows`,
    value: `+${growth.toFixed(1)} MB`,
    goal: `<= ${MOST_GROWTH_MB} MB`,
    met: growth <= MOST_GROWTH_MB,
  };
}
