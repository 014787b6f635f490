// A simulated chain with a mempool: it mines, forks above what is final, and puts transactions elsewhere or drops them.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Chance } from '../world/chance.ts';
import {
  ancestorAt,
  type ChainRules,
  type SentTransaction,
  type SimBlock,
  type ValueTransfer,
} from './sim-block.ts';

export interface SimChainOptions {
  readonly definition: ChainDefinition;
  readonly rules: ChainRules;
  readonly startTime: number;
  readonly finalityBlocks: number;
  readonly chance: Chance;
}

/** What becomes of the transactions of a lost block. */
export type Fate = 'again' | 'changed' | 'waiting' | 'dropped';

/** How many of the newest lost branches a node may still show. */
const MAX_LOST = 8;

export class SimChain {
  readonly definition: ChainDefinition;
  tip: SimBlock;
  mempool: SentTransaction[] = [];
  /** Transactions that reached a node that passes them on late. */
  delayed: { readonly atMs: number; readonly transaction: SentTransaction }[] = [];
  /** Whether its providers are read by a rule of the simulator's own. */
  readonly isPlain: boolean;
  nextBlockMs: number;
  /** The highest block that was ever final by the chain's own word; no fork goes below it. */
  finalFloor = 0;
  /** The greatest height that any branch ever had. */
  topHeight = 0;
  /** The tips of all branches that were ever lost, newest last. */
  readonly everLost: SimBlock[] = [];
  readonly #rules: ChainRules;
  readonly #chance: Chance;
  readonly #finalityBlocks: number;
  #stalledAt: number | null = null;
  #salt = 0;

  constructor({ definition, rules, startTime, finalityBlocks, chance }: SimChainOptions) {
    this.#rules = rules;
    this.isPlain = rules.isPlain;
    this.#finalityBlocks = finalityBlocks;
    this.#chance = chance;
    this.tip = this.seal(null, [], startTime, 0);
    this.definition = { ...definition, genesisHash: this.tip.header.hash };
    this.nextBlockMs = startTime * 1000 + definition.blockTimeMs;
  }

  /** The newest of these tips, which a node may still show. */
  get lost(): readonly SimBlock[] {
    return this.everLost.slice(-MAX_LOST);
  }

  get height(): number {
    return this.tip.header.number;
  }

  /** Unix seconds of the newest block. */
  get time(): number {
    return this.tip.header.time;
  }

  get isStalled(): boolean {
    return this.#stalledAt !== null;
  }

  /** What an honest node calls final now. */
  get finalHeight(): number {
    return this.#stalledAt ?? Math.max(0, this.height - this.#finalityBlocks);
  }

  at(number: number): SimBlock | null {
    return ancestorAt(this.tip, number);
  }

  /** The canonical blocks, lowest first. */
  blocks(): readonly SimBlock[] {
    const blocks: SimBlock[] = [];
    for (let block: SimBlock | null = this.tip; block !== null; block = block.parent) blocks.push(block);
    return blocks.reverse();
  }

  /** The highest block that has a transaction in it. */
  get lastPaidBlock(): number {
    let block: SimBlock | null = this.tip;
    while (block !== null && block.transactions.length === 0) block = block.parent;
    return block?.header.number ?? 0;
  }

  /** Puts a transaction into the mempool. */
  send(valueTransfers: readonly ValueTransfer[], failed: boolean): SentTransaction {
    const transaction = this.#rules.transaction(valueTransfers, failed, ++this.#salt);
    this.mempool.push(transaction);
    return transaction;
  }

