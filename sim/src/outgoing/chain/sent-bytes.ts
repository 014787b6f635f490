// Signed bytes of the simulator: the intent's one text with a cheap signature, which only the holder of the key can make.
import { createHash } from 'node:crypto';
import type { ChainFamily } from '@ducat/core/chain/chain';
import { intentRecord, readIntent } from '@ducat/core/signing/intent-record';
import type { KeyPath } from '@ducat/core/signing/key-path';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import type { Keyring } from '@ducat/signer/signing/keyring';
import { simAddress } from '../../actors/setup.ts';
import { fieldsOf } from '../../nodes/fields.ts';

/** The account key that the simulator's signer gives for an account. */
export function accountKeyOf(account: number): string {
  return `key${account}`;
}

function addressOf(family: ChainFamily, { account, branch, index }: KeyPath): string {
  return simAddress(family, accountKeyOf(account), index, branch);
}

/** Real signatures cost milliseconds and have tests of their own. Everything else of the signer is the real code. */
export function cheapKeyring(): Keyring {
  return {
    address: addressOf,
    sign: (intent) => {
      const from = addressOf(intent.family, intent.key);
      const record = intentRecord(intent);
      const text = JSON.stringify({ record, from, signature: signatureOf(from, record) });
      const bytes = Buffer.from(text).toString('hex');
      return { bytes, txId: txIdOf(intent.family, bytes) };
    },
    wipe: () => undefined,
  };
}

/** What a node reads in the bytes; null where no key of ours signed them. */
export function readBytes(
  bytes: string,
): { readonly from: string; readonly txId: string; readonly intent: TransferIntent } | null {
  const parsed: unknown = JSON.parse(Buffer.from(bytes, 'hex').toString());
  const { record, from, signature } = fieldsOf(parsed);
  const intent = readIntent(record);
  if (intent === null || typeof from !== 'string' || signature !== signatureOf(from, record)) return null;
  return { from, txId: txIdOf(intent.family, bytes), intent };
}

function signatureOf(from: string, record: unknown): string {
  return createHash('sha256')
    .update(`secret of ${from} ${JSON.stringify(record)}`)
    .digest('hex');
}

function txIdOf(family: ChainFamily, bytes: string): string {
  const id = createHash('sha256').update(bytes).digest('hex');
  return family === 'evm' ? `0x${id}` : id;
}
