// A chain in memory with as many providers as a test wants: for the simulator, flow tests and tests of the quorum.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { CurrencyId } from '@ducat/core/money/amount';
import { realWorld, type World } from '@ducat/gateway/runtime/world';
import type { ChainReader } from '@ducat/gateway/chains/port/reader';
import { createQuorumReader } from '@ducat/gateway/chains/quorum/quorum-reader';
import { BlocksInMemory, type FakeTransaction } from './blocks-in-memory.ts';
import { createFakeProvider, type FakeProvider } from './fake-provider.ts';
import type { FakeProviderOptions, ShownChain } from './honest-provider.ts';

export interface FakeChainOptions {
  readonly definition: ChainDefinition;
  /** The same seed and the same calls give the same chain. */
  readonly seed: number;
  /** Unix seconds of block 0. */
  readonly startTime: number;
  /** How far behind the head the chain's own finality is; 2 blocks unless said otherwise. */
  readonly finalityBlocks?: number;
  /** The clock of latencies and of the quorum; the real one unless said otherwise. */
  readonly world?: World;
  /** Options of the provider `main`. */
  readonly main?: FakeProviderOptions;
}

export interface FakeChain extends ShownChain {
  /** One honest provider behind the real quorum. */
  readonly reader: ChainReader;
  /** The provider behind `reader`, for injecting faults. */
  readonly main: FakeProvider;
  /** One more provider of this chain. */
  provider(name: string, options?: FakeProviderOptions): FakeProvider;
  /** The true height, whatever providers report. */
  readonly height: number;
  header(number: number): BlockHeader;
  /** The true balance in base units after a block, or at the head. */
  balance(address: string, currencyId: CurrencyId, at?: number): bigint;
  /** Puts a block on top; `time` in Unix seconds, else one block time after the last. */
  mine(transactions?: readonly FakeTransaction[], time?: number): BlockHeader;
  /** Puts so many empty blocks on top. */
  mineEmpty(count: number): void;
  /** Replaces the newest `depth` blocks by these; their number may differ from `depth`. */
  fork(depth: number, blocks: readonly (readonly FakeTransaction[])[]): readonly BlockHeader[];
  /** A branch that shares all but the newest `depth` blocks and then grows on its own, for providers to follow. */
  split(depth: number): FakeChain;
  /** While stalled, the chain's own finality does not advance. A fork may never go below it. */
  stallFinality(stalled: boolean): void;
}

export function createFakeChain(options: FakeChainOptions): FakeChain {
  const { definition, seed, startTime } = options;
  const native = definition.currencies[0];
  assert(native !== undefined, 'a chain has a native currency');
  const blockTimeSeconds = Math.max(1, Math.round(definition.blockTimeMs / 1000));
  const nativeCurrencyId = native.currencyId;
  const blocks = new BlocksInMemory({
    chain: definition.name,
    nativeCurrencyId,
    seed,
    startTime,
    blockTimeSeconds,
  });
  return chainOver(blocks, options);
}

function chainOver(blocks: BlocksInMemory, options: FakeChainOptions): FakeChain {
  const { definition, world = realWorld, finalityBlocks = 2 } = options;
  let stalledAt: number | null = null;
  let branches = 0;
  const finalHeight = (): number => stalledAt ?? Math.max(0, blocks.head - finalityBlocks);
  const shown: ShownChain = {
    definition,
    blocks,
    get finalHeight() {
      return finalHeight();
    },
  };
  const main = createFakeProvider('fake', shown, world, options.main);
  return {
    definition,
    blocks,
    main,
    reader: createQuorumReader({ definition, readers: [main], world }),
    provider: (name, of) => createFakeProvider(name, shown, world, of),
    get finalHeight() {
      return finalHeight();
    },
    get height() {
      return blocks.head;
    },
    header(number) {
      const header = blocks.at(number)?.header;
      assert(header !== undefined, `there is no block ${number}`);
      return header;
    },
    balance: (address, currencyId, at = blocks.head) => blocks.balance(address, currencyId, at),
    mine: (transactions = [], time) => blocks.mine(transactions, time).header,
    mineEmpty(count) {
      for (let mined = 0; mined < count; mined++) blocks.mine([]);
    },
    fork(depth, replacements) {
      const keepsFinal = definition.nodeFinality === 'none' || blocks.head - depth >= finalHeight();
      assert(keepsFinal, 'a final block is never undone');
      blocks.drop(depth);
      return replacements.map((transactions) => blocks.mine(transactions).header);
    },
    split(depth) {
      branches++;
      return chainOver(blocks.split(depth, options.seed * 31 + branches), options);
    },
    stallFinality(stalled) {
      stalledAt = stalled ? finalHeight() : null;
    },
  };
}
