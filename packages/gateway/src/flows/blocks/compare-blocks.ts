// Compares unproven blocks with what a quorum reports of them. Blocks that agree are marked as proven and may become final.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Tx } from '../../db/postgres/tx.ts';
import { markProven } from '../../db/tables/blocks.ts';
import { lockCursor } from '../../db/tables/cursors.ts';
import { type HeldLease, holdsLease, watchLease } from '../../db/tables/leases.ts';
import { findInclusionDifferences } from '../../db/tables/outgoing/inclusions.ts';
import { findDifferences, type ReportedBlock } from '../../db/tables/transfers/find-differences.ts';

export interface CompareBlocks {
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  /** Final blocks as a quorum reports them. */
  readonly blocks: readonly ReportedBlock[];
  readonly nowMs: number;
  readonly lease: HeldLease;
}

export type ComparedBlocks =
  /** `differing`: numbers of the blocks whose transfers or inclusions differ, lowest first. All others are proven now. */
  | { readonly outcome: 'compared'; readonly differing: readonly number[] }
  /** At one of these heights the books hold another block or none. The other blocks were compared. */
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'halted'; readonly reason: string }
  | { readonly outcome: 'lease-lost' };

/** A block that differs has to be undone together with all blocks above it, and read again. Until then it is not final. */
export async function compareBlocks(tx: Tx, input: CompareBlocks): Promise<ComparedBlocks> {
  const { chain, blocks, nowMs, lease } = input;
  if (!(await holdsLease(tx, watchLease(chain.name), lease))) return { outcome: 'lease-lost' };
  const { haltedReason } = await lockCursor(tx, chain.name, nowMs);
  if (haltedReason !== null) return { outcome: 'halted', reason: haltedReason };
  const moved = await findDifferences(tx, chain, blocks);
  const included = await findInclusionDifferences(tx, chain.name, blocks);
  const differing = [...new Set([...moved, ...included])].sort((one, other) => one - other);
  const agreed = blocks.map(({ header }) => header).filter(({ number }) => !differing.includes(number));
  const proven = await markProven(tx, chain.name, agreed);
  return proven.length === agreed.length ? { outcome: 'compared', differing } : { outcome: 'stale' };
}
