// The approvers of the demo, by name and public key: one key is made with the demo, others are in a file.
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { APPROVER_NAME } from '@ducat/core/signing/subject-record';
import { parse } from 'smol-toml';
import { CommandError } from '../../command-error.ts';
import { readOrMake } from '../../state/private-file.ts';
import type { StatePaths } from '../../state/state-paths.ts';

const DEMO_APPROVER = 'demo-approver';

/** Public keys by name, 64 hex digits each, as the signer's policy and ducat.toml have them. */
export type DemoApprovers = Readonly<Record<string, string>>;

/**
 * The demo's own approver, whose private key is made where it is missing, and the approvers of `approvers.toml`, whose
 * keys people made in their browsers. Throws a CommandError where that file holds anything else.
 */
export function demoApprovers({ approverKey, approvers }: StatePaths): DemoApprovers {
  return { ...furtherApprovers(approvers), [DEMO_APPROVER]: publicHalfOf(approverKey) };
}

/** The public key of the file. The file holds the private key unencrypted, so that openssl can sign with it directly. */
function publicHalfOf(file: string): string {
  const pem = readOrMake(file, () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
  );
  const der = createPublicKey(createPrivateKey(pem)).export({ format: 'der', type: 'spki' });
  return der.subarray(-32).toString('hex');
}

function furtherApprovers(file: string): DemoApprovers {
  if (!existsSync(file)) return {};
  const entries = Object.entries(parsed(file)).map(([name, key]): [string, string] => {
    if (APPROVER_NAME.test(name) && typeof key === 'string' && /^[0-9a-f]{64}$/.test(key)) return [name, key];
    throw new CommandError(`${file}: ${name} is no approver; a line reads bob = "<64 hexadecimal digits>"`);
  });
  return Object.fromEntries(entries);
}

function parsed(file: string): object {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new CommandError(`${file} is no TOML; a line reads bob = "<64 hexadecimal digits>"`, { cause });
  }
}
