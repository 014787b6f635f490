// Whether one more link to a new password is begun now, counted exactly over all processes.
import { MOST_PASSWORD_LINKS, PASSWORD_LINK_HOLDS_MS } from '@ducat/core/access/password-link';
import type { Tx } from '../../../db/postgres/tx.ts';
import { hasPassword } from '../../../db/tables/access/credentials.ts';
import { lockLinks } from '../../../db/tables/access/mailed-links.ts';
import { countMailsOf } from '../../../db/tables/access/mails.ts';

/** Whether there is an account of the e-mail; null where so many were asked for that no more are begun. */
export async function beginPasswordLink(
  tx: Tx,
  { email, nowMs }: { readonly email: string; readonly nowMs: number },
): Promise<{ readonly hasAccount: boolean } | null> {
  // mark: password-links-are-counted
  await lockLinks(tx, 'password_links');
  const sinceMs = nowMs - PASSWORD_LINK_HOLDS_MS;
  const asked = await countMailsOf(tx, 'password-link', sinceMs, MOST_PASSWORD_LINKS);
  return asked >= MOST_PASSWORD_LINKS ? null : { hasAccount: await hasPassword(tx, email) };
}
