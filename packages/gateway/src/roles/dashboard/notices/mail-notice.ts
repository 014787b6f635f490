// Mails about a person's account and about a merchant's apps, queued in the transaction of what they are about.
import type { Circumstances, Notice } from '@ducat/core/access/mail/notice';
import { isPermitted } from '@ducat/core/access/permissions';
import type { Tx } from '../../../db/postgres/tx.ts';
import { readMerchantName } from '../../../db/tables/apps.ts';
import { listMembers } from '../../../db/tables/access/memberships.ts';
import { listOperatorEmails } from '../../../db/tables/access/people.ts';
import { queueMail } from '../../../flows/access/queue-mail.ts';
import { timeText } from '../../../mail/time-text.ts';
import { newMailId } from '../../../runtime/ids.ts';
import type { Call } from '../call.ts';
import type { MerchantCall } from '../merchant-scope.ts';

type Happening = Pick<Call<'session.sign-in'>, 'deps' | 'nowMs' | 'address' | 'userAgent'>;

interface Addressed {
  readonly email: string;
  /** The merchant that it is about. */
  readonly merchantId?: string | null;
  /** As in `queueMail`. */
  readonly language?: string | undefined;
  /** As in `queueMail`. */
  readonly isForNobody?: boolean;
}

/** Whether it will be mailed: not where there is no mail, and not where the person got enough of its kind. */
export async function mailNotice(
  tx: Tx,
  { deps: { mails, world, logger }, nowMs }: Pick<Happening, 'deps' | 'nowMs'>,
  { email, merchantId = null, language, isForNobody }: Addressed,
  notice: Notice,
): Promise<boolean> {
  if (mails === null) return false;
  const mailId = newMailId(world);
  const isQueued = await queueMail(tx, {
    mailId,
    recipient: email,
    notice,
    merchantId,
    language,
    isForNobody,
    nowMs,
    seal: (mail) => mails.seal(mailId, mail),
  });
  if (!isQueued) logger.warn({ kind: notice.kind }, 'a mail is left out: enough of its kind were sent');
  return isQueued;
}

/** About a person's own account. */
export async function mailPerson(
  tx: Tx,
  call: Happening,
  { email }: { readonly email: string },
  what:
    | {
        readonly kind: 'new-device' | 'password-changed' | 'authenticator-changed' | 'recovery-codes-renewed';
      }
    | { readonly kind: 'passkey-added' | 'passkey-removed'; readonly name: string }
    | { readonly kind: 'recovery-code-used'; readonly codesLeft: number },
): Promise<void> {
  await mailNotice(tx, call, { email }, { ...what, ...circumstances(call) });
}

/** To every member who administers the merchant, also the one who did it. */
export async function mailAdministrators(
  tx: Tx,
  call: MerchantCall,
  kind: 'app-key-rotated' | 'payout-rules-changed',
  appName: string,
): Promise<void> {
  const { deps, merchantId, session } = call;
  if (deps.mails === null) return;
  const merchantName = (await readMerchantName(tx, merchantId)) ?? merchantId;
  for (const { email, role } of await listMembers(tx, merchantId)) {
    if (!isPermitted({ role, isOperator: false }, 'administer')) continue;
    const by = session.person.email;
    const notice = { kind, merchantName, appName, by, ...circumstances(call) };
    await mailNotice(tx, call, { email, merchantId }, notice);
  }
}

/** To everybody who operates the gateway. */
export async function mailOperators(
  tx: Tx,
  call: Pick<Happening, 'deps' | 'nowMs'>,
  notice: Extract<Notice, { kind: 'merchant-opened' }>,
): Promise<void> {
  if (call.deps.mails === null) return;
  for (const email of await listOperatorEmails(tx)) await mailNotice(tx, call, { email }, notice);
}

function circumstances({ nowMs, address, userAgent }: Happening): Circumstances {
  return { at: timeText(nowMs), address, userAgent };
}
