// Checks that no other user can have put a socket at the place of the signer's socket.
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Outage } from '../../runtime/outage.ts';

const WRITABLE_BY_OTHERS = 0o022;

/**
 * The folder has to belong to root, to our user or to `signerUid`, and no other user may write into it. Throws an Outage
 * that says what to do. On Windows a named pipe has no folder, so nothing is checked and only the token protects.
 */
export async function checkSocketFolder(socketPath: string, signerUid: number | null): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = dirname(socketPath);
  const { uid, mode } = await stat(folder);
  const trusted = new Set([0, process.getuid?.(), signerUid]);
  if (!trusted.has(uid)) {
    throw unsafe(
      `${folder}, where the signer's socket is, belongs to user ${uid}; is that the signer's, state it as signer.uid`,
    );
  }
  if ((mode & WRITABLE_BY_OTHERS) !== 0) {
    throw unsafe(`others can write into ${folder}, where the signer's socket is; run: chmod go-w ${folder}`);
  }
}

function unsafe(message: string): Outage {
  return new Outage(message, { retryable: false });
}