  /** Makes a block by the rules, on the chain or beside it. */
  seal(
    parent: SimBlock | null,
    transactions: readonly SentTransaction[],
    time: number,
    step: number,
  ): SimBlock {
    const held = this.#rules.admit?.(parent, transactions, time) ?? transactions;
    const sealed = this.#rules.block(parent, held, time, ++this.#salt);
    const transfers = held.flatMap((transaction) => this.#rules.transfersOf(transaction));
    const fees = held.flatMap(({ outgoing }) => outgoing?.fee ?? []);
    return { ...sealed, parent, transactions: held, transfers, fees, step };
  }

  /** A transaction that was never sent, for blocks that a node makes up. */
  invent(valueTransfers: readonly ValueTransfer[]): SentTransaction {
    return this.#rules.transaction(valueTransfers, false, ++this.#salt);
  }

  /**
   * Mines a block from the mempool, not always all of it and in any order. Returns how many transactions the block
   * holds.
   */
  mine(nowMs: number, step: number, takeShare: number): number {
    this.mempool.push(...this.delayed.filter(({ atMs }) => atMs <= nowMs).map((one) => one.transaction));
    this.delayed = this.delayed.filter(({ atMs }) => atMs > nowMs);
    const taken = this.#chance.shuffled(this.mempool.filter(() => this.#chance.hits(takeShare)));
    this.mempool = this.mempool.filter((transaction) => !taken.includes(transaction));
    this.tip = this.seal(this.tip, taken, Math.max(this.time + 1, Math.floor(nowMs / 1000)), step);
    this.#putBack(taken, this.tip.transactions);
    this.#moved();
    const jitter = 0.5 + this.#chance.next();
    this.nextBlockMs = nowMs + Math.round(this.definition.blockTimeMs * jitter);
    return this.tip.transactions.length;
  }

  /** Our own transactions that the block did not take wait on, unless no block can ever hold them. */
  #putBack(offered: readonly SentTransaction[], held: readonly SentTransaction[]): void {
    const ids = new Set(held.map(({ txId }) => txId));
    this.mempool.push(...offered.filter(({ outgoing, txId }) => outgoing !== undefined && !ids.has(txId)));
    this.mempool = this.mempool.filter((one) => this.#rules.isDead?.(this.tip, one) !== true);
  }

  /** Whether the transaction waits for a block. */
  isWaiting(txId: string): boolean {
    return this.mempool.some((one) => one.txId === txId);
  }

  /** How deep a fork may go now. */
  get maxForkDepth(): number {
    return Math.max(0, this.height - this.finalFloor);
  }

  /**
   * Replaces the newest blocks by a branch that may be one block shorter or longer. Each of their transactions is
   * included again in another place, is executed with other effects, waits in the mempool, or is gone for ever, as
   * when the payer replaced it. With `only`, all have the same fate. Returns what became of them, in words.
   */
  fork(depth: number, step: number, only: Fate | null = null): string {
    const undone: SentTransaction[] = [];
    this.everLost.push(this.tip);
    for (let lost = 0; lost < depth; lost++) {
      undone.unshift(...this.tip.transactions);
      if (this.tip.parent !== null) this.tip = this.tip.parent;
    }
    const length = Math.max(1, this.#chance.between(depth - 1, depth + 1));
    const branch: SentTransaction[][] = Array.from({ length }, () => []);
    const fates = { again: 0, changed: 0, waiting: 0, dropped: 0 };
    for (const transaction of this.#chance.shuffled(undone)) {
      const drawn = this.#chance.weighted<Fate>([
        ['again', 6],
        ['changed', 2],
        ['waiting', 3],
        ['dropped', 1],
      ]);
      const fate = only ?? drawn;
      fates[fate]++;
      if (fate === 'again') this.#chance.pick(branch).push(transaction);
      if (fate === 'changed') this.#chance.pick(branch).push(this.#executedAnew(transaction));
      if (fate === 'waiting') this.mempool.push(transaction);
    }
    const blockTime = Math.round(this.definition.blockTimeMs / 1000);
    const held: SentTransaction[] = [];
    for (const transactions of branch) {
      this.tip = this.seal(this.tip, transactions, this.time + blockTime, step);
      held.push(...this.tip.transactions);
    }
    this.#putBack(branch.flat(), held);
    this.#moved();
    return `${undone.length} transactions: ${fates.again} in another place, ${fates.changed} with other effects, ${fates.waiting} waiting, ${fates.dropped} gone`;
  }

  /** The transaction as executed behind others: with other amounts, in another order, or with the opposite outcome. */
  #executedAnew(transaction: SentTransaction): SentTransaction {
    const { valueTransfers, failed } = transaction;
    const chance = this.#chance;
    const how = chance.pick(['units', 'order', 'end'] as const);
    const others: Readonly<Record<typeof how, readonly ValueTransfer[]>> = {
      units: valueTransfers.map((one) => ({ ...one, units: one.units + BigInt(chance.between(0, 3)) })),
      order: valueTransfers.toReversed(),
      end: valueTransfers,
    };
    return this.#rules.executed(transaction, others[how], how === 'end' ? !failed : failed) ?? transaction;
  }

  stall(stalled: boolean): void {
    this.#stalledAt = stalled ? this.finalHeight : null;
    this.#moved();
  }

  #moved(): void {
    this.topHeight = Math.max(this.topHeight, this.height);
    this.finalFloor = Math.max(this.finalFloor, this.finalHeight);
  }
}
