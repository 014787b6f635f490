// Puts a mail into the outbox, in the transaction of what it is about, unless the person got enough of its kind.
import {
  ALIKE_WITHIN_MS,
  INVITED_WITHIN_MS,
  NOTICE_HOLDS_MS,
  roomForMail,
} from '@ducat/core/access/mail/mail-pace';
import type { Notice } from '@ducat/core/access/mail/notice';
import { composeMail, type MailText } from '@ducat/core/access/mail/compose-mail';
import type { Tx } from '../../db/postgres/tx.ts';
import { countMailsOf, countMailsTo, insertMail } from '../../db/tables/access/mails.ts';

export interface QueueMail {
  readonly mailId: string;
  readonly recipient: string;
  readonly notice: Notice;
  /** Of an invitation to a merchant. */
  readonly merchantId: string | null;
  readonly nowMs: number;
  readonly seal: (text: MailText) => Buffer;
}

/** Whether it will be mailed. */
export async function queueMail(tx: Tx, mail: QueueMail): Promise<boolean> {
  const { mailId, recipient, notice, merchantId, nowMs, seal } = mail;
  const { kind } = notice;
  const room = roomForMail({
    alike: await countMailsTo(tx, { recipient, kind }, nowMs - ALIKE_WITHIN_MS),
    invited: merchantId === null ? 0 : await countMailsOf(tx, merchantId, nowMs - INVITED_WITHIN_MS),
  });
  if (room === 'none') return false;
  await insertMail(tx, {
    mailId,
    recipient,
    kind,
    merchantId,
    sealed: seal(composeMail(notice, room === 'last')),
    createdAtMs: nowMs,
    expiresAtMs: notice.kind === 'invitation' ? notice.untilMs : nowMs + NOTICE_HOLDS_MS,
  });
  return true;
}
