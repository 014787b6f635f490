// The transactions that a root has proven: who has the same header has the same ones, and need not show them again.
import { keptTronTransactions } from '../../rpc/limits.ts';
import type { DecodedTransaction } from './decode-transaction.ts';
import type { ProvenHeader } from './header.ts';

interface ProvenBody {
  readonly hash: string;
  readonly root: string;
  readonly transactions: readonly DecodedTransaction[];
}

/**
 * Of one chain, from whichever provider; one for each height. A block that is not in here is read whole. Because of it
 * a provider that cannot print a block can still confirm it at finality, with its header and its receipts.
 */
export class ProvenBodies {
  readonly #byNumber = new Map<number, ProvenBody>();
  /** Blocks count too, so that empty ones do not stay for ever. */
  #kept = 0;

  /** Only for transactions that give the root. The oldest make room for what is kept. */
  keep({ header, transactionsRoot: root }: ProvenHeader, transactions: readonly DecodedTransaction[]): void {
    this.#drop(header.number);
    this.#byNumber.set(header.number, { hash: header.hash, root, transactions });
    this.#kept += 1 + transactions.length;
    for (const number of this.#byNumber.keys()) {
      if (this.#kept <= keptTronTransactions) break;
      this.#drop(number);
    }
  }

  /** Whether it is worth asking for the header alone. */
  has(number: number): boolean {
    return this.#byNumber.has(number);
  }

  /** Null where another block of that height was proven, or none. */
  of({ header, transactionsRoot }: ProvenHeader): readonly DecodedTransaction[] | null {
    const known = this.#byNumber.get(header.number);
    // mark: proven-under-this-header
    return known?.hash === header.hash && known.root === transactionsRoot ? known.transactions : null;
  }

  #drop(number: number): void {
    const known = this.#byNumber.get(number);
    if (known === undefined) return;
    this.#byNumber.delete(number);
    this.#kept -= 1 + known.transactions.length;
  }
}
