// The key of an approver: read to sign, and compared with the configuration before an approval is kept.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '@ducat/gateway/config/load-config';
import { signatureProblem } from '@ducat/gateway/keys/approvers';
import { CommandError } from '../../command-error.ts';

/** Throws a CommandError where the file holds no Ed25519 key that opens. */
export function readApproverKey(file: string, passphraseFile: string | undefined): KeyObject {
  const passphrase =
    passphraseFile === undefined ? undefined : readFileSync(passphraseFile, 'utf8').replace(/\r?\n$/, '');
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: readFileSync(file), format: 'pem', ...(passphrase && { passphrase }) });
  } catch (cause) {
    throw new CommandError(`${file} is no private key that opens; is the passphrase right?`, { cause });
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new CommandError(`${file} is no Ed25519 key`);
  return key;
}

/** Throws a CommandError where the approver is not listed, or did not sign these bytes. */
export function checkSignature(
  { approvers }: Pick<Config, 'approvers'>,
  by: string,
  signed: { readonly bytes: Uint8Array; readonly signature: string },
): void {
  const problem = signatureProblem(approvers, by, signed);
  if (problem === 'approver-unknown')
    throw new CommandError(`${by} is not listed under [approvers] of the gateway's configuration`);
  if (problem !== null)
    throw new CommandError(`this is no signature of ${by} over what is shown: nothing was kept`);
}
