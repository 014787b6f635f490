// The commands of the person who approves payouts, on a machine of their own: make a key, approve one payout.
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { approvalBytes, type ApprovedPayout } from '@ducat/core/signing/approval-bytes';
import { readFields } from '@ducat/core/signing/read-fields';
import { APPROVER_NAME, SUBJECT_ID } from '@ducat/core/signing/subject-record';
import type { ApproverArguments, PayoutArguments } from './arguments.ts';
import { writeNew } from './keystore/keystore-disk.ts';
import { checkPassphrase } from './keystore/passphrase.ts';
import { OperatorError } from './operator-error.ts';
import { newPassphrase, passphraseOf, secretFile } from './passphrase-input.ts';
import { readSecretFile } from './secret-input.ts';

const maxUnits = 2n ** 256n - 1n;
const address = /^(?:0x|41)[0-9a-f]{40}$/;
const maxHours = 24 * 30;

/** Makes an Ed25519 key, encrypted under a passphrase, and prints its entry in the policy. */
export async function runMakeApprover(args: ApproverArguments): Promise<void> {
  if (!APPROVER_NAME.test(args.approver))
    throw bad('The name must be lower case letters, digits and dashes.');
  const passphrase = await newPassphrase(args);
  checkPassphrase(passphrase, { allowWeak: args.demo });
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase });
  await writeNew(args.approverKey, pem.toString());
  process.stdout.write(`${JSON.stringify({ name: args.approver, publicKey: publicKeyHex(publicKey) })}\n`);
}

/** Shows the payout and prints its approval. The person confirms by typing the passphrase of the key. */
export async function runApprove(args: ApproverArguments & { payout: PayoutArguments }): Promise<void> {
  const payout = readPayout(args, Date.now());
  const { payoutId, chainId, contract, to, baseUnits, feeCap, expiry, approver } = payout;
  process.stderr.write(
    `Payout ${payoutId} on chain ${chainId}: ${baseUnits} base units of ${contract ?? 'the native coin'}\n` +
      `to ${to}\nfee at most ${feeCap}, until ${new Date(expiry * 1000).toISOString()}\n`,
  );
  const pem = await readSecretFile(args.approverKey, secretFile(args, "the approver's key"));
  const key = openKey(pem, await passphraseOf(args));
  const signature = sign(null, approvalBytes(payout), key).toString('hex');
  process.stdout.write(`${JSON.stringify({ approver, feeCap: feeCap.toString(), expiry, signature })}\n`);
}

function readPayout(
  { approver, payout }: ApproverArguments & { payout: PayoutArguments },
  nowMs: number,
): ApprovedPayout {
  const typed = {
    ...payout,
    approver,
    contract: payout.contract === '' ? null : payout.contract,
    chainId: Number(payout.chainId),
    hours: Number(payout.hours),
  };
  const read = readFields(typed, (fields) => ({
    kind: 'payout' as const,
    payoutId: fields.text('payout', SUBJECT_ID),
    chainId: fields.number('chainId', 2 ** 48),
    contract: fields.nullable('contract', (name) => fields.text(name, address)),
    to: fields.text('to', address),
    baseUnits: fields.baseUnits('baseUnits', maxUnits),
    feeCap: fields.baseUnits('feeCap', maxUnits),
    expiry: Math.floor(nowMs / 1000) + fields.number('hours', maxHours) * 3600,
    approver: fields.text('approver', APPROVER_NAME),
  }));
  if (read !== null) return read;
  throw bad(
    'The payout cannot be read: addresses in canonical text (0x… or 41…, lower case), amounts in base units.',
  );
}

function openKey(pem: string, passphrase: string): KeyObject {
  try {
    return createPrivateKey({ key: pem, passphrase });
  } catch {
    throw new OperatorError('wrong-passphrase', "The passphrase does not open the approver's key.");
  }
}

function publicKeyHex(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
}

function bad(message: string): OperatorError {
  return new OperatorError('bad-approval', message);
}
