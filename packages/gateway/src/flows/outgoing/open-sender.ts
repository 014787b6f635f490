// Begins to count the nonces of a sender, from the nonce of its account that a quorum reports.
import type { Tx } from '../../db/postgres/tx.ts';
import { type HeldLease, holdsLease, payLease } from '../../db/tables/leases.ts';
import { setFirstNonce } from '../../db/tables/outgoing/senders.ts';

export interface OpenSender {
  readonly chain: string;
  readonly senderId: number;
  /** The nonce of the account's next transaction after a final block. */
  readonly nonce: number;
  readonly lease: HeldLease;
}

/** False where the sender's nonces are counted already, or another process pays on the chain now. */
export async function openSender(tx: Tx, { chain, senderId, nonce, lease }: OpenSender): Promise<boolean> {
  if (!(await holdsLease(tx, payLease(chain), lease))) return false;
  return setFirstNonce(tx, senderId, nonce);
}
