// A chain with providers, and a follower that reads it as the watcher does, in virtual time.
import { assert } from '@ducat/core/assert';
import { type ChainDefinition, finalByCount } from '@ducat/core/chain/chain';
import { createFakeChain, type FakeChain } from './fake/chain-in-memory.ts';
import type { FakeTransaction } from './fake/blocks-in-memory.ts';
import type { FakeProvider } from './fake/fake-provider.ts';
import type { FakeProviderOptions } from './fake/honest-provider.ts';
import type { BlockQuery, BlockReference, ChainBlock, ChainReader } from '@ducat/gateway/chains/port/reader';
import { createQuorumReader } from '@ducat/gateway/chains/quorum/quorum-reader';
import { Outage } from '@ducat/gateway/runtime/outage';
import { createVirtualClock, type VirtualClock } from '../virtual-clock.ts';
import { testCurrency, testDefinition } from './test-currencies.ts';

export const coin = testCurrency(1000, null, 18);
/** A fast chain, so that little virtual time shows much. */
export const quickChain: ChainDefinition = testDefinition({ currencies: [coin] });
export const query: BlockQuery = { currencies: [coin], txIds: new Set() };

/** A payment of so many units. */
export function pay(units: bigint, to = 'ours'): FakeTransaction {
  return { transfers: [{ currencyId: coin.currencyId, from: 'payer', to, units }] };
}

export interface QuorumStage {
  readonly clock: VirtualClock;
  readonly chain: FakeChain;
}

/** A chain of ten blocks. Every third block that is mined on it by `grow` holds a payment. */
export function quorumStage(definition = quickChain): QuorumStage {
  const clock = createVirtualClock();
  const chain = createFakeChain({ definition, seed: 7, startTime: 0, finalityBlocks: 4, world: clock });
  grow(chain, 10);
  return { chain, clock };
}

export function grow(chain: FakeChain, blocks: number): void {
  for (let mined = 0; mined < blocks; mined++)
    chain.mine(chain.height % 3 === 0 ? [pay(BigInt(chain.height))] : []);
}

/** Three providers of one chain. The reader uses the first ones, as many as are configured. */
export interface ProviderStage extends QuorumStage {
  readonly reader: ChainReader;
  readonly a: FakeProvider;
  readonly b: FakeProvider;
  readonly c: FakeProvider;
}

export function providerStage(configured: number, options: FakeProviderOptions = {}): ProviderStage {
  const stage = quorumStage();
  const [a, b, c] = ['a', 'b', 'c'].map((name) => stage.chain.provider(name, options));
  assert(a !== undefined && b !== undefined && c !== undefined, 'there are three');
  const readers = [a, b, c].slice(0, configured);
  const reader = createQuorumReader({ definition: quickChain, readers, world: stage.clock });
  return { ...stage, reader, a, b, c };
}

/** The circuits of the providers in their order, as `closed closed open`. */
export function circuits({ reader }: Pick<ProviderStage, 'reader'>): string {
  return reader
    .providers()
    .map(({ circuit }) => circuit)
    .join(' ');
}

/** Lets time pass. */
export async function pass({ clock }: QuorumStage, ms: number): Promise<void> {
  await clock.run(clock.sleep(ms));
}

/**
 * Follows a reader as the watcher does, but without books: extends its branch, undoes blocks, and takes finality from
 * the quorum.
 */
export class Follower {
  readonly outages: Outage[] = [];
  readonly #reader: ChainReader;
  readonly #onFinal: (block: ChainBlock) => void;
  #blocks: ChainBlock[] = [];
  #final = -1;

  /** Begins with block 0. `onFinal` gets each block that became final, once and in order. */
  constructor(reader: ChainReader, onFinal: (block: ChainBlock) => void) {
    this.#reader = reader;
    this.#onFinal = onFinal;
  }

  /** The height up to which everything is final. */
  get final(): number {
    return this.#final;
  }

  /** The height up to which blocks were seen. */
  get seen(): number {
    return this.#blocks.length - 1;
  }

  hashAt(number: number): string | null {
    return this.#blocks[number]?.header.hash ?? null;
  }

  /** Takes two steps in each block time for `ms`, and calls `meanwhile` before each step. */
  async follow({ clock, chain }: QuorumStage, ms: number, meanwhile: () => void): Promise<void> {
    const untilMs = clock.nowMs() + ms;
    while (clock.nowMs() < untilMs) {
      meanwhile();
      await this.step();
      await clock.sleep(chain.definition.blockTimeMs / 2);
    }
  }

  async step(): Promise<void> {
    await this.#try(() => this.#extend());
    await this.#try(() => this.#settle());
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      this.outages.push(error);
    }
  }

  async #extend(): Promise<void> {
    const head = await this.#reader.head();
    const range = Array.from({ length: 8 }, (_, place) => this.seen + 1 + place).filter((one) => one <= head);
    const read = await Promise.allSettled(range.map((number) => this.#reader.block(number, query)));
    for (const one of read) {
      if (one.status === 'rejected') throw one.reason;
      if (one.value === null) return;
      if (this.#blocks.length > 0 && one.value.header.parentHash !== this.hashAt(this.seen))
        return this.#undo(one.value.header);
      this.#blocks.push(one.value);
    }
  }

  /** Drops the tip, because the block that was read does not build on it. A final tip stays; then that block is rejected. */
  #undo(foreign: BlockReference): void {
    if (this.seen > this.#final) this.#dropFrom(this.seen);
    else this.#reader.reject(foreign, 'it forks below the final block');
  }

  async #settle(): Promise<void> {
    const atMost = finalByCount(this.#reader.definition, this.seen);
    const agreed = await this.#reader.finalBlock(atMost);
    if (agreed === null || agreed.number <= this.#final) return;
    assert(agreed.number <= atMost, 'a final block is not above what was asked');
    if (this.hashAt(agreed.number) !== agreed.hash) return this.#dropFrom(this.#final + 1);
    for (let number = this.#final + 1; number <= agreed.number; number++) {
      const seen = this.#blocks[number];
      assert(seen !== undefined, 'final blocks were read');
      const final = seen.isProven ? seen : await this.#contents(number);
      if (unitsIn(final) !== unitsIn(seen)) return this.#dropFrom(number);
      this.#final = number;
      this.#onFinal(final);
    }
  }

  #contents(number: number): Promise<ChainBlock> {
    return this.#reader.finalContents(number, query, async (block) => ({
      ...block,
      transfers: block.transfers.filter(({ to }) => to === 'ours'),
    }));
  }

  /**
   * Drops the blocks and rejects them. Their provider is not read first for a while, so that the same blocks are not
   * read again and again.
   */
  #dropFrom(number: number): void {
    for (const { header } of this.#blocks.splice(number)) this.#reader.reject(header, 'it was undone');
  }
}

/** What a block pays us, in one text. */
export function unitsIn({ header, transfers }: ChainBlock): string {
  const ours = transfers
    .filter(({ to }) => to === 'ours')
    .map(({ txId, amount }) => `${txId} ${amount.units}`);
  return [header.hash, ...ours].join(' ');
}
