// Until the new walk is in place: several blocks far behind the head, as the old watcher asks for them.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import type { Tx } from '../../db/postgres/tx.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import { acceptBlocks } from './accept-blocks.ts';

export interface AcceptPlainBlocks {
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  readonly blocks: readonly { readonly header: BlockHeader; readonly transfers: readonly Transfer[] }[];
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/** How many transfers of ours they hold, null where they could not be accepted. */
export async function acceptPlainBlocks(tx: Tx, input: AcceptPlainBlocks): Promise<readonly number[] | null> {
  const blocks = input.blocks.map((block) => ({ ...block, proposals: [], isProven: true }));
  const accepted = await acceptBlocks(tx, { ...input, blocks });
  return accepted.outcome === 'accepted' ? blocks.map((_, place) => (place === 0 ? accepted.seen : 0)) : null;
}
