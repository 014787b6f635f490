// Decides whether one more person may sign up now. The count is exact over all processes.
import { SIGN_UPS_WITHIN_MS } from '@ducat/core/access/sign-up';
import type { Tx } from '../../../db/postgres/tx.ts';
import { hasPassword } from '../../../db/tables/access/credentials.ts';
import { countMailsOf } from '../../../db/tables/access/mails.ts';
import { listOperatorEmails } from '../../../db/tables/access/people.ts';
import { lockLinks } from '../../../db/tables/access/mailed-links.ts';

export interface BeginSignUp {
  readonly email: string;
  readonly mostADay: number;
  readonly nowMs: number;
}

export type BegunSignUp =
  | { readonly outcome: 'begun'; readonly hasAccount: boolean }
  /** The gateway has no operator yet: its first account is made by the set-up link. */
  | { readonly outcome: 'unoperated' }
  /** The limit of mailed sign-ups is reached. */
  | { readonly outcome: 'full' };

export async function beginSignUp(tx: Tx, { email, mostADay, nowMs }: BeginSignUp): Promise<BegunSignUp> {
  if ((await listOperatorEmails(tx)).length === 0) return { outcome: 'unoperated' };
  // mark: sign-ups-are-counted
  await lockLinks(tx, 'sign_ups');
  const mailed = await countMailsOf(tx, 'sign-up', nowMs - SIGN_UPS_WITHIN_MS, mostADay);
  if (mailed >= mostADay) return { outcome: 'full' };
  return { outcome: 'begun', hasAccount: await hasPassword(tx, email) };
}
