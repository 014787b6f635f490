// A raw dev chain for tests: one anvil process with typed control over blocks, reorganisations and the pool.
import type { AnvilOptions } from './anvil-process.ts';
import { startAnvil } from './anvil-process.ts';
import { asHex, callRpc, callRpcHex } from './json-rpc.ts';

/**
 * `manual`: blocks come from `mine` alone. `instant`: every transaction gets its block at once. Otherwise blocks come
 * at intervals.
 */
export type Mining = 'manual' | 'instant' | { readonly blockTimeMs: number };

/**
 * An insertion into a rebuilt block of a reorganisation: a signed transaction, and which rebuilt block gets it (0 = the
 * lowest).
 */
export interface ReorgInsertion {
  readonly rawTransaction: `0x${string}`;
  readonly blockOffset: number;
}

/** A running test chain. All methods reject with RpcRefusal when anvil refuses. */
export interface EvmChain {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly pid: number;
  /** Any other method of the node; the caller checks the shape of the result. */
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Mines `count` blocks, one unless given. */
  mine(count?: number): Promise<void>;
  setMining(mining: Mining): Promise<void>;
  /** Seconds; must not lie before the newest block. */
  setNextBlockTimestamp(timestampSeconds: number): Promise<void>;
  /** Replaces the newest `depth` blocks by as many others. Their transactions are gone, not back in the pool. */
  reorg(depth: number, insertions?: readonly ReorgInsertion[]): Promise<void>;
  /** Drops the newest `depth` blocks without replacement, so that the height shrinks. */
  rollback(depth: number): Promise<void>;
  snapshot(): Promise<string>;
  revert(snapshotId: string): Promise<void>;
  /** Removes a transaction from the pool. */
  dropTransaction(hash: `0x${string}`): Promise<void>;
  setBalance(address: `0x${string}`, wei: bigint): Promise<void>;
  setNextBaseFee(weiPerGas: bigint): Promise<void>;
  /** Address that gets the fees of the following blocks. */
  setCoinbase(address: `0x${string}`): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a chain that lives in memory only. The default finality is two blocks behind the head. */
export async function startEvmChain(
  options: Omit<AnvilOptions, 'slotsInEpoch'> & { mining?: Mining; slotsInEpoch?: number },
): Promise<EvmChain> {
  const { mining = 'manual', slotsInEpoch = 1, extraArgs = [], ...rest } = options;
  const node = await startAnvil({ ...rest, slotsInEpoch, extraArgs: [...miningArgs(mining), ...extraArgs] });
  const rpc = (method: string, params: readonly unknown[] = []) => callRpc(node.rpcUrl, method, params);
  const act = async (method: string, ...params: readonly unknown[]) => void (await rpc(method, params));
  return {
    rpcUrl: node.rpcUrl,
    chainId: options.chainId,
    pid: node.pid,
    rpc,
    mine: (count = 1) => act('anvil_mine', hexOf(count)),
    setMining: (next) => setMining(act, next),
    setNextBlockTimestamp: (timestampSeconds) => act('evm_setNextBlockTimestamp', timestampSeconds),
    reorg: (depth, insertions = []) =>
      act(
        'anvil_reorg',
        depth,
        insertions.map(({ rawTransaction, blockOffset }) => [rawTransaction, blockOffset]),
      ),
    rollback: (depth) => act('anvil_rollback', depth),
    snapshot: () => callRpcHex(node.rpcUrl, 'evm_snapshot'),
    revert: async (snapshotId) => {
      if ((await rpc('evm_revert', [snapshotId])) !== true) throw new Error(`no snapshot ${snapshotId}`);
    },
    dropTransaction: async (hash) =>
      void asHex(await rpc('anvil_dropTransaction', [hash]), 'dropped transaction'),
    setBalance: (address, wei) => act('anvil_setBalance', address, hexOf(wei)),
    setNextBaseFee: (weiPerGas) => act('anvil_setNextBlockBaseFeePerGas', hexOf(weiPerGas)),
    setCoinbase: (address) => act('anvil_setCoinbase', address),
    stop: () => node.kill(),
  };
}

function miningArgs(mining: Mining): string[] {
  if (mining === 'manual') return ['--no-mining'];
  if (mining === 'instant') return [];
  return ['--block-time', String(mining.blockTimeMs / 1_000)];
}

async function setMining(
  act: (method: string, ...params: readonly unknown[]) => Promise<void>,
  mining: Mining,
): Promise<void> {
  if (mining === 'instant') return act('evm_setAutomine', true);
  await act('evm_setAutomine', false);
  // The interval of the node counts whole seconds; zero switches it off.
  const seconds = mining === 'manual' ? 0 : mining.blockTimeMs / 1_000;
  if (!Number.isInteger(seconds))
    throw new Error('a running chain takes block intervals of whole seconds only');
  await act('evm_setIntervalMining', seconds);
}

function hexOf(value: number | bigint): `0x${string}` {
  return `0x${value.toString(16)}`;
}
