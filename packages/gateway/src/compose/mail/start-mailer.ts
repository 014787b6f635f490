// Starts the mailer with the configured way to send mails.
import type { MailConfig } from '../../config/mail/mail-config.ts';
import { createMailFolder } from '../../mail/mail-folder.ts';
import type { MailWay } from '../../mail/port.ts';
import { runMailer } from '../../roles/mailer/mailer.ts';
import type { Parts } from '../parts.ts';

export async function startMailer(
  { database, world, log, mailSealing }: Parts,
  mail: MailConfig,
  signal: AbortSignal,
): Promise<void> {
  const { transact } = database;
  const way = await wayOf(mail);
  return runMailer({ transact, world, log, way, sealing: mailSealing }, signal);
}

async function wayOf(mail: MailConfig): Promise<MailWay> {
  if (mail.way === 'folder') return createMailFolder(mail.folder);
  // The library takes some megabytes, so it is loaded only where mails are sent by SMTP.
  const { createSmtp } = await import('../../mail/smtp.ts');
  return createSmtp(mail);
}
