// The commands of ducat-signer about the signing log: begin one, check one, end safe mode.
import { readKeyId } from './keystore/keystore.ts';
import { createSigningLog, openSigningLog, verifySigningLog } from './log/signing-log.ts';

/** Makes the log of the keystore's seed. No passphrase is asked for: the key id stands in the file in clear. */
export async function runBeginLog(args: { keystore: string; log: string; first: boolean }): Promise<void> {
  const keyId = await readKeyId(args.keystore);
  createSigningLog(args.log, keyId, args.first, Date.now());
  const mode = args.first ? 'It signs from the start.' : 'It begins in safe mode; see docs/operate/keys.md.';
  process.stdout.write(`Signing log ${args.log} made for the seed ${keyId}. ${mode}\n`);
}

/** Prints what the log holds; throws OperatorError 'log-damaged' where an entry is not what was written. */
export function runVerifyLog({ log }: { log: string }): void {
  const { head, keyId, signed, refused, isSafeMode, tornBytes } = verifySigningLog(log);
  const report = {
    entries: head.sequence,
    signed,
    refused,
    keyId,
    safeMode: isSafeMode,
    tornBytes,
    hash: head.hash,
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

const clockToleranceMs = 60_000;

/**
 * Ends safe mode. The entry also makes this file the log from now on, and it resets the time of the log to now, in case
 * an earlier clock ran ahead.
 */
export function runResume({ log: path }: { log: string }, nowMs: number = Date.now()): void {
  const { log, replayed, isInPlace, file } = openSigningLog(path);
  try {
    const isAhead = replayed.head.atMs > nowMs + clockToleranceMs;
    const isNeeded = replayed.isSafeMode || !isInPlace || isAhead;
    if (isNeeded) log.append({ event: 'resumed', file }, nowMs);
    process.stdout.write(
      isNeeded ? 'Resumed. Start the signer.\n' : 'The log is not in safe mode; nothing was done.\n',
    );
  } finally {
    log.close();
  }
}
