// The mails that a demo has caught. Their links open accounts, so they are shown on the demo's own machine alone.
import { answer, type Handler, unknown } from '../call.ts';
import { seconds } from '../texts.ts';

const SHOWN = 30;

export const listCaughtMails: Handler<'mails.list-caught'> = async ({ deps, isFromHere }) => {
  // mark: caught-mails-stay-here
  if (deps.caughtMails === null || !isFromHere) return unknown('operation');
  const mails = await deps.caughtMails.list(SHOWN);
  return answer({
    mails: mails.map(({ mailId, atMs, recipient, subject, text }) => ({
      mail_id: mailId,
      at: seconds(atMs),
      recipient,
      subject,
      text,
    })),
  });
};
