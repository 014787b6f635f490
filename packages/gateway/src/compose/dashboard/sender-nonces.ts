// Asks a quorum of a chain's nodes for the nonce of a sender, before a stopped sender is resumed.
import type { ConfiguredChain } from '../../config/chains.ts';
import type { Reader } from '../../db/postgres/tx.ts';
import { findBlock } from '../../db/tables/blocks.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import type { ReportedNonce } from '../../roles/dashboard/data-port.ts';
import type { World } from '../../runtime/world.ts';
import { openChainWriter } from '../open-chain.ts';

interface SenderNonceParts {
  readonly chains: readonly ConfiguredChain[];
  readonly reader: Reader;
  readonly world: World;
}

/** Null where the chain is not configured, or none of its blocks is final yet. Throws Outage. */
export function createSenderNonces({
  chains,
  reader,
  world,
}: SenderNonceParts): (chain: string, address: string) => Promise<ReportedNonce | null> {
  return async (chain, address) => {
    const configured = chains.find(({ definition }) => definition.name === chain);
    const finalNumber = (await readCursors(reader)).get(chain)?.finalNumber ?? null;
    const at = finalNumber === null ? null : await findBlock(reader, chain, finalNumber);
    if (configured === undefined || at === null) return null;
    const reported = await openChainWriter(configured, { world }).nextNonce(address, at);
    return { at, reported: reported ?? 0 };
  };
}
