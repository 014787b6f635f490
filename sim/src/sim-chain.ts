// A simulated chain with a mempool: it mines, forks above what is final, and puts transactions elsewhere or drops them.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { createFakeChain, type FakeChain } from '@ducat/gateway/chains/fake/fake-chain';
import type { FakeTransaction } from '@ducat/gateway/chains/fake/fake-ledger';
import type { Chance } from './chance.ts';

export interface SentTransaction extends FakeTransaction {
  readonly txId: string;
}

/** One block of the branch that stands, as only the simulator knows it. */
interface MinedBlock {
  readonly transactions: readonly SentTransaction[];
  /** The step of the run at which it was mined. */
  readonly step: number;
}

export interface SimChainOptions {
  readonly definition: ChainDefinition;
  readonly seed: number;
  readonly startTime: number;
  readonly finalityBlocks: number;
  readonly chance: Chance;
}

export class SimChain {
  readonly definition: ChainDefinition;
  readonly fake: FakeChain;
  mempool: SentTransaction[] = [];
  nextBlockMs: number;
  /** The highest block that was ever final by the chain's own word; no fork goes below it. */
  finalFloor = 0;
  /** The highest block that ever was. */
  topHeight = 0;
  isStalled = false;
  readonly #chance: Chance;
  readonly #finalityBlocks: number;
  #blocks: MinedBlock[] = [{ transactions: [], step: 0 }];
  #time: number;

  constructor({ definition, seed, startTime, finalityBlocks, chance }: SimChainOptions) {
    this.definition = definition;
    this.fake = createFakeChain({ definition, seed, startTime, finalityBlocks });
    this.#finalityBlocks = finalityBlocks;
    this.#chance = chance;
    this.#time = startTime;
    this.nextBlockMs = startTime * 1000 + definition.blockTimeMs;
  }

  get height(): number {
    return this.#blocks.length - 1;
  }

  /** Unix seconds of the newest block. */
  get time(): number {
    return this.#time;
  }

  /** The step at which the block that now stands at this height was mined. */
  minedAtStep(number: number): number {
    return this.#blocks[number]?.step ?? 0;
  }

  /** The highest block that has a transaction in it. */
  get lastPaidBlock(): number {
    return Math.max(
      0,
      this.#blocks.findLastIndex(({ transactions }) => transactions.length > 0),
    );
  }

  send(transaction: SentTransaction): void {
    this.mempool.push(transaction);
  }

  /** A block from the mempool, not always all of it and in any order. Returns how many transactions it took. */
  mine(nowMs: number, step: number, takeShare: number): number {
    const taken = this.#chance.shuffled(this.mempool.filter(() => this.#chance.hits(takeShare)));
    this.mempool = this.mempool.filter((transaction) => !taken.includes(transaction));
    this.#time = Math.max(this.#time + 1, Math.floor(nowMs / 1000));
    this.fake.mine(taken, this.#time);
    this.#blocks.push({ transactions: taken, step });
    this.#moved();
    const jitter = 0.5 + this.#chance.next();
    this.nextBlockMs = nowMs + Math.round(this.definition.blockTimeMs * jitter);
    return taken.length;
  }

  /** How deep a fork may go now. */
  get maxForkDepth(): number {
    return Math.max(0, this.height - this.finalFloor);
  }

  /**
   * Replaces the newest blocks by a branch that may be one block shorter or longer. Their transactions come again in
   * another place, wait in the mempool, or are gone for ever, as when the payer replaced them. Returns what became
   * of them, in words.
   */
  fork(depth: number, step: number): string {
    const undone = this.#blocks
      .splice(this.#blocks.length - depth)
      .flatMap(({ transactions }) => transactions);
    const length = Math.max(1, this.#chance.between(depth - 1, depth + 1));
    const branch: SentTransaction[][] = Array.from({ length }, () => []);
    const fates = { again: 0, waiting: 0, dropped: 0 };
    for (const transaction of this.#chance.shuffled(undone)) {
      const fate = this.#chance.weighted([
        ['again', 6],
        ['waiting', 3],
        ['dropped', 1],
      ]);
      fates[fate]++;
      if (fate === 'again') this.#chance.pick(branch).push(transaction);
      if (fate === 'waiting') this.mempool.push(transaction);
    }
    const headers = this.fake.fork(depth, branch);
    this.#blocks.push(...branch.map((transactions) => ({ transactions, step })));
    this.#time = headers.at(-1)?.time ?? this.#time;
    this.#moved();
    return `${undone.length} transactions: ${fates.again} in another place, ${fates.waiting} waiting, ${fates.dropped} gone`;
  }

  stall(stalled: boolean): void {
    this.isStalled = stalled;
    this.fake.stallFinality(stalled);
    this.#moved();
  }

  #moved(): void {
    this.topHeight = Math.max(this.topHeight, this.height);
    if (!this.isStalled) this.finalFloor = Math.max(this.finalFloor, this.height - this.#finalityBlocks);
  }
}
