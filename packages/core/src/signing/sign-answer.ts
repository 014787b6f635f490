// What the signer answers to an intent: signed bytes, or a reason why not.

/** Why the signer does not sign. Asking again helps where time or an operator changes something. */
export const signRefusals = [
  /** No policy or no log was given to the signer: it serves public keys alone. */
  'signing-off',
  /** After a restore, until an operator resumes it; what the log holds is still answered. */
  'safe-mode',
  /** The params are no intent that the signer knows. */
  'malformed',
  /** The method is for other subjects: payouts and our own transfers are two rights. */
  'subject-kind',
  /** The policy does not list the chain, or not the asset. */
  'chain-unknown',
  'asset-unknown',
  /** The policy names no stake with this resource, account and permission. */
  'stake-unknown',
  /** The policy does not let the chain's deposit addresses be swept. */
  'sweep-off',
  /** Collection or funding: not the address at `recipient`. `cold`: not listed. Payout: an address that can get nothing. */
  'destination',
  /** The key of this branch may not sign for this subject, or this action is not for it. */
  'key-use',
  /** The subject was signed with something else; never signed again. */
  'subject-differs',
  /** The nonce belongs to another subject. */
  'nonce-taken',
  /** A variant of a signed transaction must offer higher fees. */
  'fee-not-higher',
  /** On Tron: an earlier transaction of this subject may still be included. */
  'unexpired',
  /** On Tron: the expiration lies more than a day ahead. */
  'expiration',
  'limit-transaction',
  'limit-hour',
  'limit-day',
  'limit-fee-transaction',
  'limit-fee-hour',
  'limit-fee-day',
  /** Above the policy's amount a payout needs an approval, and it is missing, not by an approver, false, late or used. */
  'approval-missing',
  'approval-unknown',
  'approval-invalid',
  'approval-expired',
  'approval-used',
] as const;

export type SignRefusal = (typeof signRefusals)[number];

export interface SignedTransfer {
  readonly outcome: 'signed';
  /** What a node takes: lower-case hex without 0x. */
  readonly bytes: string;
  /** In the family's canonical text: with 0x on EVM, without on Tron. */
  readonly txId: string;
  /** Canonical address of the key that signed. */
  readonly from: string;
  /** The position of the signer's log after this answer; the highest one goes with the next question. */
  readonly logSequence: number;
}

export interface RefusedTransfer {
  readonly outcome: 'refused';
  readonly reason: SignRefusal;
  readonly logSequence: number;
}

export type SignAnswer = SignedTransfer | RefusedTransfer;
