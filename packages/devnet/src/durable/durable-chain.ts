// A dev chain that loses no block and no pending transaction, whichever process is killed.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startChainEngine } from './chain-engine.ts';
import { openIdentity } from './chain-store.ts';
import { claimFolder } from '../process/folder-claim.ts';
import { fetchHeader } from '../evm/json-rpc.ts';
import { openRpcGate } from './rpc-gate.ts';

/** A running durable chain. */
export interface DurableChain {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly genesisHash: `0x${string}`;
  /** The current process id of the node; it changes when the node is replaced. */
  nodePid(): number;
  /** Mines a block now, beside those of the clock. */
  mine(): Promise<void>;
  /** Removes the newest blocks with their transactions, as a reorg does. Throws where it cannot remove so many. */
  rollBack(depth: number): Promise<void>;
  stop(): Promise<void>;
}

/** Settings of a durable chain. Without `blockTimeMs` blocks come from `mine` alone. */
export interface DurableChainOptions {
  readonly folder: string;
  readonly chainId: number;
  readonly blockTimeMs?: number;
  /** A block is `finalized` 2 x this many blocks behind the head. */
  readonly slotsInEpoch: number;
  readonly port?: number;
  /**
   * A start replays between one and two times this many blocks, 2 to 7 ms each. Older blocks can no longer be traced,
   * and their balances can no longer be read. Chains of more than 500 times as many blocks use longer intervals.
   */
  readonly checkpointEveryBlocks?: number;
}

/**
 * Starts the chain kept in `folder`, or a new one with the current time in its genesis block. The chain continues
 * exactly where it was, with equal block hashes, and its next block carries the current time. Throws when another
 * process uses the folder or its files are damaged.
 */
export async function startDurableChain(options: DurableChainOptions): Promise<DurableChain> {
  mkdirSync(options.folder, { recursive: true });
  const release = claimFolder(join(options.folder, 'claim.json'), `the chain folder ${options.folder}`);
  try {
    return await start(options, release);
  } catch (error) {
    release();
    throw error;
  }
}

async function start(options: DurableChainOptions, release: () => void): Promise<DurableChain> {
  const { folder, chainId, slotsInEpoch, checkpointEveryBlocks = 100 } = options;
  const identity = openIdentity(folder, { chainId, slotsInEpoch, genesisTimestamp: nowSeconds() });
  const engine = await startChainEngine(folder, identity, checkpointEveryBlocks);
  const gate = await openRpcGate(engine, options.port ?? 0).catch(async (error: unknown) => {
    await engine.close();
    throw error;
  });
  const address = gate.address();
  if (typeof address !== 'object' || address === null) throw new Error('the gate has no port');
  const rpcUrl = `http://127.0.0.1:${address.port}`;
  const genesis = await fetchHeader(rpcUrl, 'earliest');
  if (genesis === undefined) throw new Error('the chain has no genesis block');
  const clock = options.blockTimeMs === undefined ? undefined : startClock(options.blockTimeMs, mine);
  function mine(): Promise<void> {
    return engine.mineBlock(nowSeconds());
  }
  return {
    rpcUrl,
    chainId,
    genesisHash: genesis.hash,
    nodePid: () => engine.nodePid(),
    mine,
    rollBack: (depth) => engine.rollBack(depth),
    stop: async () => {
      clearInterval(clock);
      const closed = new Promise<void>((resolve) => gate.close(() => resolve()));
      gate.closeAllConnections();
      await closed;
      await engine.close();
      release();
    },
  };
}

/** Asks for a block at each interval, unless the last block is still being made. */
function startClock(blockTimeMs: number, mine: () => Promise<void>): NodeJS.Timeout {
  let isMining = false;
  return setInterval(() => {
    if (isMining) return;
    isMining = true;
    mine()
      .catch(() => {
        // The engine restores the node, and the next interval asks again.
      })
      .finally(() => {
        isMining = false;
      });
  }, blockTimeMs);
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
