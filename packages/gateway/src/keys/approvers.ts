// Verifies signatures of the approvers that the configuration lists.
import { createPublicKey, verify } from 'node:crypto';

/** Ed25519 public keys by the approver's name, 64 lower-case hex digits each. */
export type Approvers = ReadonlyMap<string, string>;

/** The DER prefix of the 32 bytes of an Ed25519 public key. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Null where `approver` is listed and signed exactly these bytes. */
export function signatureProblem(
  approvers: Approvers,
  approver: string,
  signed: { readonly bytes: Uint8Array; readonly signature: string },
): 'approver-unknown' | 'signature-wrong' | null {
  const publicKey = approvers.get(approver);
  if (publicKey === undefined) return 'approver-unknown';
  const der = Buffer.concat([ED25519_PREFIX, Buffer.from(publicKey, 'hex')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  // mark: approvals-are-verified
  return verify(null, signed.bytes, key, Buffer.from(signed.signature, 'hex')) ? null : 'signature-wrong';
}
