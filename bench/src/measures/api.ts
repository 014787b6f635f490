// order/create and order/detail under load, by the statements that they cannot do without.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { realWorld } from '@ducat/gateway/runtime/world';
import { findOrder } from '@ducat/gateway/db/tables/orders/orders';
import { insertOrder, type NewOrder } from '@ducat/gateway/db/tables/orders/orders';
import { type Database, openDatabase } from '@ducat/gateway/db/postgres/tx';
import { amountOf, zero } from '@ducat/core/money/amount';
import { USDT, chainEntry } from '../chains/chain-entry.ts';
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts';
import { addAddresses, statementsOf } from '../rows/made-rows.ts';
import type { Bench, Figure, Scale } from '../measure.ts';
import { fillPool, openApp } from '../gateway/open-app.ts';
import { recordStatements } from '../record-statements.ts';
import { type Compared, compared, inTurns, ratioFigure, type Rate } from '../rounds.ts';
import { startWorker, type Worker } from '../worker.ts';
import type { Driven } from '../drive.ts';
import type { Merchant } from '../workers/merchant.ts';
import type { Node } from '../workers/node.ts';
import type { Recorded, Statements } from '../workers/statements.ts';

export const CONNECTIONS = 16;
/** Addresses that a second of load may take at the most, so that no pool runs dry while it is measured. */
const ADDRESSES_A_SECOND = 3_500;
const FLOOR_ADDRESSES_A_SECOND = 12_000;
const GOAL = 0.5;

export const api: Bench = {
  name: 'api',
  about: 'order/create and order/detail by the bare statement, 16 connections',
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
      // The floor writes twice as often: bare and prepared.
      await fillPool(database, shop.appId, ADDRESSES_A_SECOND * half + 1_000);
      await database.transact((tx) =>
        addAddresses(statementsOf(tx), floor.appId, 1, 2 * FLOOR_ADDRESSES_A_SECOND * half),
      );
      const view = await node.ask('listen', null);
      const head = await node.ask('add', { spends: Array.from({ length: 20 }, () => []) });
      await node.ask('show', { ...view, head });
      gateway = await startGatewayProcess({
        folder: stage.folder,
        name: 'api',
        databaseUrl: url,
        // The watcher stands at the head; without one no order may be made.
        roles: ['api', 'watcher'],
        chains: { ETH: chainEntry(view) },
      });
      await merchant.ask('connect', { apiUrl: gateway.apiUrl, ...shop, connections: CONNECTIONS });
      await waitUntil('orders to be taken', () => takesOrders(merchant), { timeoutMs: 20_000 });
      await statements.ask('connect', { url, connections: CONNECTIONS });
      return await measure(
        { database, merchant, statements, floorApp: floor.appId, shopApp: shop.appId },
        scale,
      );
    } finally {
      await gateway?.stop();
      await Promise.all([node.stop(), merchant.stop(), statements.stop(), database.close()]);
    }
  },
};

interface Parts {
  readonly database: Database;
  readonly merchant: Worker<Merchant>;
  readonly statements: Worker<Statements>;
  readonly shopApp: string;
  readonly floorApp: string;
}

async function measure(
  { database, merchant, statements, shopApp, floorApp }: Parts,
  { rounds, seconds }: Scale,
): Promise<readonly Figure[]> {
  const write = await recordInsert(database, floorApp);
  const cpu: number[] = [];
  const noted = async (driven: Promise<Driven>): Promise<Rate> => {
    const done = await driven;
    cpu.push(done.cpuSeconds / done.seconds);
    return done;
  };
  // The statement's first and third value are the two numbers that are unique.
  const bareWrite = { statement: write, places: [0, 2], seconds };
  const created = await inTurns(rounds, {
    bare: () => statements.ask('write', { ...bareWrite, prepared: false }),
    ours: () => noted(merchant.ask('create', { seconds, currencyId: USDT.id })),
    prepared: () => statements.ask('write', { ...bareWrite, prepared: true }),
  });
  const tradeNos = (await merchant.ask('open', { count: 1_000, currencyId: USDT.id })).map(
    ({ tradeNo }) => tradeNo,
  );
  const [read] = await recordStatements(database.reader, (tx) => findOrder(tx, shopApp, tradeNos[0] ?? ''));
  if (read === undefined) throw new Error('no statement was recorded');
  const bareRead = { statement: read, place: 0, keys: tradeNos, seconds };
  const shown = await inTurns(rounds, {
    bare: () => statements.ask('read', { ...bareRead, prepared: false }),
    ours: () => noted(merchant.ask('detail', { seconds, tradeNos })),
    prepared: () => statements.ask('read', { ...bareRead, prepared: true }),
  });
  return [
    ratioFigure('order/create by its statement', compared(created.ours, created.bare), GOAL),
    withoutGoal('the same, by it prepared', compared(created.ours, created.prepared)),
    ratioFigure('order/detail by its select', compared(shown.ours, shown.bare), GOAL),
    withoutGoal('the same, by it prepared', compared(shown.ours, shown.prepared)),
    {
      what: 'the client itself, in both',
      seen: `${(Math.max(...cpu) * 100).toFixed(0)} % of a core`,
      value: '',
      goal: '',
      met: null,
    },
  ];
}

/** The gateway prepares its statements, which a bare one is not: how far it is from what it could be at the most. */
function withoutGoal(what: string, ratio: Compared): Figure {
  return { ...ratioFigure(what, ratio, 0), goal: '', met: null };
}

/** Whether the gateway has read the chain and checked the tokens. */
export async function takesOrders(merchant: Worker<Merchant>): Promise<boolean> {
  return merchant.ask('open', { count: 1, currencyId: USDT.id }).then(
    () => true,
    () => false,
  );
}

/** Opens one order and gives the statement that wrote it. */
async function recordInsert(database: Database, appId: string): Promise<Recorded> {
  const [statement] = await database.transact((tx) =>
    recordStatements(tx, (through) => insertOrder(through, orderOf(appId))),
  );
  if (statement === undefined) throw new Error('no statement was recorded');
  return statement;
}

function orderOf(appId: string): NewOrder {
  const now = Math.floor(realWorld.nowMs() / 1000);
  return {
    tradeNo: 'floor-0',
    appId,
    outTradeNo: 'floor-0',
    inputHash: 'f'.repeat(64),
    mode: 'NATIVE',
    chain: 'ETH',
    family: 'evm',
    currencyId: USDT.id,
    terms: { due: amountOf(USDT.id, 11_100_000n), collected: zero(USDT.id), timeExpire: now + 1_800 },
    tolerancePpm: 0n,
    fiatName: 'EUR',
    fiatAmount: '9.99',
    quote: null,
    callbackUrl: null,
    redirectUrl: null,
    createTime: now,
  };
}
