// Puts a mail into the outbox, in the transaction of what it is about, unless the person got enough of its kind.
import {
  INVITED_WITHIN_MS,
  mailPaceOf,
  NOTICE_HOLDS_MS,
  roomForMail,
} from '@ducat/core/access/mail/mail-pace';
import { type MailLanguage, mailLanguageOf } from '@ducat/core/access/mail/languages';
import type { Notice } from '@ducat/core/access/mail/notice';
import { composeMail, type MailText } from '@ducat/core/access/mail/compose-mail';
import type { Tx } from '../../db/postgres/tx.ts';
import { countInvitationsOf, countMailsTo, insertMail } from '../../db/tables/access/mails.ts';
import { readLanguage } from '../../db/tables/access/people.ts';

export interface QueueMail {
  readonly mailId: string;
  readonly recipient: string;
  readonly notice: Notice;
  /** Of an invitation to a merchant, or what happened at one. */
  readonly merchantId: string | null;
  /** Of the page that asked for it, where the reader may be unknown. */
  readonly language?: string | undefined;
  /** The same is done, and nobody gets it: whether there is a reader shows in nothing that is waited for. */
  readonly isForNobody?: boolean | undefined;
  readonly nowMs: number;
  readonly seal: (text: MailText) => Buffer;
}

/** Whether it will be mailed, or counts as mailed. */
export async function queueMail(tx: Tx, mail: QueueMail): Promise<boolean> {
  const { mailId, recipient, notice, merchantId, isForNobody = false, nowMs, seal } = mail;
  const { kind } = notice;
  const isInvited = kind === 'invitation' && merchantId !== null;
  // No merchant mutes what happens at another. Invitations go to strangers, who get no more of them from many merchants.
  const about = kind === 'invitation' ? null : merchantId;
  const pace = mailPaceOf(kind);
  const before = {
    alike: await countMailsTo(tx, { recipient, kind, merchantId: about }, nowMs - pace.withinMs),
    invited: isInvited ? await countInvitationsOf(tx, merchantId, nowMs - INVITED_WITHIN_MS) : 0,
  };
  const room = roomForMail(before, pace);
  if (room === 'none') return false;
  const sealed = seal(composeMail(notice, room === 'last', await languageOf(tx, mail)));
  await insertMail(tx, {
    mailId,
    recipient,
    kind,
    merchantId,
    sealed: isForNobody ? null : sealed,
    createdAtMs: nowMs,
    expiresAtMs: 'untilMs' in notice ? notice.untilMs : nowMs + NOTICE_HOLDS_MS,
  });
  return true;
}

/** The reader's own; of who has none yet, that of the person who invites or of the page that asked. */
async function languageOf(tx: Tx, { recipient, notice, language }: QueueMail): Promise<MailLanguage> {
  const inviter = notice.kind === 'invitation' ? notice.invitedBy : null;
  return mailLanguageOf([
    await readLanguage(tx, recipient),
    inviter === null ? (language ?? null) : await readLanguage(tx, inviter),
  ]);
}
