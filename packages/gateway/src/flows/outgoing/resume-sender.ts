// Lets a stopped sender go on, after a person has looked.
import type { Tx } from '../../db/postgres/tx.ts';
import { clearStopped } from '../../db/tables/outgoing/senders.ts';

/**
 * `nonce`: where the account stands after a final block, so that what others used is not used again; null leaves the
 * count. False where the sender was not stopped.
 */
export function resumeSender(tx: Tx, senderId: number, nonce: number | null): Promise<boolean> {
  return clearStopped(tx, senderId, nonce);
}
