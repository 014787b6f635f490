// The chain as this node sees it: one immutable value, replaced by one step at a time.
import type { State } from '../state/state.ts';
import { World } from '../state/world.ts';
import type { Transaction } from '../protocol/transaction.ts';
import { Rejection, type ResponseCode } from '../protocol/rejection.ts';
import {
  checkAgainstBranch,
  checkNextSlot,
  checkPermission,
  duplicate,
  onlyContract,
  signersOf,
} from './admission.ts';
import { applyTransaction } from './apply-transaction.ts';
import { buildBlock, type ChainRules, witnessAt } from './build-block.ts';
import type { DevClock } from './clock.ts';
import { type Block, blockOf, extend, headOf, type IncludedTransaction, type Ledger } from './ledger.ts';
import { checkRoom, type Pool, type PoolEntry, without } from './pool.ts';
import { settle, type SolidRule } from './solid.ts';

/** Everything that a snapshot has to keep, apart from the clock. */
export interface ChainState {
  readonly ledger: Ledger;
  readonly pool: Pool;
  readonly solid: SolidRule;
}

/** The state after the head and the pool, and the effects of the pool's transactions. */
export interface Pending {
  readonly state: State;
  readonly transactions: ReadonlyMap<string, IncludedTransaction>;
}

/** An answer that a control asked for. */
export interface BroadcastFault {
  readonly code: ResponseCode;
  /** True where the node accepted the transaction in spite of the answer, as with NOT_ENOUGH_EFFECTIVE_CONNECTION. */
  readonly isAccepted: boolean;
}

/** Called after every change, with the blocks that are new or were rewritten. */
export type ChainListener = (blocks: readonly Block[]) => void;

export class Chain {
  readonly rules: ChainRules;
  readonly clock: DevClock;
  #state: ChainState;
  #queue: Promise<unknown> = Promise.resolve();
  #pending: { readonly of: ChainState; readonly value: Pending } | null = null;
  #fault: BroadcastFault | null = null;
  readonly #listeners = new Set<ChainListener>();

  constructor(rules: ChainRules, clock: DevClock, state: ChainState) {
    this.rules = rules;
    this.clock = clock;
    this.#state = state;
  }

  get state(): ChainState {
    return this.#state;
  }

  get ledger(): Ledger {
    return this.#state.ledger;
  }

  get head(): Block {
    return headOf(this.ledger);
  }

  get solidHead(): Block {
    return blockOf(this.ledger, this.ledger.main.byNumber.get(this.ledger.solidNumber) ?? '');
  }

  onChange(listener: ChainListener): void {
    this.#listeners.add(listener);
  }

  /** Runs `step` when every earlier step has ended. */
  exclusively<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(step);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  /** Call it only inside `exclusively`. The solid head follows by its rule. */
  replace(state: ChainState, blocks: readonly Block[]): void {
    this.#state = { ...state, ledger: settle(state.ledger, state.solid) };
    for (const listener of this.#listeners) listener(blocks);
  }

  /** Adds a transaction to the pool. Throws a Rejection with java-tron's code where java-tron would refuse it. */
  broadcast(tx: Transaction): Promise<void> {
    return this.exclusively(async () => {
      const fault = this.#fault;
      this.#fault = null;
      if (fault === null || fault.isAccepted) await this.#admit(tx);
      if (fault !== null) throw new Rejection(fault.code, 'asked for by a control');
    });
  }

  /** Makes the next broadcast answer with a code that no lone node would give. */
  failNextBroadcast(fault: BroadcastFault): void {
    this.#fault = fault;
  }

  /** Makes `count` blocks on the head from the pool. */
  mine(count: number): Promise<readonly Block[]> {
    return this.exclusively(async () => {
      const blocks: Block[] = [];
      for (let i = 0; i < count; i += 1) blocks.push(await this.#mineOne());
      return blocks;
    });
  }

  /** The state that a full node answers from: that of the head, with the effects of the pool. */
  pending(): Promise<Pending> {
    if (this.#state.pool.length === 0)
      return Promise.resolve({ state: this.head.state, transactions: new Map() });
    return this.exclusively(() => this.#computePending());
  }

  async #admit(tx: Transaction): Promise<void> {
    const { ledger, pool } = this.#state;
    checkRoom(pool);
    const call = onlyContract(tx);
    checkNextSlot(tx, this.head.timestamp);
    const pending = await this.#computePending();
    const signers = signersOf(tx);
    checkPermission(tx, call, signers, pending.state);
    checkAgainstBranch(tx, ledger, ledger.main);
    if (pool.some((entry) => entry.tx.txId === tx.txId)) throw duplicate();
    const entry: PoolEntry = { tx, call, signers, isHeld: false };
    const world = new World(pending.state);
    const applied = await applyTransaction(world, this.rules.parameters, this.#nextContext(), tx, call);
    this.#state = { ...this.#state, pool: [...pool, entry] };
    const transactions = new Map(pending.transactions).set(tx.txId, applied);
    this.#pending = { of: this.#state, value: { state: world.state, transactions } };
  }

  async #mineOne(): Promise<Block> {
    const { ledger, pool } = this.#state;
    const ready = pool.filter((entry) => !entry.isHeld);
    const timestamp = this.clock.blockTime(this.head.timestamp);
    const { block, refused } = await buildBlock(ledger, ledger.main, ready, timestamp, this.rules);
    this.clock.blockMade();
    const gone = new Set([...refused.keys(), ...block.transactions.map(({ tx }) => tx.txId)]);
    const next = {
      ...ledger,
      blocks: ledger.blocks.set(block.id, block),
      main: extend(ledger.main, block),
    };
    this.replace({ ...this.#state, ledger: next, pool: without(pool, gone) }, [block]);
    return block;
  }

  async #computePending(): Promise<Pending> {
    const known = this.#pending;
    if (known !== null && known.of === this.#state) return known.value;
    const of = this.#state;
    const world = new World(this.head.state);
    const transactions = new Map<string, IncludedTransaction>();
    for (const { tx, call } of of.pool) {
      try {
        const applied = await applyTransaction(world, this.rules.parameters, this.#nextContext(), tx, call);
        transactions.set(tx.txId, applied);
      } catch (error) {
        // The transaction is refused for good when the next block is made. Until then it only does not count.
        if (!(error instanceof Rejection)) throw error;
      }
    }
    const value = { state: world.state, transactions };
    this.#pending = { of, value };
    return value;
  }

  #nextContext() {
    const number = this.head.number + 1;
    return {
      common: this.rules.common,
      number: BigInt(number),
      now: BigInt(this.clock.blockTime(this.head.timestamp)),
      witness: witnessAt(this.rules.witnesses, number).address,
    };
  }
}
