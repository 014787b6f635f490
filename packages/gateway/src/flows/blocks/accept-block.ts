// Until the new walk is in place: one block at a time, and what it makes final, as the old watcher asks for it.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { KnownBlock } from '@ducat/core/chain/local-chain';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import type { Tx } from '../../db/postgres/tx.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import type { RepeatedTransfer } from '../../db/tables/transfers/insert-transfers.ts';
import { acceptBlocks } from './accept-blocks.ts';
import { NOTHING_SETTLED, type Settled, type Settling } from './settle.ts';
import { settleFinal as settleBlocks } from './settle-final.ts';

export type SettledCount = Settled & { readonly isBehind: boolean };

export interface SettleFinal extends Settling {
  readonly chain: Settling['chain'] & Pick<ChainDefinition, 'windowBlocks'>;
  readonly final: KnownBlock | null;
  readonly lease: HeldLease;
}

export interface AcceptBlock extends SettleFinal {
  readonly header: BlockHeader;
  readonly transfers: readonly Transfer[];
}

export type AcceptedBlock =
  | { readonly outcome: 'accepted'; readonly seen: number; readonly settled: SettledCount }
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'fork' }
  | { readonly outcome: 'repeats'; readonly transfer: RepeatedTransfer }
  | { readonly outcome: 'halted'; readonly reason: string }
  | { readonly outcome: 'lease-lost' };

export type SettledFinal =
  | { readonly outcome: 'settled'; readonly settled: SettledCount }
  | Extract<AcceptedBlock, { readonly outcome: 'fork' | 'halted' | 'lease-lost' }>;

const nothing: SettledCount = { ...NOTHING_SETTLED, isBehind: false };

export async function acceptBlock(tx: Tx, input: AcceptBlock): Promise<AcceptedBlock> {
  const { header, transfers, final } = input;
  const blocks = [{ header, transfers, proposals: [], isProven: true }];
  const accepted = await acceptBlocks(tx, { ...input, blocks });
  if (accepted.outcome === 'fork') return { outcome: 'fork' };
  if (accepted.outcome !== 'accepted') return accepted;
  if (final === null) return { ...accepted, settled: nothing };
  const settled = await settleFinal(tx, input);
  return settled.outcome === 'settled' ? { ...accepted, settled: settled.settled } : settled;
}

export async function settleFinal(tx: Tx, input: SettleFinal): Promise<SettledFinal> {
  const { final } = input;
  if (final === null) return { outcome: 'settled', settled: nothing };
  const done = await settleBlocks(tx, { ...input, final });
  if (done.outcome !== 'settled') return done;
  return { outcome: 'settled', settled: { ...done.settled, isBehind: done.isBehind } };
}
