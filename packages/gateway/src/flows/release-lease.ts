// Gives a lease back, so that whoever stands by need not wait for it to be seen dead.
import { freeLease } from '../store/leases.ts';
import type { Tx } from '../store/tx.ts';

/** False where it is no longer held under this token, which leaves nothing to give back. */
export function releaseLease(tx: Tx, name: string, token: number): Promise<boolean> {
  return freeLease(tx, name, token);
}
