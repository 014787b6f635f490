// The records of the state file: blocks with their writes, and after every change the state of the chain.
import { Map as PersistentMap } from 'immutable';
import type { ChainState } from '../chain/chain.ts';
import type { ClockState } from '../chain/clock.ts';
import { type Block, blockOf, type Branch, extend, type Ledger } from '../chain/ledger.ts';
import type { SolidRule } from '../chain/solid.ts';
import { transactionOf } from '../protocol/transaction.ts';
import { applyChanges, emptyState } from '../state/state.ts';

/** A later record of the same block replaces an earlier one. */
export interface BlockRecord extends Omit<Block, 'state' | 'transactions'> {
  readonly kind: 'block';
  readonly transactions: readonly TransactionRecord[];
}

interface TransactionRecord {
  readonly rawHex: string;
  readonly signatures: readonly string[];
  readonly result: Block['transactions'][number]['result'];
  readonly info: Block['transactions'][number]['info'];
}

export interface StandRecord {
  readonly kind: 'stand';
  readonly headId: string;
  readonly sides: Readonly<Record<string, string>>;
  readonly solidNumber: number;
  readonly solid: SolidRule;
  readonly clock: ClockState;
}

export function blockRecord(block: Block): BlockRecord {
  const { state: _, transactions, ...rest } = block;
  const short = transactions.map(({ tx, result, info }) => ({
    rawHex: tx.rawHex,
    signatures: tx.signatures,
    result,
    info,
  }));
  return { kind: 'block', ...rest, transactions: short };
}

export function standRecord({ ledger, solid }: ChainState, clock: ClockState): StandRecord {
  const sides = Object.fromEntries([...ledger.sides].map(([name, branch]) => [name, branch.headId]));
  return { kind: 'stand', headId: ledger.main.headId, sides, solidNumber: ledger.solidNumber, solid, clock };
}

/** The chain that the records describe. Its pool is empty, because a node loses the pool when it stops. */
export function chainStateOf(blocks: readonly BlockRecord[], stand: StandRecord): ChainState {
  const known = new Map<string, Block>();
  for (const record of [...blocks].sort((a, b) => a.number - b.number))
    known.set(record.id, blockFrom(record, known));
  const ledger: Omit<Ledger, 'main' | 'sides'> = {
    blocks: PersistentMap(known),
    solidNumber: stand.solidNumber,
  };
  const main = branchTo(known, stand.headId);
  const sides = PersistentMap(Object.entries(stand.sides).map(([name, id]) => [name, branchTo(known, id)]));
  const whole = { ...ledger, main, sides };
  blockOf(whole, stand.headId);
  return { ledger: whole, pool: [], solid: stand.solid };
}

function blockFrom(record: BlockRecord, known: ReadonlyMap<string, Block>): Block {
  const { kind: _, ...rest } = record;
  const parent = known.get(record.header.parentHash)?.state ?? emptyState();
  return {
    ...rest,
    transactions: record.transactions.map(({ rawHex, signatures, result, info }) => ({
      tx: transactionOf(rawHex, signatures),
      result,
      info,
    })),
    state: applyChanges(parent, record.changes),
  };
}

function branchTo(known: ReadonlyMap<string, Block>, headId: string): Branch {
  const line: Block[] = [];
  for (let block = known.get(headId); block !== undefined; block = known.get(block.header.parentHash))
    line.push(block);
  const empty: Branch = { headId, byNumber: PersistentMap(), places: PersistentMap() };
  return line.reverse().reduce((branch, block) => extend(branch, block), empty);
}
