// Compares balances with the books while a round over very many used addresses goes on: how soon an address is compared
// after a transfer, and how many calls and how much memory that takes. No floor: intervals decide here, not speed.
import { randomBytes } from 'node:crypto';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { addressesPerCall } from '@ducat/core/reserves/plan';
import { type Database, openDatabase } from '@ducat/gateway/db/postgres/tx';
import type { ChainConfig, ConfigFile } from '@ducat/gateway/config/schema';
import { chainEntry, USDT } from '../chains/chain-entry.ts';
import { TRON_USDT, tronEntry } from '../chains/tron-entry.ts';
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts';
import { openApp } from '../gateway/open-app.ts';
import type { Bench, Figure, Scale } from '../measure.ts';
import { peakMb } from '../process-memory.ts';
import { fillOrders } from '../rows/fill-orders.ts';
import { fillUsedTron } from '../rows/fill-used-tron.ts';
import type { Stage } from '../stage.ts';
import { startWorker } from '../worker.ts';
import type { Node } from '../workers/node.ts';
import type { TronNode } from '../workers/tron-node.ts';

const BLOCKS = 200;
/** On Tron the newest solidified block is so far below the head. */
const SOLID_BELOW_HEAD = 18;
const FIRST_FINAL = 100;
const MOVES = 5;
const MOST_SECONDS = 60;
const MOST_MB = 400;
const HOUR_SECONDS = 3_600;

/** A chain whose node runs, and whose books are filled. */
interface FilledChain {
  readonly name: 'ETH' | 'Tron';
  readonly currencyId: number;
  readonly used: number;
  readonly databaseUrl: string;
  readonly entry: ChainConfig;
  /** The made address at a place. */
  addressOf(place: number): string;
  readonly hashOf: (number: number) => Promise<string>;
  /** Makes the node call this block final. */
  showFinal(number: number): Promise<void>;
  take(address: string): Promise<void>;
  calls(): Promise<number>;
  stop(): Promise<void>;
}

export const books: Bench = {
  name: 'books',
  about: 'a moved address compared, while a round over all used addresses goes on; calls and memory',
  run: async (stage, scale) => [
    ...(await measure(stage, scale, fillEth)),
    ...(await measure(stage, scale, fillTron)),
  ],
};

async function measure(
  stage: Stage,
  scale: Scale,
  fill: (stage: Stage, scale: Scale) => Promise<FilledChain>,
): Promise<readonly Figure[]> {
  const chain = await fill(stage, scale);
  const database = openDatabase(chain.databaseUrl, 2);
  try {
    await setFinal(database, chain, FIRST_FINAL);
    const usual = await run(stage, chain, undefined, async (gateway) => {
      const perHour = await countCalls(chain, scale.checkSeconds);
      const seconds = await timeMoves(database, chain);
      return { perHour, seconds, megabytes: peakMb(gateway.pid) };
    });
    const fast = { round_hours: 1, calls_per_minute: 6_000 };
    const fastest = await run(stage, chain, fast, () => countCalls(chain, scale.checkSeconds));
    return figuresOf(chain, usual, fastest);
  } finally {
    await database.close();
    await chain.stop();
  }
}

async function run<T>(
  stage: Stage,
  chain: FilledChain,
  checks: ConfigFile['checks'],
  work: (gateway: GatewayProcess) => Promise<T>,
): Promise<T> {
  const gateway = await startGatewayProcess({
    folder: stage.folder,
    name: `books-${chain.name}-${checks === undefined ? 'usual' : 'fast'}`,
    databaseUrl: chain.databaseUrl,
    roles: ['maintenance'],
    chains: { [chain.name]: chain.entry },
    ...(checks === undefined ? {} : { checks }),
  });
  try {
    return await work(gateway);
  } finally {
    await gateway.stop();
  }
}

/** Calls an hour. The first page of each currency is not counted, because it is due at once. */
async function countCalls(chain: FilledChain, seconds: number): Promise<number> {
  const first = (await chain.calls()) + currenciesOf(chain);
  const areMade = async () => (await chain.calls()) >= first;
  await waitUntil('the first calls', areMade, { timeoutMs: 120_000, everyMs: 200 });
  const [before, startMs] = [await chain.calls(), performance.now()];
  await waitUntil('the time to pass', () => performance.now() - startMs >= seconds * 1000, {
    timeoutMs: seconds * 2_000,
    everyMs: 200,
  });
  return (((await chain.calls()) - before) * HOUR_SECONDS * 1000) / (performance.now() - startMs);
}

/** Takes a unit from an address in the block that pays it. Returns the seconds until each difference is in the database. */
async function timeMoves(database: Database, chain: FilledChain): Promise<readonly number[]> {
  const seconds: number[] = [];
  for (let move = 1; move <= MOVES; move++) {
    // An address that the round itself would reach hours later.
    const address = chain.addressOf(Math.floor((chain.used * (move + 2)) / 100) * 10);
    await chain.take(address);
    const startMs = performance.now();
    await pay(database, chain, FIRST_FINAL + move, address);
    await setFinal(database, chain, FIRST_FINAL + move);
    const isFound = async () =>
      (await database.reader.read('SELECT FROM balance_differences', [])).length >= move;
    await waitUntil('the difference', isFound, { timeoutMs: 10 * 60_000, everyMs: 50 });
    seconds.push((performance.now() - startMs) / 1000);
  }
  return seconds;
}

