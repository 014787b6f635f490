// Webhooks a second of the notifier, alone and beside a dead receiver, against a bare loop that signs, posts and stores.
import { type Database, openDatabase } from '@ducat/gateway/db/postgres/tx';
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts';
import { addAddresses, addEvents, addOpenOrders, type RunSql, statementsOf } from '../rows/made-rows.ts';
import { CREATE_FLOOR_OUTCOMES } from '../rows/floor-outcomes.ts';
import type { Bench, Figure, Scale } from '../measure.ts';
import { openApp } from '../gateway/open-app.ts';
import { compared, inTurns, ratioFigure } from '../rounds.ts';
import { startWorker, type Worker } from '../worker.ts';
import { chainEntry } from '../chains/chain-entry.ts';
import type { Node } from '../workers/node.ts';
import type { Poster } from '../workers/poster.ts';
import type { Receiver } from '../workers/receiver.ts';

/** Requests that the notifier has under way at one receiver by default. The floor uses the same number. */
const CONCURRENCY = 8;
/** Events in one half of a pair, for each second that the half lasts on a small machine. */
const EVENTS_A_SECOND = 4_000;
const FLOOR_A_SECOND = 8_000;
const DEAD_EVENTS = 1_000;
const FAR_MS = 4_000_000_000_000;

export const webhooks: Bench = {
  name: 'webhooks',
  about:
    'webhooks delivered by a bare loop that signs, posts to the same receiver and stores the outcome, 8 at a time',
  async run(stage, scale) {
    const url = await stage.createDatabase('webhooks');
    const database = openDatabase(url, 2);
    const workers = {
      node: startWorker<Node>('node'),
      receiver: startWorker<Receiver>('receiver'),
      poster: startWorker<Poster>('poster'),
    };
    let gateway: GatewayProcess | null = null;
    try {
      const hook = await workers.receiver.ask('listen', null);
      const dead = await workers.receiver.ask('listenDead', null);
      const events = EVENTS_A_SECOND * scale.seconds;
      const needed = 2 * events * (scale.rounds + 1);
      for (const [appId, from, to] of [
        ['app_bench', 1, needed],
        ['app_dead', needed + 1, needed + DEAD_EVENTS],
      ] as const) {
        await openApp(database, appId, hook);
        await database.transact((tx) => addAddresses(statementsOf(tx), appId, from, to));
        await database.transact((tx) => addOpenOrders(statementsOf(tx), appId, from, to));
      }
      const deadEvents = {
        url: dead,
        receiver: new URL(dead).host,
        from: needed + 1,
        to: needed + DEAD_EVENTS,
      };
      await database.transact((tx) => addEvents(statementsOf(tx), { ...deadEvents, nowMs: FAR_MS }));
      await database.transact((tx) => tx.write('ANALYZE', []));
      gateway = await startGatewayProcess({
        folder: stage.folder,
        name: 'webhooks',
        databaseUrl: url,
        roles: ['notifier'],
        chains: { ETH: chainEntry(await workers.node.ask('listen', null)) },
      });
      const floorEvents = FLOOR_A_SECOND * scale.seconds;
      await database.transact((tx) => tx.write(CREATE_FLOOR_OUTCOMES, []));
      return await measure({ ...workers, database, databaseUrl: url, hook, events, floorEvents }, scale);
    } finally {
      await gateway?.stop();
      await Promise.all([...Object.values(workers).map((worker) => worker.stop()), database.close()]);
    }
  },
};

interface Parts {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly receiver: Worker<Receiver>;
  readonly poster: Worker<Poster>;
  readonly hook: string;
  readonly events: number;
  readonly floorEvents: number;
}

async function measure(
  { database, databaseUrl, receiver, poster, hook, events, floorEvents }: Parts,
  { rounds }: Scale,
): Promise<readonly Figure[]> {
  let used = 0;
  const deliver = async () => {
    const taken = receiver.ask('take', events);
    const made = {
      url: hook,
      receiver: new URL(hook).host,
      from: used + 1,
      to: used + events,
      nowMs: Date.now(),
    };
    used += events;
    await database.transact((tx) => addEvents(statementsOf(tx), made));
    return taken;
  };
  const rates = await inTurns(rounds, {
    floor: async () => {
      const taken = receiver.ask('take', floorEvents);
      const body = JSON.stringify({ trade_no: 'floor', padding: 'x'.repeat(560) });
      const what = { appId: 'app_bench', appKey: 'f'.repeat(64), status: 'PAID', body };
      await poster.ask('post', {
        url: hook,
        databaseUrl,
        what,
        count: floorEvents,
        concurrency: CONCURRENCY,
      });
      return taken;
    },
    alone: deliver,
    besideDead: async () => {
      await database.transact((tx) => wakeDead(statementsOf(tx), Date.now()));
      const rate = await deliver();
      await database.transact((tx) => wakeDead(statementsOf(tx), FAR_MS));
      return rate;
    },
  });
  return [
    ratioFigure('webhooks by a bare sender', compared(rates.alone, rates.floor), 0.5),
    ratioFigure('beside a dead receiver, by alone', compared(rates.besideDead, rates.alone), 0.9),
  ];
}

/** Makes the next attempts of the dead receiver's events due at `atMs`. Events under way are left as they are. */
async function wakeDead(write: RunSql, atMs: number): Promise<void> {
  await write(
    `UPDATE events SET next_attempt_at_ms = $1 WHERE app_id = 'app_dead' AND state = 'pending' AND leased_until_ms IS NULL`,
    [atMs],
  );
}
