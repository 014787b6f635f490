// Reading Tron while catching up, each block twice: the real watcher against bare fetch and JSON.parse of the same answers.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { type Database, openDatabase } from '@ducat/gateway/db/postgres/tx';
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts';
import {
  addAddresses,
  addOpenOrders,
  madeAddress,
  onTron,
  readHeights,
  statementsOf,
} from '../rows/made-rows.ts';
import type { Figure, Scale } from '../measure.ts';
import { openApp } from '../gateway/open-app.ts';
import { byProcessor, type Driven } from '../drive.ts';
import { peakMb, processorSeconds } from '../process-memory.ts';
import { compared, inTurns, ratioFigure, whole, withoutGoal } from '../rounds.ts';
import type { Stage } from '../stage.ts';
import type { TronSpend } from '../chains/tron-block-maker.ts';
import { TRON_USDC, TRON_USDT, tronEntry } from '../chains/tron-entry.ts';
import { startWorker, type Worker } from '../worker.ts';
import type { Fetcher } from '../workers/fetcher.ts';
import type { TronNode } from '../workers/tron-node.ts';

const TRANSACTIONS = 300;
const OURS = 3;
/** Blocks in one half of a pair, for each second that it shall last. Whole batches, so that as many blocks become final. */
const BLOCKS_A_SECOND = 32;
const FIRST_BLOCKS = 48;
/** The newest final block is so far below the head: 19 confirmations, the block itself counted. */
const FINAL_BELOW_HEAD = 18;
const ADDRESSES = 1_000;
const MAX_PEAK_MB = 400;

export interface TronScan {
  readonly figures: readonly Figure[];
  /** Transactions a second that were read, accepted, read again and made final. */
  readonly rate: number;
}

export async function scanTron(stage: Stage, scale: Scale): Promise<TronScan> {
  const node = startWorker<TronNode>('tron-node');
  const fetcher = startWorker<Fetcher>('fetcher');
  let watched: WatchedTron | null = null;
  try {
    const blocks = BLOCKS_A_SECOND * scale.seconds;
    // The first blocks hold nothing, so that the watcher can show that it runs before anything is measured.
    await node.ask('add', { spends: Array.from({ length: FIRST_BLOCKS }, () => []) });
    for (let round = 0; round <= scale.rounds; round++) {
      await node.ask('add', {
        spends: Array.from({ length: blocks }, (_, place) => blockOf(round * blocks + place)),
      });
    }
    watched = await watch(stage, node);
    return await measure(watched, fetcher, blocks, scale);
  } finally {
    await watched?.gateway.stop();
    await watched?.database.close();
    await Promise.all([node.stop(), fetcher.stop()]);
  }
}

async function measure(
  watched: WatchedTron,
  fetcher: Worker<Fetcher>,
  blocks: number,
  { rounds }: Scale,
): Promise<TronScan> {
  const floor = (solidBelow: number | null) => {
    let from = FIRST_BLOCKS + 1;
    return async () => {
      const read = await fetcher.ask('readTron', {
        url: watched.url,
        from,
        to: from + blocks - 1,
        solidBelow,
      });
      from += blocks;
      return asTransactions(read);
    };
  };
  const rates = await inTurns(rounds, {
    ours: () => watched.catchUp(blocks),
    floor: floor(FINAL_BELOW_HEAD),
    once: floor(null),
  });
  const twice = compared(rates.ours, rates.floor);
  const byCpu = compared(rates.ours.map(byProcessor), rates.floor.map(byProcessor));
  const peak = peakMb(watched.gateway.pid);
  return {
    rate: twice.ours,
    figures: [
      ratioFigure('Tron, read twice, tx a CPU second by the same', byCpu, 0.5),
      withoutGoal(ratioFigure('Tron, read twice, tx a second by the same', twice, 0)),
      withoutGoal(ratioFigure('Tron, by a floor that reads once', compared(rates.ours, rates.once), 0)),
      {
        what: 'its peak memory',
        seen: `${whole(peak)} MB`,
        value: '',
        goal: `< ${MAX_PEAK_MB} MB`,
        met: peak < MAX_PEAK_MB,
      },
    ],
  };
}

/** Each transaction counts once, however often its block is read. */
function asTransactions({ count, ...took }: Driven): Driven {
  return { count: count * TRANSACTIONS, ...took };
}

interface WatchedTron {
  readonly url: string;
  readonly gateway: GatewayProcess;
  readonly database: Database;
  /**
   * Shows so many more blocks and waits until the watcher has accepted them and made as many final, for which it reads them
   * a second time. The time starts when the watcher asks for the first of them.
   */
  catchUp(blocks: number): Promise<Driven>;
}

async function watch(stage: Stage, node: Worker<TronNode>): Promise<WatchedTron> {
  const databaseUrl = await stage.createDatabase('scanner_tron');
  const database = openDatabase(databaseUrl, 2);
  const { appId } = await openApp(database, 'app_bench', '');
  await database.transact((tx) => addAddresses(statementsOf(tx), appId, 1, ADDRESSES, onTron));
  await database.transact((tx) => addOpenOrders(statementsOf(tx), appId, 1, ADDRESSES, onTron));
  await database.transact((tx) => tx.write('ANALYZE', []));
  const view = await node.ask('listen', null);
  let shown = FIRST_BLOCKS;
  await node.ask('show', { to: shown });
  const gateway = await startGatewayProcess({
    folder: stage.folder,
    name: 'scanner-tron',
    databaseUrl,
    roles: ['watcher'],
    chains: { Tron: tronEntry(view) },
  });
  const isDone = async () => {
    const { head, final } = await readHeights(database.reader, onTron);
    return head >= shown && final >= shown - FINAL_BELOW_HEAD;
  };
  const reachesEnd = () => waitUntil(`block ${shown} of Tron`, isDone, { timeoutMs: 120_000, everyMs: 2 });
  await reachesEnd();
  return {
    url: view.url,
    gateway,
    database,
    catchUp: async (blocks) => {
      shown += blocks;
      const usedBefore = processorSeconds(gateway.pid);
      await node.ask('show', { to: shown });
      await reachesEnd();
      const endMs = Date.now();
      const startMs = await node.ask('firstAskedAtMs', null);
      if (startMs === null) throw new Error('the watcher asked for no block');
      const cpuSeconds = processorSeconds(gateway.pid) - usedBefore;
      return asTransactions({ count: blocks, seconds: (endMs - startMs) / 1000, cpuSeconds });
    },
  };
}

/** Half are token transfers, a third TRX, the rest other kinds. Three of the token transfers pay orders of ours. */
function blockOf(place: number): readonly TronSpend[] {
  return Array.from({ length: TRANSACTIONS }, (_, index) => {
    const stranger = `41ee${(place * TRANSACTIONS + index).toString(16).padStart(38, '0')}`;
    if (index % (TRANSACTIONS / OURS) === 0) {
      const ours = 1 + ((place * OURS + (index * OURS) / TRANSACTIONS) % ADDRESSES);
      return { kind: 'token', to: madeAddress(ours, onTron), units: 10_000_000n, token: TRON_USDT.contract };
    }
    const units = 1_000_000n + BigInt(index);
    if (index % 2 === 0) {
      const token = index % 4 === 0 ? TRON_USDT.contract : TRON_USDC.contract;
      return { kind: 'token', to: stranger, units, token };
    }
    const kind = index % 6 === 5 ? (index % 12 === 5 ? 'asset' : 'delegate') : 'coin';
    return { kind, to: stranger, units };
  });
}
