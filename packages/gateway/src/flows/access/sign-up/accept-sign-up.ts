// Accepts the link of a sign-up: makes an account, and the merchant that it owns.
import type { MerchantLimits } from '@ducat/core/access/merchant-limits';
import type { Tx } from '../../../db/postgres/tx.ts';
import { insertMember } from '../../../db/tables/access/memberships.ts';
import type { NewPerson } from '../../../db/tables/access/people.ts';
import { takeLink } from '../../../db/tables/access/mailed-links.ts';
import { insertMerchant, type NewMerchant, updateSuspension } from '../../../db/tables/apps.ts';
import { updateMerchantLimits } from '../../../db/tables/merchant-limits.ts';
import { openAccount } from '../open-account.ts';

export interface AcceptSignUp {
  readonly tokenHash: Buffer;
  /** The person with the id for a new account. */
  readonly person: Omit<NewPerson, 'email' | 'isOperator'>;
  readonly passwordHash: string;
  readonly merchant: Omit<NewMerchant, 'createdAtMs' | 'isFromSignUp'>;
  /** Whether the merchant begins suspended. */
  readonly isSuspended: boolean;
  readonly limits: MerchantLimits;
  readonly nowMs: number;
}

export type SignedUp =
  | { readonly outcome: 'accepted'; readonly personId: string; readonly email: string }
  | { readonly outcome: 'unknown' | 'has-account' };

/** Uses the link up, also where it has expired or its e-mail has an account by now. */
export async function acceptSignUp(
  tx: Tx,
  { tokenHash, person, passwordHash, merchant, isSuspended, limits, nowMs }: AcceptSignUp,
): Promise<SignedUp> {
  const signUp = await takeLink(tx, 'sign_ups', tokenHash);
  if (signUp === null || signUp.expiresAtMs <= nowMs) return { outcome: 'unknown' };
  const { email } = signUp;
  const personId = await openAccount(tx, {
    person: { ...person, email, isOperator: false },
    passwordHash,
    nowMs,
  });
  // The person has accepted an invitation since the link was mailed.
  if (personId === null) return { outcome: 'has-account' };
  const { merchantId } = merchant;
  await insertMerchant(tx, { ...merchant, createdAtMs: nowMs, isFromSignUp: true });
  await updateMerchantLimits(tx, merchantId, limits);
  await updateSuspension(tx, merchantId, isSuspended);
  await insertMember(tx, { merchantId, personId, role: 'owner', sinceMs: nowMs });
  return { outcome: 'accepted', personId, email };
}
