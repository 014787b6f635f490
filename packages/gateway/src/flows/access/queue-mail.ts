// Queues a mail in the database transaction of its occasion, unless the recipient got too many mails of this kind.
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
  /** The merchant that the invitation or notice is about; null where it is about none. */
  readonly merchantId: string | null;
  /** The language of the page that asked for the mail, where the reader may be unknown. */
  readonly language?: string | undefined;
  /** Does the same work but sends no mail, so that the response time does not show whether the account exists. */
  readonly isForNobody?: boolean | undefined;
  readonly nowMs: number;
  readonly seal: (text: MailText) => Buffer;
}

/** Returns whether the mail was queued, or counts as queued. */
export async function queueMail(tx: Tx, mail: QueueMail): Promise<boolean> {
  const { mailId, recipient, notice, merchantId, isForNobody = false, nowMs, seal } = mail;
  const { kind } = notice;
  const isInvited = kind === 'invitation' && merchantId !== null;
  // Notices are limited per merchant, so that one merchant cannot mute those of another. Invitations are limited over all
  // merchants, so that many merchants together cannot send a stranger more.
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

/** The reader's own language. Without one, the language of the inviting person or of the page that asked. */
async function languageOf(tx: Tx, { recipient, notice, language }: QueueMail): Promise<MailLanguage> {
  const inviter = notice.kind === 'invitation' ? notice.invitedBy : null;
  return mailLanguageOf([
    await readLanguage(tx, recipient),
    inviter === null ? (language ?? null) : await readLanguage(tx, inviter),
  ]);
}
