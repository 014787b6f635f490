// order/create and order/detail under load, compared with the bare SQL statements that they need.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { realWorld } from '@ducat/gateway/runtime/world';
import { openDatabase } from '@ducat/gateway/db/postgres/tx';
import { USDT, chainEntry } from '../chains/chain-entry.ts';
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts';
import { addAddresses, statementsOf } from '../rows/made-rows.ts';
import type { Bench, Figure, Scale } from '../measure.ts';
import { fillPool, openApp } from '../gateway/open-app.ts';
import { floorInsert, floorSelect } from '../rows/floor-orders.ts';
import { compared, inTurns, ratioFigure, type Rate } from '../rounds.ts';
import { startWorker, type Worker } from '../worker.ts';
import type { Driven } from '../drive.ts';
import type { Merchant } from '../workers/merchant.ts';
import type { Node } from '../workers/node.ts';
import type { Statements } from '../workers/statements.ts';

export const CONNECTIONS = 16;
/** The most addresses that a second of load may take. Pools are filled by it, so that none runs dry during a measure. */
const ADDRESSES_A_SECOND = 3_500;
const FLOOR_ADDRESSES_A_SECOND = 12_000;
const CREATE_GOAL = 0.6;
const DETAIL_GOAL = 0.5;
/** Few enough for an api to remember all of them, as those that shops poll. */
const POLLED = 1_000;
/** More orders than an api remembers. Asked for one after the other, each of them is read in full. */
export const NEVER_REMEMBERED = 6_000;
const IDENTICAL = 200;
const IDENTICAL_GOAL_MS = 300;

export const api: Bench = {
  name: 'api',
  about: 'order/create and order/detail by the bare prepared statement, 16 connections',
  async run(stage, scale) {
    const url = await stage.createDatabase('api');
    const database = openDatabase(url, 4);
    const node = startWorker<Node>('node');
    const merchant = startWorker<Merchant>('merchant');
    const statements = startWorker<Statements>('statements');
    let gateway: GatewayProcess | null = null;
    try {
      const [shop, floor] = [
        await openApp(database, 'app_bench', ''),
        await openApp(database, 'app_floor', ''),
      ];
      const half = scale.seconds * (scale.rounds + 1);
      await fillPool(database, shop.appId, ADDRESSES_A_SECOND * half + NEVER_REMEMBERED + 1_000);
      await database.transact((tx) =>
        addAddresses(statementsOf(tx), floor.appId, 1, FLOOR_ADDRESSES_A_SECOND * half),
      );
      const view = await node.ask('listen', null);
      const head = await node.ask('add', { spends: Array.from({ length: 20 }, () => []) });
      await node.ask('show', { ...view, head });
      gateway = await startGatewayProcess({
        folder: stage.folder,
        name: 'api',
        databaseUrl: url,
        // No order may be created before a watcher has read the chain.
        roles: ['api', 'watcher'],
        chains: { ETH: chainEntry(view) },
      });
      await merchant.ask('connect', { apiUrl: gateway.apiUrl, ...shop, connections: CONNECTIONS });
      await waitUntil('orders to be taken', () => takesOrders(merchant), { timeoutMs: 20_000 });
      await statements.ask('connect', { url, connections: CONNECTIONS });
      return await measure({ merchant, statements, floorApp: floor.appId, shopApp: shop.appId }, scale);
    } finally {
      await gateway?.stop();
      await Promise.all([node.stop(), merchant.stop(), statements.stop(), database.close()]);
    }
  },
};

interface Parts {
  readonly merchant: Worker<Merchant>;
  readonly statements: Worker<Statements>;
  readonly shopApp: string;
  readonly floorApp: string;
}

async function measure(
  { merchant, statements, shopApp, floorApp }: Parts,
  { rounds, seconds }: Scale,
): Promise<readonly Figure[]> {
  const cpu: number[] = [];
  const noted = async (driven: Promise<Driven>): Promise<Rate> => {
    const done = await driven;
    cpu.push(done.cpuSeconds / done.seconds);
    return done;
  };
  const now = Math.floor(realWorld.nowMs() / 1000);
  // The values at these places have to be unique: trade_no and out_trade_no.
  const write = { statement: floorInsert(floorApp, now), places: [0, 2], seconds };
  const created = await inTurns(rounds, {
    ours: () => noted(merchant.ask('create', { seconds, currencyId: USDT.id })),
    floor: () => statements.ask('write', write),
  });
  const identical: number[] = [];
  for (let round = 0; round <= rounds; round += 1)
    identical.push(await merchant.ask('identical', { count: IDENTICAL, currencyId: USDT.id }));
  const opened = await merchant.ask('open', { count: NEVER_REMEMBERED, currencyId: USDT.id });
  const tradeNos = opened.map(({ tradeNo }) => tradeNo);
  const shown = (keys: readonly string[]) =>
    inTurns(rounds, {
      ours: () => noted(merchant.ask('detail', { seconds, tradeNos: keys })),
      floor: () =>
        statements.ask('read', { statement: floorSelect(shopApp, keys[0] ?? ''), place: 0, keys, seconds }),
    });
  const polled = await shown(tradeNos.slice(0, POLLED));
  const readInFull = await shown(tradeNos);
  return [
    ratioFigure('order/create by its prepared statement', compared(created.ours, created.floor), CREATE_GOAL),
    ratioFigure('order/detail by its prepared select', compared(polled.ours, polled.floor), DETAIL_GOAL),
    ratioFigure('the same of more orders than an api remembers', compared(readInFull.ours, readInFull.floor)),
    identicalFigure(identical.slice(1)),
    {
      what: 'the client itself, in both',
      seen: `${(Math.max(...cpu) * 100).toFixed(0)} % of a core`,
      value: '',
      goal: '',
      met: null,
    },
  ];
}

function identicalFigure(rounds: readonly number[]): Figure {
  const sorted = rounds.toSorted((one, other) => one - other);
  const [lowest = 0, median = 0, highest = 0] = [
    sorted[0],
    sorted[Math.floor(sorted.length / 2)],
    sorted.at(-1),
  ];
  return {
    what: `${IDENTICAL} identical order/create at once, until the last answer`,
    seen: `${median.toFixed(0)} ms`,
    value: `(${lowest.toFixed(0)}-${highest.toFixed(0)})`,
    goal: `<= ${IDENTICAL_GOAL_MS} ms`,
    met: median <= IDENTICAL_GOAL_MS,
  };
}

/** Whether the gateway has read the chain and checked the tokens. */
export async function takesOrders(merchant: Worker<Merchant>): Promise<boolean> {
  return merchant.ask('open', { count: 1, currencyId: USDT.id }).then(
    () => true,
    () => false,
  );
}
