// Mails a notice to the person that a command changed something for, where the configuration has mail.
import type { Notice } from '@ducat/core/access/mail/notice';
import type { Tx } from '@ducat/gateway/db/postgres/tx';
import { queueMail } from '@ducat/gateway/flows/access/queue-mail';
import { createMailSealing } from '@ducat/gateway/keys/mail-sealing';
import { newMailId } from '@ducat/gateway/runtime/ids';
import type { Setup } from './setup.ts';

/** Queues the notice in the database transaction of the change. Returns whether it will be mailed. */
export async function queueNotice(
  tx: Tx,
  { config: { mail, masterSecret }, world }: Setup,
  { email, merchantId }: { readonly email: string; readonly merchantId: string | null },
  notice: Notice,
): Promise<boolean> {
  if (mail === null) return false;
  const sealing = createMailSealing({ masterSecret, world });
  const mailId = newMailId(world);
  return queueMail(tx, {
    mailId,
    recipient: email,
    notice,
    merchantId,
    nowMs: world.nowMs(),
    seal: (text) => sealing.seal(mailId, text),
  });
}
