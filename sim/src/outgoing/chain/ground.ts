// The state above a block while the next one is filled: balances, nonces and ids, with what was executed so far.
import { balanceAt, type SentTransaction, type SimBlock } from '../../nodes/sim-block.ts';
import { delegatedBy, transactionsUpTo } from './stake.ts';
import { sweepersBy, type Sweepers, type SweepingGround } from './sweeping.ts';

export class Ground {
  readonly #parent: SimBlock | null;
  readonly #moved = new Map<string, bigint>();
  readonly #held: SentTransaction[] = [];

  constructor(parent: SimBlock | null) {
    this.#parent = parent;
  }

  /** Unix seconds of the block below. */
  get parentTime(): number {
    return this.#parent?.header.time ?? 0;
  }

  balance(address: string, currencyId: number): bigint {
    const below = this.#parent === null ? 0n : balanceAt(this.#parent, address, currencyId);
    return below + (this.#moved.get(`${currencyId} ${address}`) ?? 0n);
  }

  /** The nonce of the sender's next transaction. */
  nonce(address: string): number {
    return nonceAt(this.#parent, address) + spentIn(this.#held, address);
  }

  /** The sweepers that exist, and the addresses that delegate to them. */
  get sweepers(): Sweepers {
    return sweepersBy([...transactionsUpTo(this.#parent), ...this.#held]);
  }

  /** The delegations of the stake's energy. */
  delegated(): ReturnType<typeof delegatedBy> {
    return delegatedBy([...transactionsUpTo(this.#parent), ...this.#held]);
  }

  has(txId: string): boolean {
    return this.#held.some((one) => one.txId === txId) || holds(this.#parent, txId);
  }

  /** Whether a block below is named by these parts of its height and hash. */
  knowsReference(heightBytes: string, hashPart: string): boolean {
    for (let block = this.#parent; block !== null; block = block.parent) {
      const { number, hash } = block.header;
      if (hash.slice(16, 32) === hashPart) return (number & 0xffff) === Number.parseInt(heightBytes, 16);
    }
    return false;
  }

  /** Adds a transaction that was executed. */
  add(transaction: SentTransaction): void {
    this.#held.push(transaction);
    const { outgoing, valueTransfers, failed } = transaction;
    const fee = outgoing?.fee ?? null;
    if (fee !== null) this.#move(fee.from, fee.currencyId, -fee.units);
    if (failed) return;
    for (const { from, to, currencyId, units, isTrap = false } of valueTransfers) {
      if (isTrap) continue;
      this.#move(from, currencyId, -units);
      this.#move(to, currencyId, units);
    }
  }

  #move(address: string, currencyId: number, units: bigint): void {
    const key = `${currencyId} ${address}`;
    this.#moved.set(key, (this.#moved.get(key) ?? 0n) + units);
  }
}

/** How many transactions of our sender are in the blocks up to this one. */
export function nonceAt(tip: SimBlock | null, address: string): number {
  let count = 0;
  for (let block = tip; block !== null; block = block.parent) {
    count += spentIn(block.transactions, address);
  }
  return count;
}

/** How many nonces an address used: by transactions that it sent, and by authorisations. */
function spentIn(transactions: readonly SentTransaction[], address: string): number {
  return transactions.reduce(
    (sum, { outgoing, delegating }) =>
      sum +
      (outgoing?.from === address ? 1 : 0) +
      (delegating?.authorised.filter((one) => one === address).length ?? 0),
    0,
  );
}

/** A block as a sweep finds it. */
export function groundAt(tip: SimBlock): SweepingGround {
  return {
    sweepers: sweepersBy(transactionsUpTo(tip)),
    nonce: (address) => nonceAt(tip, address),
    balance: (address, currencyId) => balanceAt(tip, address, currencyId),
  };
}

export function holds(tip: SimBlock | null, txId: string): boolean {
  for (let block = tip; block !== null; block = block.parent) {
    if (block.transactions.some((one) => one.txId === txId)) return true;
  }
  return false;
}
