// Blocks and branches as immutable values: a snapshot, a fork and a switch each keep or exchange a single reference.
import { Map as PersistentMap } from 'immutable';
import type { BlockHeaderRaw, TransactionInfo, TransactionResult } from '../protocol/messages.ts';
import type { Transaction } from '../protocol/transaction.ts';
import type { Change, State } from '../state/state.ts';

export interface IncludedTransaction {
  readonly tx: Transaction;
  readonly result: TransactionResult;
  readonly info: TransactionInfo;
}

export interface Block {
  readonly id: string;
  readonly number: number;
  /** Milliseconds. */
  readonly timestamp: number;
  readonly header: BlockHeaderRaw;
  readonly witnessSignature: string;
  readonly transactions: readonly IncludedTransaction[];
  /** The state after the block. */
  readonly state: State;
  /** The changes that this block made to the state of its parent, those of controls included. */
  readonly changes: readonly Change[];
}

export interface Place {
  readonly blockId: string;
  readonly index: number;
}

/** A chain of blocks from genesis to a head. */
export interface Branch {
  readonly headId: string;
  readonly byNumber: PersistentMap<number, string>;
  readonly places: PersistentMap<string, Place>;
}

export interface Ledger {
  readonly blocks: PersistentMap<string, Block>;
  /** The main branch, which this node serves. */
  readonly main: Branch;
  /** Other branches by name. Only the controls can see them. */
  readonly sides: PersistentMap<string, Branch>;
  readonly solidNumber: number;
}

export function ledgerOf(genesis: Block): Ledger {
  const main: Branch = {
    headId: genesis.id,
    byNumber: PersistentMap([[0, genesis.id]]),
    places: PersistentMap(),
  };
  return { blocks: PersistentMap([[genesis.id, genesis]]), main, sides: PersistentMap(), solidNumber: 0 };
}

export function blockOf(ledger: Ledger, id: string): Block {
  const block = ledger.blocks.get(id);
  if (block === undefined) throw new Error(`no block ${id}`);
  return block;
}

export function headOf(ledger: Ledger): Block {
  return blockOf(ledger, ledger.main.headId);
}

/** The branch with one block more. */
export function extend(branch: Branch, block: Block): Branch {
  const places = branch.places.withMutations((map) => {
    block.transactions.forEach(({ tx }, index) => map.set(tx.txId, { blockId: block.id, index }));
  });
  return { headId: block.id, byNumber: branch.byNumber.set(block.number, block.id), places };
}

/** The branch cut back so that block `number` is its head, and the blocks that were cut off, oldest first. */
export function cutBack(
  ledger: Ledger,
  branch: Branch,
  number: number,
): { branch: Branch; removed: readonly Block[] } {
  const removed: Block[] = [];
  let { byNumber, places } = branch;
  for (let n = blockOf(ledger, branch.headId).number; n > number; n -= 1) {
    const block = blockOf(ledger, byNumber.get(n) ?? '');
    removed.unshift(block);
    byNumber = byNumber.delete(n);
    places = places.deleteAll(block.transactions.map(({ tx }) => tx.txId));
  }
  const headId = byNumber.get(number);
  if (headId === undefined) throw new Error(`the branch has no block ${number}`);
  return { branch: { headId, byNumber, places }, removed };
}

/** Height of the last block two branches share. */
export function forkPoint(ledger: Ledger, a: Branch, b: Branch): number {
  let n = Math.min(blockOf(ledger, a.headId).number, blockOf(ledger, b.headId).number);
  while (a.byNumber.get(n) !== b.byNumber.get(n)) n -= 1;
  return n;
}
