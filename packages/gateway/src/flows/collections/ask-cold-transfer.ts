// Asks for a transfer from a wallet to cold storage. Writes who asked and why together with the outgoing transaction.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Amount } from '@ducat/core/money/amount';
import type { PayoutApproval } from '@ducat/core/signing/transfer-intent';
import type { Tx } from '../../db/postgres/tx.ts';
import { findOurs } from '../../db/tables/addresses.ts';
import {
  hasOpenColdTransfer,
  insertColdTransfer,
  isColdAddress,
} from '../../db/tables/books/cold-storage.ts';
import { ensureSender, lockSender } from '../../db/tables/outgoing/senders.ts';
import { requestOutgoing } from '../outgoing/request-outgoing.ts';

export interface AskColdTransfer {
  readonly coldTransferId: string;
  readonly outgoingId: string;
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  /** A wallet of ours. */
  readonly from: string;
  /** A cold address of the operator's list. The signer compares the address with its own list. */
  readonly to: string;
  readonly amount: Amount;
  readonly feeCap: Amount;
  /** The approval of a second person; null where there is none. */
  readonly approval: PayoutApproval | null;
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
}

/**
 * - `ours`: the address is one of ours, so the signer has its key.
 * - `not-listed`: the gateway never started with this cold address, so money that comes back would count as a receipt.
 * - `under-way`: another transfer of this wallet to cold storage is open, and the books still show its amount in the wallet.
 */
export type AskedColdTransfer = 'asked' | 'ours' | 'not-listed' | 'under-way' | 'no-wallet';

export async function askColdTransfer(tx: Tx, input: AskColdTransfer): Promise<AskedColdTransfer> {
  const { coldTransferId, chain, to, approval, by, reason, nowMs, ...rest } = input;
  // mark: cold-is-none-of-ours
  if ((await findOurs(tx, chain.family, new Set([to]))).has(to)) return 'ours';
  if (!(await isColdAddress(tx, chain.name, to))) return 'not-listed';
  const sender = { chain: chain.name, family: chain.family, address: input.from };
  const senderId = await ensureSender(tx, sender);
  if (senderId === null) return 'no-wallet';
  await lockSender(tx, senderId);
  // mark: one-to-cold-at-a-time
  if (await hasOpenColdTransfer(tx, senderId)) return 'under-way';
  const subject = { kind: 'cold', id: coldTransferId, approval } as const;
  const requested = await requestOutgoing(tx, { ...rest, chain, subject, to, nowMs });
  if (requested !== 'requested') return 'no-wallet';
  await insertColdTransfer(tx, { coldTransferId, by, reason, nowMs });
  return 'asked';
}
