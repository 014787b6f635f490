// Transactions that a root has proven. A provider with the same header has the same ones, and need not show them again.
import { LRUCache } from 'lru-cache';
import { keptTronTransactions } from '../../rpc/limits.ts';
import type { DecodedTransaction } from './decode-transaction.ts';
import type { ProvenHeader } from './header.ts';

interface ProvenBody {
  readonly proven: ProvenHeader;
  readonly transactions: readonly DecodedTransaction[];
}

/**
 * The proven blocks of one chain by height, from any provider. A block that is not in here is read whole. With it, a
 * provider that cannot print a block can still confirm it at finality, by its header and its receipts.
 */
export type ProvenBodies = LRUCache<number, ProvenBody>;

export function createProvenBodies(): ProvenBodies {
  // Blocks count too, so that empty ones do not stay for ever.
  const sizeCalculation = ({ transactions }: ProvenBody): number => 1 + transactions.length;
  return new LRUCache({ maxSize: keptTronTransactions, sizeCalculation });
}

/** Null where no block of that height was proven, or another one. */
export function provenBody(
  bodies: ProvenBodies,
  { header, transactionsRoot }: ProvenHeader,
): readonly DecodedTransaction[] | null {
  const known = bodies.get(header.number);
  const isSame =
    known?.proven.header.hash === header.hash && known.proven.transactionsRoot === transactionsRoot;
  // mark: proven-under-this-header
  return isSame ? known.transactions : null;
}
