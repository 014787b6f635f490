// The commands of ducat-signer about the signing log: begin one, check one, list what it holds, end safe mode.
import { intentRecord } from '@ducat/core/signing/intent-record';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import type { Arguments } from './arguments.ts';
import { openKeystore, readKeyId } from './keystore/keystore.ts';
import { listSigned } from './log/list-signed.ts';
import { createSigningLog, openSigningLog, verifySigningLog } from './log/signing-log.ts';
import { OperatorError } from './operator-error.ts';
import { passphraseOf } from './passphrase-input.ts';
import { createKeyring, type Keyring } from './signing/keyring.ts';

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

type ListLogArguments = Extract<Arguments, { readonly command: 'list-log' }>;

/**
 * Prints what the key of an address signed, and changes nothing. With the keystore it signs the very intents of the log
 * again, which gives the same bytes: a client that repeats one of them is given these bytes too, also in safe mode.
 */
export async function runListLog(args: ListLogArguments): Promise<void> {
  const { keyId, signed } = listSigned(args.log, args);
  const seed = args.keystore === '' ? null : await seedOf(args, keyId);
  const keyring = seed === null ? null : createKeyring(seed);
  try {
    for (const { sequence, atMs, txId, intent } of signed) {
      const entry = { sequence, time: new Date(atMs).toISOString(), txId, intent: intentRecord(intent) };
      const bytes = keyring === null ? {} : { bytes: bytesOf(keyring, intent, txId) };
      process.stdout.write(`${JSON.stringify({ ...entry, ...bytes })}\n`);
    }
  } finally {
    keyring?.wipe();
    seed?.fill(0);
  }
}

async function seedOf(args: ListLogArguments, keyIdOfLog: string): Promise<Uint8Array> {
  const passphrase = await passphraseOf(args);
  const { seed, keyId } = await openKeystore({ path: args.keystore, passphrase, allowWeak: args.demo });
  if (keyId === keyIdOfLog) return seed;
  seed.fill(0);
  throw new OperatorError(
    'log-foreign',
    `The signing log belongs to the seed ${keyIdOfLog}, and the keystore holds ${keyId}.`,
  );
}

function bytesOf(keyring: Keyring, intent: TransferIntent, txId: string): string {
  const made = keyring.sign(intent);
  if (made.txId !== txId) throw new Error('The bytes of an entry are not those that were signed.');
  return made.bytes;
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
