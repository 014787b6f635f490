// Lists what a signing log says was signed by the key of one address.
import { readIntent } from '@ducat/core/signing/intent-record';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import type { OnEntry } from './replay-log.ts';
import { verifySigningLog } from './signing-log.ts';

export interface ListedSigned {
  /** Its number in the log, from 1. */
  readonly sequence: number;
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly txId: string;
  readonly intent: TransferIntent;
}

/**
 * What `from` signed, in the order of the log: on chains with nonces, only from the nonce on. The log is checked and not
 * changed. Throws OperatorError.
 */
export function listSigned(
  path: string,
  { from, nonce }: { readonly from: string; readonly nonce: number },
): { readonly keyId: string; readonly signed: readonly ListedSigned[] } {
  const signed: ListedSigned[] = [];
  const onEntry: OnEntry = (entry, { sequence, atMs }) => {
    if (entry['event'] !== 'signed' || entry['from'] !== from) return;
    const intent = readIntent(entry['intent']);
    const { txId } = entry;
    if (intent === null || typeof txId !== 'string') return;
    if (intent.family === 'evm' && intent.nonce < nonce) return;
    signed.push({ sequence, atMs, txId, intent });
  };
  const { keyId } = verifySigningLog(path, onEntry);
  return { keyId, signed };
}
