// Finds a folder that every user of this machine may enter, for files that a folder with mode 0700 would hide.
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns a folder owned by this user with mode 0755. A folder of that name that belongs to another user is never used,
 * because programs are run from it.
 */
export function openPlace(): string {
  const uid = process.getuid?.();
  const candidates = [
    ...(uid === 0 ? ['/var/lib/ducat-devnet'] : []),
    join(tmpdir(), `ducat-devnet-${uid ?? 'user'}`),
  ];
  for (const place of candidates) {
    try {
      mkdirSync(place, { recursive: true, mode: 0o755 });
      if (uid !== undefined && statSync(place).uid !== uid) continue;
      chmodSync(place, 0o755);
      return place;
    } catch {
      // This folder is not writable, so the next candidate is tried.
    }
  }
  throw new Error(`none of these folders can be used: ${candidates.join(', ')}`);
}
