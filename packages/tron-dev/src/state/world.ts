// A working copy of a state: reads, writes, and checkpoints that cost one reference.
import { newAccount, type Account } from './account.ts';
import { applyChanges, type Change, type State, type TableName, type Tables } from './state.ts';

/** A working copy of a state. Writes change only the copy: `state` is the result, and `changes` lists the writes. */
export class World {
  #state: State;
  readonly #checkpoints: State[] = [];
  readonly #touched = new Map<string, readonly [TableName, string]>();

  constructor(state: State) {
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  get<T extends TableName>(table: T, key: string): Tables[T] | undefined {
    return this.#state[table].get(key);
  }

  set<T extends TableName>(table: T, key: string, value: Tables[T] | undefined): void {
    // A generic member of the union Change; the signature guarantees that table and value fit.
    this.#state = applyChanges(this.#state, [{ table, key, value } as Change]);
    this.#touched.set(`${table}/${key}`, [table, key]);
  }

  account(address: string): Account | undefined {
    return this.#state.accounts.get(address);
  }

  /** Updates an account, which is made at `now` (milliseconds) where it does not exist. */
  updateAccount(address: string, now: bigint, update: (account: Account) => Partial<Account>): void {
    const account = this.account(address) ?? newAccount(now);
    this.set('accounts', address, { ...account, ...update(account) });
  }

  total(name: string): bigint {
    return this.#state.totals.get(name) ?? 0n;
  }

  checkpoint(): void {
    this.#checkpoints.push(this.#state);
  }

  commit(): void {
    this.#checkpoints.pop();
  }

  revert(): void {
    const state = this.#checkpoints.pop();
    if (state === undefined) throw new Error('revert without a checkpoint');
    this.#state = state;
  }

  /** A point that can be restored, whatever checkpoints were left open since. */
  savepoint(): { readonly state: State; readonly depth: number } {
    return { state: this.#state, depth: this.#checkpoints.length };
  }

  restore(savepoint: { readonly state: State; readonly depth: number }): void {
    this.#state = savepoint.state;
    this.#checkpoints.length = savepoint.depth;
  }

  /** Every entry that was written since the start, with its current value. */
  changes(): readonly Change[] {
    // Each pair was written by `set`, so table and value fit.
    return [...this.#touched.values()].map(
      ([table, key]) => ({ table, key, value: this.get(table, key) }) as Change,
    );
  }
}
