// Browsers that a person has signed in with, by the hash of a cookie of their own.
import type { Tx } from '../../postgres/tx.ts';

export interface DeviceSeen {
  readonly personId: string;
  readonly deviceHash: Buffer;
  readonly nowMs: number;
}

/** Notes the browser; returns when it was last seen with this person, or null if never. */
export async function noteDevice(
  tx: Tx,
  { personId, deviceHash, nowMs }: DeviceSeen,
): Promise<number | null> {
  const [before] = await tx.read<{ seen_at_ms: number }>(
    'SELECT seen_at_ms FROM known_devices WHERE person_id = $1 AND device_hash = $2',
    [personId, deviceHash],
  );
  await tx.write(
    `INSERT INTO known_devices (person_id, device_hash, seen_at_ms) VALUES ($1, $2, $3)
     ON CONFLICT (person_id, device_hash) DO UPDATE SET seen_at_ms = EXCLUDED.seen_at_ms`,
    [personId, deviceHash, nowMs],
  );
  return before?.seen_at_ms ?? null;
}

/** Deletes all but the `keep` devices that were seen last. */
export async function keepNewestDevices(tx: Tx, personId: string, keep: number): Promise<void> {
  await tx.write(
    `DELETE FROM known_devices WHERE person_id = $1 AND device_hash NOT IN (
       SELECT device_hash FROM known_devices WHERE person_id = $1 ORDER BY seen_at_ms DESC, device_hash LIMIT $2)`,
    [personId, keep],
  );
}
