// Gives an app a new AppKey. The old key stays valid for a grace period.
import { assert } from '@ducat/core/assert';
import { replaceKey } from '../../db/tables/apps.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** How long the old key is accepted beside the new one, where the operator sets no other time (decision A7). */
const DEFAULT_GRACE_MS = 24 * 60 * 60 * 1000;
const MAX_GRACE_MS = 30 * DEFAULT_GRACE_MS;

export interface KeyRotation {
  readonly appId: string;
  readonly sealedKey: Buffer;
  readonly nowMs: number;
  /** 0 ends the old key at once, as after a leak. */
  readonly graceMs?: number;
}

/** Makes the new key current. A key that was already in its grace period ends at once. */
export async function rotateAppKey(
  tx: Tx,
  rotation: KeyRotation,
): Promise<{ outcome: 'rotated' | 'app-unknown' }> {
  const graceMs = rotation.graceMs ?? DEFAULT_GRACE_MS;
  assert(graceMs >= 0 && graceMs <= MAX_GRACE_MS, 'a grace period lies between nothing and 30 days');
  const found = await replaceKey(tx, rotation.appId, rotation.sealedKey, rotation.nowMs + graceMs);
  return { outcome: found ? 'rotated' : 'app-unknown' };
}
