// Reads the private key of an approver from a file of the person's own.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CommandError } from '../../command-error.ts';

/** Throws a CommandError where it does not open, or is of another kind. */
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
