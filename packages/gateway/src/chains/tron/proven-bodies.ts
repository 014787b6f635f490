// The transactions that a root has proven: who has the same header has the same ones, and need not show them again.
import type { ProvenHeader } from './block-header.ts';
import type { Body } from './judge-block.ts';

interface Proven {
  readonly hash: string;
  readonly root: string;
  readonly body: Body;
}

/** Blocks and transactions together: twenty busy blocks wait for their finality, and sixteen are read at once. */
const maxKept = 32_768;

/** Of one chain, from whichever endpoint; one for each height. A block that is not in here is only read as before. */
export class ProvenBodies {
  readonly #byNumber = new Map<number, Proven>();
  #kept = 0;

  /** The same without anything that was only needed to prove it. The oldest make room for what is kept. */
  keep({ header, transactionsRoot: root }: ProvenHeader, { transactions, isProven }: Body): Body {
    const slim = transactions.map(({ id, outcome, contract }) => ({ id, outcome, contract }));
    const body = { transactions: slim, isProven };
    // mark: only-what-gives-the-root
    if (!isProven) return body;
    this.#drop(header.number);
    this.#byNumber.set(header.number, { hash: header.hash, root, body });
    this.#kept += sizeOf(slim);
    for (const number of this.#byNumber.keys()) {
      if (this.#kept <= maxKept) break;
      this.#drop(number);
    }
    return body;
  }

  /** Whether it is worth asking for the header alone. */
  has(number: number): boolean {
    return this.#byNumber.has(number);
  }

  /** Null where another block of that height was proven, or none. */
  of({ header, transactionsRoot }: ProvenHeader): Body | null {
    const known = this.#byNumber.get(header.number);
    return known?.hash === header.hash && known.root === transactionsRoot ? known.body : null;
  }

  #drop(number: number): void {
    const known = this.#byNumber.get(number);
    if (known === undefined) return;
    this.#byNumber.delete(number);
    this.#kept -= sizeOf(known.body.transactions);
  }
}

function sizeOf(transactions: readonly unknown[]): number {
  return 1 + transactions.length;
}
