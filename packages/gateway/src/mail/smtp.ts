// Sends mails by SMTP. TLS is used as configured and the certificate is checked; otherwise no mail is sent.
import { createTransport } from 'nodemailer';
import { Outage } from '../runtime/outage.ts';
import type { MailWay, OutgoingMail } from './port.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly sender: string;
}

/** The timeout of each step. A mail that takes longer is retried. */
const TIMEOUT_MS = 15_000;

export function createSmtp({ host, port, tls, login, sender }: SmtpServer): MailWay {
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    // mark: mail-never-falls-back
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: { minVersion: 'TLSv1.2' },
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = sender.slice(sender.indexOf('@') + 1);
  return {
    send: async ({ mailId, recipient, subject, text }: OutgoingMail) => {
      try {
        await transport.sendMail({
          // As an object, each value is one address, whatever characters it contains.
          from: { name: 'Ducat', address: sender },
          to: { name: '', address: recipient },
          subject,
          text,
          messageId: `<${mailId}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return 'sent';
      } catch (error) {
        if (isRefusal(error)) return 'refused';
        throw new Outage(`the mail server ${host}: ${whyOf(error)}`, { cause: error });
      }
    },
  };
}

/**
 * Whether the server refused this recipient or this text for good. Where it refuses our own address, our login or this server as
 * a relay, an operator can mend that, and the mail is tried again. Servers say that in their answer to MAIL FROM, or in the one to
 * RCPT TO by 530, 535 or a status 5.7.x (RFC 3463, "security or policy").
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false;
  if (typeof error.responseCode !== 'number' || error.responseCode < 500) return false;
  if (error.code === 'EMESSAGE') return true;
  const isOfRecipient = error.code === 'EENVELOPE' && 'command' in error && error.command === 'RCPT TO';
  const answer = 'response' in error ? String(error.response) : '';
  return isOfRecipient && !/^(?:530|535|\d{3}[ -]5\.7\.)/.test(answer);
}

function whyOf(error: unknown): string {
  return error instanceof Error ? error.message : 'did not take the mail';
}
