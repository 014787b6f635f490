// Reading a chain while catching up: the real watcher against bare fetch and JSON.parse of the same answers.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { type Database, openDatabase } from '@ducat/gateway/db/postgres/tx';
import type { Spend } from '../chains/block-maker.ts';
import { chainEntry, USDC, USDT } from '../chains/chain-entry.ts';
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts';
import {
  addAddresses,
  addOpenOrders,
  madeAddress,
  onEth,
  readHeights,
  statementsOf,
} from '../rows/made-rows.ts';
import type { Bench, Figure, Scale } from '../measure.ts';
import { openApp } from '../gateway/open-app.ts';
import { byProcessor, type Driven } from '../drive.ts';
import { peakMb, processorSeconds } from '../process-memory.ts';
import { compared, inTurns, ratioFigure, whole, withoutGoal } from '../rounds.ts';
import type { Stage } from '../stage.ts';
import { startWorker, type Worker } from '../worker.ts';
import type { Fetcher } from '../workers/fetcher.ts';
import type { Node } from '../workers/node.ts';
import { scanTron } from './scan-tron.ts';

const TRANSACTIONS = 300;
const OURS = 3;
/** Blocks in one half of a pair, for each second that the half shall last. */
const BLOCKS_A_SECOND = 48;
const SMALL = 1_000;
const LARGE = 1_000_000;
const MAX_RESIDENT_MB = 400;
/** Transactions a second of the real chains: on average, and with all three at their peak (January 2026). */
const REAL_TIME = {
  average: { ethAndBsc: 29 + 222, tron: 128 },
  peak: { ethAndBsc: 33 + 359, tron: 146 },
} as const;

export const scanner: Bench = {
  name: 'scanner',
  about: 'blocks of 300 transactions through the watcher by bare fetch + JSON.parse',
  async run(stage, scale) {
    const evm = await scanEvm(stage, scale);
    const tron = await scanTron(stage, scale);
    return [...evm.figures, ...tron.figures, realTimeFigure(evm.rate, tron.rate)];
  },
};

/** Figures, and the transactions a second that the watcher read without traces. */
interface Scan {
  readonly figures: readonly Figure[];
  readonly rate: number;
}

async function scanEvm(stage: Stage, scale: Scale): Promise<Scan> {
  const node = startWorker<Node>('node');
  const fetcher = startWorker<Fetcher>('fetcher');
  const watched: WatchedChain[] = [];
  try {
    const blocks = BLOCKS_A_SECOND * scale.seconds;
    // The first blocks hold nothing, so that the watcher can show that it runs before anything is measured.
    await node.ask('add', { spends: Array.from({ length: FIRST_BLOCKS }, () => []) });
    for (let round = 0; round <= scale.rounds; round++) {
      await node.ask('add', {
        spends: Array.from({ length: blocks }, (_, place) => blockOf(round * blocks + place)),
      });
    }
    for (const [name, addresses, traces] of [
      ['small', SMALL, 'none'],
      ['large', LARGE, 'none'],
      ['traced', SMALL, 'debug'],
    ] as const) {
      watched.push(await watch(stage, node, { name, addresses, traces }));
    }
    return await measure(watched, fetcher, blocks, scale);
  } finally {
    for (const { gateway, database } of watched) {
      await gateway.stop();
      await database.close();
    }
    await Promise.all([node.stop(), fetcher.stop()]);
  }
}

const FIRST_BLOCKS = 20;
/** The newest final block is so far below the head: 12 confirmations, the block itself counted. */
const FINAL_BELOW_HEAD = 11;

async function measure(
  watched: readonly WatchedChain[],
  fetcher: Worker<Fetcher>,
  blocks: number,
  { rounds }: Scale,
): Promise<Scan> {
  const [small, large, traced] = watched;
  if (small === undefined || large === undefined || traced === undefined)
    throw new Error('three chains are watched');
  const floor = (traces: boolean) => {
    let from = FIRST_BLOCKS + 1;
    return async () => {
      const read = await fetcher.ask('read', { url: small.url, from, to: from + blocks - 1, traces });
      from += blocks;
      return asTransactions(read);
    };
  };
  const rates = await inTurns(rounds, {
    small: () => small.catchUp(blocks),
    floor: floor(false),
    large: () => large.catchUp(blocks),
    tracedFloor: floor(true),
    traced: () => traced.catchUp(blocks),
  });
  const plain = compared(rates.small, rates.floor);
  const byCpu = (ours: readonly Driven[], ofFloor: readonly Driven[]) =>
    compared(ours.map(byProcessor), ofFloor.map(byProcessor));
  const peak = Math.max(...watched.map(({ gateway }) => peakMb(gateway.pid)));
  return {
    rate: plain.ours,
    figures: [
      ratioFigure('scanner, tx a CPU second by fetch+parse', byCpu(rates.small, rates.floor), 0.5),
      ratioFigure('scanner with traces, the same', byCpu(rates.traced, rates.tracedFloor), 0.5),
      withoutGoal(ratioFigure('scanner, tx a second by fetch+parse', plain, 0)),
      ratioFigure('1,000,000 addresses by 1,000', compared(rates.large, rates.small), 0.9),
      {
        what: 'its peak memory',
        seen: `${whole(peak)} MB`,
        value: '',
        goal: `< ${MAX_RESIDENT_MB} MB`,
        met: peak < MAX_RESIDENT_MB,
      },
    ],
  };
}

