// Transactions that this node has accepted and that no block of its main branch has yet.
import { Rejection } from '../protocol/rejection.ts';
import type { ContractCall, Transaction } from '../protocol/transaction.ts';

export interface PoolEntry {
  readonly tx: Transaction;
  readonly call: ContractCall;
  readonly signers: readonly string[];
  /** Kept out of blocks until released. */
  readonly isHeld: boolean;
}

export type Pool = readonly PoolEntry[];

const mostEntries = 2000;

export function checkRoom(pool: Pool): void {
  if (pool.length >= mostEntries) throw new Rejection('SERVER_BUSY', 'Server busy.');
}

/** The pool without these transactions. */
export function without(pool: Pool, txIds: ReadonlySet<string>): Pool {
  return pool.filter(({ tx }) => !txIds.has(tx.txId));
}
