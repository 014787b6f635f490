// Makes a block: executes the transactions that fit, computes the root, and signs as the witness whose turn it is.
import { blockIdOf, signHeader } from '../protocol/block-header.ts';
import type { DevKey } from '../protocol/keys.ts';
import { merkleRoot } from '../protocol/merkle.ts';
import { blockHeaderRaw } from '../protocol/messages.ts';
import { Rejection } from '../protocol/rejection.ts';
import { make } from '../protocol/schema.ts';
import { encodeTransaction } from '../protocol/transaction.ts';
import type { Parameters } from '../state/parameters.ts';
import { World } from '../state/world.ts';
import type { Common } from '@ethereumjs/common';
import { checkAgainstBranch } from './admission.ts';
import { applyTransaction } from './apply-transaction.ts';
import { type Block, blockOf, type Branch, type IncludedTransaction, type Ledger } from './ledger.ts';
import type { PoolEntry } from './pool.ts';

/** The rules that are the same for every block. */
export interface ChainRules {
  readonly parameters: Parameters;
  readonly witnesses: readonly DevKey[];
  readonly common: Common;
}

export interface BuiltBlock {
  readonly block: Block;
  /** Ids that can no longer enter a block of this branch, with the reason. */
  readonly refused: ReadonlyMap<string, Rejection>;
}

const mostBlockBytes = 2_000_000;
const blockVersion = 32n;

/**
 * Builds a block on the head of `branch` with those of `entries` that are valid there, in order. `turn` shifts the
 * choice of the witness, so that rival blocks of one height come from different witnesses.
 */
export async function buildBlock(
  ledger: Ledger,
  branch: Branch,
  entries: readonly PoolEntry[],
  timestamp: number,
  rules: ChainRules,
  turn = 0,
): Promise<BuiltBlock> {
  const parent = blockOf(ledger, branch.headId);
  const number = parent.number + 1;
  const witness = witnessAt(rules.witnesses, number + turn);
  const world = new World(parent.state);
  const context = {
    common: rules.common,
    number: BigInt(number),
    now: BigInt(timestamp),
    witness: witness.address,
  };
  const included: IncludedTransaction[] = [];
  const encoded: string[] = [];
  const refused = new Map<string, Rejection>();
  let bytes = 0;
  for (const { tx, call } of entries) {
    try {
      checkAgainstBranch(tx, ledger, branch);
      const applied = await applyTransaction(world, rules.parameters, context, tx, call);
      const full = encodeTransaction(tx, [applied.result]);
      included.push(applied);
      encoded.push(full);
      bytes += full.length / 2;
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      refused.set(tx.txId, error);
    }
    if (bytes > mostBlockBytes) break;
  }
  const header = make(blockHeaderRaw, {
    number: BigInt(number),
    timestamp: BigInt(timestamp),
    txTrieRoot: merkleRoot(encoded),
    parentHash: parent.id,
    witness_address: witness.address,
    version: blockVersion,
  });
  const block: Block = {
    id: blockIdOf(header),
    number,
    timestamp,
    header,
    witnessSignature: signHeader(header, witness.privateKey),
    transactions: included,
    state: world.state,
    changes: world.changes(),
  };
  return { block, refused };
}

/** The 27 witnesses take turns by height, so that a missed slot never keeps a block from becoming solid. */
export function witnessAt(witnesses: readonly DevKey[], number: number): DevKey {
  const witness = witnesses[number % witnesses.length];
  if (witness === undefined) throw new Error('a chain needs at least one witness');
  return witness;
}