/** How many times real time one process reads all three chains: the inverse of its time for one second of each chain. */
function realTimeFigure(evmRate: number, tronRate: number): Figure {
  const times = ({ ethAndBsc, tron }: (typeof REAL_TIME)[keyof typeof REAL_TIME]) =>
    1 / (ethAndBsc / evmRate + tron / tronRate);
  return {
    what: 'ETH + BSC + Tron in real time',
    seen: `${whole(evmRate)} and ${whole(tronRate)} tx/s`,
    value: `x${times(REAL_TIME.average).toFixed(1)} (peak x${times(REAL_TIME.peak).toFixed(1)})`,
    goal: '',
    met: null,
  };
}

function asTransactions({ count, ...took }: Driven): Driven {
  return { count: count * TRANSACTIONS, ...took };
}

interface WatchedChain {
  readonly url: string;
  readonly gateway: GatewayProcess;
  readonly database: Database;
  /** Shows so many more blocks and waits until they are accepted and as many are final. Timed from the first question. */
  catchUp(blocks: number): Promise<Driven>;
}

interface WatchOptions {
  readonly name: string;
  readonly addresses: number;
  readonly traces: 'none' | 'debug';
}

async function watch(
  stage: Stage,
  node: Worker<Node>,
  { name, addresses, traces }: WatchOptions,
): Promise<WatchedChain> {
  const url = await stage.createDatabase(`scanner_${name}`);
  const database = openDatabase(url, 2);
  const { appId } = await openApp(database, 'app_bench', '');
  await database.transact((tx) => addAddresses(statementsOf(tx), appId, 1, addresses));
  await database.transact((tx) => addOpenOrders(statementsOf(tx), appId, 1, SMALL));
  await database.transact((tx) => tx.write('ANALYZE', []));
  const view = await node.ask('listen', null);
  let shown = FIRST_BLOCKS;
  await node.ask('show', { ...view, head: shown });
  const chains = { ETH: chainEntry(view, { traces }) };
  const gateway = await startGatewayProcess({
    folder: stage.folder,
    name: `scanner-${name}`,
    databaseUrl: url,
    roles: ['watcher'],
    chains,
  });
  const reaches = (head: number) =>
    waitUntil(`block ${head}`, () => isThrough(database.reader, head), {
      timeoutMs: 120_000,
      everyMs: 25,
    });
  await reaches(shown);
  return {
    url: view.url,
    gateway,
    database,
    catchUp: async (blocks) => {
      shown += blocks;
      const usedBefore = processorSeconds(gateway.pid);
      await node.ask('show', { ...view, head: shown });
      await reaches(shown);
      const endMs = Date.now();
      const startMs = await node.ask('firstAskedAtMs', view);
      if (startMs === null) throw new Error('the watcher asked for no block');
      const cpuSeconds = processorSeconds(gateway.pid) - usedBefore;
      return asTransactions({ count: blocks, seconds: (endMs - startMs) / 1000, cpuSeconds });
    },
  };
}

/** Whether this block is accepted, and every block with enough confirmations below it is final. */
async function isThrough(reader: Database['reader'], number: number): Promise<boolean> {
  const { head, final } = await readHeights(reader, onEth);
  return head >= number && final >= number - FINAL_BELOW_HEAD;
}

/** Half are token transfers, half coins. Three of the token transfers pay orders of ours, some of which are paid again. */
function blockOf(place: number): readonly Spend[] {
  return Array.from({ length: TRANSACTIONS }, (_, index) => {
    const stranger = `0xee${(place * TRANSACTIONS + index).toString(16).padStart(38, '0')}`;
    const isOurs = index % (TRANSACTIONS / OURS) === 0;
    if (isOurs)
      return {
        to: madeAddress(1 + ((place * OURS + (index * OURS) / TRANSACTIONS) % SMALL)),
        units: 10_000_000n,
        token: USDT.contract,
      };
    const token = index % 2 === 0 ? (index % 4 === 0 ? USDT.contract : USDC.contract) : null;
    return { to: stranger, units: 1_000_000n + BigInt(index), token };
  });
}
