// Reads, by a quorum, the transaction of a final transfer: whether it succeeded, its fee, and who paid the fee.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { Inclusion } from '@ducat/core/chain/inclusion';
import { openChain } from '@ducat/gateway/compose/open-chain';
import { findReceipt, type TransferIdentity } from '@ducat/gateway/db/tables/transfers/receipts';
import { readFinal } from '@ducat/gateway/roles/watcher/fork/read-final';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { findChain } from '../find-chain.ts';

/** Null where the books hold no such final transfer. */
export async function readTransaction(
  { config, database, world }: Setup,
  found: TransferIdentity,
): Promise<{ readonly family: ChainFamily; readonly inclusion: Inclusion } | null> {
  const receipt = await findReceipt(database.reader, found);
  if (receipt === null) return null;
  const { txId, block } = receipt.transfer;
  const { definition, nodes } = findChain(config, found.chain);
  const shown = await readFinal(openChain({ definition, nodes }, { world }), block.number, new Set([txId]));
  const inclusion = shown?.inclusions.find((one) => one.txId === txId && one.block.hash === block.hash);
  if (inclusion === undefined)
    throw new CommandError(
      `no quorum shows ${txId} in block ${block.number} of ${found.chain}: ducat chain rewind ${found.chain} says whether the chain forked`,
    );
  return { family: definition.family, inclusion };
}
