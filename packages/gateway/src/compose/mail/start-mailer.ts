// Joins the mailer to the way that mails leave by.
import type { MailConfig } from '../../config/mail/mail-config.ts';
import { createMailFolder } from '../../mail/mail-folder.ts';
import type { MailWay } from '../../mail/port.ts';
import { createSmtp } from '../../mail/smtp.ts';
import { runMailer } from '../../roles/mailer/mailer.ts';
import type { Parts } from '../parts.ts';

export function startMailer(
  { database, world, log, mailSealing }: Parts,
  mail: MailConfig,
  signal: AbortSignal,
): Promise<void> {
  const { transact } = database;
  return runMailer({ transact, world, log, way: wayOf(mail), sealing: mailSealing }, signal);
}

function wayOf(mail: MailConfig): MailWay {
  return mail.way === 'folder' ? createMailFolder(mail.folder) : createSmtp(mail);
}
