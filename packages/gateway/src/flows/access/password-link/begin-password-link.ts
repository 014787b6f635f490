// Decides whether one more password link may be mailed now. The count is exact over all processes.
import { MOST_PASSWORD_LINKS, PASSWORD_LINK_HOLDS_MS } from '@ducat/core/access/password-link';
import type { Tx } from '../../../db/postgres/tx.ts';
import { hasPassword } from '../../../db/tables/access/credentials.ts';
import { lockLinks } from '../../../db/tables/access/mailed-links.ts';
import { countMailsOf } from '../../../db/tables/access/mails.ts';

/** Returns whether the e-mail has an account; null where the limit of password links is reached. */
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
