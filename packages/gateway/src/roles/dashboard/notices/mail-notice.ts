// Mails about a person's account and about a merchant's apps, queued in the transaction of the change that they report.
import type { AppNoticeKind, Circumstances, Notice } from '@ducat/core/access/mail/notice';
import { isPermitted, type MemberRole } from '@ducat/core/access/permissions';
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
  /** The merchant that the mail is about. */
  readonly merchantId?: string | null;
  /** As in `queueMail`. */
  readonly language?: string | undefined;
  /** As in `queueMail`. */
  readonly isForNobody?: boolean;
}

/** Queues a mail. False where this gateway sends no mail, or where the person got enough mails of this kind. */
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

/** To every member who administers the merchant, also the person who made the change. */
export async function mailAdministrators(
  tx: Tx,
  call: MerchantCall,
  kind: AppNoticeKind,
  appName: string,
): Promise<void> {
  if (call.deps.mails === null) return;
  const notice = { kind, appName, ...(await commonOf(tx, call)) };
  for (const email of administratorsOf(await listMembers(tx, call.merchantId)))
    await mailNotice(tx, call, { email, merchantId: call.merchantId }, notice);
}

interface RoleChange {
  /** The members as they were before. */
  readonly members: readonly Member[];
  readonly personId: string;
  /** Null where the person is no member any more. */
  readonly role: MemberRole | null;
}

/**
 * To the members who administered the merchant until now, and to the member whose role changed, also where the role was
 * lost. Address and browser of the change are shown only to those who may still administer; they are in the audit log too.
 */
export async function mailRoleChange(
  tx: Tx,
  call: MerchantCall,
  { members, personId, role }: RoleChange,
): Promise<void> {
  const member = members.find((each) => each.personId === personId)?.email;
  if (call.deps.mails === null || member === undefined) return;
  const notice = { kind: 'role-changed', member, role, ...(await commonOf(tx, call)) } as const;
  const mayKnow = new Set(administratorsOf(members));
  // mark: an-address-is-for-who-administers
  if (role === null || !isPermitted({ role, isOperator: false }, 'administer')) mayKnow.delete(member);
  for (const email of new Set([...administratorsOf(members), member])) {
    const shown = mayKnow.has(email) ? notice : { ...notice, address: '', userAgent: '' };
    await mailNotice(tx, call, { email, merchantId: call.merchantId }, shown);
  }
}

/** To the members who administer the merchant, except the new member. */
export async function mailMemberJoined(
  tx: Tx,
  call: Happening,
  {
    merchantId,
    personId,
    role,
  }: { readonly merchantId: string; readonly personId: string; readonly role: MemberRole },
): Promise<void> {
  if (call.deps.mails === null) return;
  const members = await listMembers(tx, merchantId);
  const member = members.find((each) => each.personId === personId)?.email ?? personId;
  const merchantName = await merchantNameOf(tx, merchantId);
  const notice = { kind: 'member-joined', merchantName, member, role, ...circumstances(call) } as const;
  for (const email of administratorsOf(members))
    if (email !== member) await mailNotice(tx, call, { email, merchantId }, notice);
}

type Member = Awaited<ReturnType<typeof listMembers>>[number];

function administratorsOf(members: readonly Member[]): readonly string[] {
  return members.flatMap(({ email, role }) =>
    isPermitted({ role, isOperator: false }, 'administer') ? [email] : [],
  );
}

async function commonOf(tx: Tx, call: MerchantCall) {
  const merchantName = await merchantNameOf(tx, call.merchantId);
  return { merchantName, by: call.session.person.email, ...circumstances(call) };
}

async function merchantNameOf(tx: Tx, merchantId: string): Promise<string> {
  return (await readMerchantName(tx, merchantId)) ?? merchantId;
}

/** To every operator. */
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