/** Writes a final transfer as the watcher does. The node's balance does not include it, so its units are missing, too. */
async function pay(
  database: Database,
  { name, currencyId, hashOf }: FilledChain,
  number: number,
  address: string,
): Promise<void> {
  const hash = await hashOf(number);
  const txId = randomBytes(32).toString('hex');
  await database.transact((tx) =>
    tx.write(
      `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
         block_number, block_hash, block_time, state, disposition, address_id, app_id)
       SELECT $1, $2, 'log:0', 0, $3, 'payer', address, 1, $4, $5, 0, 'final', 'unassigned', address_id, app_id
       FROM addresses WHERE address = $6`,
      [name, txId, currencyId, number, hash, address],
    ),
  );
}

/** Sets the books' cursor to this final block, with all internal transactions known up to it. */
async function setFinal(database: Database, chain: FilledChain, number: number): Promise<void> {
  const { name } = chain;
  await chain.showFinal(number);
  const hash = await chain.hashOf(number);
  await database.transact(async (tx) => {
    await tx.write(
      `INSERT INTO blocks (chain, number, hash, parent_hash, time) VALUES ($1, $2, $3, '', 0) ON CONFLICT DO NOTHING`,
      [name, number, hash],
    );
    await tx.write(
      `INSERT INTO chain_cursors (chain, start_number, head_number, head_hash, head_time, final_number, final_time,
         searched_number, searched_time, updated_at_ms) VALUES ($1, 0, $2, $3, 0, $2, 0, $2, 0, 0)
       ON CONFLICT (chain) DO UPDATE SET head_number = $2, final_number = $2, searched_number = $2`,
      [name, number, hash],
    );
  });
}

interface Usual {
  readonly perHour: number;
  readonly seconds: readonly number[];
  readonly megabytes: number;
}

function figuresOf({ name, used }: FilledChain, usual: Usual, fastest: number): readonly Figure[] {
  const currencies = currenciesOf({ name });
  const calls = Math.ceil(used / addressesPerCall[name === 'ETH' ? 'evm' : 'tron']) * currencies;
  const worst = Math.max(...usual.seconds);
  const text = (value: number) => Math.round(value).toLocaleString('en');
  const what = `${name}, ${text(used)} x ${currencies}`;
  return [
    {
      what: `${what}: a moved address compared`,
      seen: `${usual.seconds.map((one) => one.toFixed(1)).join(', ')} s`,
      value: `${worst.toFixed(1)} s`,
      goal: `< ${MOST_SECONDS} s`,
      met: worst < MOST_SECONDS,
    },
    {
      what: `${what}: calls an hour, with the defaults`,
      seen: `${text(usual.perHour)} of ${text(calls)} a round`,
      value: `${(calls / usual.perHour).toFixed(1)} h`,
      goal: '< 24 h',
      met: calls / usual.perHour < 24,
    },
    {
      what: `${what}: calls an hour, with rounds of an hour`,
      seen: text(fastest),
      value: `${(calls / fastest).toFixed(1)} h`,
      goal: '',
      met: null,
    },
    {
      what: `${what}: peak memory`,
      seen: `${text(usual.megabytes)} MB`,
      value: '',
      goal: `< ${MOST_MB} MB`,
      met: usual.megabytes < MOST_MB,
    },
  ];
}

function currenciesOf({ name }: Pick<FilledChain, 'name'>): number {
  const definition = chainDefinitions.find((one) => one.name === name);
  return definition?.currencies.filter(({ enabled }) => enabled).length ?? 0;
}

async function fillEth(stage: Stage, { usedEvm }: Scale): Promise<FilledChain> {
  const node = startWorker<Node>('node');
  await node.ask('add', { spends: Array.from({ length: BLOCKS }, () => []) });
  const view = await node.ask('listen', null);
  const databaseUrl = await fillDatabase(stage, 'books_eth', (url, appId) =>
    fillOrders(url, { appId, orders: usedEvm, open: 1_000 }),
  );
  return {
    name: 'ETH',
    currencyId: USDT.id,
    used: usedEvm,
    databaseUrl,
    entry: chainEntry(view),
    addressOf: (place) => `0xf1${place.toString(16).padStart(38, '0')}`,
    hashOf: (number) => node.ask('hashOf', { number }),
    showFinal: async (number) => void (await node.ask('show', { view: view.view, head: number })),
    take: (address) => node.ask('take', { address, units: 1n }),
    calls: () => node.ask('balanceCalls', null),
    stop: () => node.stop(),
  };
}

async function fillTron(stage: Stage, { usedTron }: Scale): Promise<FilledChain> {
  const node = startWorker<TronNode>('tron-node');
  await node.ask('add', { spends: Array.from({ length: BLOCKS }, () => []) });
  const view = await node.ask('listen', null);
  const databaseUrl = await fillDatabase(stage, 'books_tron', (url, appId) =>
    fillUsedTron(url, appId, usedTron),
  );
  return {
    name: 'Tron',
    currencyId: TRON_USDT.id,
    used: usedTron,
    databaseUrl,
    entry: { ...tronEntry(view), requests_per_second: 10 },
    addressOf: (place) => `41f1${place.toString(16).padStart(38, '0')}`,
    hashOf: (number) => node.ask('hashOf', { number }),
    showFinal: (number) => node.ask('show', { to: number + SOLID_BELOW_HEAD }),
    take: (address) => node.ask('take', { address, units: 1n }),
    calls: () => node.ask('balanceCalls', null),
    stop: () => node.stop(),
  };
}

async function fillDatabase(
  stage: Stage,
  name: string,
  fill: (url: string, appId: string) => Promise<void>,
): Promise<string> {
  const database = openDatabase(await stage.createDatabase(name), 2);
  const { appId } = await openApp(database, 'app_books', 'http://127.0.0.1:9/hook');
  await database.close();
  await stage.whileFilling(() => fill(stage.urlOf(name), appId));
  return stage.urlOf(name);
}
